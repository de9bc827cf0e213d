import { describe, expect, test } from 'vitest';
import type { KnownAddress } from '../../src/operations/operation.ts';
import {
  bookNameOf,
  contractRow,
  extraRows,
  isContract,
  needsActivation,
  payeeOf,
  recipientOf,
  recipientRow,
} from '../../src/operations/recipient.ts';
import { warningsOf } from '../../src/operations/warnings.ts';
import { ACCOUNT_ID, FRIEND, factsWith } from './facts.ts';

const ANA = `0xAbCd${'1'.repeat(32)}eF01`;
const BEN = `0x${'2'.repeat(40)}`;
const known: readonly KnownAddress[] = [
  { address: BEN, source: 'sent' },
  { address: ANA, source: 'sent' },
  { address: ANA, label: 'Ana', source: 'book' },
  { address: `0x${'3'.repeat(40)}`, label: 'Savings', source: 'own' },
  { address: FRIEND, label: 'Friend', source: 'book' },
];
const recipientText = (recipient: Awaited<ReturnType<typeof recipientOf>>) =>
  warningsOf({ now: 0, recipient }).find(({ rule }) => rule === 'recipient-lookalike')?.text.key;
const of = (address: string, among = known) => recipientOf(address, factsWith({}, among));

describe('a receiver', () => {
  test.each([
    ['in the address book, whatever its capitals', ANA.toLowerCase(), { known: true, label: 'Ana', isOwn: false }],
    ['that is an account of the user', `0x${'3'.repeat(40)}`, { known: true, label: 'Savings', isOwn: true }],
    ['that something was sent to', BEN, { known: true }],
    ['that nothing is known of', `0x${'4'.repeat(40)}`, { known: false }],
    ['that begins alike and ends otherwise', `0xabcd${'9'.repeat(32)}ef02`, { known: false }],
    ['that begins otherwise and ends alike', `0xabce${'9'.repeat(32)}ef01`, { known: false }],
    ['that begins and ends like a known one', `0xABCD${'9'.repeat(32)}EF01`, { known: false, looksLike: ANA }],
    [
      'that begins and ends like one with a name',
      `0x1111${'9'.repeat(32)}1111`,
      { known: false, looksLike: FRIEND, looksLikeLabel: 'Friend' },
    ],
  ])('%s', async (_what, address, facts) => {
    expect(await of(address)).toStrictEqual({ address, ...facts });
  });

  test('is paid when this account has sent something there, not another one of the user', async () => {
    const paid = async (accountId: number) => {
      const sent = { address: BEN, source: 'sent', accountId } as const;
      return (await of(BEN.toUpperCase().replace('0X', '0x'), [{ address: BEN, label: 'Ben', source: 'book' }, sent]))
        .isPaid;
    };
    expect([await paid(ACCOUNT_ID), await paid(ACCOUNT_ID + 1)]).toEqual([true, undefined]);
  });

  test('that was paid as a broker is paid and not known, and nobody looks like it', async () => {
    const broker = { address: BEN, source: 'broker', accountId: ACCOUNT_ID } as const;
    expect(await of(BEN, [broker])).toStrictEqual({ address: BEN, known: false, isPaid: true });
    expect(await of(`0x2222${'9'.repeat(32)}2222`, [broker])).toMatchObject({ known: false });
    expect(await of(`0x2222${'9'.repeat(32)}2222`, [broker])).not.toHaveProperty('looksLike');
    const like = { address: `0x2222${'8'.repeat(32)}2222`, label: 'Ben', source: 'book' } as const;
    expect(await of(BEN, [like, broker])).toMatchObject({ known: false, isPaid: true, looksLikeLabel: 'Ben' });
  });

  test('that only the history of the relayer names is new, and others look like it', async () => {
    const before = { address: BEN, source: 'history' } as const;
    const twin = `0x2222${'9'.repeat(32)}2222`;
    expect(await of(BEN, [before])).toStrictEqual({ address: BEN, known: false });
    const like = { looksLike: BEN, looksLikeListed: true };
    expect(await of(twin, [before])).toStrictEqual({ address: twin, known: false, ...like });
    expect(recipientText(await of(twin, [before]))).toBe('warning_recipientLookalikeListed');
    expect(recipientText(await of(twin, [{ address: BEN, source: 'sent' }, before]))).toBe(
      'warning_recipientLookalike',
    );
  });

  test.each(['book', 'sent', 'withdrawn', 'own'] as const)(
    'that is known as %s is not taken for what only the history of the relayer names',
    async (source) => {
      const lie = { address: `0x2222${'9'.repeat(32)}2222`, source: 'history' } as const;
      expect(await of(BEN, [lie, { address: BEN.toUpperCase().replace('0X', '0x'), source }])).not.toHaveProperty(
        'looksLike',
      );
    },
  );

  test.each([
    [{ source: 'sent' }, {}],
    [
      { source: 'book', label: 'Anna' },
      { label: 'Anna', isOwn: false },
    ],
    [{ source: 'withdrawn' }, { known: false }],
  ] as const)('that is known as %j looks like another known one all the same', async (entry, facts) => {
    const address = `0xabcd${'9'.repeat(32)}ef01`;
    const looks = { looksLike: ANA, known: true, ...facts };
    expect(await of(address, [{ address, ...entry }, ...known])).toStrictEqual({ address, ...looks });
  });

  test('that was only withdrawn to is known to withdrawals alone', async () => {
    const facts = factsWith({ getAccount: () => null }, [{ address: BEN, source: 'withdrawn' }]);
    expect((await recipientOf(BEN, facts, true)).known).toBe(true);
    expect((await recipientOf(BEN, facts)).known).toBe(false);
    expect((await payeeOf(BEN, facts)).recipient.known).toBe(false);
  });

  test('has an account at the exchange, or none', async () => {
    const account = { accountId: 7, owner: BEN, frozen: false, publicKey: { x: '', y: '' }, nonce: 0, keySeed: '' };
    const found = await payeeOf(BEN, factsWith({ getAccount: ({ query }) => query?.owner === BEN && account }, known));
    expect(found).toMatchObject({ account, recipient: { address: BEN, known: true, hasAccount: true } });
    expect(await payeeOf(BEN, factsWith({ getAccount: () => null }, known))).toStrictEqual({
      account: null,
      recipient: { address: BEN, known: true, hasAccount: false, isContract: false },
    });
    const refusals: unknown[] = [];
    const find = async (_name: unknown, _input: unknown, given: unknown) => {
      refusals.push(given);
      return null;
    };
    await payeeOf(BEN, { ...factsWith(), find } as never);
    // Any other refusal does not say that there is none.
    expect(refusals).toEqual([['ADDRESS_NOT_FOUND', 'ACCOUNT_NOT_FOUND'], ['L1_NODE_ERROR']]);
  });

  test.each([
    ['a contract', { result: '0x6001' }, 'danger', 'warning_withdrawToContract'],
    ['what cannot be read', null, 'notice', 'warning_receiverUnchecked'],
  ])('without an account, at %s, is warned of', async (_what, code, severity, key) => {
    const answers = { getAccount: () => null, getCode: () => code && { id: 1, jsonrpc: '2.0', ...code } };
    const { recipient } = await payeeOf(BEN, factsWith(answers, known));
    expect(warningsOf({ now: 0, recipient })).toContainEqual(
      expect.objectContaining({ severity, text: expect.objectContaining({ key }) }),
    );
  });

  test.each([
    ['without an account', null, true],
    ['without a key', { nonce: 0 }, true],
    ['without a key, and other tags', { nonce: 0, tags: 'A,FirstUpdateAccountPaidX' }, true],
    ['without a key that somebody has paid for', { nonce: 0, tags: 'A,FirstUpdateAccountPaid' }, false],
    ['with a key', { nonce: 1 }, false],
  ])('%s may be activated: %s, %s', (_what, account, needs) => {
    expect(needsActivation(account)).toBe(needs);
  });
});

