import { expect, test } from 'vitest';
import { withdrawNft } from '../../src/operations/withdrawNft.ts';
import { nftWithdrawalHash, typedDataDigest, withdrawalTypedData } from '../../src/protocol/index.ts';
import { CONTRACT, code, NFT_DATA, nftAnswers, SLOT, slotRow, slots } from './nftSupport.ts';
import { expectSplitByHash, FRIEND, factsWith, now, OWNER, refusalOf, rowsOf, rulesOf } from './support.ts';

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
    'review_fee',
    'review_expires',
    'review_nftContract',
    'review_nftName',
    'review_nftData',
  ]);
  expect(rulesOf(review)).toEqual([]);
});

test('warns of another receiver and of a contract there', async () => {
  const toContract = factsWith({ ...deployed, getCode: () => code('0x60') }, own);
  const rules = async (given = facts) => rulesOf(withdrawNft.review(await draftOf({ to: FRIEND }, given), now));
  expect(await rules()).toEqual(['recipient-new', 'withdraw-elsewhere']);
  expect(await rules(toContract)).toEqual(['recipient-new', 'withdraw-elsewhere', 'withdraw-to-contract']);
});

test('binds the slot and not the NFT', async () => {
  const draft = await draftOf({ minGas: 5, extraData: '0x01' });
  const unbound = expectSplitByHash(withdrawNft.review(draft, now), { ...draft.body, storageId: 5 }, (request) => [
    String(nftWithdrawalHash(request)),
    typedDataDigest(withdrawalTypedData(facts.chainId, request)),
  ]);
  expect(unbound).toEqual(['token.nftData']);
});

test('looks into the slot again, and refuses when it changed', async () => {
  const draft = await draftOf();
  const changed = factsWith({ getNftBalances: () => slots({ ...slotRow, nftData: '0x99' }) });
  await expect(withdrawNft.recheck?.(draft, changed)).rejects.toThrow('does not hold the NFT');
});
