import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closeApprovalsOf } from '../../src/background/approvals/closePending.ts';
import { RpcError } from '../../src/background/errors/rpcError.ts';
import { fuzzFactor, fuzzSeed } from '../support/fuzz.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveRequest, ORDER, ordersOf, PASSWORD, resultOf, SITE, setUp, until } from './support.ts';

/** Random lives of standing approvals, over the real background and the real relayer. */

const relayer = await relayerOfFile();

const LRC = 10n ** 18n;
const TOTAL = 500n;
const LARGEST = 100n;
const RATE = { requests: 4, seconds: 60 };

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      sizes: fc.array(fc.bigInt(1n, 130n), { minLength: 1, maxLength: 4 }),
    }),
  },
  // The worker dies after one of its writes and another one starts.
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('kill' as const),
      after: fc.constantFrom('reserve', 'markSigned', 'markSent'),
      sizes: fc.array(fc.bigInt(50n, 100n), { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('clock' as const), ms: fc.integer({ min: -90_000, max: 90_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop' as const) }) },
);

test('random requests in parallel, across dying workers, clock jumps and ends never sign more than the volumes that they were approved for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 7 }), async (steps) => {
      let ahead = 0;
      const stage = await setUp(relayer, { now: () => Date.now() + ahead });
      const { wallet } = stage;
      const limits = {
        sellTokenId: 1,
        buyTokenId: 0,
        minPrice: '0.0001',
        orderVolume: `${LARGEST * LRC}`,
        totalVolume: `${TOTAL * LRC}`,
        rate: RATE,
        validUntil: Math.floor(Date.now() / 1000) + 86_400,
      };
      const { id } = resultOf<{ id: string }>(await approveRequest(wallet, 'relayer_requestStandingApproval', limits));
      await wallet.ui('setStanding', { id, endsWithLock: false });
      let number = 0;
      const place = (size: bigint) =>
        wallet.page(SITE, 'relayer_submitOrder', [
          { ...ORDER, sellToken: { tokenId: 1, volume: `${size * LRC}` }, clientOrderId: `n${++number}` },
        ]);
      /** Everything is answered: what waits for the user is taken away. */
      const calm = async (answers: Promise<unknown>[]) => {
        let over = false;
        const all = Promise.all(answers).then(() => {
          over = true;
        });
        await until(async () => {
          const { wallet: parts } = wallet.background();
          await closeApprovalsOf(parts, SITE, new RpcError('rejected', 'not now'), ({ stage: at }) => at === 'ready');
          return over;
        });
        await all;
      };
      let stopped = false;
      for (const one of steps) {
        if (one.kind === 'ask') await calm(one.sizes.map(place));
        if (one.kind === 'clock') {
          ahead += one.ms;
          // A clock that is set back locks the wallet.
          await wallet.ui('unlock', { password: PASSWORD });
        }
        if (one.kind === 'stop') {
          await wallet.ui('stopStanding', { id: null });
          stopped = true;
        }
        if (one.kind === 'kill') {
          const { journal } = wallet.background().wallet as { journal: Record<string, unknown> };
          const method = journal[one.after] as (...given: unknown[]) => Promise<unknown>;
          let isDead = false;
          journal[one.after] = async (...given: unknown[]) => {
            await method(...given);
            isDead = true;
            return new Promise(() => {});
          };
          const { approvals } = wallet.background().wallet;
          let answered = 0;
          const answers = one.sizes.map((size) => place(size).finally(() => answered++));
          // What needs a window never comes that far.
          await until(async () => {
            const ready = (await approvals.open()).filter(({ stage: at }) => at === 'ready');
            return isDead || answered + ready.length === answers.length;
          });
          wallet.restart();
          await calm(answers);
        }
        const records = (await wallet.background().wallet.journal.list()).filter(({ rule }) => rule === id);
        const sold = (list: typeof records) =>
          list.reduce((sum, { draft }) => sum + BigInt((draft as unknown as typeof ORDER).sellToken.volume), 0n);
        const signed = records.filter(({ wire }) => wire);
        const spent = (await wallet.background().wallet.journal.getRule(id))?.spent.sold ?? 0n;
        // What was signed was counted; what was counted may not have been signed. Both stay below
        // the limit.
        expect(sold(signed)).toBeLessThanOrEqual(spent);
        expect(sold(records)).toBe(spent);
        expect(spent).toBeLessThanOrEqual(TOTAL * LRC);
        for (const { draft } of records)
          expect(BigInt((draft as unknown as typeof ORDER).sellToken.volume)).toBeLessThanOrEqual(LARGEST * LRC);
        const orders = await ordersOf(stage);
        const atRelayer = orders.reduce((sum, { volumes }) => sum + BigInt(volumes.baseAmount), 0n);
        expect(atRelayer).toBeLessThanOrEqual(spent);
        if (stopped) expect((await wallet.background().wallet.journal.getRule(id))?.status).toBe('closed');
      }
    }),
    { numRuns: 8 * fuzzFactor, seed: Number(fuzzSeed), endOnFailure: true },
  );
});
