import { describe, expect, test } from 'vitest';
import { transfer } from '../../src/operations/transfer.ts';
import {
  ACCOUNT_ID,
  type Answers,
  DAY,
  FRIEND,
  factsWith,
  feeAnswer,
  issueOf,
  now,
  OWNER,
  refusalOf,
  rowsOf,
  rulesOf,
  tokens,
} from './support.ts';

const friendsAccount = {
  accountId: 10010,
  owner: FRIEND,
  frozen: false,
  publicKey: { x: '0x1', y: '0x2' },
  nonce: 1,
  keySeed: '',
};
const answers: Answers = {
  getAccount: () => friendsAccount,
  getOffchainFee: () => feeAnswer({ ETH: '3000', LRC: '4000' }),
};
const facts = factsWith(answers);
const asked = { token: { tokenId: 1, volume: '1000000000000000000' }, payeeAddr: FRIEND };
const draftOf = (changes: object = {}, given = facts) =>
  transfer.prepare(transfer.intent().parse({ ...asked, ...changes }), given);

describe('intent', () => {
  test.each([
    [{ ...asked, payeeAddr: `0x${'0'.repeat(40)}` }, 'payeeAddr: is the zero address'],
    [{ ...asked, token: { tokenId: 1, volume: '0' } }, 'token.volume: is zero'],
    [{ ...asked, token: { tokenId: 40_000, volume: '1' } }, 'token.tokenId: is more than 32767'],
    [{ ...asked, memo: 'x'.repeat(257) }, 'memo: has more than 256 characters'],
    [{ ...asked, storageId: 1 }, 'storageId: unknown field "storageId"'],
    [
      { ...asked, feeTokenId: 0, maxFee: { tokenId: 0, volume: '1' } },
      'feeTokenId: goes without maxFee, which names the token',
    ],
  ])('refuses %j', (intent, message) => {
    expect(issueOf(transfer, intent)).toBe(message);
  });
});

describe('prepare', () => {
  test('fills exchange, payer, fee and expiry, and leaves the payee id to the address', async () => {
    const { body } = await draftOf();
    expect(body).toEqual({
      ...asked,
      exchange: facts.exchangeAddress,
      payerId: ACCOUNT_ID,
      payerAddr: OWNER,
      payeeId: 0,
      maxFee: { tokenId: 1, volume: '4000' },
      validUntil: now + 3_600,
    });
  });

  test.each([
    [{ payeeAddr: OWNER.toLowerCase() }, 'payeeAddr: is the account that pays'],
    [{ payeeId: 7 }, `payeeId: is not the account of ${FRIEND}`],
    [{ token: { tokenId: 9, volume: '1' } }, 'token.tokenId: the relayer lists no token 9'],
    [{ feeTokenId: 2 }, 'maxFee.tokenId: fees are not paid in token 2'],
    [{ maxFee: { tokenId: 0, volume: '2999' } }, "maxFee: is below the relayer's quote of 3000"],
    [{ validUntil: now }, 'validUntil: is not in the future'],
    [{ payPayeeUpdateAccount: true }, 'payPayeeUpdateAccount: the receiver needs no activation'],
  ])('names the field of %j', async (changes, message) => {
    expect(await refusalOf(transfer, { ...asked, ...changes }, facts)).toBe(message);
  });

  test('names no fee of its own when the relayer quotes none', async () => {
    const silent = factsWith({ ...answers, getOffchainFee: () => feeAnswer({}) });
    expect(await refusalOf(transfer, asked, silent)).toBe('maxFee.tokenId: the relayer quotes no fee');
  });

  test('pays the activation of a receiver without a key at the fee of that kind', async () => {
    const types: unknown[] = [];
    const { body } = await draftOf(
      { payPayeeUpdateAccount: true, payeeId: 10010 },
      factsWith({
        getAccount: () => ({ ...friendsAccount, nonce: 0, publicKey: { x: '', y: '' } }),
        getOffchainFee: ({ query }) => {
          types.push(query?.requestType);
          return feeAnswer({ LRC: '9000' });
        },
      }),
    );
    expect(types).toEqual([15]);
    expect(body).toMatchObject({ payPayeeUpdateAccount: true, payeeId: 10010, maxFee: { volume: '9000' } });
  });
});

