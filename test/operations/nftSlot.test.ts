import { describe, expect, test } from 'vitest';
import {
  nftAmount,
  nftFacts,
  nftParts,
  nftRows,
  ownNft,
  recheckSlot,
  slotNft,
  slotOf,
  slotRows,
  slotWarnings,
} from '../../src/operations/nftSlot.ts';
import { formatHash, nftDataHash } from '../../src/protocol/index.ts';
import { ACCOUNT_ID, type Answers, FRIEND, factsWith, OWNER } from './facts.ts';
import { CONTRACT, NFT_DATA, NFT_ID, nftAnswers, nftInfo, SLOT, slotRow, slots } from './nftSupport.ts';
import { noting, textOf } from './told.ts';

const known = [{ address: CONTRACT, label: 'My art', source: 'book' as const }];
const factsOf = (changes: Answers = {}, book: typeof known = []) => factsWith({ ...nftAnswers, ...changes }, book);
const OTHER_DATA: string = `0x${'5'.repeat(64)}`;
/** As a relayer writes a number that begins with zeros. */
const short = (hex: string) => `0x${BigInt(hex).toString(16)}`;

test('an intent names a slot, the NFT and how many, at least one', () => {
  const asked = { tokenId: SLOT, nftData: NFT_DATA, amount: '1' };
  const first = (changes: object) => ownNft().safeParse({ ...asked, ...changes }).error?.issues[0];
  expect(first({})).toBeUndefined();
  expect(first({ amount: '0' })).toMatchObject({ path: ['amount'], message: 'is zero' });
  expect(first({ tokenId: 5 })).toMatchObject({ path: ['tokenId'] });
  expect(first({ nftData: '0x' })).toMatchObject({ path: ['nftData'] });
  expect(first({ more: 1 })).toMatchObject({ code: 'unrecognized_keys', keys: ['more'] });
});

describe('an NFT', () => {
  test('is looked up by its identifier, whatever zeros it is written with', async () => {
    const { facts, asked } = noting(factsOf({ getNfts: () => [{ ...nftInfo, nftData: OTHER_DATA }, nftInfo] }));
    expect(await nftParts(NFT_DATA, facts)).toMatchObject({ nftData: NFT_DATA });
    expect(await nftParts('0x5', factsOf({ getNfts: () => [] }))).toBeNull();
    await nftParts('0x5', facts);
    expect(asked).toEqual(
      [NFT_DATA, `0x${'5'.padStart(64, '0')}`].map((data) => `read getNfts {"nftDatas":"${data}"}`),
    );
  });

  test('is named by what the relayer says of it, and by the address book', async () => {
    const told = { ...nftInfo, nftId: short(NFT_ID) };
    expect(await nftFacts(NFT_DATA, factsOf({ getNfts: () => [told] }, known))).toEqual({
      ...{ nftData: NFT_DATA, tokenAddress: CONTRACT, nftId: NFT_ID, royalty: 3, isVerified: true, bookName: 'My art' },
    });
    expect(await nftFacts(NFT_DATA, factsOf({ getNfts: () => [] }))).toBeNull();
  });

  test.each([
    ['minter', { minter: FRIEND }],
    ['contract', { tokenAddress: FRIEND }],
    ['id', { nftId: `0x${'1'.repeat(64)}` }],
    ['royalty', { creatorFeeBips: 4 }],
    ['kind', { nftType: 'ERC721' }],
  ])('whose %s does not hash to its identifier is not verified', async (_what, changes) => {
    const facts = factsOf({ getNfts: () => [{ ...nftInfo, ...changes }] });
    expect((await nftFacts(NFT_DATA, facts))?.isVerified).toBe(false);
  });

  test.each(['ERC721', 'erc-721', '721'])('of the kind %s is one of its own', async (nftType) => {
    const nftData = formatHash(
      nftDataHash({ minterAddress: OWNER, nftType: 1, tokenAddress: CONTRACT, nftId: NFT_ID, creatorFeeBips: 3 }),
    );
    const facts = factsOf({ getNfts: () => [{ ...nftInfo, nftType, nftData }] });
    expect((await nftFacts(nftData, facts))?.isVerified).toBe(true);
  });

  test('is drawn with its contract, IPFS name and identifier', () => {
    const nft = { tokenAddress: CONTRACT, nftId: NFT_ID, nftData: NFT_DATA };
    const [contract, ...rest] = nftRows(nft);
    expect(contract).toMatchObject({
      label: { key: 'review_nftContract' },
      value: { kind: 'address', address: CONTRACT },
    });
    expect(rest).toStrictEqual([
      {
        label: { key: 'review_nftName' },
        value: { kind: 'text', text: 'QmNLei78zWmzUuFMcrk8uiVtzRZB59fKa8RT6YnQaDytzv' },
      },
      { label: { key: 'review_nftData' }, value: { kind: 'hex', hex: NFT_DATA } },
    ]);
  });

  test('is counted like a token without decimals', () => {
    const token = { tokenId: SLOT, symbol: 'NFT', name: 'NFT', address: CONTRACT, decimals: 0 };
    expect(nftAmount('3', { tokenId: SLOT, tokenAddress: CONTRACT })).toEqual({ kind: 'amount', volume: '3', token });
  });
});

