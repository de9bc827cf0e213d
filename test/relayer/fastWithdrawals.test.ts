import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_UINT32, STORAGE_SLOTS } from '../../src/protocol/limits.ts';
import { developmentMarket } from '../../src/relayer/market.ts';
import { auditDatabase } from './support/audit.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import { type FakeL1Node, startFakeL1Node } from './support/fakeL1Node.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';
import { DAI, ETH, ether, LRC } from './support/tokens.ts';

const logged = vi.hoisted((): string[] => []);
vi.mock('pino', async (load) => {
  const { pino } = await load<typeof import('pino')>();
  const log = (options: object) => pino(options, { write: (line: string) => logged.push(line) });
  return { default: Object.assign(log, { destination: pino.destination }) };
});

const LIMIT = 1_000n * ether;
const WITHDRAWAL = 1;
const FAST_WITHDRAWAL = 4;
const CONFIRM_MS = 60_000;

/** LRC and ETH are paid ahead up to a small limit, DAI not at all. */
const market = {
  ...developmentMarket,
  tokens: developmentMarket.tokens.map((token) => ({
    ...token,
    fastWithdrawLimit: [ETH, LRC].includes(token.tokenId) ? LIMIT.toString() : '0',
  })),
};

const QUARTER_MS = 15 * 60_000;

const feeOf = async (account: TestAccount, requestType: number, tokenSymbol: string, amount?: bigint) => {
  const query = { requestType, tokenSymbol, ...(amount !== undefined && { amount: amount.toString() }) };
  const { body } = await account.get('/api/v3/user/offchainFee', query);
  return (body.fees as { token: string; fee: string }[]).find(({ token }) => token === tokenSymbol)?.fee;
};

const fast = async (account: TestAccount, volume: bigint, tokenId = LRC) =>
  account.post(
    '/api/v3/user/withdrawals',
    await account.withdrawal([tokenId, volume], {
      maxFee: { tokenId, volume: (100n * ether).toString() },
      fastWithdrawalMode: true,
    }),
  );

const rowOf = async (account: TestAccount, hash: string) =>
  (await account.get('/api/v3/user/withdrawals', { hashes: hash })).body.transactions[0];

