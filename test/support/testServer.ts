import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  /** Path and query as they came. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A real HTTP server on a free port whose handler a test swaps; it remembers what it got. */
export async function createTestServer() {
  const seen: SeenRequest[] = [];
  const state: { handle: (request: SeenRequest, response: ServerResponse) => void } = {
    handle: (_request, response) => response.end(),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const entry = { method, url, headers, body: Buffer.concat(chunks).toString() };
      seen.push(entry);
      state.handle(entry, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    /** Answers each request by `handle`. */
    on(handle: (request: SeenRequest, response: ServerResponse) => void) {
      state.handle = handle;
    },
    /** Answers each request with JSON, or with a text as it is. */
    answer(status: number, body: unknown, headers: Record<string, string> = {}) {
      state.handle = (_request, response) => {
        response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
