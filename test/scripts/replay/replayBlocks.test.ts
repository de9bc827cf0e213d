import { describe, expect, it } from 'vitest';
import { proofsOf } from '../../../scripts/replay/proofsOf.ts';
import { type ReplayOptions, replayBlocks } from '../../../scripts/replay/replayBlocks.ts';
import {
  foldMerkleProof,
  parseMerkleProof,
  type RollupState,
  readSnapshot,
} from '../../../src/protocol/rollup/index.ts';
import { fuzz } from '../../support/fuzz.ts';
import { changedLine, damagedLine, numbered, scenarioLines, snapshotAfter } from './support.ts';
import '../../support/useFastCore.ts';

async function replayed(lines: readonly string[], exchange?: bigint, options: ReplayOptions = {}) {
  const said: string[] = [];
  const { replayed, differ, state, nfts } = await replayBlocks(lines, { exchange, ...options }, (line) =>
    said.push(line),
  );
  return { replayed, differ, state, nfts, last: said.at(-1) ?? '' };
}

/** Index of the first byte of transaction 3 behind the header: its type byte. */
const TYPE_OF_THIRD = 98 + 29 * 3;

describe('replaying blocks', () => {
  it('accepts the blocks of the simulator, one after the other', async () => {
    for (const scenario of [0, 1, 2]) {
      const lines = scenarioLines(scenario);
      expect(await replayed(['', ...lines, ''])).toMatchObject({ replayed: lines.length, differ: 0 });
    }
  });

  it('stops at the first block that lies, and names transaction and rule', async () => {
    const [first = '', second = '', third = ''] = scenarioLines(0);
    expect(await replayed([first, damagedLine(second, TYPE_OF_THIRD, 0x40), third])).toMatchObject({
      replayed: 2,
      differ: 1,
      state: undefined,
      last: expect.stringMatching(
        /^block 2 differs, rule type: transaction 3 \(type \d+\): there is no transaction type \d+$/,
      ),
    });
  });

  it('finds every changed byte, wherever it is', async () => {
    const lines = scenarioLines(0).slice(0, 2);
    const runs: Promise<void>[] = [];
    fuzz('replayed bytes', 25, (random) => {
      const block = random.index(lines.length);
      const line = lines[block] as string;
      const at = random.index((JSON.parse(line).data.length - 2) / 2);
      const damaged = lines.with(block, damagedLine(line, at, 1 << random.index(8)));
      runs.push(
        replayed(damaged).then((result) => {
          expect(result, `byte ${at} of block ${block + 1}`).toMatchObject({ replayed: block + 1, differ: 1 });
          expect(result.last).toMatch(new RegExp(`^block ${block + 1} differs, rule [a-z-]+: .`));
        }),
      );
    });
    await Promise.all(runs);
  });

  it.each([
    ['root-before', { rootBefore: '0x1' }],
    ['root-after', { rootAfter: '1' }],
    ['public-data-hash', { publicDataHash: '0x1' }],
    ['length', { data: '0x00' }],
    ['format', { data: '0x0' }],
    ['format', { rootAfter: 'none' }],
    ['format', { rootBefore: undefined }],
  ])('says %s of a line with another member', async (rule, change) => {
    const [first = ''] = scenarioLines(0);
    const { differ, last } = await replayed([changedLine(first, () => change)]);
    expect(differ).toBe(1);
    expect(last).toMatch(new RegExp(`^block 1 differs, rule ${rule}: `));
  });

  it.each(['null', '5', '[]', '"0x"', '{}', '{"data":5,"rootBefore":"0x0","rootAfter":"0x0"}'])(
    'says format of a line that is %s',
    async (line) => {
      const [first = ''] = scenarioLines(0);
      expect(await replayed([first, line])).toMatchObject({
        replayed: 2,
        differ: 1,
        last: expect.stringMatching(/^block 2 differs, rule format: ./),
      });
    },
  );

  it('says of a line that it is not JSON', async () => {
    expect(await replayed(['{'])).toMatchObject({
      replayed: 1,
      differ: 1,
      last: expect.stringMatching(/^block 1 differs, rule format: the line is not JSON/),
    });
  });

  it('holds all blocks to one exchange', async () => {
    const [first = '', second = ''] = scenarioLines(0, false);
    expect(await replayed([first, second], 5n)).toMatchObject({ replayed: 1, differ: 1 });
    expect(await replayed([first, damagedLine(second, 0)])).toMatchObject({
      replayed: 2,
      last: 'block 2 differs, rule exchange: the header names another exchange',
    });
  });

  it('refuses blocks out of order', async () => {
    const [first = '', second = ''] = scenarioLines(0);
    expect(await replayed([second, first])).toMatchObject({ replayed: 1, differ: 1 });
    expect((await replayed([first, first])).last).toMatch(/^block 2 differs, rule root-before: /);
  });
});

