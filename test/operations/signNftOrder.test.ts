import { describe, expect, test } from 'vitest';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';
import type { KnownAddress } from '../../src/operations/operation.ts';
import { signNftOrder } from '../../src/operations/signNftOrder.ts';
import { numbered } from '../../src/operations/tokenSymbol.ts';
import { cidFromNftId, formatHash, MIN_NFT_TOKEN_ID, nftDataHash } from '../../src/protocol/index.ts';
import { answers as samples } from '../protocol/samples.ts';
import { CONTRACT, NFT_DATA, NFT_ID, nftAnswers, nftInfo, SLOT, slotRow, slots } from './nftSupport.ts';
import {
  ACCOUNT_ID,
  type Answers,
  DAY,
  FRIEND,
  factsWith,
  issueOf,
  keys,
  now,
  OWNER,
  refusalOf,
  rowsOf,
  rulesOf,
  tokens,
} from './support.ts';
import { noting, submittedWith } from './told.ts';

/** Fee rate 20, least amount 10,000 at it, trade cost 20, market from 5,000 to 1,000,000. */
const rates = (changes: object = {}) => ({
  nftTokenAddress: CONTRACT,
  feeRate: 20,
  amounts: [
    {
      feeTokenSymbol: 'ETH',
      minAmount: '10000',
      tradeCost: '20',
      marketOrderInfo: { minimum: '5000', maximum: '1000000', dust: '1' },
    },
  ],
  gasPrice: '1',
  cacheOverdueAt: now * 1000,
  ...changes,
});
const answers: Answers = { ...nftAnswers, getNftOrderUserRateAmount: () => rates() };
const facts = factsWith(answers);
const sale = {
  sellToken: { tokenId: SLOT, nftData: NFT_DATA, amount: '1' },
  buyToken: { tokenId: 0, amount: '20000' },
};
const purchase = {
  sellToken: { tokenId: 0, amount: '20000' },
  buyToken: { tokenId: 40_000, nftData: NFT_DATA, amount: '1' },
};
const draftOf = (intent: object, given = facts) => signNftOrder.prepare(signNftOrder.intent().parse(intent), given);

test.each([
  [
    { sellToken: sale.buyToken, buyToken: { tokenId: 1, amount: '1' } },
    'buyToken.tokenId: and the sold token are no NFT',
  ],
  [
    { sellToken: sale.sellToken, buyToken: purchase.buyToken },
    'buyToken.tokenId: an NFT for an NFT leaves no token for the fee',
  ],
  [
    { ...purchase, buyToken: { tokenId: 40_000, amount: '1' } },
    'buyToken.nftData: is missing; it is what the signature of a purchase names',
  ],
  [{ ...sale, buyToken: { ...sale.buyToken, nftData: NFT_DATA } }, 'sellToken.nftData: belongs to no NFT slot'],
  [{ ...sale, allOrNone: true }, 'allOrNone: only false is supported'],
  [{ ...sale, maxFeeBips: 64 }, 'maxFeeBips: is more than 63'],
  [{ ...sale, buyToken: { tokenId: 0, amount: '0' } }, 'buyToken.amount: is zero'],
  [{ ...sale, sellToken: { ...sale.sellToken, tokenId: MIN_NFT_TOKEN_ID } }, undefined],
  [{ ...sale, affiliate: '1234567890' }, undefined],
  [{ ...sale, affiliate: '12345678901' }, 'affiliate: is not an account id'],
  [{ ...sale, affiliate: 'a1' }, 'affiliate: is not an account id'],
  [{ ...sale, affiliate: '1a' }, 'affiliate: is not an account id'],
])('takes or refuses the intent %j', (intent, message) => {
  expect(issueOf(signNftOrder, intent)).toBe(message);
});

