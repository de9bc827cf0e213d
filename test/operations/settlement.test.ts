import { describe, expect, test } from 'vitest';
import { operationNamed, operations, settlementOf } from '../../src/operations/index.ts';
import { outcomeOfStatus, requestSettlement, rowOf } from '../../src/operations/settlement.ts';
import { ACCOUNT_ID, FRIEND, factsWith, now } from './support.ts';

const submitted = (hash: string | null, body = {}) => ({
  accountId: ACCOUNT_ID,
  hash,
  body,
  signedBody: {},
  query: {},
  ack: {},
});

test.each([
  ['received', 'open'],
  ['processing', 'open'],
  ['cancelling', 'open'],
  ['SEND_TX_SUCCESS', 'open'],
  [undefined, 'open'],
  ['processed', 'processed'],
  ['failed', 'failed'],
  ['expired', 'expired'],
  ['cancelled', 'cancelled'],
])('the status %s is %s', (status, state) => {
  expect(outcomeOfStatus({ status }).state).toBe(state);
});

test('a row is found by the number of its hash, whatever zeros and case it is written with', () => {
  const rows = [{ hash: '' }, { hash: 'pending' }, { hash: '0xAb' }];
  expect(rowOf(rows, `0x${'ab'.padStart(64, '0')}`)).toBe(rows[2]);
  expect(rowOf(rows, '0xac')).toBeUndefined();
  expect(rowOf(rows, null)).toBeUndefined();
});

test('a request that no list shows is unknown, never failed', async () => {
  const asked: unknown[] = [];
  const settlement = requestSettlement(async (query) => {
    asked.push(query);
    return [];
  });
  expect(await settlement.find?.(submitted('0x01'), factsWith())).toBeNull();
  expect(asked).toEqual([{ accountId: ACCOUNT_ID, hashes: '0x01' }]);
  expect(await settlement.find?.(submitted(null), factsWith())).toBeNull();
});

describe('a key registration', () => {
  const account = (x: string, changes: object = {}) => ({
    accountId: ACCOUNT_ID,
    owner: FRIEND,
    frozen: false,
    publicKey: { x, y: x },
    nonce: 1,
    keySeed: '',
    ...changes,
  });
  const { find, outcomeOf } = settlementOf('updateAccountKey');
  const seven = `0x${'7'.padStart(64, '0')}`;
  const body = { publicKey: { x: seven, y: seven }, nonce: 1, validUntil: now };

  test.each([
    ['the new key is reported', '0x7', 'processed'],
    ['the old key is reported', '0x8', undefined],
    ['no key is reported', '', undefined],
  ])('is done when %s', async (_when, x, state) => {
    const outcome = await find?.(submitted(null, body), factsWith({ getAccount: () => account(x) }));
    expect(outcome?.state).toBe(state);
  });

  test.each([
    ['the nonce was used by another key', { nonce: 2 }, 0, 'failed'],
    ['its time is over and another key is registered', {}, 121, 'expired'],
    ['its time is over while a key update is under way', { frozen: true }, 121, undefined],
    ['its time may not be over by another clock', {}, 120, undefined],
  ])('when %s', async (_when, changes, after, state) => {
    const asked = { ...body, validUntil: now - after };
    const facts = factsWith({
      getAccount: () => account('0x8', changes),
      getTimestamp: () => ({ timestamp: now * 1000 }),
    });
    expect((await find?.(submitted(null, asked), facts))?.state).toBe(state);
  });

  test('is not done because its acknowledgement says so', () => {
    expect(outcomeOf({ status: 'processed' }).state).toBe('open');
  });
});

test('every operation has a name, a method and an end of its own; what has no operation cannot be named', () => {
  const all = Object.entries(operations);
  for (const [name, operation] of all) {
    expect(operation.name).toBe(name);
    expect(settlementOf(name)).toBe(operation.settle);
  }
  expect(new Set(all.map(([, { method }]) => method)).size).toBe(all.length);
  for (const name of ['signRaw', 'toString', '__proto__', ''])
    expect(() => operationNamed(name)).toThrow('no operation is named');
});
