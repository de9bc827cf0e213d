import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runScript } from '../../support/runScript.ts';
import { damagedLine, numbered, scenarioLines, snapshotAfter } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-replay-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const replay = (...options: string[]) => runScript('replay', ...options);

function fileOf(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

it('replays a file, writes the proofs and ends with 0', async () => {
  const proofs = join(folder, 'proofs.jsonl');
  const { code, lines } = await replay('--from', fileOf('true.jsonl', scenarioLines(1)), '--proofs', proofs);
  expect(code).toBe(0);
  expect(lines.slice(-2)).toEqual([expect.stringMatching(/ proofs written to /), '2 blocks replayed, 0 differ']);
  const [first = ''] = readFileSync(proofs, 'utf8').split('\n');
  expect(JSON.parse(first)).toMatchObject({ accountMerkleProof: expect.any(Array), balanceLeaf: expect.any(Object) });
});

it('says how many blocks came without the hash that covers what changes no state', async () => {
  const [first = '', second = ''] = scenarioLines(1, false);
  // The time of the block.
  const { code, lines } = await replay('--from', fileOf('bare.jsonl', [first, damagedLine(second, 98 - 12)]));
  expect(code).toBe(0);
  expect(lines.slice(-2)).toEqual([
    '2 blocks came without publicDataHash: what changes no state is not checked in them',
    '2 blocks replayed, 0 differ',
  ]);
});

it('ends with 1 at a block that lies', async () => {
  const [first = '', second = ''] = scenarioLines(1);
  const { code, lines } = await replay('--from', fileOf('lie.jsonl', [first, damagedLine(second, 98 - 12)]));
  expect(code).toBe(1);
  expect(lines.at(-2)).toMatch(/^block 2 differs, rule public-data-hash: /);
  expect(lines.at(-1)).toBe('2 blocks replayed, 1 differ');
});

it('begins with a snapshot, which it names when it lies', async () => {
  const lines = numbered(scenarioLines(0));
  const blocks = fileOf('numbered.jsonl', lines);
  const snapshot = await snapshotAfter(lines.slice(0, 2));
  const { code, lines: said } = await replay('--from', blocks, '--snapshot', fileOf('state-2.jsonl', snapshot));
  expect(said[0]).toMatch(/^the state after block 2 has root 0x/);
  expect(said.slice(1)).toEqual([
    expect.stringMatching(/^block 3: /),
    expect.stringMatching(/^block 4: /),
    '2 blocks replayed, 0 differ',
  ]);
  expect(code).toBe(0);
  const changed = snapshot.with(1, (snapshot[1] ?? '').replace(/"nonce":[0-9]+/, '"nonce":77'));
  const path = fileOf('changed.jsonl', changed);
  expect(await replay('--from', blocks, '--snapshot', path)).toMatchObject({
    code: 1,
    lines: [expect.stringMatching(new RegExp(`^${path}: rule root-after: `))],
  });
  const other = await snapshotAfter(lines.slice(0, 2), (state) => state.setBalance(7, 1, { balance: 5n }));
  expect(await replay('--from', blocks, '--snapshot', fileOf('other.jsonl', other))).toMatchObject({
    code: 1,
    lines: [
      expect.stringMatching(/^the state after block 2 /),
      expect.stringMatching(/^the snapshot differs, rule snapshot: /),
      '0 blocks replayed, 1 differ',
    ],
  });
  expect((await replay('--from', blocks, '--until', '3')).lines.at(-1)).toBe('3 blocks replayed, 0 differ');
  expect(await replay('--from', blocks, '--until', 'x')).toMatchObject({
    code: 2,
    errors: '--until: x is no number of a block\n',
  });
});

it('ends with 2, and writes no proofs, when the last block is before the one that was asked for', async () => {
  const lines = numbered(scenarioLines(0));
  const snapshot = fileOf('state-2.jsonl', await snapshotAfter(lines.slice(0, 2)));
  const proofs = join(folder, 'behind.jsonl');
  const source = ['--from', fileOf('short.jsonl', lines)];
  for (const [from, last] of [
    [source, 4],
    [[...source, '--snapshot', snapshot], 4],
    [['--snapshot', snapshot], 2],
  ] as const) {
    const { code, errors } = await replay(...from, '--until', '5', '--proofs', proofs);
    expect({ code, errors }).toEqual({ code: 2, errors: `--until: there is no block 5; the last one is ${last}\n` });
  }
  expect(existsSync(proofs)).toBe(false);
  expect(await replay(...source, '--until', '4')).toMatchObject({ code: 0 });
});

it('replays what a server publishes', async () => {
  const server = createServer((request, answer) => {
    if (request.url !== '/blocks.jsonl') answer.writeHead(404);
    answer.end(scenarioLines(2).join('\n'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await replay('--from', `${base}/blocks.jsonl`)).lines.at(-1)).toBe('1 blocks replayed, 0 differ');
  expect(await replay('--from', `${base}/nothing`)).toMatchObject({
    code: 2,
    errors: `${base}/nothing: answered 404\n`,
  });
  server.close();
  await once(server, 'close');
  expect(await replay('--from', base)).toMatchObject({
    code: 2,
    errors: expect.stringMatching(new RegExp(`^${base}: fetch failed: .*ECONNREFUSED`)),
  });
});

it('stops at a relayer that answers with something else than the next blocks', async () => {
  const [first = ''] = numbered(scenarioLines(2));
  let later: unknown = { blocks: [null] };
  const server = createServer((request, answer) => {
    const isFirst = request.url?.endsWith('start=0');
    answer.end(isFirst ? `{ "blocks": [${first}] }` : JSON.stringify(later));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await replay('--from', base)).toMatchObject({
    code: 2,
    errors: expect.stringMatching(new RegExp(`^${base}: answered no blocks for block 2: blocks\\.0: `)),
  });
  later = JSON.parse(`{ "blocks": [${first}] }`);
  expect((await replay('--from', base)).errors).toBe(
    `${base}: answered no blocks for block 2: blocks.0.blockId: is before block 2\n`,
  );
  later = 'none';
  expect((await replay('--from', base)).code).toBe(2);
  server.close();
});

it('asks a relayer again that cannot answer now, and ends with 2 when it still cannot', async () => {
  const [first = ''] = numbered(scenarioLines(2));
  const statuses: number[] = [];
  const server = createServer((request, answer) => {
    if (request.url === '/') return void answer.end('<p>A relayer');
    answer.writeHead(statuses.shift() ?? 200);
    answer.end(request.url?.endsWith('start=0') ? `{ "blocks": [${first}] }` : '{ "blocks": [] }');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  statuses.push(503, 200, 429);
  expect((await replay('--from', base)).lines.at(-1)).toBe('1 blocks replayed, 0 differ');
  for (const status of [429, 503]) {
    statuses.push(status, status);
    expect(await replay('--from', base)).toMatchObject({
      code: 2,
      errors: `${base}: answered ${status} for block 0\n`,
    });
  }
  server.close();
});

it('ends with 1 without a block and with 2 without a file or with a wrong address', async () => {
  expect(await replay('--from', fileOf('empty.jsonl', []))).toMatchObject({
    code: 1,
    lines: ['0 blocks replayed, 0 differ'],
  });
  const missing = join(folder, 'missing.jsonl');
  expect((await replay('--from', missing)).errors).toContain(`${missing}: ENOENT`);
  expect(await replay('--from', missing, '--exchange', '0x5')).toMatchObject({
    code: 2,
    errors: '--exchange: 0x5 is no address\n',
  });
  expect((await replay()).errors).toContain('npm run replay -- --from FILE|URL');
});

it('ends at the block of a snapshot and not before it', async () => {
  const lines = numbered(scenarioLines(0));
  const snapshot = fileOf('state-2.jsonl', await snapshotAfter(lines.slice(0, 2)));
  const proofs = join(folder, 'before.jsonl');
  const until = (block: string, blocks: readonly string[]) =>
    replay('--from', fileOf('until.jsonl', blocks), '--snapshot', snapshot, '--until', block, '--proofs', proofs);
  expect(await until('1', lines)).toMatchObject({
    code: 2,
    errors: '--until: block 1 is before the snapshot, which is the state after block 2\n',
  });
  expect(existsSync(proofs)).toBe(false);
  const own = await until('2', lines);
  expect(own).toMatchObject({ code: 0, errors: '' });
  expect(own.lines.at(-1)).toBe('0 blocks replayed, 0 differ');
  expect(existsSync(proofs)).toBe(true);
  const newest = fileOf('newest.jsonl', lines.slice(0, 2));
  expect(await replay('--from', newest, '--snapshot', snapshot)).toMatchObject({ code: 0 });
  // Nothing to compare it with.
  expect(await until('2', lines.slice(2))).toMatchObject({ code: 1 });
});