describe('the rules of the interface document', () => {
  const of = (amount: string, maxFeeBips?: number) => ({ ...sale, buyToken: { tokenId: 0, amount }, maxFeeBips });

  test.each([
    ['at the least amount the fee rate is enough', of('10000', 20), 'accepted'],
    [
      'a rate below the fee rate',
      of('10000', 19),
      "maxFeeBips: is below the 20 that the relayer's rules ask for this amount",
    ],
    // 6000 · 34 / 10000 = 20.4 > 20, while 6000 · 33 / 10000 = 19.8.
    ['below the least amount, amount times rate is above the trade cost', of('6000', 34), 'accepted'],
    [
      'below the least amount, amount times rate does not reach the trade cost',
      of('6000', 33),
      "maxFeeBips: is below the 34 that the relayer's rules ask for this amount",
    ],
    // 8000 · 25 / 10000 = 20 is not above 20.
    [
      'amount times rate equals the trade cost',
      of('8000', 25),
      "maxFeeBips: is below the 26 that the relayer's rules ask for this amount",
    ],
    ['at the market’s least', of('5000'), 'accepted'],
    ['at the market’s most', of('1000000'), 'accepted'],
    ['below the market', of('4999'), "buyToken.amount: is below the market's least of 5000"],
    ['above the market', of('1000001'), "buyToken.amount: is above the market's most of 1000000"],
    [
      'a token that NFTs are not quoted in',
      { ...sale, buyToken: { tokenId: 1, amount: '20000' } },
      'buyToken.tokenId: NFT orders are not quoted in LRC',
    ],
    ['61 days', { ...sale, validUntil: now + 61 * DAY }, 'validUntil: is more than 60 days away'],
  ])('%s', async (_what, intent, verdict) => {
    expect(await refusalOf(signNftOrder, intent, facts)).toBe(verdict);
  });

  test('apply to a token that another one of the exchange looks like', async () => {
    const asked: unknown[] = [];
    const alike = {
      ...factsWith({
        ...answers,
        getNftOrderUserRateAmount: (input) => {
          asked.push(input);
          return rates();
        },
      }),
      token: async () => numbered({ tokenId: 0, symbol: 'ETH', decimals: 18 }),
    };
    expect(await refusalOf(signNftOrder, sale, alike as never)).toBe('accepted');
    expect(asked).toMatchObject([{ query: { feeTokenSymbol: 'ETH' } }]);
  });

  test.each<[number, string, string, string]>([
    [63, '1', '10000', 'accepted'],
    [64, '1', '10000', 'maxFeeBips: needs a fee rate of 64, above the 63 of the interface'],
    [1, '99999', '62', 'accepted'],
    [64, '99999', '62', 'maxFeeBips: needs a fee rate of 64, above the 63 of the interface'],
    [1, '99999', '63', 'buyToken.amount: needs a fee rate of 64, above the 63 of the interface'],
  ])(
    'a fee rate of %i, and for less than %s a cost of %s of 10000, is refused above what the interface allows',
    async (feeRate, minAmount, tradeCost, verdict) => {
      const [row] = rates().amounts;
      const dear = rates({ feeRate, amounts: [{ ...row, minAmount, tradeCost }] });
      expect(
        await refusalOf(signNftOrder, of('10000'), factsWith({ ...answers, getNftOrderUserRateAmount: () => dear })),
      ).toBe(verdict);
    },
  );

  test.each<[string, object, string, string]>([
    ['4999', {}, 'below the market', '5000'],
    ['9999', { tradeCost: '63' }, 'below the amount whose highest fee pays the cost', '10001'],
    ['5000', { tradeCost: '32' }, 'below the amount whose highest fee pays the cost', '5080'],
  ])('for %s with %j says the least amount: %s', async (amount, changes, _why, least) => {
    const dear = rates({ amounts: [{ ...rates().amounts[0], ...changes }] });
    const given = factsWith({ ...answers, getNftOrderUserRateAmount: () => dear });
    const text = {
      key: 'warning_amountBelowLimit',
      values: { limit: { kind: 'amount', volume: least, token: { tokenId: 0 } } },
    };
    await expect(draftOf(of(amount), given)).rejects.toMatchObject({ text });
    expect(await refusalOf(signNftOrder, of(least), given)).toBe('accepted');
  });

  test('say the rate that is needed and the highest one', async () => {
    const given = factsWith({ ...answers, getNftOrderUserRateAmount: () => rates({ feeRate: 100 }) });
    await expect(draftOf(of('10000'), given)).rejects.toMatchObject({
      text: {
        key: 'problem_feeRate',
        values: { needed: { kind: 'bips', bips: 100 }, most: { kind: 'bips', bips: 63 } },
      },
    });
  });

  test.each<[string, object, Answers, string]>([
    ['an NFT that nobody knows', purchase, { getNfts: () => [] }, 'buyToken.nftData: is no NFT that the relayer knows'],
    [
      'an empty slot',
      sale,
      { getNftBalances: () => slots() },
      `sellToken.tokenId: nothing lies in slot ${SLOT} of this account`,
    ],
    [
      'a token that is not listed',
      { ...sale, buyToken: { tokenId: 9, amount: '20000' } },
      {},
      'buyToken.tokenId: the relayer lists no token 9',
    ],
  ])('name the field of %s', async (_what, intent, given, message) => {
    expect(await refusalOf(signNftOrder, intent, factsWith({ ...answers, ...given }))).toBe(message);
  });

  test('a seller’s rate covers the royalty', async () => {
    const dear = factsWith({
      ...answers,
      getNfts: () => [{ ...nftInfo, creatorFeeBips: 50 }],
    });
    expect((await draftOf(sale, dear)).body.maxFeeBips).toBe(50);
    expect(await refusalOf(signNftOrder, { ...sale, maxFeeBips: 49 }, dear)).toMatch(/^maxFeeBips: is below the 50/);
    expect((await draftOf(purchase, dear)).body.maxFeeBips).toBe(20);
  });

  // The cost of a trade is 20, a tenth more is 22.
  test.each([
    ['20000', 20],
    ['11001', 20],
    ['10999', 21],
    ['10000', 23],
    ['6000', 37],
    ['5000', 45],
  ])('of %s, a rate of %i is signed that covers a higher cost too, when the site names none', async (amount, rate) => {
    expect((await draftOf(of(amount))).body.maxFeeBips).toBe(rate);
    const [row] = rates().amounts;
    const dearer = rates({ amounts: [{ ...row, minAmount: '11000', tradeCost: '22' }] });
    const later = factsWith({ ...answers, getNftOrderUserRateAmount: () => dearer });
    expect(await refusalOf(signNftOrder, of(amount, rate), later)).toBe('accepted');
  });

  test('the highest rate of the interface is signed where a higher cost would need more', async () => {
    const [row] = rates().amounts;
    const dear = rates({ amounts: [{ ...row, minAmount: '16000', tradeCost: '31' }] });
    const { body } = await draftOf(of('5000'), factsWith({ ...answers, getNftOrderUserRateAmount: () => dear }));
    expect(body.maxFeeBips).toBe(63);
  });
});