describe.each(databases)('fast withdrawals on $name', ({ start }) => {
  let test: TestRelayer;
  beforeAll(async () => {
    test = await start({ market, logLevel: 'error' });
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());
  // Fees change each quarter of an hour: each test begins with one.
  beforeEach(async () => {
    const { timestamp } = (await test.call('GET', '/api/v3/timestamp')).body;
    await test.advance(QUARTER_MS - (timestamp % QUARTER_MS));
  });

  const confirm = async () => {
    await test.advance(CONFIRM_MS);
    await test.block();
  };
  const arrivals = (hash: string) => test.relayer.db.query('SELECT * FROM l1_arrivals WHERE hash = $1', [hash]);

  it('pays out while the block is not confirmed, before withdrawals of the usual way, and once', async () => {
    const alice = await test.account();
    const usual = (await alice.post('/api/v3/user/withdrawals', await alice.withdrawal([LRC, 7n * ether]))).body.hash;
    const { hash } = (await fast(alice, 5n * ether)).body;
    expect((await rowOf(alice, hash)).withdrawalInfo).toMatchObject({ fastStatus: 'received', distributeHash: '' });
    await test.block();
    const row = await rowOf(alice, hash);
    expect(row.withdrawalInfo).toMatchObject({
      fastStatus: 'processed',
      distributeHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect((await alice.get('/api/v3/block/getBlock', { id: row.blockId })).body.status).toBe('pending');
    expect((await rowOf(alice, usual)).withdrawalInfo).toMatchObject({ fastStatus: '', distributeHash: '' });
    expect((await alice.balance(LRC)).withdraw).toBe(7n * ether);
    const fee = BigInt(row.feeAmount);
    expect(fee).toBe(BigInt((await feeOf(alice, FAST_WITHDRAWAL, 'LRC')) ?? 0));
    const before = await alice.balance(LRC);
    await confirm();
    expect((await rowOf(alice, hash)).withdrawalInfo).toEqual(row.withdrawalInfo);
    expect(await alice.balance(LRC)).toEqual({ ...before, withdraw: 0n });
    expect(await arrivals(hash)).toHaveLength(1);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('gives the difference to the usual fee back when its block is confirmed before the payout', async () => {
    const alice = await test.account();
    const before = await alice.balance(LRC);
    const [usualFee, fastFee] = [
      BigInt((await feeOf(alice, WITHDRAWAL, 'LRC')) ?? 0),
      BigInt((await feeOf(alice, FAST_WITHDRAWAL, 'LRC')) ?? 0),
    ];
    expect(fastFee > usualFee).toBe(true);
    await test.call('POST', '/dev/failNext', { body: { step: 'payout', times: 1 } });
    const { hash } = (await fast(alice, 5n * ether)).body;
    await test.block();
    expect((await rowOf(alice, hash)).withdrawalInfo).toMatchObject({ fastStatus: 'processing', distributeHash: '' });
    expect((await alice.balance(LRC)).total).toBe(before.total - 5n * ether - fastFee);
    await test.call('POST', '/dev/failNext', { body: { step: 'payout', times: 1 } });
    await confirm();
    expect((await rowOf(alice, hash)).withdrawalInfo).toMatchObject({ fastStatus: 'failed', distributeHash: '' });
    expect((await alice.balance(LRC)).total).toBe(before.total - 5n * ether - usualFee);
    const [refund] = (await alice.get('/api/v3/user/transfers', { limit: 1 })).body.transactions;
    expect(refund).toMatchObject({
      senderAddress: test.relayer.config.operatorAddress.toLowerCase(),
      amount: (fastFee - usualFee).toString(),
      memo: 'fast withdrawal not paid ahead',
    });
    await confirm();
    expect((await rowOf(alice, hash)).withdrawalInfo).toMatchObject({
      fastStatus: 'failed',
      distributeHash: expect.stringMatching(/^0x/),
    });
    expect((await alice.balance(LRC)).total).toBe(before.total - 5n * ether - usualFee);
    expect(await arrivals(hash)).toHaveLength(1);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('owes the difference until the operator has it', async () => {
    const alice = await test.account();
    const operator = 'UPDATE balances SET locked = $1 WHERE account_id = 1 AND token_id = $2 RETURNING total';
    const before = await alice.balance(LRC);
    await test.call('POST', '/dev/failNext', { body: { step: 'payout', times: 3 } });
    const usualFee = BigInt((await feeOf(alice, WITHDRAWAL, 'LRC')) ?? 0);
    const { hash } = (await fast(alice, 5n * ether)).body;
    await test.block();
    const [{ total } = { total: 0n }] = await test.relayer.db.query<{ total: bigint }>(operator, [0n, LRC]);
    await test.relayer.db.query(operator, [total, LRC]);
    await confirm();
    await test.block();
    expect(logged.filter((line) => line.includes(hash) && line.includes('could not go back'))).toHaveLength(1);
    expect((await rowOf(alice, hash)).withdrawalInfo.fastStatus).toBe('processing');
    await test.call('POST', '/dev/failNext', { body: { step: 'payout', times: 3 } });
    await test.advance(test.relayer.config.finalizeAfterMs);
    await test.block();
    await test.relayer.db.query(operator, [0n, LRC]);
    await test.block();
    expect((await rowOf(alice, hash)).withdrawalInfo.fastStatus).toBe('failed');
    expect((await alice.balance(LRC)).total).toBe(before.total - 5n * ether - usualFee);
    await confirm();
  });

  it('gives the difference back to others while the operator owes it to many in another token', async () => {
    const alice = await test.account();
    const operator = 'UPDATE balances SET locked = $1 WHERE account_id = 1 AND token_id = $2 RETURNING total';
    await test.call('POST', '/dev/failNext', { body: { step: 'payout', times: 1_000 } });
    for (let owed = 0; owed < 20; owed++) await fast(alice, ether);
    const inEther = { maxFee: { tokenId: ETH, volume: (ether / 10n).toString() }, fastWithdrawalMode: true };
    const asked = await alice.post('/api/v3/user/withdrawals', await alice.withdrawal([ETH, ether / 10n], inEther));
    expect(asked.status, JSON.stringify(asked.body)).toBe(200);
    const { hash } = asked.body;
    await test.block();
    const [{ total } = { total: 0n }] = await test.relayer.db.query<{ total: bigint }>(operator, [0n, LRC]);
    await test.relayer.db.query(operator, [total, LRC]);
    await confirm();
    await test.block();
    expect((await rowOf(alice, hash)).withdrawalInfo.fastStatus).toBe('failed');
    const open = `SELECT count(*) AS n FROM requests WHERE details->>'fast' = 'ahead'`;
    expect(await test.relayer.db.query(open)).toEqual([{ n: 20 }]);
    await test.relayer.db.query(operator, [0n, LRC]);
    await test.block();
    await test.block();
    expect(await test.relayer.db.query(open)).toEqual([{ n: 0 }]);
    await test.call('POST', '/dev/failNext', { body: { step: 'payout', times: 1 } });
    await confirm();
    await confirm();
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('gives the difference back to others while the operator has no id left for it in a token', async () => {
    const { db } = test.relayer;
    const alice = await test.account();
    await test.call('POST', '/dev/failNext', { body: { step: 'payout', times: 1_000 } });
    const owed = (await fast(alice, ether)).body.hash;
    const inEther = { maxFee: { tokenId: ETH, volume: (ether / 10n).toString() }, fastWithdrawalMode: true };
    const paid = (await alice.post('/api/v3/user/withdrawals', await alice.withdrawal([ETH, ether / 10n], inEther)))
      .body.hash;
    await test.block();
    const slots = await db.query<{ slot: number; storage_id: number; ref: string }>(
      'DELETE FROM storage_slots WHERE account_id = 1 AND token_id = $1 RETURNING slot, storage_id, ref',
      [LRC],
    );
    await db.query(
      `INSERT INTO storage_slots (account_id, token_id, slot, storage_id, ref)
       SELECT 1, $1, slot, slot + $2::bigint, '' FROM generate_series(1, ${STORAGE_SLOTS - 1}, 2) AS slot`,
      [LRC, MAX_UINT32 + 1 - STORAGE_SLOTS],
    );
    await confirm();
    expect((await rowOf(alice, owed)).withdrawalInfo.fastStatus).toBe('processing');
    expect((await rowOf(alice, paid)).withdrawalInfo.fastStatus).toBe('failed');
    expect(logged.filter((line) => line.includes(owed) && line.includes('no storage id left'))).toHaveLength(1);
    await db.query('DELETE FROM storage_slots WHERE account_id = 1 AND token_id = $1', [LRC]);
    for (const { slot, storage_id, ref } of slots)
      await db.query(
        'INSERT INTO storage_slots (account_id, token_id, slot, storage_id, ref) VALUES (1, $1, $2, $3, $4)',
        [...[LRC, slot, storage_id], ref],
      );
    await test.block();
    expect((await rowOf(alice, owed)).withdrawalInfo.fastStatus).toBe('failed');
    await test.call('POST', '/dev/failNext', { body: { step: 'payout', times: 0 } });
    await confirm();
    expect(await auditDatabase(db)).toEqual([]);
  });

  it('promises no more than the limit to all accounts together, until blocks are confirmed', async () => {
    const [alice, bob] = [await test.account(), await test.account()];
    // What fails takes no room.
    await test.call('POST', '/dev/failNext', { body: { step: 'settle' } });
    const { hash } = (await fast(alice, LIMIT)).body;
    await test.block();
    expect((await rowOf(alice, hash)).status).toBe('failed');
    const most = LIMIT - 50n * ether;
    expect((await fast(alice, most)).status).toBe(200);
    expect(await feeOf(bob, FAST_WITHDRAWAL, 'LRC', 60n * ether)).toBeUndefined();
    expect(await feeOf(bob, FAST_WITHDRAWAL, 'LRC', 50n * ether)).toMatch(/^[1-9]\d*$/);
    const refused = await fast(bob, 60n * ether);
    expect(refused).toMatchObject({ status: 400, body: { resultInfo: { code: 114002 } } });
    expect(refused.body.resultInfo.message).toContain(`${50n * ether} base units of LRC are paid out ahead now`);
    expect(await bob.balance(LRC)).toMatchObject({ locked: 0n, withdraw: 0n });
    const [one, other] = await Promise.all([fast(bob, 40n * ether), fast(alice, 40n * ether)]);
    expect([one.status, other.status].sort()).toEqual([200, 400]);
    await test.block();
    expect((await fast(bob, 60n * ether)).status).toBe(400);
    await confirm();
    expect((await fast(bob, 60n * ether)).status).toBe(200);
    await test.block();
    await confirm();
  });

  it('is neither offered nor charged in a token without a limit', async () => {
    const alice = await test.account();
    expect(await feeOf(alice, FAST_WITHDRAWAL, 'DAI')).toBeUndefined();
    const before = await alice.balance(DAI);
    const refused = await fast(alice, 5n * ether, DAI);
    expect(refused.body.resultInfo).toEqual({
      code: 100001,
      message: 'fastWithdrawalMode: DAI is not paid out ahead of its block here; leave the mode out',
    });
    expect(await alice.balance(DAI)).toEqual(before);
    const { body: tokens } = await test.call('GET', '/api/v3/exchange/tokens');
    const limitOf = (symbol: string) =>
      tokens.find((token: { symbol: string }) => token.symbol === symbol).fastWithdrawLimit;
    expect([limitOf('LRC'), limitOf('DAI')]).toEqual([LIMIT.toString(), '0']);
    const { body: info } = await test.call('GET', '/api/v3/exchange/info');
    expect(info.fastWithdrawalFees.map(({ token }: { token: string }) => token)).toEqual(['ETH', 'LRC']);
  });
});

describe('a relayer whose layer 1 pays nothing out by itself', () => {
  let node: FakeL1Node;
  let test: TestRelayer;
  beforeAll(async () => {
    node = await startFakeL1Node();
    test = await startRelayer({ l1Url: node.url });
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await test.close();
    node.close();
  });

  it('offers no fast withdrawal and refuses one', async () => {
    const alice = await test.account();
    expect(await feeOf(alice, FAST_WITHDRAWAL, 'LRC')).toBeUndefined();
    expect((await fast(alice, ether)).body.resultInfo).toMatchObject({
      code: 100001,
      message: expect.stringContaining('LRC is not paid out ahead of its block here'),
    });
  });
});
