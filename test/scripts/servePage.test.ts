import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { servePage } from '../../scripts/demo/servePage.ts';

let folder: string;
const closing: (() => Promise<void>)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  mkdirSync(join(folder, 'built'));
  writeFileSync(join(folder, 'built/index.html'), '<p>page</p>');
  writeFileSync(join(folder, 'secret.txt'), 'not for the page');
});

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  rmSync(folder, { recursive: true });
});

async function serve(guide?: unknown) {
  const server = await servePage({ port: 0, folder: join(folder, 'built'), guide });
  closing.push(server.close);
  return server;
}

/** Sends the path as it stands; `fetch` would resolve the dots before sending. */
function statusOf(url: string, path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

it('serves the page with a policy that allows only its own files', async () => {
  const { url } = await serve();
  const answer = await fetch(url);
  expect([answer.status, await answer.text()]).toEqual([200, '<p>page</p>']);
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'self'/);
});

it.each(['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/missing.js', '/%E0%A4%A'])(
  'answers 404 to %s',
  async (path) => {
    const { url } = await serve();
    expect(await statusOf(url, path)).toBe(404);
  },
);

it('answers 204 for the guide when there is none, and the guide when there is one', async () => {
  expect((await fetch(`${(await serve()).url}/demo.json`)).status).toBe(204);
  expect(await (await fetch(`${(await serve({ relayer: 'r' })).url}/demo.json`)).json()).toEqual({ relayer: 'r' });
});