test('a sale shows what lies in the slot, and draws on its ids', async () => {
  const draft = await draftOf({ ...sale, clientOrderId: 'a', taker: FRIEND, affiliate: '7' });
  const review = signNftOrder.review(draft, now);
  expect(review.sentence.key).toBe('review_sellNft');
  expect(rowsOf(review)).toMatchObject({
    review_pay: { kind: 'amount', volume: '1', token: { symbol: 'NFT', address: CONTRACT } },
    review_receive: { kind: 'amount', volume: '19960', token: tokens[0] },
    review_worstFee: { kind: 'bips', bips: 20 },
    review_nftData: { kind: 'hex', hex: NFT_DATA },
    review_taker: { kind: 'address', address: FRIEND },
  });
  // Only a sale that ends with the price it asks for can get no more.
  const byPrice = await draftOf({ ...sale, fillAmountBOrS: true });
  expect(rowsOf(signNftOrder.review(byPrice, now)).review_worstFee).toMatchObject({ kind: 'amount', volume: '40' });
  expect(signNftOrder.storageSlot(draft)).toEqual({ tokenId: SLOT, parity: 'order' });
});

test.each([
  [
    'a name of the address book',
    [{ address: FRIEND, label: 'Ada', source: 'book' as const }],
    'review_recipientBook',
    [],
  ],
  ['a stranger', [], 'review_recipientFirst', ['recipient-new']],
])('the account that alone may fill it is shown with %s', async (_what, known, note, rules) => {
  const review = signNftOrder.review(await draftOf({ ...sale, taker: FRIEND }, factsWith(answers, known)), now);
  expect(review.rows.find(({ label }) => label.key === 'review_taker')).toMatchObject({
    value: { kind: 'address', address: FRIEND },
    note: { key: note },
  });
  expect(rulesOf(review)).toEqual(rules);
});

test.each([
  ['sale', sale, { nftId: NFT_ID, slot: SLOT }],
  ['purchase', purchase, { nftId: NFT_ID }],
])('names the NFT of a %s for its picture, and the slot only where the signature does', async (_what, intent, nft) => {
  expect(signNftOrder.review(await draftOf(intent), now).nft).toEqual(nft);
});