describe('a slot', () => {
  const asked = { tokenId: SLOT, nftData: NFT_DATA, amount: '5' };
  const read = (changes: Answers = {}, of: { nftData?: string; amount?: string } = {}, book: typeof known = []) =>
    slotOf({ ...asked, ...of }, 'token', ACCOUNT_ID, factsOf(changes, book));
  const whole = {
    ...{ tokenId: SLOT, nftData: NFT_DATA, tokenAddress: CONTRACT, nftId: NFT_ID, royalty: 3 },
    ...{ total: '5', locked: '1', isVerified: true },
  };

  test('is what the account has there, checked against the parts of the NFT', async () => {
    const { facts, asked: reads } = noting(
      factsOf({ getNftBalances: () => slots({ ...slotRow, tokenId: SLOT + 1 }, slotRow) }),
    );
    expect(await slotOf(asked, 'token', ACCOUNT_ID, facts)).toEqual(whole);
    expect(reads).toEqual([
      `read getNftBalances {"accountId":${ACCOUNT_ID},"tokenIds":"${SLOT}"}`,
      `read getNfts {"nftDatas":"${NFT_DATA}"}`,
    ]);
    expect(await read({}, {}, known)).toMatchObject({ bookName: 'My art' });
    const lower = { ...nftInfo, tokenAddress: CONTRACT.toLowerCase(), nftId: short(NFT_ID) };
    expect(await read({ getNfts: () => [lower] })).toEqual(whole);
    const row = { ...slotRow, nftData: short(NFT_DATA), nftId: short(NFT_ID) };
    expect(await read({ getNftBalances: () => slots(row) })).toEqual(whole);
  });

  test('may be asked for without naming the NFT', async () => {
    const { nftData: _, ...unnamed } = asked;
    expect(await slotOf(unnamed, 'token', ACCOUNT_ID, factsOf())).toEqual(whole);
  });

  test.each([
    ['is empty', { getNftBalances: () => slots() }, {}, `token.tokenId: nothing lies in slot ${SLOT} of this account`],
    ['holds another NFT', {}, { nftData: OTHER_DATA }, `token.nftData: slot ${SLOT} holds another NFT`],
    ['holds fewer', {}, { amount: '6' }, `token.amount: slot ${SLOT} holds fewer`],
  ])('that %s is refused by name', async (_what, answers, of, message) => {
    await expect(read(answers, of)).rejects.toMatchObject({ name: 'IntentError', message });
  });

  test('is not verified when its NFT is unknown or is another by its parts', async () => {
    const { royalty: _, ...unknown } = { ...whole, isVerified: false };
    expect(await read({ getNfts: () => [] })).toStrictEqual(unknown);
    for (const changes of [{ nftId: `0x${'1'.repeat(64)}` }, { tokenAddress: FRIEND }]) {
      expect(await read({ getNftBalances: () => slots({ ...slotRow, ...changes }) })).toMatchObject({
        ...changes,
        isVerified: false,
      });
    }
    expect(await read({ getNfts: () => [{ ...nftInfo, creatorFeeBips: 9 }] })).toMatchObject({
      ...{ royalty: 9, isVerified: false },
    });
  });

  test('is looked into again before a signature that names only its number', async () => {
    const again = (answers: Answers) => recheckSlot(whole, ACCOUNT_ID, factsOf(answers));
    const row = { ...slotRow, nftData: short(NFT_DATA) };
    await again({ getNftBalances: () => slots(row) });
    await again({ getNftBalances: () => slots({ ...slotRow, tokenId: SLOT + 1, nftData: OTHER_DATA }, row) });
    for (const answers of [
      { getNftBalances: () => slots() },
      { getNftBalances: () => slots({ ...slotRow, nftData: OTHER_DATA }) },
    ])
      await expect(again(answers)).rejects.toMatchObject({
        ...{ name: 'FactsChanged' },
        message: `Slot ${SLOT} does not hold the NFT ${NFT_DATA} that was shown any more.`,
        text: {
          key: 'problem_slotChanged',
          values: { slot: { kind: 'integer', value: SLOT }, nft: { kind: 'hex', hex: NFT_DATA } },
        },
      });
  });

  test('is drawn as its NFT, with a word on what is signed', () => {
    const rows = slotRows(whole);
    expect(rows.map(({ label, note }) => [label.key, note && textOf(note)])).toEqual([
      ['review_nftContract', undefined],
      ['review_nftName', undefined],
      ['review_nftData', `review_slotNote slot=integer ${SLOT}`],
    ]);
    for (const row of rows) expect(row).not.toHaveProperty('detail');
    expect(slotNft(whole)).toEqual({ nftId: NFT_ID, slot: SLOT });
  });

  test('warns of what is locked in it and of parts that do not fit', () => {
    expect(slotWarnings(whole, '4')).toEqual({ nftDiffers: false, nftLocked: false });
    expect(slotWarnings({ ...whole, isVerified: false }, '5')).toEqual({ nftDiffers: true, nftLocked: true });
  });
});
