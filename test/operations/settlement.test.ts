import { describe, expect, test } from 'vitest';
import { operationNamed } from '../../src/operations/index.ts';
import {
  blockOfRow,
  blocksOfFills,
  outcomeOfStatus,
  requestSettlement,
  rowOf,
} from '../../src/operations/settlement.ts';
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
  expect(outcomeOfStatus({ status })).toEqual({ state, ack: { status } });
});

test('a row is found by the number of its hash, whatever zeros and case it is written with', () => {
  const rows = ['', '0x', 'pending', '0xabz', ' 0xab', '0xAb', '0xab'].map((hash) => ({ hash }));
  expect(rowOf(rows, `0x${'ab'.padStart(64, '0')}`)).toBe(rows[5]);
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
  expect(asked).toHaveLength(1);
});

test('a request that a list shows ends as its row says, and stands in the block that it names', async () => {
  const rows = [
    { hash: '0x2', status: 'failed', blockId: 5 },
    { hash: '0x1', status: 'processed', blockId: 9 },
  ];
  const { find, blocks, reportsHash, outcomeOf } = requestSettlement(async () => rows);
  expect(reportsHash).toBe(true);
  expect(outcomeOf({ status: 'failed' }).state).toBe('failed');
  expect(await find(submitted('0x01'), factsWith())).toEqual({ state: 'processed', ack: rows[1] });
  expect(await blocks(submitted('0x01'), factsWith())).toEqual({ blockIds: [9], more: false });
  for (const hash of ['0x03', null])
    expect(await blocks(submitted(hash), factsWith())).toEqual({ blockIds: [], more: false });
});

test.each([
  ['a number of its own', { blockId: 7 }, [7]],
  ['one inside of it', { blockIdInfo: { blockId: 8 } }, [8]],
  ['both', { blockId: 7, blockIdInfo: { blockId: 8 } }, [7]],
  ['none yet', { blockId: 0 }, []],
  ['none', {}, []],
  ['no row', undefined, []],
])('the block of a row with %s is found', (_what, row, blockIds) => {
  expect(blockOfRow(row)).toEqual({ blockIds, more: false });
});

test('the blocks of fills are each named once, from the first on, and more of them are said to be', () => {
  expect(blocksOfFills(['10', '9', undefined, '0', '10', ''], 6)).toEqual({ blockIds: [9, 10], more: false });
  expect(blocksOfFills(['9'], 2)).toEqual({ blockIds: [9], more: true });
  expect(blocksOfFills([], 0)).toEqual({ blockIds: [], more: false });
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
  const { find, outcomeOf } = operationNamed('updateAccountKey').settle;
  const seven = `0x${'7'.padStart(64, '0')}`;
  const body = { owner: FRIEND, publicKey: { x: seven, y: seven }, nonce: 1, validUntil: now };

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
    ['its time is over while a key update is in progress', { frozen: true }, 121, undefined],
    ['its time may not be over by another clock', {}, 120, undefined],
    ['the number has another owner', { owner: `0x${'9'.repeat(40)}`, nonce: 2 }, 0, undefined],
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