describe('review', () => {
  test('says amount, receiver, fee with its source and time, and expiry', async () => {
    const draft = await draftOf({ memo: 'rent' });
    const review = transfer.review(draft, now);
    const amount = { kind: 'amount', volume: asked.token.volume, token: tokens[1] };
    // The fee is paid in the same token: what leaves is the sum.
    const total = { ...amount, volume: (BigInt(asked.token.volume) + 4000n).toString() };
    expect(review.sentence).toEqual({
      key: 'review_transferTotal',
      values: { amount, recipient: { kind: 'address', address: FRIEND }, total },
    });
    expect(rowsOf(review)).toEqual({
      review_leaves: total,
      review_recipient: { kind: 'address', address: FRIEND },
      review_fee: { kind: 'amount', volume: '4000', token: tokens[1] },
      review_expires: { kind: 'time', seconds: now + 3_600 },
      review_memo: { kind: 'document', text: 'rent' },
    });
    const noteOf = ({ rows }: typeof review) => rows.find(({ label }) => label.key === 'review_fee')?.note;
    expect(noteOf(review)).toBeUndefined();
    const { fee } = draft.shown;
    const above = transfer.review({ ...draft, shown: { ...draft.shown, fee: { ...fee, volume: '5000' } } }, now);
    expect(noteOf(above)).toEqual({
      key: 'review_feeNote',
      values: {
        quote: { kind: 'amount', volume: '4000', token: tokens[1] },
        time: { kind: 'time', seconds: now },
      },
    });
  });

  test('says what arrives when the exchange rounds the amount', async () => {
    const { rows } = transfer.review(await draftOf({ token: { tokenId: 1, volume: '123456789' } }), now);
    expect(rows.find(({ label }) => label.key === 'review_arrives')).toEqual({
      label: { key: 'review_arrives' },
      value: { kind: 'amount', volume: '123456000', token: tokens[1], least: true },
      note: { key: 'review_rounded' },
    });
  });

  test.each([
    ['a receiver that is new', {}, factsWith(answers), ['recipient-new']],
    ['a receiver that was paid before', {}, factsWith(answers, [{ address: FRIEND, source: 'sent' }]), []],
    [
      'a receiver that only looks like a known one',
      {},
      factsWith(answers, [{ address: `0x1111${'2'.repeat(32)}1111`, source: 'sent' }]),
      ['recipient-lookalike', 'recipient-new'],
    ],
    [
      'a receiver without an account',
      {},
      factsWith({ ...answers, getAccount: () => null }, [{ address: FRIEND, source: 'sent' }]),
      ['recipient-without-account'],
    ],
    [
      'a fee above the quote, and as much as what is sent',
      { maxFee: { tokenId: 1, volume: asked.token.volume } },
      factsWith(answers, [{ address: FRIEND, source: 'sent' }]),
      ['fee-above-quote', 'fee-of-moved'],
    ],
    [
      'a long validity',
      { validUntil: now + 31 * DAY },
      factsWith(answers, [{ address: FRIEND, source: 'sent' }]),
      ['validity-long'],
    ],
  ])('warns of %s', async (_what, changes, given, rules) => {
    expect(rulesOf(transfer.review(await draftOf(changes, given), now))).toEqual(rules);
  });
});

test('draws on the odd ids of the moved token', async () => {
  expect(transfer.storageSlot(await draftOf())).toEqual({ tokenId: 1, parity: 'offchain' });
});

/** LRC and ETH meet in a pool of their own, or over USDT in two. */
const pool = (...pooled: readonly (readonly [tokenId: number, volume: string])[]) => ({
  poolName: 'P',
  poolAddress: facts.exchangeAddress,
  pooled: pooled.map(([tokenId, volume]) => ({ tokenId, volume })),
  lp: { tokenId: 100, volume: '1' },
  risky: false,
});
const thousandOfEth = asked.token.volume.slice(0, -3);

test.each([
  ['a pool of both', [pool([1, '1000'], [0, '1'])]],
  ['a pool that lists them the other way', [pool([0, '1'], [1, '1000'])]],
  ['two pools over another token', [pool([1, '1000'], [2, '20']), pool([2, '20'], [0, '1'])]],
])('a fee in a token that no fee is listed in is compared by %s', async (_what, pools) => {
  const given = factsWith({ ...answers, getAmmBalances: () => pools }, [{ address: FRIEND, source: 'sent' }]);
  const of = async (volume: string) =>
    transfer
      .review(await draftOf({ maxFee: { tokenId: 0, volume } }, given), now)
      .warnings.filter(({ rule }) => rule === 'fee-of-moved');
  const tenth = BigInt(thousandOfEth) / 10n;
  expect(await of(tenth.toString())).toEqual([]);
  expect(await of((tenth + 1n).toString())).toMatchObject([{ severity: 'notice' }]);
  expect(await of(thousandOfEth)).toMatchObject([
    {
      severity: 'stop',
      password: true,
      text: { values: { share: { bips: 10_000 }, compared: { volume: thousandOfEth } } },
    },
  ]);
});
