import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { serve } from '@hono/node-server';
import { answerClientError } from './server/clientErrors.ts';

/**
 * Longer than any client keeps an idle connection (Chromium: 300 s): the side that closes first
 * must be the client, because a request that crosses the server's close is lost without an answer.
 */
const KEEP_ALIVE_MS = 330_000;

export interface RunningServer {
  readonly http: Server;
  readonly port: number;
  /** Stops listening and lets running requests end, for so long at most. */
  close(graceMs: number): Promise<void>;
}

/**
 * Slow and oversized clients end here: headers within 5 s and 16 kB, a whole request within 10 s.
 */
export async function startServer(
  fetch: Parameters<typeof serve>[0]['fetch'],
  { host, port }: { readonly host: string; readonly port: number },
): Promise<RunningServer> {
  const http = await new Promise<Server>((resolve, reject) => {
    const server = serve(
      {
        fetch,
        hostname: host,
        port,
        serverOptions: {
          maxHeaderSize: 16_384,
          headersTimeout: 5_000,
          requestTimeout: 10_000,
          keepAliveTimeout: KEEP_ALIVE_MS,
          connectionsCheckingInterval: 1_000,
        },
      },
      () => resolve(server),
    ) as Server;
    server.once('error', reject);
    server.on('clientError', answerClientError);
  });
  // The server itself forgets those that were upgraded, but waits for them.
  const sockets = new Set<Socket>();
  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    http,
    port: (http.address() as AddressInfo).port,
    close: (graceMs) =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeIdleConnections();
        setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, graceMs).unref();
      }),
  };
}
