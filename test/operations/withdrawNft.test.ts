import { expect, test } from 'vitest';
import { withdrawNft } from '../../src/operations/withdrawNft.ts';
import { CONTRACT, code, NFT_DATA, nftAnswers, SLOT, slotRow, slots } from './nftSupport.ts';
import { ACCOUNT_ID, DAY, FRIEND, factsWith, now, OWNER, refusalOf, rowsOf, rulesOf } from './support.ts';
import { noting, submittedWith } from './told.ts';

const own = [{ address: OWNER, label: 'Main', source: 'own' } as const];
/** The NFT's contract is deployed; nobody else has code. */
const deployed = {
  ...nftAnswers,
  getCode: ({ body }: { body?: Record<string, unknown> }) => code(body?.address === CONTRACT ? '0x60' : '0x'),
};
const facts = factsWith(deployed, own);
const asked = { token: { tokenId: SLOT, nftData: NFT_DATA, amount: '2' } };
const draftOf = (changes: object = {}, given = facts) =>
  withdrawNft.prepare(withdrawNft.intent().parse({ ...asked, ...changes }), given);

test('refuses while the contract is not deployed, and names what deploys it', async () => {
  expect(await refusalOf(withdrawNft, asked, factsWith(nftAnswers, own))).toBe(
    `token.nftData: its contract ${CONTRACT} is not deployed on layer 1; ask for relayer_deployNft first`,
  );
  await expect(draftOf({}, factsWith(nftAnswers, own))).rejects.toMatchObject({ text: { key: 'nftDeployMeaning' } });
});

test('names a contract that the address book names', async () => {
  const book = [...own, { address: CONTRACT, label: 'Etchings', source: 'book' } as const];
  const { rows } = withdrawNft.review(await draftOf({}, factsWith(deployed, book)), now);
  expect(rows.find(({ label }) => label.key === 'review_nftContract')?.note).toEqual({
    key: 'review_recipientBook',
    values: { name: { kind: 'text', text: 'Etchings' } },
  });
});

test('goes to the owner with the quoted fee', async () => {
  const draft = await draftOf();
  expect(draft.body).toMatchObject({ to: OWNER, owner: OWNER, minGas: 0, maxFee: { tokenId: 0, amount: '3000' } });
  const review = withdrawNft.review(draft, now);
  expect(Object.keys(rowsOf(review))).toEqual([
    'review_withdrawn',
    'review_recipient',
    'review_domainChain',
    'review_fee',
    'review_expires',
    'review_nftContract',
    'review_nftName',
    'review_nftData',
  ]);
  expect(rulesOf(review)).toEqual(['withdraw-other-chain']);
});

test('warns of another receiver and of a contract there', async () => {
  const toContract = factsWith({ ...deployed, getCode: () => code('0x60') }, own);
  const rules = async (given = facts) => rulesOf(withdrawNft.review(await draftOf({ to: FRIEND }, given), now));
  expect(await rules()).toEqual(['recipient-new', 'withdraw-elsewhere', 'withdraw-other-chain']);
  expect(await rules(toContract)).toEqual([
    ...['recipient-new', 'withdraw-elsewhere', 'withdraw-to-contract', 'withdraw-other-chain'],
  ]);
});

test('looks into the slot again, and refuses when it changed', async () => {
  const draft = await draftOf();
  const changed = factsWith({ getNftBalances: () => slots({ ...slotRow, nftData: '0x99' }) });
  await expect(withdrawNft.recheck?.(draft, changed)).rejects.toThrow('does not hold the NFT');
});

test('asks for the fee of an NFT withdrawal, and compares it with what the exchange lists for one', async () => {
  const { facts: given, asked: reads } = noting(facts);
  await withdrawNft.feeQuote?.({ tokenAddress: CONTRACT }, given);
  const query = { accountId: ACCOUNT_ID, requestType: 10, tokenAddress: CONTRACT };
  expect(reads).toEqual([`read getNftOffchainFee ${JSON.stringify(query)}`]);
  const draft = await draftOf({}, { ...facts, listedFees: async () => ({ 10: { 0: '2900' } }) });
  expect(draft.shown.fee.bounds?.usual).toEqual({ volume: '2900', source: 'listed' });
});

test('names the slot that does not hold as many', async () => {
  expect(await refusalOf(withdrawNft, { token: { ...asked.token, amount: '6' } }, facts)).toBe(
    `token.amount: slot ${SLOT} holds fewer`,
  );
});

test('carries no extra data where there is none', async () => {
  for (const extraData of [undefined, '0x'])
    expect((await draftOf({ extraData })).body).not.toHaveProperty('extraData');
  expect((await draftOf({ extraData: '0x01' })).body).toMatchObject({ extraData: '0x01' });
});

test('asks for no code at the owner’s own address, however that is written', async () => {
  const everywhere = factsWith({ ...deployed, getCode: () => code('0x60') }, own);
  for (const to of [undefined, OWNER.toLowerCase(), OWNER])
    expect((await draftOf({ to }, everywhere)).shown.isContract).toBe(false);
  expect((await draftOf({ to: FRIEND }, everywhere)).shown.isContract).toBe(true);
  expect(rulesOf(withdrawNft.review(await draftOf({ to: OWNER.toLowerCase() }, everywhere), now))).toEqual([
    'withdraw-other-chain',
  ]);
});

test('warns when it is valid for long', async () => {
  const review = withdrawNft.review(await draftOf({ validUntil: now + 59 * DAY }), now);
  expect(rulesOf(review)).toEqual(['validity-long', 'withdraw-other-chain']);
});

test('is found among the NFT withdrawals, and in a block by its slot and storage id', async () => {
  const row = {
    ...{ id: 1, hash: '0x7', accountId: ACCOUNT_ID, owner: OWNER, status: 'processed', nftData: NFT_DATA },
    ...{ amount: '2', feeTokenSymbol: 'ETH', feeAmount: '1', createdAt: 1, updatedAt: 1 },
  };
  const { facts: given, asked: reads } = noting(
    factsWith({ getNftWithdrawals: () => ({ totalNum: 1, withdrawals: [row] }) }),
  );
  const submitted = submittedWith();
  expect(await withdrawNft.settle.find?.(submitted, given)).toMatchObject({ state: 'processed' });
  const query = { accountId: ACCOUNT_ID, hashes: submitted.hash };
  expect(reads).toEqual([`read getNftWithdrawals ${JSON.stringify(query)}`]);
  const { body } = await draftOf();
  const left = { type: 'Withdrawal', kind: 1, accountId: ACCOUNT_ID, tokenId: SLOT, storageId: 7 } as never;
  expect([7, 9].map((storageId) => withdrawNft.executedAs?.(body, storageId).isOf(left))).toEqual([true, false]);
});
