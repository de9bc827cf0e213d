import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { relayerErrors } from '../../src/protocol/errors.ts';
import { answers } from '../../src/protocol/examples.ts';
import { formatHash } from '../../src/protocol/formatHash.ts';
import { orderHash } from '../../src/protocol/payloads/order.ts';
import { patientClient } from '../support/patientClient.ts';
import { auditDatabase } from './support/audit.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import type { TestRelayer } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const { ORDER_SUBMIT_FAILED } = relayerErrors;

describe.each(databases)('several orders in one request on $name', ({ start }) => {
  let test: TestRelayer;
  let alice: TestAccount;
  beforeAll(async () => {
    test = await start();
    alice = await test.account([
      { symbol: 'LRC', amount: String(100n * ether) },
      { symbol: 'ETH', amount: String(ether) },
    ]);
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  const send = (orders: readonly object[], account = alice) =>
    patientClient(test.relayer.url).submitOrders({
      body: { accountId: alice.accountId, orders: orders as never },
      apiKey: account.apiKey,
    });

  it('are taken or refused each by itself, and found again when the same bytes come again', async () => {
    const order = (n: number, changes: object = {}) =>
      alice.order([LRC, 30n * ether], [ETH, ether], { storageId: 2 * n, clientOrderId: `batch-${n}`, ...changes });
    const bob = await test.account();
    const orders = [
      await order(0),
      await order(1, { validUntil: 1 }),
      { ...(await order(2)), eddsaSignature: (await order(3)).eddsaSignature },
      await order(4),
      { ...(await bob.order([LRC, 30n * ether], [ETH, ether], { storageId: 0 })), clientOrderId: 'of-bob' },
      await order(5),
      // The money of the three before is all there is.
      await order(6),
    ];
    const { orders: outcomes } = await send(orders);
    expect(outcomes.map(({ clientOrderId, status, error }) => [clientOrderId, status ?? error?.code])).toEqual([
      ['batch-0', 'processing'],
      ['batch-1', 102008],
      ['batch-2', 104005],
      ['batch-4', 'processing'],
      ['of-bob', 102003],
      ['batch-5', 'processing'],
      ['batch-6', 102011],
    ]);
    const { orders: again } = await send(orders);
    expect(again.filter(({ hash }) => hash).map(({ hash, isIdempotent }) => [hash, isIdempotent])).toEqual(
      outcomes.filter(({ hash }) => hash).map(({ hash }) => [hash, true]),
    );
    expect((await alice.balance(LRC)).locked).toBe(90n * ether);

    const hashes = outcomes.flatMap(({ hash }) => hash ?? []);
    const unknown = `0x${'77'.repeat(32)}`;
    const reply = await alice.signed('DELETE', '/api/v3/orders/byHash', {
      query: { accountId: alice.accountId, orderHash: [...hashes, unknown].join(',') },
    });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    expect(reply.body.map(({ id, result, error }: Record<string, unknown>) => [id, result, error])).toEqual([
      ...hashes.map((hash) => [hash, true, undefined]),
      [unknown, false, { code: 102117, message: 'this account has no such order' }],
    ]);
    const membersOf = (rows: readonly object[]) => rows.map((row) => Object.keys(row).sort());
    const shown = membersOf(answers.cancelOrdersByHash);
    expect(shown).toEqual(membersOf([reply.body[0], reply.body.at(-1)]));
    expect(membersOf(answers.cancelOrdersByClientOrderId)).toEqual(shown);
    expect((await alice.balance(LRC)).locked).toBe(0n);
    await test.block();
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('that cannot be hashed are refused for good, each with the code of a single order', async () => {
    const order = await alice.order([LRC, 30n * ether], [ETH, ether], { storageId: 102 });
    const faults = [
      { ...order, sellToken: { ...order.sellToken, volume: '0' } },
      { ...order, buyToken: { ...order.buyToken, tokenId: LRC } },
    ];
    const single = await Promise.all(faults.map(async (fault) => (await alice.submit(fault)).body.resultInfo));
    const { body } = await test.call('POST', '/api/v3/batchOrders', {
      body: { accountId: alice.accountId, orders: faults },
      headers: alice.keyHeader,
    });
    expect(body.orders.map(({ error }: { error: object }) => error)).toEqual(single);
    expect(single.map(({ code }) => code)).not.toContain(ORDER_SUBMIT_FAILED.code);
  });

  it('are refused together when one is malformed, with the code that it has alone', async () => {
    const order = await alice.order([LRC, 30n * ether], [ETH, ether], { storageId: 102 });
    const { eddsaSignature: _, ...unsigned } = order;
    const faults = [
      unsigned,
      { ...order, eddsaSignature: '' },
      { ...order, eddsaSignature: '0x1' },
      { ...order, exchange: '0x1' },
      { ...order, accountId: -1 },
      { ...order, storageId: 103 },
      { ...order, buyToken: { ...order.buyToken, tokenId: 65536 } },
      { ...order, maxFeeBips: 64 },
      { ...order, validUntil: -1 },
      { ...order, allOrNone: true },
      { ...order, surprise: 1 },
    ];
    for (const fault of faults) {
      const single = (await test.call('POST', '/api/v3/order', { body: fault, headers: alice.keyHeader })).body;
      const batch = await test.call('POST', '/api/v3/batchOrders', {
        body: { accountId: alice.accountId, orders: [order, fault] },
        headers: alice.keyHeader,
      });
      expect(batch.body.resultInfo?.code, JSON.stringify(single)).toBe(single.resultInfo.code);
      expect(batch.body.resultInfo.message).toMatch(/^orders\.1/);
    }
    expect((await alice.get('/api/v3/orders')).body.orders.map(({ hash }: { hash: string }) => hash)).not.toContain(
      formatHash(orderHash(order)),
    );
  });

  it('have each a code of its own while the database refuses them, and are taken when they come again', async () => {
    const { db } = test.relayer;
    await db.script(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION refuse();`);
    const orders = await Promise.all(
      [106, 108].map((storageId) => alice.order([LRC, 20n * ether], [ETH, ether], { storageId })),
    );
    const { orders: refused } = await send(orders);
    expect(refused.map(({ hash, error }) => [hash, error?.code])).toEqual(
      Array(2).fill([undefined, ORDER_SUBMIT_FAILED.code]),
    );
    const { locked } = await alice.balance(LRC);
    await db.script('DROP TRIGGER refuse ON orders');
    const { orders: taken } = await send(orders);
    expect(taken.map(({ status, isIdempotent }) => [status, isIdempotent])).toEqual(
      Array(2).fill(['processing', false]),
    );
    expect((await alice.balance(LRC)).locked).toBe(locked + 40n * ether);
    for (const { hash } of taken) await alice.cancel({ orderHash: hash as string });
  });

  it('are cancelled by hashes without their leading zeros too, each named as it was asked for', async () => {
    const reply = await alice.submit(await alice.order([LRC, 30n * ether], [ETH, ether], { storageId: 104 }));
    const short = `0x${reply.body.hash.slice(4)}`;
    await test.relayer.db.query('UPDATE orders SET hash = $2 WHERE hash = $1', [
      reply.body.hash,
      `0x00${short.slice(2)}`,
    ]);
    const { body } = await alice.signed('DELETE', '/api/v3/orders/byHash', {
      query: { accountId: alice.accountId, orderHash: short },
    });
    expect(body).toMatchObject([{ id: short, hash: `0x00${short.slice(2)}`, result: true }]);
  });

  it('are ten at most, of one account whose key was sent', async () => {
    const order = await alice.order([LRC, 30n * ether], [ETH, ether], { storageId: 100 });
    const post = (orders: readonly object[], apiKey = alice.apiKey) =>
      test.call('POST', '/api/v3/batchOrders', {
        body: { accountId: alice.accountId, orders },
        headers: { 'x-api-key': apiKey },
      });
    const bob = await test.account();
    expect((await post(Array.from({ length: 11 }, () => order))).body.resultInfo).toMatchObject({
      code: 100001,
      message: expect.stringContaining('more than 10 orders'),
    });
    expect((await post([])).body.resultInfo.code).toBe(100001);
    expect((await post([{ ...order, surprise: 1 }])).body.resultInfo.code).toBe(100001);
    expect((await post([order], bob.apiKey)).body.resultInfo.code).toBe(104003);
    expect((await alice.balance(LRC)).locked).toBe(0n);
  });
});
