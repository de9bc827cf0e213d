import { expect, test } from 'vitest';
import { cancelAllOrders } from '../../src/operations/cancelAllOrders.ts';
import { endpoints, requestHash, requestMessage } from '../../src/protocol/index.ts';
import { ACCOUNT_ID, factsWith, keys, now, refusalOf, verifiesEddsa } from './support.ts';

const hash = (index: number) => `0x${String(index).padStart(64, '0')}`;
const facts = factsWith({}, [], [hash(1), hash(2)]);

test('asks for exactly the orders of the site, and signs all of the query', async () => {
  const draft = await cancelAllOrders.prepare(undefined, facts);
  expect(draft).toEqual({
    body: { accountId: ACCOUNT_ID, orderHash: `${hash(1)},${hash(2)}` },
    shown: { count: 2, left: 0, orders: [] },
  });
  const { sentence, rows, unbound } = cancelAllOrders.review(draft, now);
  expect(sentence.values).toEqual({ count: { kind: 'integer', value: 2 } });
  expect(rows).toHaveLength(2);
  expect(unbound).toEqual([]);
  const { query, signature } = await cancelAllOrders.sign(draft, null, facts, keys);
  const { method, path } = endpoints.cancelOrdersByHash;
  const message = requestMessage({ method, baseUrl: facts.baseUrl, path, query: { ...query } });
  expect(verifiesEddsa(signature, requestHash(message))).toBe(true);
});

test('asks for those that the site names, once each, and for no order that is not its own', async () => {
  const chosen = cancelAllOrders.intent().parse({ orderHashes: [hash(2), hash(9), hash(2)] });
  const draft = await cancelAllOrders.prepare(chosen, facts);
  expect(draft.body.orderHash).toBe(hash(2));
  expect(draft.shown).toMatchObject({ count: 1, left: 0 });
  expect(await refusalOf(cancelAllOrders, { orderHashes: [hash(9)] }, facts)).toBe(
    'orderHashes: names no open order of this site',
  );
});

test('finds its orders by the hashes that a relayer printed without leading zeros', async () => {
  const chosen = cancelAllOrders.intent().parse({ orderHashes: ['0x2'] });
  expect((await cancelAllOrders.prepare(chosen, facts)).body.orderHash).toBe(hash(2));
});

const listed = (index: number, status: string) => ({
  hash: hash(index),
  clientOrderId: '',
  side: 'SELL',
  market: 'LRC-ETH',
  price: '1',
  volumes: { baseAmount: '1', quoteAmount: '1', baseFilled: '0', quoteFilled: '0', fee: '0' },
  validity: { start: 1, end: 2 },
  orderType: 'LIMIT_ORDER',
  tradeChannel: 'MIXED',
  status,
});

test.each([
  ['keeps what the relayer answered', [{ id: hash(2), result: false }], [hash(2)]],
  ['reads the orders when no answer came', {}, [hash(1)]],
])('once none of them is open, %s', async (_what, ack, late) => {
  const reads = factsWith({
    getOrders: () => ({ totalNum: 1, orders: [listed(9, 'processing')] }),
    getOrder: ({ query }) => listed(1, query?.orderHash === hash(1) ? 'processed' : 'cancelled'),
  });
  const query = { orderHash: `${hash(1)},${hash(2)}` };
  const submitted = { accountId: ACCOUNT_ID, hash: hash(3), body: {}, signedBody: {}, query, ack: ack as never };
  const found = await cancelAllOrders.settle.find?.(submitted, reads);
  expect(found?.state).toBe('processed');
  expect(cancelAllOrders.tooLateFor?.({ ...submitted, ack: found?.ack ?? {} })).toEqual(late);
});
