import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldMerkleProof,
  parseMerkleProof,
  RollupState,
  replayBlock,
  transactionLayouts,
} from '../../src/protocol/rollup/index.ts';
import { fuzzFactor, fuzzSeed } from '../support/fuzz.ts';
import '../support/useFastCore.ts';
import { auditDatabase } from './support/audit.ts';
import { compareLedger } from './support/auditBlocks.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { SETTLEMENT_KEY } from './support/operated.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { action, perform, tell } from './support/randomLife.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { ether } from './support/tokens.ts';

/**
 * Random traffic through the endpoints of a relayer; what its published bytes replay to is its
 * ledger and the root that it gives its tree. `FUZZ=200` plays a thousand seeds, `FUZZ_SEED` is the
 * first one.
 */
const SEEDS = Math.ceil(5 * fuzzFactor);
/** Seeds that share one database and one process: starting them costs more than a seed. */
const TOGETHER = 50;

const FUNDS = [
  { symbol: 'ETH', amount: String(10n * ether) },
  { symbol: 'LRC', amount: String(150_000n * ether) },
];

/**
 * The state that the bytes of an exchange lead to, as somebody keeps it who asks for them again and
 * again.
 */
class Auditor {
  readonly state = new RollupState();
  readonly types = new Set<string>();
  root = 0n;
  #last = 0;

  async follow(test: TestRelayer): Promise<void> {
    for (;;) {
      const { body } = await test.call('GET', '/api/v3/block/bytes', { query: { start: this.#last + 1, limit: 50 } });
      for (const { blockId, data, rootBefore, rootAfter, publicDataHash } of body.blocks) {
        const { transactions } = replayBlock(this.state, {
          data: Buffer.from(data.slice(2), 'hex'),
          rootBefore: BigInt(rootBefore),
          rootAfter: BigInt(rootAfter),
          publicDataHash: BigInt(publicDataHash),
          exchange: BigInt(test.place.exchange),
        });
        for (const { type } of transactions) this.types.add(type);
        this.root = BigInt(rootAfter);
        this.#last = blockId;
      }
      if (body.blocks.length === 0) return;
    }
  }
}

async function live(test: TestRelayer, auditor: Auditor, seed: number): Promise<void> {
  // Nothing goes on from the seed before: an armed fault meets the first account, orders are too
  // old, the market is open.
  const account = () => test.account(FUNDS);
  const first = await account().catch(account);
  await test.advance(2 * 3_600_000);
  await tell(test, 'resume-market', { market: 'LRC-ETH', reason: 'x' });
  const people = [first, await account(), await account()];
  const stage = { test, people, restart: async () => {} };
  const [acts = []] = fc.sample(fc.array(action, { minLength: 40, maxLength: 60, size: 'max' }), { seed, numRuns: 1 });
  for (const act of acts) await perform(stage, act);
  await test.block();
  await auditor.follow(test);
  expect(auditor.state.root()).toBe(auditor.root);
  expect(await compareLedger(test.relayer.db, auditor.state)).toEqual([]);
  for (const person of people) {
    const { body } = await test.call('GET', '/api/v3/exit/proof', {
      query: { accountId: person.accountId, tokenId: 0 },
    });
    const proof = parseMerkleProof(body.proof);
    expect(foldMerkleProof(proof)).toBe(auditor.root);
    expect(proof.balanceLeaf.balance).toBe((await person.balance(0)).total);
  }
}

describe('random traffic through the endpoints', () => {
  const seeds = Array.from({ length: SEEDS }, (_, index) => Number(fuzzSeed) + index);
  const types = new Set<string>();
  const parts = Array.from({ length: Math.ceil(SEEDS / TOGETHER) }, (_, index) =>
    seeds.slice(index * TOGETHER, (index + 1) * TOGETHER),
  );

  it.each(parts.map((part) => [part[0], part.at(-1), part] as const))(
    'replays to the ledger and the tree, in the end with every type of transaction, seeds %i to %i',
    async (_first, _last, part) => {
      const database = await createDatabase();
      const config = { databaseUrl: database.url, operationsPort: 0, operatorKeys: `settlement:${SETTLEMENT_KEY}` };
      const test = await startRelayer(config);
      try {
        const auditor = new Auditor();
        for (const seed of part)
          await live(test, auditor, seed).catch((error: Error) => {
            throw new Error(`seed ${seed}: ${error.message}`, { cause: error });
          });
        expect(await auditDatabase(test.relayer.db)).toEqual([]);
        for (const type of auditor.types) types.add(type);
        // Other seeds, and fewer of them, need not have each type.
        const isWhole = process.env.FUZZ_SEED === undefined && fuzzFactor >= 1;
        if (isWhole && part === parts.at(-1)) expect([...types].sort()).toEqual(Object.keys(transactionLayouts).sort());
      } finally {
        await test.close();
        await database.drop();
      }
    },
    START_TIMEOUT_MS + TOGETHER * 60_000,
  );
});
