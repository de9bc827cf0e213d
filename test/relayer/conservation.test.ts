import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzzFactor } from '../support/fuzz.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { SETTLEMENT_KEY } from './support/operated.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { actionOrRestart, perform, type Stage } from './support/randomLife.ts';
import { startRelayer } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';
import { ETH, LRC } from './support/tokens.ts';

/**
 * Random lives of a relayer over HTTP. After each of them: no balance negative, every token's total
 * equal to what was deposited minus what was withdrawn (fees included), no storage id used twice,
 * histories equal to the balances, and the blocks replayed give the ledger. `FUZZ=100` plays a
 * hundred times as many.
 */

/** Sums what the history endpoints say of one token; it has to be the balance. */
async function balanceFromHistories(account: TestAccount, tokenId: number, symbol: string): Promise<bigint> {
  let sum = 0n;
  /** What failed is among them: it moved nothing, and its rows say so. */
  const decided = (row: { status: string }) => row.status !== 'received';
  const all = async (path: string, list: string, query: object = {}) => {
    const rows = [];
    for (let offset = 0; ; offset += 50) {
      const { body } = await account.get(path, { limit: 50, offset, ...query });
      rows.push(...body[list]);
      if (body[list].length < 50) return rows;
    }
  };
  for (const row of await all('/api/v3/user/transactions', 'transactions')) {
    if (!decided(row)) continue;
    const incoming = row.receiver === account.accountId;
    if (row.symbol === symbol && row.txType !== 'CHANGE_PWD')
      sum += incoming ? BigInt(row.actualAmount) : -BigInt(row.actualAmount);
    if (row.feeTokenSymbol === symbol && !incoming) sum -= BigInt(row.feeAmount);
  }
  for (const row of await all('/api/v3/orders', 'orders')) {
    const { baseFilled, quoteFilled, fee } = row.volumes;
    const buys = row.side === 'BUY';
    if (row.nftData) {
      // The buyer pays its fee on top; both pay it in the token of the price, which is ETH here.
      if (symbol === 'ETH') sum += (buys ? -BigInt(quoteFilled) : BigInt(quoteFilled)) - BigInt(fee);
      continue;
    }
    const base = row.market.split('-')[0] === symbol;
    const quote = row.market.split('-')[1] === symbol;
    if (base) sum += buys ? BigInt(baseFilled) : -BigInt(baseFilled);
    if (quote) sum += buys ? -BigInt(quoteFilled) : BigInt(quoteFilled);
    // Fees are paid in what is bought.
    if (buys ? base : quote) sum -= BigInt(fee);
  }
  for (const row of await all('/api/v3/amm/user/transactions', 'transactions')) {
    if (row.txStatus === 'cancelled') continue;
    const sign = row.txType === 'join' ? -1n : 1n;
    for (const token of row.poolTokens)
      if (token.tokenId === tokenId)
        sum += sign * BigInt(token.actualAmount) - (token.actualAmount === '0' ? 0n : BigInt(token.feeAmount));
  }
  for (const row of await all('/api/v3/user/nft/transactions', 'transactions'))
    if (decided(row) && row.owner.toLowerCase() === account.owner.toLowerCase() && row.feeTokenSymbol === symbol)
      sum -= BigInt(row.feeAmount);
  return sum;
}

const stages = [
  {
    name: 'PGlite',
    open: async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'countersign-relayer-'));
      return { config: { dataDir }, drop: async () => rmSync(dataDir, { recursive: true, force: true }), runs: 3 };
    },
  },
  {
    name: 'PostgreSQL',
    open: async () => {
      const database = await createDatabase();
      return { config: { databaseUrl: database.url }, drop: database.drop, runs: 8 };
    },
  },
];

describe.each(stages)('random lives of a relayer on $name', ({ open }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let stage: Stage;
  beforeAll(async () => {
    opened = await open();
    const config = { ...opened.config, operationsPort: 0, operatorKeys: `settlement:${SETTLEMENT_KEY}` };
    const test = await startRelayer(config);
    const port = test.relayer.port;
    stage = {
      test,
      people: [await test.account(), await test.account(), await test.account()],
      restart: async () => {
        await stage.test.close();
        stage.test = await startRelayer({ ...config, port });
      },
    };
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await stage.test.close();
    await opened.drop();
  });

  it(
    'keep every balance accounted for',
    async () => {
      const { db } = stage.test.relayer;
      const all = { who: 0, part: 1 } as const;
      const order = { buys: false, price: 100, byB: false, kind: 'LIMIT_ORDER', channel: 'ORDER_BOOK' } as const;
      for (const act of [
        { do: 'order', ...all, ...order },
        { do: 'transfer', ...all, to: 1, token: LRC },
        { do: 'block' },
      ] as const)
        await perform(stage, act);
      const [accepted] = await db.query(
        `SELECT (SELECT count(*) FROM orders) AS orders, count(*) AS transfers FROM requests
         WHERE kind = 'transfer' AND status = 'processed'`,
      );
      expect(accepted).toEqual({ orders: 1, transfers: 1 });
      await fc.assert(
        fc.asyncProperty(fc.array(actionOrRestart, { minLength: 10, maxLength: 30 }), async (actions) => {
          for (const act of actions) {
            await perform(stage, act);
            if (act.do === 'block') expect(await auditDatabase(stage.test.relayer.db)).toEqual([]);
          }
          expect(await auditDatabase(stage.test.relayer.db)).toEqual([]);
          await stage.test.block();
          expect(await auditDatabase(stage.test.relayer.db)).toEqual([]);
          for (const account of stage.people)
            for (const [tokenId, symbol] of [
              [ETH, 'ETH'],
              [LRC, 'LRC'],
            ] as const)
              expect(await balanceFromHistories(account, tokenId, symbol)).toBe((await account.balance(tokenId)).total);
        }),
        { numRuns: Math.ceil(opened.runs * fuzzFactor), endOnFailure: true },
      );
    },
    600_000 * Math.max(1, fuzzFactor),
  );
});
