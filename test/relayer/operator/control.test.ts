import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockEngine } from '../../../src/relayer/engine/engineLock.ts';
import { writeOperator } from '../../../src/relayer/engine/operatorAccount.ts';
import { lockUserAccount } from '../../../src/relayer/operator/userAccount.ts';
import { auditDatabase } from '../support/audit.ts';
import { databases, START_TIMEOUT_MS } from '../support/databases.ts';
import { holding } from '../support/holding.ts';
import { type Operated, startOperated, until } from '../support/operated.ts';
import type { TestAccount } from '../support/testAccount.ts';
import { ETH, ether, LRC } from '../support/tokens.ts';

const reason = 'a price feed is wrong';

describe.each(databases)('what the operator stops, on $name', ({ name, start }) => {
  let operated: Operated;
  let maker: TestAccount;
  let taker: TestAccount;
  beforeAll(async () => {
    operated = await startOperated(start);
    [maker, taker] = [await operated.funded(), await operated.funded()];
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    expect(await auditDatabase(operated.test.relayer.db)).toEqual([]);
    await operated.close();
  });

  const sell = async () => maker.submit(await maker.order([LRC, 100n * ether], [ETH, ether / 10n]));
  const buy = async (changes: Record<string, unknown> = {}) =>
    taker.submit(await taker.order([ETH, ether / 10n], [LRC, 100n * ether], changes));
  /** The process knows that LRC-ETH is halted, or is not. */
  const knows = (enabled: boolean) =>
    until(`the market is enabled: ${enabled}`, async () => {
      const { markets } = (await operated.test.call('GET', '/api/v3/exchange/markets')).body;
      return markets.find(({ market }: { market: string }) => market === 'LRC-ETH').enabled === enabled;
    });
  /**
   * Markets that are halted, and whether the market file has them: one is off there from the start.
   */
  const halted = async () =>
    Object.fromEntries((await operated.list('halted-markets')).map(({ market, listed }) => [market, listed]));
  /** Rounds of the engine have ended that began after now. */
  const rounds = async () => {
    const { engine } = operated.test.relayer;
    await engine.run();
    await engine.run();
  };

  it('a halted market matches nothing, takes no order, lets orders be cancelled, and goes on where it was', async () => {
    const resting = (await sell()).body.hash;
    const cancelled = await maker.placed([LRC, 100n * ether], [ETH, ether]);
    await rounds();
    expect(await operated.tell('halt-market', { market: 'LRC-ETH', reason })).toMatchObject({
      status: 200,
      body: { repeated: false },
    });
    await knows(false);
    expect((await buy()).body.resultInfo.code).toBe(102005);
    await rounds();
    expect((await maker.orderOf(resting)).status).toBe('processing');
    expect(await halted()).toEqual({ 'LRC-ETH': true, 'WBTC-ETH': true });
    expect((await operated.tell('halt-market', { market: 'LRC-ETH', reason })).body.repeated).toBe(true);
    expect((await maker.cancel({ orderHash: cancelled })).status).toBe(200);

    await operated.tell('resume-market', { market: 'LRC-ETH', reason });
    expect((await operated.tell('resume-market', { market: 'LRC-ETH', reason })).body.repeated).toBe(true);
    expect(await halted()).toEqual({ 'WBTC-ETH': true });
    await knows(true);
    const taking = (await buy()).body.hash;
    await until('they trade', async () => (await maker.orderOf(resting)).status === 'processed');
    expect((await taker.orderOf(taking)).status).toBe('processed');
    for (const word of ['halt-market', 'resume-market'])
      expect((await operated.tell(word, { market: 'NO-MARKET', reason })).status).toBe(404);
  });

  // PGlite has one connection: it cannot be otherwise there.
  it.runIf(name === 'PostgreSQL')('a halt is answered after the step of the engine that was in progress', async () => {
    const { db } = operated.test.relayer;
    const ends: string[] = [];
    let halting: Promise<void> | undefined;
    await holding(db, lockEngine, async () => {
      halting = operated.tell('halt-market', { market: 'LRC-USDT', reason }).then(({ status }) => {
        ends.push(`halt ${status}`);
      });
      await until('the halt waits for the step', async () => {
        // The engine itself waits with another statement.
        const [waiting] = await db.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE 'SELECT pg_advisory_xact_lock%'`,
        );
        return waiting !== undefined;
      });
      ends.push('step');
    });
    await halting;
    expect(ends).toEqual(['step', 'halt 200']);
    expect((await operated.tell('resume-market', { market: 'LRC-USDT', reason })).status).toBe(200);
  });

  it('orders that a process takes before it knows of a halt are not matched, and hold up no other market', async () => {
    const { db } = operated.test.relayer;
    // The halt of another process, of which this one is not told.
    const enable = (enabled: boolean) =>
      db.query(`UPDATE markets SET enabled = $1 WHERE market = 'LRC-ETH'`, [enabled]);
    const isResting = async (hash: string) =>
      (await db.query<{ resting: boolean }>('SELECT resting FROM orders WHERE hash = $1', [hash]))[0]?.resting;
    const resting = (await sell()).body.hash;
    await until('it is in the book', () => isResting(resting));
    await enable(false);
    const crossing = (await buy()).body.hash;
    const quiet = await maker.placed([LRC, 100n * ether], [ETH, ether]);
    const other = await maker.placed([ETH, ether], [3, 4_000n * ether]);
    await until('the one of another market is in its book', () => isResting(other));
    await rounds();
    expect([await isResting(crossing), await isResting(quiet)]).toEqual([false, false]);
    expect((await maker.orderOf(resting)).status).toBe('processing');
    const text = await (await fetch(`${operated.url}/metrics`)).text();
    expect(text).toMatch(/^relayer_unmatched_orders 0$/m);
    expect(text).toMatch(/^relayer_oldest_waiting_seconds 0$/m);
    await enable(true);
    await until('they trade', async () => (await maker.orderOf(resting)).status === 'processed');
    await until('the quiet one is in the book', () => isResting(quiet));
  });

  it('a market that left the market file is not resumed: no process would start again', async () => {
    const { db } = operated.test.relayer;
    await db.query(`INSERT INTO markets SELECT 'OLD-ETH', 2, 0, 6, false, 0`);
    const reply = await operated.tell('resume-market', { market: 'OLD-ETH', reason });
    expect(reply).toMatchObject({ status: 409, body: { error: { reason: 'contradiction' } } });
    expect(await halted()).toMatchObject({ 'OLD-ETH': false });
    await db.query(`DELETE FROM markets WHERE market = 'OLD-ETH'`);
  });

  it('nothing of a suspended account is accepted, its orders are cancelled, and it can still read and be paid', async () => {
    const account = await operated.funded();
    const order = await account.submit(await account.order([LRC, 100n * ether], [ETH, ether]));
    const { accountId } = account;
    expect(await operated.tell('suspend-account', { accountId, reason: 'half a \ud83d pair' })).toMatchObject({
      status: 400,
      body: { error: { reason: 'invalid', message: 'reason has a lone surrogate' } },
    });
    expect((await operated.tell('suspend-account', { accountId, reason })).body).toEqual({ repeated: false });
    expect((await operated.tell('suspend-account', { accountId, reason })).body).toEqual({ repeated: true });
    expect((await account.orderOf(order.body.hash)).status).toBe('cancelled');
    expect((await account.balance(LRC)).locked).toBe(0n);
    const attempts = [
      account.submit(await account.order([LRC, 100n * ether], [ETH, ether])),
      account.post('/api/v3/transfer', await account.transfer(maker.owner, [LRC, ether])),
      account.post('/api/v3/user/withdrawals', await account.withdrawal([LRC, ether])),
    ];
    for (const reply of await Promise.all(attempts)) {
      expect(reply.body.resultInfo).toMatchObject({ code: 102003 });
      expect(reply.body.resultInfo.message).toContain('has suspended account');
    }
    expect((await account.balance(LRC)).locked).toBe(0n);
    expect(await operated.list('suspended-accounts')).toEqual([
      { number: accountId, owner: account.owner.toLowerCase() },
    ]);
    const paid = await maker.post('/api/v3/transfer', await maker.transfer(account.owner, [LRC, ether]));
    expect(paid.status).toBe(200);
    await until('it is paid', async () => (await account.balance(LRC)).total === 10_001n * ether);
    expect((await operated.tell('resume-account', { accountId, reason })).body).toEqual({ repeated: false });
    expect((await operated.tell('resume-account', { accountId, reason })).body).toEqual({ repeated: true });
    expect((await account.submit(await account.order([LRC, 100n * ether], [ETH, ether]))).status).toBe(200);
    expect(await operated.list('suspended-accounts')).toEqual([]);
  });

  it('an account of the exchange itself is not suspended, also one that a user had before', async () => {
    for (const accountId of [1, 2, 999_999])
      expect(await operated.tell('suspend-account', { accountId, reason })).toMatchObject({
        status: 404,
        body: { error: { message: `accountId: ${accountId} is no account of a user` } },
      });
    const { accountId } = maker;
    const undone = new Error('undone');
    const asOperator = operated.test.relayer.db.transaction(async (tx) => {
      await writeOperator(tx, accountId);
      await expect(lockUserAccount(tx, accountId)).rejects.toThrow(`${accountId} is no account of a user`);
      throw undone;
    });
    await expect(asOperator).rejects.toBe(undone);
  });
});
