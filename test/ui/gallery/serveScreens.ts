import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize, resolve } from 'node:path';
import { build } from 'vite';
import manifest from '../../../manifest.json' with { type: 'json' };
import { compactCatalogs } from '../../../scripts/build/compactCatalogs.ts';

const root = resolve(import.meta.dirname, '../../..');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
};

export interface ServedScreens {
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/**
 * Builds the pages of the extension and serves them, and axe-core as `/axe.js`, under the
 * manifest's content security policy.
 */
export async function serveScreens(pages: readonly string[]): Promise<ServedScreens> {
  const built = join(tmpdir(), `countersign-gallery-${process.pid}`);
  await build({
    configFile: false,
    logLevel: 'warn',
    root,
    plugins: [compactCatalogs()],
    build: {
      outDir: built,
      emptyOutDir: true,
      modulePreload: false,
      rollupOptions: { input: Object.fromEntries(pages.map((page) => [page, resolve(root, `src/ui/${page}.html`)])) },
    },
  });
  const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  const read = async (path: string) => {
    if (path === '/axe.js') return await readFile(axe);
    // What browsers ask a web server for until a page names its mark; of an extension they do not.
    return await readFile(join(built, path === '/favicon.ico' ? 'icons/32.png' : path));
  };
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://local').pathname);
    read(path).then(
      (content) => {
        response.writeHead(200, {
          'content-type': types[extname(path)] ?? 'application/octet-stream',
          'content-security-policy': manifest.content_security_policy.extension_pages,
          'cache-control': 'max-age=3600',
        });
        response.end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      await rm(built, { recursive: true, force: true });
    },
  };
}
