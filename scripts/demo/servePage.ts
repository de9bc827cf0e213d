import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve } from 'node:path';
import { root } from '../prepare.mjs';
import { listening } from './listening.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface PageServer {
  /** `http://localhost:PORT`, without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

export interface PageOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Folder with the built page; `dist/demo` when absent. */
  readonly folder?: string;
  /** Answered at `/demo.json`; without it that path answers 204 and the page shows no guide. */
  readonly guide?: unknown;
  /** Another origin that the page may read from. */
  readonly readsFrom?: string;
}

/**
 * Serves the built demo page on the loopback address.
 * @throws {NodeJS.ErrnoException} `EADDRINUSE`: the port is taken.
 */
export async function servePage({
  port,
  folder = join(root, 'dist/demo'),
  guide,
  readsFrom = '',
}: PageOptions): Promise<PageServer> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const headers = {
      'content-security-policy': `default-src 'self'; connect-src 'self' ${readsFrom}; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'`,
      'cache-control': 'no-store',
    };
    if (pathname === '/demo.json') {
      if (guide === undefined) response.writeHead(204, headers).end();
      else response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(guide));
      return;
    }
    const path = resolve(folder, `.${normalize(pathname === '/' ? '/index.html' : pathname)}`);
    const body = path.startsWith(`${resolve(folder)}/`) ? await readFile(path).catch(() => null) : null;
    if (body === null) response.writeHead(404, headers).end('Not found');
    else
      response
        .writeHead(200, { ...headers, 'content-type': types[extname(path)] ?? 'application/octet-stream' })
        .end(body);
  });
  const { port: taken, close } = await listening(server, 'localhost', port);
  return { url: `http://localhost:${taken}`, close };
}