test('a sale at a price with more digits than a block holds brings the rounded one, and says so', async () => {
  const review = signNftOrder.review(await draftOf({ ...sale, buyToken: { tokenId: 0, amount: '600001' } }), now);
  // Less the fee of 20 ten-thousandths, rounded up.
  expect(rowsOf(review).review_receive).toMatchObject({ volume: '598799', least: true });
  expect(review.rows.find(({ label }) => label.key === 'review_price')).toEqual({
    label: { key: 'review_price' },
    value: { kind: 'amount', volume: '600000', token: tokens[0], least: true },
    note: { key: 'review_rounded' },
  });
  const bought = signNftOrder.review(await draftOf({ ...purchase, sellToken: { tokenId: 0, amount: '600001' } }), now);
  expect(rowsOf(bought).review_pay).toMatchObject({ volume: '601202' });
  for (const { rows } of [bought, signNftOrder.review(await draftOf(sale), now)])
    expect(rows.map(({ label }) => label.key)).not.toContain('review_price');
});

test('the zero address as taker lets anybody fill the order, as none does', async () => {
  expect(await draftOf({ ...sale, taker: `0x${'0'.repeat(40)}` })).toEqual(await draftOf(sale));
});

test('a purchase draws on the ids of what it pays with', async () => {
  const draft = await draftOf(purchase);
  const review = signNftOrder.review(draft, now);
  expect(review.sentence.key).toBe('review_buyNft');
  expect(signNftOrder.storageSlot(draft)).toEqual({ tokenId: 0, parity: 'order' });
  await expect(signNftOrder.recheck?.(draft, factsWith({}))).resolves.toBeUndefined();
});

test('a purchase names its NFT where it is read, identifier and contract with all their digits', async () => {
  const { rows } = signNftOrder.review(await draftOf(purchase), now);
  const named = rows.filter(({ label }) => label.key.startsWith('review_nft'));
  expect(named).toStrictEqual([
    { label: { key: 'review_nftContract' }, value: { kind: 'address', address: CONTRACT, whole: true } },
    { label: { key: 'review_nftName' }, value: { kind: 'text', text: cidFromNftId(NFT_ID) } },
    { label: { key: 'review_nftData' }, value: { kind: 'hex', hex: NFT_DATA, whole: true } },
  ]);
});

describe('a bought NFT whose contract looks like a known address', () => {
  const real = { address: `${CONTRACT.slice(0, 6)}${'0'.repeat(32)}${CONTRACT.slice(-4)}`, source: 'book' as const };
  const named = { ...real, label: 'Prints' };
  const of = async (intent: object, ...known: readonly KnownAddress[]) =>
    signNftOrder.review(await draftOf(intent, factsWith(answers, known)), now);

  test.each([
    [named, 'warning_recipientLookalikeNamed', { note: { key: 'review_recipientBook' } }],
    [real, 'warning_recipientLookalike', {}],
  ])('%j is a danger, with that address below', async (known, key, note) => {
    const { rows, warnings } = await of(purchase, known);
    expect(warnings).toMatchObject([{ rule: 'recipient-lookalike', severity: 'danger', text: { key } }]);
    const place = rows.findIndex(({ label }) => label.key === 'review_nftContract');
    expect(rows[place + 1]).toMatchObject({
      label: { key: 'review_looksLike' },
      value: { kind: 'address', address: real.address, whole: true },
      ...note,
    });
  });

  test('is one beside a taker that is known, too', async () => {
    const taker = { address: FRIEND, label: 'Ada', source: 'book' as const };
    expect(rulesOf(await of({ ...purchase, taker: FRIEND }, taker, named))).toEqual(['recipient-lookalike']);
  });

  test('is none where the NFT is sold, or the contract itself is the known one', async () => {
    expect(rulesOf(await of(sale, named))).toEqual([]);
    expect(rulesOf(await of(purchase, { ...named, address: CONTRACT }))).toEqual([]);
  });
});

test('a bought NFT whose royalty is above the highest fee rate can never be sold, and it says so', async () => {
  const of = async (creatorFeeBips: number) => {
    const nftData = formatHash(
      nftDataHash({ minterAddress: OWNER, nftType: 0, tokenAddress: CONTRACT, nftId: NFT_ID, creatorFeeBips }),
    );
    const given = factsWith({ ...answers, getNfts: () => [{ ...nftInfo, nftData, creatorFeeBips }] });
    const { warnings } = signNftOrder.review(
      await draftOf({ ...purchase, buyToken: { ...purchase.buyToken, nftData } }, given),
      now,
    );
    return warnings.map(({ rule, severity }) => [rule, severity]);
  };
  expect(await of(63)).toEqual([]);
  expect(await of(64)).toEqual([['nft-unsellable', 'notice']]);
});

