import { describe, expect, test } from 'vitest';
import { isMove, signedAlready } from '../../src/background/submissions/signedAlready.ts';
import type { ListFilter } from '../../src/journal/createJournal.ts';
import { ENDED_UNSEEN, ENDED_WITH_ACCOUNT, type Journal, type SubmissionRecord } from '../../src/journal/index.ts';

const NOW = 1_800_000_000;
const friend = `0x${'Ab'.repeat(20)}`;
const other = `0x${'cd'.repeat(20)}`;
const account = { networkId: 'dev', accountId: 10_007 } as Parameters<typeof signedAlready>[1];
const token = { tokenId: 1, volume: '5' };
const nft = { tokenId: 40_000, nftData: `0x${'12'.repeat(32)}`, amount: '1' };

const record = (draft: object, changes: object = {}) =>
  ({
    draft,
    state: 'refused',
    validUntil: NOW + 60,
    history: [{ state: 'refused', at: NOW * 1000 }],
    ...changes,
  }) as unknown as SubmissionRecord;

/** What is said of a request, over a journal with these records of its account. */
const said = (operation: string, body: object, records: readonly SubmissionRecord[]) => {
  const list = async ({ accountId, exchangeOf, operations, states = [] }: ListFilter = {}) => {
    expect([accountId, exchangeOf, operations]).toEqual([10_007, 'dev', [operation]]);
    return records.filter(({ state }) => states.includes(state)).map((one) => ({ ...one, operation }));
  };
  return signedAlready({ list } as Pick<Journal, 'list'>, account, operation, { body, shown: {} }, NOW * 1000);
};

describe('a move is the same as an earlier one', () => {
  test.each([
    ['transfer', { payeeAddr: friend, token }, { payeeAddr: other }],
    ['withdraw', { to: friend, token }, { to: other }],
    ['transferNft', { toAddress: friend, token: nft }, { toAddress: other }],
    ['withdrawNft', { to: friend, token: nft }, { to: other }],
  ])('with operation, receiver, token and amount: %s', async (operation, body, elsewhere) => {
    const [name = ''] = Object.keys(body);
    const lower = { ...body, [name]: friend.toLowerCase(), memo: 'another', validUntil: NOW };
    expect(await said(operation, body, [record(lower)])).toEqual({ copies: 1, validUntil: NOW + 60 });
    for (const changes of [elsewhere, { token: { ...body.token, tokenId: 2 } }])
      expect(await said(operation, body, [record({ ...body, ...changes })])).toBeUndefined();
  });

  test('with the contract alone, of a deployment that is paid for again', async () => {
    const body = (tokenAddress: string, payeeAddr: string, volume: string) => ({
      tokenAddress,
      transfer: { payeeAddr, token: { tokenId: 1, volume } },
    });
    const before = record(body(friend.toLowerCase(), other, '5'));
    expect(await said('deployNft', body(friend, friend, '6'), [before])).toEqual({ copies: 1, validUntil: NOW + 60 });
    expect(await said('deployNft', body(other, other, '5'), [before])).toBeUndefined();
    // It was paid, and there is no code yet: also past its end.
    for (const validUntil of [NOW + 60, NOW - 60]) {
      const paid = record(body(friend, other, '5'), { state: 'acknowledged', validUntil });
      expect(await said('deployNft', body(friend, friend, '6'), [paid])).toEqual({ copies: 1, validUntil });
      expect(await said('deployNft', body(other, other, '5'), [paid])).toBeUndefined();
    }
  });

  test('while that one can still be carried out', async () => {
    const body = { payeeAddr: friend, token };
    const of = (changes: object) => said('transfer', body, [record(body, changes)]);
    const open = { copies: 1, validUntil: NOW + 60 };
    for (const state of ['signed', 'sent', 'refused', 'failed', 'expired']) expect(await of({ state })).toEqual(open);
    for (const state of ['reserved', 'acknowledged', 'processed', 'cancelled', 'abandoned'])
      expect(await of({ state })).toBeUndefined();
    expect(await of({ validUntil: NOW - 86_400 })).toBeUndefined();
    expect(await of({ state: 'sent', validUntil: undefined })).toEqual({ copies: 1, validUntil: null });
    // Nobody has said yet what became of it before its end.
    const ended = { validUntil: NOW - 86_400 };
    for (const state of ['signed', 'sent']) expect(await of({ state, ...ended })).toEqual({ copies: 1, ...ended });
    for (const note of [ENDED_WITH_ACCOUNT, ENDED_UNSEEN]) {
      const history = [{ state: 'expired', at: NOW * 1000, note }];
      expect(await of({ state: 'expired', history, ...ended })).toEqual({ copies: 1, ...ended });
    }
    const two = [record(body), record(body, { validUntil: NOW + 90 })];
    expect(await said('transfer', body, two)).toEqual({ copies: 2, validUntil: NOW + 90 });
  });
});

test('a record that may be looked for is one that says what it moves, and where to', () => {
  const moves = { payeeAddr: friend, token };
  const of = (draft: object, operation = 'transfer') => isMove(record(draft, { operation }));
  expect([of(moves), of(moves, 'submitOrder'), of({ token })]).toEqual([true, false, false]);
});

test('what moves nothing is compared with nothing', async () => {
  const minted = { tokenAddress: friend };
  for (const operation of ['submitOrder', 'mintNft', 'standing'])
    expect(await said(operation, minted, [record(minted)])).toBeUndefined();
});
