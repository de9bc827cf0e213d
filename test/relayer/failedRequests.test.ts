import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MAX_TOKEN_ID } from '../../src/protocol/limits.ts';
import type { RelayerConfigInput } from '../../src/relayer/config.ts';
import { lockAccount } from '../../src/relayer/engine/accounts.ts';
import { returnUnpaid } from '../../src/relayer/engine/payouts.ts';
import { failRequest, type RequestRow } from '../../src/relayer/engine/requestRow.ts';
import { auditDatabase } from './support/audit.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import { until } from './support/operated.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const SLOTS = 16_384;

/** An account whose order and whose transfer hold 50 LRC each; another order holds ETH. */
async function orderAndTransfer(test: TestRelayer) {
  const [payee, account] = [await test.account(), await test.account()];
  const orders = [
    await account.order([LRC, 50n * ether], [ETH, 50n * ether]),
    await account.order([ETH, ether / 10n], [LRC, 1_000n * ether]),
  ];
  for (const order of orders) {
    const { status, body } = await account.submit(order);
    expect(status, JSON.stringify(body)).toBe(200);
  }
  const body = await account.transfer(payee.owner, [LRC, 50n * ether]);
  const transfer = await account.post('/api/v3/transfer', body);
  expect(transfer.body).toMatchObject({ status: 'received' });
  return { account, payee, hash: transfer.body.hash as string, storageId: body.storageId };
}

/** A relayer, and a connection to its database that may hold its locks. */
async function withHolder(input: RelayerConfigInput = {}) {
  const { url: databaseUrl, drop } = await createDatabase();
  onTestFinished(drop);
  const test = await startRelayer({ databaseUrl, ...input });
  onTestFinished(() => test.close());
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  const { db, engine } = test.relayer;
  /** Statements that wait for a lock, once there are so many. */
  const waiting = async (count: number) => {
    const read = () =>
      db.query<{ query: string }>(
        `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         ORDER BY query_start`,
      );
    const found = await until(`${count} statements wait`, async () => {
      const rows = await read();
      return rows.length === count && rows;
    });
    return found.map(({ query }) => query);
  };
  return { test, db, engine, holder, waiting };
}

it(
  'a request that fails while another one takes its slot frees what it holds once',
  async () => {
    const { test, db, engine, holder, waiting } = await withHolder();
    const { account, payee, hash, storageId } = await orderAndTransfer(test);
    const next = await account.transfer(payee.owner, [LRC, ether], { storageId: storageId + SLOTS });

    // The transfer fails, and the engine is held while it writes that down.
    await test.call('POST', '/dev/failNext', { body: { step: 'settle' } });
    await holder.query('BEGIN');
    await holder.query('SELECT FROM requests WHERE hash = $1 FOR UPDATE', [hash]);
    const settled = engine.run({ seal: true });
    expect(await waiting(1)).toEqual([expect.stringContaining("SET status = 'failed'")]);
    const posted = account.post('/api/v3/transfer', next);
    const held = await waiting(2);
    await holder.query('COMMIT');
    await settled;
    expect((await posted).body).toMatchObject({ status: 'received' });

    expect(await auditDatabase(db)).toEqual([]);
    await test.advance(3_700_000);
    await engine.run({ seal: true });
    expect((await account.balance(LRC)).locked).toBe(0n);
    expect(await auditDatabase(db)).toEqual([]);
    // Nothing of the account is read while the engine changes it.
    expect(held).toContainEqual(expect.stringMatching(/ FROM accounts WHERE account_id = \$1 FOR UPDATE$/));
  },
  START_TIMEOUT_MS,
);

it(
  'a withdrawal that is given back while another one is paid out is not paid as well',
  async () => {
    const { test, db, engine, holder, waiting } = await withHolder({ confirmAfterMs: 1 });
    const accounts = [await test.account(), await test.account()] as const;
    const [paid, returned] = accounts;
    const hashes: string[] = [];
    for (const account of accounts) {
      const { body } = await account.post('/api/v3/user/withdrawals', await account.withdrawal([LRC, ether]));
      hashes.push(body.hash);
    }
    await test.block();
    await test.advance(1_000);
    await holder.query('BEGIN');
    await holder.query('SELECT FROM accounts WHERE account_id = $1 FOR UPDATE', [paid.accountId]);
    const settled = engine.run({ seal: true });
    await waiting(1);
    await db.transaction(async (tx) => {
      const account = await lockAccount(tx, returned.accountId);
      const [request] = await tx.query<RequestRow>('SELECT * FROM requests WHERE hash = $1', [hashes[1] as string]);
      if (!account || !request) throw new Error('the withdrawal is missing');
      await returnUnpaid(tx, account, request, { reason: 'refused', from: returned.owner, now: 0 });
    });
    await holder.query('COMMIT');
    await settled;
    expect(await db.query('SELECT hash FROM l1_arrivals')).toEqual([{ hash: hashes[0] }]);
  },
  START_TIMEOUT_MS,
);

describe.each(databases)('a request on $name', ({ start }) => {
  let test: TestRelayer;
  beforeAll(async () => {
    test = await start();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  it('frees nothing when it is failed again by what was read before it ended', async () => {
    const { db } = test.relayer;
    const { account, hash } = await orderAndTransfer(test);
    const [read] = await db.query<RequestRow>('SELECT * FROM requests WHERE hash = $1', [hash]);
    const fail = (reason: string) => db.transaction((tx) => failRequest(tx, read as RequestRow, reason, 0));
    await fail('first');
    await fail('second');
    expect((await account.balance(LRC)).locked).toBe(50n * ether);
    expect(await db.query('SELECT status, failure FROM requests WHERE hash = $1', [hash])).toEqual([
      { status: 'failed', failure: 'first' },
    ]);
    expect(await auditDatabase(db)).toEqual([]);
  });

  it('that fails because all NFT slots of the receiver are used says so', async () => {
    const { db } = test.relayer;
    const [payee, account] = [await test.account(), await test.account()];
    const mint = await account.post('/api/v3/nft/mint', await account.mint(`0x${'5a'.repeat(32)}`, 1n));
    const other = await account.post('/api/v3/nft/mint', await account.mint(`0x${'5b'.repeat(32)}`, 1n));
    await test.block();
    await db.query('INSERT INTO nft_slots (account_id, token_id, nft_data) VALUES ($1, $2, $3)', [
      ...[payee.accountId, MAX_TOKEN_ID, other.body.nftData],
    ]);
    const nft = { tokenId: mint.body.nftTokenId, nftData: mint.body.nftData };
    const { body } = await account.post('/api/v3/nft/transfer', await account.nftTransfer(payee.owner, nft, 1n));
    await test.block();
    expect(await db.query('SELECT status, failure FROM requests WHERE hash = $1', [body.hash])).toEqual([
      { status: 'failed', failure: 'the account has no free NFT slot' },
    ]);
    await db.query('DELETE FROM nft_slots WHERE account_id = $1', [payee.accountId]);
  });
});