test('old limits are called old', async () => {
  const rulesAt = async (cacheOverdueAt: number) => {
    const facts = factsWith({ ...answers, getNftOrderUserRateAmount: () => rates({ cacheOverdueAt }) });
    return rulesOf(signNftOrder.review(await draftOf(sale, facts), now));
  };
  expect(await rulesAt(now - 1)).toEqual(['data-overdue']);
  expect(await rulesAt(now * 1000 - 1)).toEqual(['data-overdue']);
  expect(await rulesAt(now)).toEqual([]);
});

test('the slot of a sale is looked into again before signing', async () => {
  const draft = await draftOf(sale);
  const changed = factsWith({ getNftBalances: () => slots({ ...slotRow, nftData: '0x99' }) });
  await expect(signNftOrder.recheck?.(draft, changed)).rejects.toThrow('does not hold the NFT');
});

test.each([
  [true, 'validateOrder'],
  [false, 'none'],
])('is sent only to be validated (%j: %s)', async (validate, endpoint) => {
  for (const intent of [sale, purchase])
    expect(await signNftOrder.sign(await draftOf({ ...intent, validate }), 2, facts, keys)).toMatchObject({ endpoint });
});

test('holds the NFT in one form, whether and however the site names it', async () => {
  const asNumber = `0x${BigInt(NFT_DATA).toString(16).toUpperCase()}`;
  for (const nftData of [undefined, asNumber, NFT_DATA])
    expect((await draftOf({ ...sale, sellToken: { ...sale.sellToken, nftData } })).body.sellToken).toEqual(
      sale.sellToken,
    );
  const { body } = await draftOf({ ...purchase, buyToken: { ...purchase.buyToken, nftData: asNumber } });
  expect(body.buyToken).toEqual(purchase.buyToken);
});

test('warns of a bought NFT whose parts do not hash to it', async () => {
  const differs = factsWith({ ...answers, getNfts: () => [{ ...nftInfo, creatorFeeBips: 4 }] });
  expect(rulesOf(signNftOrder.review(await draftOf(purchase, differs), now))).toEqual(['nft-differs']);
  expect(rulesOf(signNftOrder.review(await draftOf(purchase), now))).toEqual([]);
});

test('is handed over to nobody when the wallet itself asks', async () => {
  const review = signNftOrder.review(await draftOf(sale, { ...facts, origin: OWN_ORIGIN }), now);
  expect(rowsOf(review).review_handedOver).toEqual({ kind: 'message', key: 'review_handedOverOwn' });
});

test.each<[string, object]>([
  ['', { state: 'processed' }],
  ['processing', { state: 'open' }],
  ['cancelled', { state: 'cancelled' }],
])('is validated, traded or over by its status %j', (status, outcome) => {
  expect(signNftOrder.settle.outcomeOf({ status })).toEqual({ ...outcome, ack: { status } });
});

test('is found by its hash, and its blocks by its NFT trades', async () => {
  const row = (block: string) => (samples.getNftTrades.trades[0] ?? []).map((value, at) => (at === 11 ? block : value));
  const { facts: given, asked: reads } = noting(
    factsWith({
      getOrder: () => ({ ...samples.getOrder, status: 'processed' }),
      getNftTrades: () => ({ totalNum: 3, trades: [row('9'), row('8')] }),
    }),
  );
  const submitted = submittedWith();
  expect((await signNftOrder.settle.find?.(submitted, given))?.state).toBe('processed');
  expect(await signNftOrder.settle.blocks?.(submitted, given)).toEqual({ blockIds: [8, 9], more: true });
  const query = { accountId: ACCOUNT_ID, orderHash: submitted.hash };
  expect(reads).toEqual([
    `find getOrder ${JSON.stringify(query)} ["ORDER_NOT_FOUND"]`,
    `read getNftTrades ${JSON.stringify({ ...query, limit: 50 })}`,
  ]);
  expect(await signNftOrder.settle.blocks?.(submittedWith({ hash: null }), given)).toEqual({
    blockIds: [],
    more: false,
  });
});
