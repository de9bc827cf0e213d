import { expect, test } from 'vitest';
import { transferNft } from '../../src/operations/transferNft.ts';
import { answers as samples } from '../protocol/samples.ts';
import { CONTRACT, NFT_DATA, nftAnswers, nftInfo, SLOT, slotRow, slots } from './nftSupport.ts';
import { ACCOUNT_ID, DAY, FRIEND, factsWith, issueOf, now, OWNER, refusalOf, rowsOf, rulesOf } from './support.ts';
import { noting } from './told.ts';

const facts = factsWith(nftAnswers, [{ address: FRIEND, source: 'sent' }]);
const asked = { token: { tokenId: SLOT, nftData: NFT_DATA, amount: '2' }, toAddress: FRIEND };
const draftOf = (changes: object = {}, given = facts) =>
  transferNft.prepare(transferNft.intent().parse({ ...asked, ...changes }), given);

test.each([
  [{ ...asked, token: { ...asked.token, tokenId: 5 } }, 'token.tokenId: is less than 32768'],
  [{ ...asked, token: { tokenId: SLOT, amount: '1' } }, 'token.nftData: is missing'],
  [{ ...asked, token: { ...asked.token, amount: '0' } }, 'token.amount: is zero'],
  [{ ...asked, toAddress: `0x${'0'.repeat(40)}` }, 'toAddress: is the zero address'],
])('refuses the intent %j', (intent, message) => {
  expect(issueOf(transferNft, intent)).toBe(message);
});

test.each([
  [
    'an empty slot',
    {},
    { getNftBalances: () => slots() },
    `token.tokenId: nothing lies in slot ${SLOT} of this account`,
  ],
  [
    'a slot with another NFT',
    {},
    { getNftBalances: () => slots({ ...slotRow, nftData: '0x99' }) },
    `token.nftData: slot ${SLOT} holds another NFT`,
  ],
  ['more than there is', { token: { ...asked.token, amount: '6' } }, {}, `token.amount: slot ${SLOT} holds fewer`],
  ['itself as receiver', { toAddress: OWNER }, {}, 'toAddress: is the account that sends'],
  ['a receiver id that does not fit', { toAccountId: 3 }, {}, `toAccountId: is not the account of ${FRIEND}`],
  [
    'an activation that nobody needs',
    { payPayeeUpdateAccount: true },
    { getAccount: () => samples.getAccount },
    'payPayeeUpdateAccount: the receiver needs no activation',
  ],
  ['a validity of 61 days', { validUntil: now + 61 * DAY }, {}, 'validUntil: is more than 60 days away'],
])('names the field of %s', async (_what, changes, answers, message) => {
  const given = factsWith({ ...nftAnswers, ...answers });
  expect(await refusalOf(transferNft, { ...asked, ...changes }, given)).toBe(message);
});

test('says how many arrive when a block cannot hold the number', async () => {
  const many = factsWith({ ...nftAnswers, getNftBalances: () => slots({ ...slotRow, total: '2000000' }) });
  const arriving = async (amount: string) =>
    rowsOf(transferNft.review(await draftOf({ token: { ...asked.token, amount } }, many), now)).review_arrives;
  expect(await arriving('1000001')).toMatchObject({ volume: '1000000', least: true });
  expect(await arriving('1000000')).toBeUndefined();
});

test('fills sender, fee and expiry, and reviews the NFT, its name and its slot', async () => {
  const draft = await draftOf();
  expect(draft.body).toEqual({
    exchange: facts.exchangeAddress,
    fromAccountId: ACCOUNT_ID,
    fromAddress: OWNER,
    toAccountId: 0,
    toAddress: FRIEND,
    token: asked.token,
    maxFee: { tokenId: 0, amount: '3000' },
    validUntil: now + 3_600,
  });
  const review = transferNft.review(draft, now);
  expect(rowsOf(review)).toMatchObject({
    review_send: { kind: 'amount', volume: '2', token: { symbol: 'NFT', decimals: 0, address: CONTRACT } },
    review_nftContract: { kind: 'address', address: CONTRACT },
    review_nftName: { kind: 'text', text: expect.stringMatching(/^Qm/) },
    review_nftData: { kind: 'hex', hex: NFT_DATA },
  });
  expect(review.rows.find(({ label }) => label.key === 'review_nftData')?.note).toEqual({
    key: 'review_slotNote',
    values: { slot: { kind: 'integer', value: SLOT } },
  });
  expect(rulesOf(review)).toEqual(['recipient-without-account']);
});

test.each([
  ['parts that do not hash to it', { getNfts: () => [{ ...nftInfo, creatorFeeBips: 4 }] }, '1', 'nft-differs'],
  ['no parts', { getNfts: () => [] }, '1', 'nft-differs'],
  [
    'the contract of another NFT in its slot',
    { getNftBalances: () => slots({ ...slotRow, tokenAddress: `0x${'6'.repeat(40)}` }) },
    '1',
    'nft-differs',
  ],
  ['held copies', {}, '5', 'nft-locked'],
])('warns of an NFT with %s', async (_what, answers, amount, rule) => {
  const given = factsWith({ ...nftAnswers, ...answers }, [{ address: FRIEND, source: 'sent' }]);
  const draft = await draftOf({ token: { ...asked.token, amount } }, given);
  expect(rulesOf(transferNft.review(draft, now))).toContain(rule);
});

test('looks into the slot again, and refuses when it changed', async () => {
  const draft = await draftOf();
  await expect(transferNft.recheck?.(draft, facts)).resolves.toBeUndefined();
  for (const row of [[], [{ ...slotRow, nftData: '0x99' }]]) {
    const changed = factsWith({ getNftBalances: () => slots(...row) });
    await expect(transferNft.recheck?.(draft, changed)).rejects.toThrow('does not hold the NFT');
  }
});

test('holds no member that the site left out', async () => {
  const { body } = await draftOf();
  expect(body).not.toHaveProperty('memo');
  expect(body).not.toHaveProperty('payPayeeUpdateAccount');
});

test('goes to an account by its id where the site names it, and else by its address', async () => {
  const known = factsWith({ ...nftAnswers, getAccount: () => ({ ...samples.getAccount, accountId: 3 }) });
  for (const [toAccountId, expected] of [
    [3, 3],
    [0, 0],
    [undefined, 0],
  ])
    expect((await draftOf({ toAccountId }, known)).body).toMatchObject({ toAccountId: expected });
});

test('pays another fee with the activation of a receiver without a key', async () => {
  for (const account of [null, { ...samples.getAccount, nonce: 0, tags: '' }]) {
    const { facts: given, asked: reads } = noting(factsWith({ ...nftAnswers, getAccount: () => account }));
    const { body } = await draftOf({ payPayeeUpdateAccount: true }, given);
    expect(body.payPayeeUpdateAccount).toBe(true);
    expect(reads).toContain(`read getNftOffchainFee {"accountId":${ACCOUNT_ID},"requestType":19}`);
    expect(transferNft.fee?.(body)).toEqual({ requestType: 19, tokenId: 0, volume: '3000' });
  }
});
