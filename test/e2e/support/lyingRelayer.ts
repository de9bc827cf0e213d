import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningRelayer } from '../../../src/relayer/createRelayer.ts';
import { developmentRelayer } from '../../relayer/support/startRelayer.ts';

/** Changes the answer of one path, while it is set. */
interface Lie {
  /** Without its query, such as `/api/v3/order`. */
  readonly path: string;
  /** `GET` or `POST`; both when it is left out. */
  readonly method?: string;
  /** Gives what is answered; a promise holds the answer back. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of any endpoint, turned into others
  readonly tell: (answer: any) => unknown;
}

/** A relayer behind an address at which answers can be changed on their way. */
export interface LyingRelayer {
  /** What wallets are told to use. */
  readonly url: string;
  readonly relayer: RunningRelayer;
  /** Bodies that arrived, by path. */
  readonly received: { readonly path: string; readonly body: string }[];
  /** `null`: honest again. */
  tell(lie: Lie | null): void;
  close(): Promise<void>;
}

export async function createLyingRelayer(): Promise<LyingRelayer> {
  const received: { path: string; body: string }[] = [];
  let lie: Lie | null = null;
  let target = '';
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const path = incoming.url ?? '/';
    const method = incoming.method ?? 'GET';
    if (body !== '') received.push({ path, body });
    const headers = new Headers();
    for (const name of ['content-type', 'x-api-key', 'x-api-sig', 'origin']) {
      const value = incoming.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const honest = await fetch(target + path, { method, headers, ...(body === '' ? {} : { body }) });
    const text = await honest.text();
    const isMeant = lie !== null && path.split('?')[0] === lie.path && (lie.method ?? method) === method;
    const told = honest.ok && isMeant ? lie : null;
    const more = [...honest.headers].filter(
      ([name]) => !/^(content-length|content-encoding|transfer-encoding)$/.test(name),
    );
    outgoing.writeHead(honest.status, Object.fromEntries(more));
    outgoing.end(told ? JSON.stringify(await told.tell(JSON.parse(text))) : text);
  }
  // The wallet may leave, and the relayer end, before its answer was passed on.
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const relayer = await developmentRelayer({ publicUrls: [url] });
  target = relayer.url;
  return {
    url,
    relayer,
    received,
    tell(next) {
      lie = next;
    },
    async close() {
      await new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      });
      await relayer.close();
    },
  };
}
