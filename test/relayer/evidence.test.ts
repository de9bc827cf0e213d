import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { replayBlocks } from '../../scripts/replay/replayBlocks.ts';
import {
  decodeBlock,
  encodeTransaction,
  foldMerkleProof,
  parseMerkleProof,
  RollupError,
  readSnapshot,
  type TransactionOf,
} from '../../src/protocol/rollup/index.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { everyTransaction } from './support/everyTransaction.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';

const run = promisify(execFile);
const root = new URL('../..', import.meta.url).pathname;

interface Published {
  readonly blockId: number;
  readonly data: string;
  readonly rootAfter: string;
}

describe('the evidence of a relayer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-evidence-'));
  let test: TestRelayer;
  let alice: TestAccount;
  let bob: TestAccount;
  let blocks: Published[];
  beforeAll(async () => {
    test = await startRelayer({ snapshotDir: folder, confirmAfterMs: 1, finalizeAfterMs: 1 });
    [alice, bob] = await everyTransaction(test);
    // Confirmed, then finalized.
    for (let round = 0; round < 2; round++) {
      await test.advance(1_000);
      await test.block();
    }
    blocks = await published();
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await test.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const published = async (): Promise<Published[]> => {
    const found: Published[] = [];
    for (;;) {
      const query = { start: (found.at(-1)?.blockId ?? 0) + 1, limit: 3 };
      const { body } = await test.call('GET', '/api/v3/block/bytes', { query });
      if (body.blocks.length === 0) return found;
      found.push(...body.blocks);
    }
  };
  const proofOf = (accountId: number, tokenId: number) =>
    test.call('GET', '/api/v3/exit/proof', { query: { accountId, tokenId } });

  it('is enough to replay it by its URL, with the proof of every balance', async () => {
    const proofs = join(mkdtempSync(join(tmpdir(), 'countersign-proofs-')), 'proofs.txt');
    onTestFinished(() => rmSync(dirname(proofs), { recursive: true }));
    const replay = await run(
      'npm',
      ['run', '--silent', 'replay', '--', '--from', test.relayer.url, '--proofs', proofs],
      {
        cwd: root,
      },
    );
    expect(replay.stdout.trimEnd().split('\n').at(-1)).toBe(`${blocks.length} blocks replayed, 0 differ`);
    const last = blocks.at(-1)?.rootAfter ?? '';
    const verified = await run('npm', ['run', '--silent', 'verify-proofs', '--', '--from', proofs, '--root', last], {
      cwd: root,
    });
    expect(verified.stdout).toMatch(/\n[0-9]{2} proofs checked, 0 do not hold\n$/);
  });

  it('has the trade of an NFT among what it replays', async () => {
    const trades = blocks.flatMap(({ data }) =>
      decodeBlock(Buffer.from(data.slice(2), 'hex')).transactions.filter(({ type }) => type === 'SpotTrade'),
    ) as TransactionOf<'SpotTrade'>[];
    const ofNfts = trades.filter(({ tokenA, tokenB }) => Math.max(tokenA, tokenB) >= 32_768);
    // The amounts of a transaction have few digits, so that another one moves the rest.
    expect(ofNfts).toHaveLength(2);
    const { body } = await alice.get('/api/v3/user/nft/trades');
    const sold = ofNfts.map(({ accountA, accountB, fillA, fillB, tokenA }) =>
      tokenA === 0 ? { seller: accountB, count: fillB } : { seller: accountA, count: fillA },
    );
    expect(sold.map(({ seller }) => seller)).toEqual([alice.accountId, alice.accountId]);
    expect(String(sold.reduce((sum, { count }) => sum + BigInt(count), 0n))).toBe(body.trades[0][6]);
  });

  it('has a proof for every balance of everybody', async () => {
    for (const account of [alice, bob]) {
      const { body: tokens } = await account.get('/api/v3/user/balances');
      const { body: nfts } = await account.get('/api/v3/user/nft/balances');
      const held = [...tokens, ...nfts.data.filter(({ total }: { total: string }) => total !== '0')];
      expect(held.length).toBeGreaterThan(4);
      for (const { tokenId, total } of held) {
        const { body } = await proofOf(account.accountId, tokenId);
        const proof = parseMerkleProof(body.proof);
        expect(foldMerkleProof(proof)).toBe(BigInt(body.root));
        expect(body.root).toBe(blocks.find(({ blockId }) => blockId === body.blockId)?.rootAfter);
        expect(proof.accountLeaf).toMatchObject({ accountID: account.accountId, owner: BigInt(account.owner) });
        expect(proof.balanceLeaf).toMatchObject({ tokenID: tokenId, balance: BigInt(total) });
      }
    }
    // Also that somebody has nothing, but not of an NFT.
    expect(parseMerkleProof((await proofOf(4_000_000_000, 3)).body.proof).balanceLeaf.balance).toBe(0n);
    expect((await proofOf(alice.accountId, 40_000)).body.resultInfo.message).toContain('is empty');
  });

  it('is replayed from a snapshot on, by the URL', async () => {
    const files = readdirSync(folder).map((name) => ({ name, blockId: Number(/[0-9]+/.exec(name)) }));
    const { name, blockId } = files.toSorted((a, b) => a.blockId - b.blockId)[2] ?? { name: '', blockId: 0 };
    const options = ['--from', test.relayer.url, '--snapshot', join(folder, name)];
    const { stdout } = await run('npm', ['run', '--silent', 'replay', '--', ...options], { cwd: root });
    const behind = blocks.filter((block) => block.blockId > blockId);
    expect(behind.length).toBeGreaterThan(2);
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^the state after block ${blockId} `)),
      ...behind.map((block) =>
        expect.stringMatching(new RegExp(`^block ${block.blockId}: .* root ${block.rootAfter}$`)),
      ),
      `${behind.length} blocks replayed, 0 differ`,
    ]);
  });

  it('says which transaction of which block lies', async () => {
    const at = blocks.findIndex(({ data }) => data.length > 2 * (98 + 68 * 5));
    const lines = blocks.map((block) => JSON.stringify(block));
    const { data } = blocks[at] as Published;
    const bytes = Buffer.from(data.slice(2), 'hex');
    // The type of its third transaction.
    bytes[98 + 29 * 2] = 77;
    lines[at] = JSON.stringify({ ...blocks[at], data: `0x${bytes.toString('hex')}` });
    const said: string[] = [];
    expect(await replayBlocks(lines, {}, (line) => said.push(line))).toMatchObject({
      replayed: at + 1,
      differ: 1,
    });
    expect(said.at(-1)).toBe(
      `block ${at + 1} differs, rule type: transaction 2 (type 77): there is no transaction type 77`,
    );
    expect(encodeTransaction({ type: 'Noop' })).toHaveLength(68);
  });

  it('is a file of the state after each finalized block, which is refused when it is changed', async () => {
    const files = readdirSync(folder);
    const finalized = await test.relayer.db.query<{ block_id: number }>(
      `SELECT block_id FROM blocks WHERE status = 'finalized' AND data IS NOT NULL ORDER BY block_id`,
    );
    expect(files.toSorted()).toEqual(finalized.map(({ block_id }) => `state-${block_id}.jsonl`).toSorted());
    expect(files.length).toBeGreaterThan(3);
    for (const name of files) {
      const { blockId, root: hashed } = await readSnapshot(readFileSync(join(folder, name), 'utf8').split('\n'));
      expect(name).toBe(`state-${blockId}.jsonl`);
      expect(hashed).toBe(BigInt(blocks.find((block) => block.blockId === blockId)?.rootAfter ?? 0));
    }
    const text = readFileSync(join(folder, files.at(-1) ?? ''), 'utf8');
    const changed = text.replace(/"balance":"([0-9]+)"/, (_, amount: string) => `"balance":"${BigInt(amount) + 1n}"`);
    expect(changed).not.toBe(text);
    const refused = await readSnapshot(changed.split('\n')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RollupError);
    expect(refused).toMatchObject({ rule: 'root-after' });
    await expect(readSnapshot(['{}'])).rejects.toThrow(/^line 1: /);
  });
});

it(
  'a block that is final before the one in front of it gets its snapshot with it',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-evidence-'));
    const test = await startRelayer({ snapshotDir: folder });
    const alice = await test.account();
    await alice.post('/api/v3/transfer', await alice.transfer(`0x${'0c'.repeat(20)}`, [1, 10n ** 18n]));
    await test.block();
    const { db } = test.relayer;
    const rooted = await db.query<{ block_id: number }>('SELECT block_id FROM blocks WHERE data IS NOT NULL');
    expect(rooted.length).toBeGreaterThan(1);
    const finalize = async (where: string) => {
      await db.query(`UPDATE blocks SET status = 'finalized' WHERE data IS NOT NULL AND ${where}`);
      await test.block();
      return readdirSync(folder).length;
    };
    expect(await finalize('block_id = (SELECT max(block_id) FROM blocks WHERE data IS NOT NULL)')).toBe(0);
    expect(await finalize('true')).toBe(rooted.length);
    await test.close();
    rmSync(folder, { recursive: true, force: true });
  },
  START_TIMEOUT_MS,
);

it(
  'a snapshot that could not be written is written later, without its block being read again',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-evidence-'));
    const test = await startRelayer({ snapshotDir: folder, confirmAfterMs: 1, finalizeAfterMs: 1 });
    const alice = await test.account();
    const { db } = test.relayer;
    const finalBlocks = async () => {
      await alice.post('/api/v3/transfer', await alice.transfer(`0x${'0c'.repeat(20)}`, [1, 10n ** 18n]));
      for (let round = 0; round < 3; round++) {
        await test.advance(1_000);
        await test.block();
      }
      const rows = await db.query<{ block_id: number }>(
        `SELECT block_id FROM blocks WHERE data IS NOT NULL AND status = 'finalized'`,
      );
      return rows.map(({ block_id }) => `state-${block_id}.jsonl`).toSorted();
    };
    const before = await finalBlocks();
    expect(readdirSync(folder).toSorted()).toEqual(before);
    rmSync(folder, { recursive: true });
    const lost = await finalBlocks();
    mkdirSync(folder);
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    onTestFinished(() => clock.mockRestore());
    const all = await finalBlocks();
    expect(lost.length).toBeGreaterThan(before.length);
    expect(readdirSync(folder).toSorted()).toEqual(all.filter((name) => !before.includes(name)));
    await test.close();
    rmSync(folder, { recursive: true, force: true });
  },
  START_TIMEOUT_MS,
);