const named = (key: string, name: string) => ({ key, values: { name: { kind: 'text', text: name } } });

describe('the row of a receiver', () => {
  const label = { key: 'review_recipient' };
  const value = { kind: 'address', address: BEN };
  const instead = { key: 'review_withdrawOwner' };

  test.each([
    [{ known: true, label: 'Savings', isOwn: true }, named('review_recipientOwn', 'Savings')],
    [{ known: true, label: 'Ana', isOwn: false }, named('review_recipientBook', 'Ana')],
    [{ known: true }, { key: 'review_recipientKnown' }],
    [{ known: false }, { key: 'review_recipientFirst' }],
  ])('says of %j whether it is known', (facts, note) => {
    const recipient = { address: BEN, ...facts };
    expect(recipientRow(recipient)).toStrictEqual([{ label, value, note, emphasis: 'recipient' }]);
    // A name goes before a word on where the address comes from.
    const other = { key: 'review_taker' };
    expect(recipientRow(recipient, 'review_taker', instead)).toStrictEqual([
      { label: other, value: { ...value, whole: true }, note: 'label' in facts ? note : instead },
    ]);
  });

  test('has the known address below that it could be taken for', () => {
    const row = { label, value, note: { key: 'review_recipientFirst' }, emphasis: 'recipient' };
    const like = { label: { key: 'review_looksLike' }, value: { kind: 'address', address: ANA, whole: true } };
    const recipient = { address: BEN, known: false, looksLike: ANA };
    expect(recipientRow(recipient)).toStrictEqual([row, like]);
    expect(recipientRow({ ...recipient, looksLikeLabel: 'Ana' })).toStrictEqual([
      row,
      { ...like, note: named('review_recipientBook', 'Ana') },
    ]);
  });

  test('is followed by the activation that is paid, and by the memo', () => {
    const paid = {
      label: { key: 'review_activation' },
      value: { kind: 'message', key: 'review_activationPaid' },
      unsigned: true,
    };
    const memo = {
      ...{ label: { key: 'review_memo' }, value: { kind: 'document', text: 'rent' } },
      note: { key: 'review_memoNote' },
    };
    expect(extraRows({})).toEqual([]);
    expect(extraRows({ payPayeeUpdateAccount: false, memo: '' })).toEqual([]);
    expect(extraRows({ payPayeeUpdateAccount: true, memo: 'rent' })).toStrictEqual([paid, memo]);
  });
});