describe('replaying behind a snapshot', () => {
  const lines = numbered(scenarioLines(0));
  const from = async (snapshot: readonly string[], blocks = lines, options: ReplayOptions = {}) =>
    replayed(blocks, undefined, { ...options, snapshot: await readSnapshot(snapshot) });
  const richer = (state: RollupState) => {
    const [accountId, { balances }] = [...state.accounts()].find(
      ([, account]) => account.balances.size > 0,
    ) as never as [number, { balances: Map<number, { balance: bigint }> }];
    const [tokenId, { balance }] = [...balances][0] as [number, { balance: bigint }];
    state.setBalance(accountId, tokenId, { balance: balance + 1n });
  };

  it('ends where replaying from genesis ends, with the same proofs', async () => {
    const whole = await replayed(lines);
    const proofsIn = ({ state, nfts }: typeof whole) => [...proofsOf(state as RollupState, nfts)];
    for (const taken of [1, 2, 3]) {
      const snapshot = await snapshotAfter(lines.slice(0, taken));
      for (const blocks of [lines, lines.slice(taken), scenarioLines(0).slice(taken)]) {
        const rest = await from(snapshot, blocks);
        expect(rest).toMatchObject({ replayed: lines.length - taken, differ: 0, last: whole.last });
        expect(proofsIn(rest)).toEqual(proofsIn(whole));
      }
    }
  });

  it('names a snapshot that is not the state after its block', async () => {
    const snapshot = await snapshotAfter(lines.slice(0, 2), richer);
    expect(await from(snapshot)).toMatchObject({
      replayed: 0,
      differ: 1,
      state: undefined,
      last: expect.stringMatching(
        /^the snapshot differs, rule snapshot: its state has root 0x\w{64}, block 2 ends at root 0x\w{64}$/,
      ),
    });
    expect((await from(snapshot, lines.slice(2))).last).toMatch(
      /^the snapshot differs, .* block 3 begins at root 0x\w{64}$/,
    );
    // The state after another block than it says.
    const [head = '', ...rest] = await snapshotAfter(lines.slice(0, 2));
    const other = [changedLine(head, () => ({ blockId: 1 }) as object), ...rest];
    expect((await from(other)).last).toMatch(/^the snapshot differs, .* block 1 ends at root 0x\w{64}$/);
  });

  it('names the block that lies behind a true snapshot', async () => {
    const [, , third = ''] = lines;
    const snapshot = await snapshotAfter(lines.slice(0, 2));
    expect(await from(snapshot, lines.with(2, damagedLine(third, 98 + 29 * 3, 0x40)))).toMatchObject({
      replayed: 1,
      differ: 1,
      last: expect.stringMatching(/^block 3 differs, rule type: transaction 3 /),
    });
  });

  it('ends at the block that is asked for', async () => {
    const roots = await Promise.all(
      lines.map(async (_, index) => (await replayed(lines.slice(0, index + 1))).state?.root()),
    );
    expect((await replayed(lines, undefined, { until: 2 })).state?.root()).toBe(roots[1]);
    expect((await from(await snapshotAfter(lines.slice(0, 1)), lines, { until: 3 })).state?.root()).toBe(roots[2]);
  });
});

describe('the proofs of the last state', () => {
  it('are one for each balance, NFTs included, and fold to its root', async () => {
    const { state, nfts } = await replayed(scenarioLines(1));
    const known = state as RollupState;
    const proofs = [...proofsOf(known, nfts)];
    const balances = [...known.accounts()].flatMap(([, account]) =>
      [...account.balances.values()].filter(({ balance }) => balance > 0n),
    );
    expect(proofs).toHaveLength(balances.length);
    expect(proofs.filter(({ balanceLeaf }) => balanceLeaf.tokenID >= 32768).length).toBeGreaterThan(3);
    for (const proof of proofs)
      expect(foldMerkleProof(parseMerkleProof(JSON.parse(JSON.stringify(proof))))).toBe(known.root());
  });
});
