import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mintNft } from '../../src/operations/mintNft.ts';
import { cidFromNftId, computeNftAddress, nftDataHash, nftFactories } from '../../src/protocol/index.ts';
import { CONTRACT, FACTORY, NFT_DATA, NFT_ID, nftAnswers } from './nftSupport.ts';
import { ACCOUNT_ID, DAY, FRIEND, factsWith, issueOf, now, OWNER, refusalOf, rowsOf, rulesOf } from './support.ts';

const facts = factsWith(nftAnswers);
const asked = { cid: cidFromNftId(NFT_ID), amount: '5', creatorFeeBips: 3, nftFactory: FACTORY };
const draftOf = (changes: object = {}, given = facts) =>
  mintNft.prepare(mintNft.intent().parse({ ...asked, ...changes }), given);

test.each([
  [{ ...asked, nftType: 1 }, 'nftType: only 0 (ERC-1155) can be minted'],
  [{ ...asked, nftId: NFT_ID }, 'cid: exactly one of cid and nftId is given'],
  [{ ...asked, cid: undefined }, 'cid: exactly one of cid and nftId is given'],
  [{ ...asked, amount: '0' }, 'amount: is zero'],
  [{ ...asked, creatorFeeBips: 256 }, 'creatorFeeBips: is more than 255'],
  [{ ...asked, toAccountId: 1 }, 'toAccountId: unknown field "toAccountId"'],
])('refuses the intent %j', (intent, message) => {
  expect(issueOf(mintNft, intent)).toBe(message);
});

test.each([
  ['a name that is no CIDv0', { cid: 'bafybeigdyrzt' }, {}, 'cid: a CIDv0 has 46 characters'],
  [
    'a chain without an official factory',
    { nftFactory: undefined },
    {},
    'nftFactory: chain 31337 has no official factory, so it has to be named',
  ],
  [
    'a factory that nobody published',
    { nftFactory: FRIEND },
    {},
    'nftFactory: is not an official factory; the address of its contracts cannot be checked',
  ],
  [
    'a relayer that computes another address',
    {},
    { computeTokenAddress: () => ({ tokenAddress: FRIEND }) },
    `tokenAddress: the relayer says ${FRIEND}, the factory gives ${CONTRACT}`,
  ],
  [
    'a site that expects another address',
    { tokenAddress: FRIEND },
    {},
    `tokenAddress: the site says ${FRIEND}, the factory gives ${CONTRACT}`,
  ],
])('names the field of %s', async (_what, changes, answers, message) => {
  const given = factsWith({ ...nftAnswers, ...answers });
  expect(await refusalOf(mintNft, { ...asked, ...changes }, given)).toBe(message);
});

test('mints to the minter, under the computed contract, with the digest of the CID as id', async () => {
  const draft = await draftOf();
  expect(draft.body).toMatchObject({
    minterId: ACCOUNT_ID,
    toAccountId: ACCOUNT_ID,
    minterAddress: OWNER,
    toAddress: OWNER,
    nftType: 0,
    tokenAddress: CONTRACT,
    nftId: NFT_ID,
    creatorFeeBips: 3,
    royaltyPercentage: 3,
    forceToMint: false,
    counterFactualNftInfo: { nftFactory: FACTORY, nftOwner: OWNER, nftBaseUri: '' },
  });
  expect(rowsOf(mintNft.review(draft, now))).toMatchObject({
    review_mint: { kind: 'amount', volume: '5', token: { symbol: 'NFT', tokenId: 32_768, address: CONTRACT } },
    review_nftName: { kind: 'text', text: asked.cid },
    review_nftData: { kind: 'hex', hex: NFT_DATA },
    review_royalty: { kind: 'integer', value: 3 },
  });
  expect(mintNft.storageSlot(draft)).toEqual({ tokenId: 0, parity: 'offchain' });
});

test('keeps the id that was asked for, and shows the identifier that is hashed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt(0n, 2n ** 256n - 1n), fc.integer({ min: 0, max: 255 }), async (id, creatorFeeBips) => {
      const nftId = `0x${id.toString(16)}`;
      const { body, shown } = await draftOf({ cid: undefined, nftId, creatorFeeBips });
      expect(BigInt(shown.nftData)).toBe(nftDataHash(body));
      expect(cidFromNftId(body.nftId)).toBe(cidFromNftId(nftId));
    }),
    { numRuns: 15 },
  );
});

describe('on a chain with an official factory', () => {
  const [own, other] = nftFactories;
  const at = (given = nftAnswers) => ({ ...factsWith(given), chainId: own?.chainId ?? 0 });
  const tokenAddress = own && computeNftAddress({ ...own, nftOwner: OWNER });
  const answers = { ...nftAnswers, computeTokenAddress: () => ({ tokenAddress }) };

  test('takes that one, also when the site names it', async () => {
    for (const nftFactory of [undefined, own?.nftFactory, own?.nftFactory.toLowerCase()]) {
      const { body } = await draftOf({ nftFactory, tokenAddress }, at(answers));
      expect(body).toMatchObject({ tokenAddress, counterFactualNftInfo: { nftFactory: own?.nftFactory } });
    }
  });

  test('refuses that of another chain', async () => {
    expect(await refusalOf(mintNft, { ...asked, nftFactory: other?.nftFactory }, at())).toBe(
      'nftFactory: is not an official factory; the address of its contracts cannot be checked',
    );
  });
});

test('pays royalties to nobody else unless the site names an address', async () => {
  const draft = await draftOf();
  expect(draft.body).not.toHaveProperty('royaltyAddress');
  expect(draft.shown).not.toHaveProperty('royalties');
  expect(rowsOf(mintNft.review(draft, now))).not.toHaveProperty('review_royaltyAddress');
});

test('says of a royalty above the highest fee rate of an order that nobody can sell the NFT', async () => {
  const of = async (creatorFeeBips?: number) => rulesOf(mintNft.review(await draftOf({ creatorFeeBips }), now));
  expect([await of(), await of(63), await of(64)]).toEqual([[], [], ['nft-unsellable']]);
});

test('warns when it is valid for long', async () => {
  expect(rulesOf(mintNft.review(await draftOf({ validUntil: now + 59 * DAY }), now))).toEqual(['validity-long']);
});