test('an address that is no receiver has its name of the address book alone', async () => {
  const nameOf = (address: string) => bookNameOf(address, factsWith({}, known));
  expect(await nameOf(ANA.toLowerCase())).toStrictEqual({ bookName: 'Ana' });
  expect(await nameOf(`0x${'3'.repeat(40)}`)).toStrictEqual({});
  expect(await nameOf(BEN)).toStrictEqual({});
  const row = { label: { key: 'review_pool' }, value: { kind: 'address', address: ANA } };
  expect(contractRow('review_pool', ANA, {})).toStrictEqual(row);
  expect(contractRow('review_pool', ANA, { bookName: 'Ana' })).toStrictEqual({
    ...row,
    note: named('review_recipientBook', 'Ana'),
  });
});

test('an address on layer 1 has a contract, has none, or cannot be told', async () => {
  const asked: unknown[] = [];
  const of = (result: string | null) =>
    isContract(BEN, {
      ...factsWith(),
      find: (async (...given: unknown[]) => {
        asked.push(given);
        return result === null ? null : { result };
      }) as never,
    });
  expect([await of('0x'), await of('0x6080'), await of(null)]).toEqual([false, true, null]);
  // EIP-7702: whoever has the key of the address still signs for it.
  const delegated = `0xEF0100${'6'.repeat(40)}`;
  expect([await of(delegated), await of(`${delegated}00`)]).toEqual([false, true]);
  expect(asked[0]).toEqual(['getCode', { body: { address: BEN } }, ['L1_NODE_ERROR']]);
});
