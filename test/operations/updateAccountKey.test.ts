import { describe, expect, test } from 'vitest';
import { REQUEST_VALIDITY_SECONDS } from '../../src/operations/intentFields.ts';
import type { NewKey } from '../../src/operations/operation.ts';
import { updateAccountKey } from '../../src/operations/updateAccountKey.ts';
import { accountUpdateIdentifier, accountUpdateTypedData } from '../../src/protocol/index.ts';
import {
  ACCOUNT_ID,
  type Answers,
  FRIEND,
  factsWith,
  feeAnswer,
  isSignedBy,
  issueOf,
  keys,
  now,
  OWNER,
  pointOf,
  refusalOf,
  sentBody,
} from './support.ts';

const registered = pointOf(3);
const newKey: NewKey = { publicKey: pointOf(2), kind: 'derived', keySeed: 'the text', nonce: 4 };
const account = { accountId: ACCOUNT_ID, owner: OWNER, frozen: false, publicKey: registered, nonce: 4, keySeed: '' };
const answers: Answers = {
  getAccount: () => account,
  getOffchainFee: () => feeAnswer({ ETH: '3000', LRC: '4000' }),
  getOrders: () => ({ totalNum: 7, orders: [] }),
};
const facts = (changes: Answers = {}, choice: NewKey | undefined = newKey) => ({
  ...factsWith({ ...answers, ...changes }),
  ...(choice ? { newKey: choice } : {}),
});
const draftOf = (given = facts(), intent: object = {}) =>
  updateAccountKey.prepare(updateAccountKey.intent().parse(intent), given);

test.each(['publicKey', 'keySeed', 'nonce', 'validUntil', 'maxFee', 'exchange'])('a page cannot name %s', (field) => {
  expect(issueOf(updateAccountKey, { [field]: 1 })).toContain(field);
});

describe('prepare', () => {
  test('fills everything but the key, which the user chose', async () => {
    expect((await draftOf()).body).toEqual({
      exchange: facts().exchangeAddress,
      owner: OWNER,
      accountId: ACCOUNT_ID,
      publicKey: newKey.publicKey,
      maxFee: { tokenId: 0, volume: '3000' },
      validUntil: now + REQUEST_VALIDITY_SECONDS,
      nonce: 4,
      keySeed: 'the text',
    });
  });

  test('takes a random key whatever nonce it was made at', async () => {
    const random: NewKey = { ...newKey, kind: 'random', keySeed: '', nonce: 3 };
    expect((await draftOf(facts({}, random))).body).toMatchObject({ nonce: 4, keySeed: '' });
  });

  test.each([
    [
      'a key that is registered already',
      { ...account, publicKey: newKey.publicKey },
      'publicKey: is registered already',
    ],
    ['an account of somebody else', { ...account, owner: FRIEND }, 'account: belongs to another owner at the relayer'],
  ])('refuses %s', async (_what, reported, message) => {
    expect(await refusalOf(updateAccountKey, {}, facts({ getAccount: () => reported }))).toBe(message);
  });
});

test('compares its fee with what the exchange lists for a key update', async () => {
  const draft = await draftOf({ ...facts(), listedFees: async () => ({ 2: { 0: '2900' } }) });
  expect(draft.shown.fee.bounds?.usual).toEqual({ volume: '2900', source: 'listed' });
});

test('signs with the owner’s key alone, and only a key that the vault holds', async () => {
  const draft = await draftOf();
  const signed = await updateAccountKey.sign(draft, null, facts(), keys);
  const { ecdsaSignature, ...body } = sentBody(signed);
  expect(body).toEqual(draft.body);
  expect(await isSignedBy(accountUpdateTypedData(31337, draft.body), ecdsaSignature, OWNER)).toBe(true);
  expect(BigInt(signed.hash)).toBe(accountUpdateIdentifier(draft.body));
  const missing = { ...keys, holdsNewKey: async () => false };
  await expect(updateAccountKey.sign(draft, null, facts(), missing)).rejects.toThrow('not in the vault');
});
