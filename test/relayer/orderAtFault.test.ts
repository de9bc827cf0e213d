import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { LRC_ETH_POOL, type TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

describe('an order for which nothing can be computed stops no other', () => {
  let test: TestRelayer;
  let maker: TestAccount;
  let taker: TestAccount;
  beforeAll(async () => {
    test = await startRelayer();
    [maker, taker] = await Promise.all([test.account(), test.account()]);
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    // As they were before they were spoiled.
    await test.relayer.db.query(`UPDATE orders SET filled_b = 0 WHERE status = 'failed'`);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
    await test.close();
  });

  /** Sells 5 LRC for nearly all ETH of the pool, counted by what it buys. */
  const placeGreedy = async (tradeChannel: 'MIXED' | 'AMM_POOL') => {
    const account = await test.account();
    const changes = { fillAmountBOrS: true, tradeChannel };
    const hash = await account.placed([LRC, 5n * ether], [ETH, 998n * ether], changes);
    return { hash, status: async () => (await account.orderOf(hash)).status };
  };
  /** The database keeps an order that got more than it wants, at a price that the pool reaches. */
  const spoil = (hash: string) =>
    test.relayer.db.query('UPDATE orders SET amount_b = 1, filled_b = 2 WHERE hash = $1', [hash]);
  /** Two orders that meet are filled, and their block is sealed. */
  const expectProgress = async () => {
    const price = ether / 16n;
    const asked = await maker.placed([LRC, 1_000n * ether], [ETH, price]);
    const taken = await taker.placed([ETH, price], [LRC, 1_000n * ether]);
    await test.block();
    expect([(await maker.orderOf(asked)).status, (await taker.orderOf(taken)).status]).toEqual([
      'processed',
      'processed',
    ]);
    const fills = await test.relayer.db.query(
      'SELECT blocks.status FROM fills JOIN blocks USING (block_id) WHERE taker_hash = $1',
      [taken],
    );
    expect(fills).toEqual([{ status: 'pending' }]);
  };

  it('when it is new', async () => {
    const { hash, status } = await placeGreedy('MIXED');
    await spoil(hash);
    await expectProgress();
    expect(await status()).toBe('failed');
  });

  it('when it waits for its pool', async () => {
    const { hash, status } = await placeGreedy('AMM_POOL');
    await test.block();
    expect(await status()).toBe('processing');
    await spoil(hash);
    await expectProgress();
    expect(await status()).toBe('failed');
  });

  it('when its pool would need more than a balance can be, and it rests', async () => {
    const rested = await placeGreedy('MIXED');
    await test.block();
    const member = await test.account();
    // With the fee, the order wants all but 100 wei of the pool.
    await member.post('/api/v3/amm/join', await member.join(LRC_ETH_POOL, [1_500_000n, 100n]));
    await test.block();
    const [pool] = (await test.call('GET', '/api/v3/amm/balances')).body;
    expect(pool.pooled[1].volume).toBe(String(1_000n * ether + 100n));
    const fresh = await placeGreedy('MIXED');
    await expectProgress();
    expect([await rested.status(), await fresh.status()]).toEqual(['processing', 'processing']);
  });
});
