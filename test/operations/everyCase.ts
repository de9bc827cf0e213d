import fc from 'fast-check';
import type { OperationName } from '../../src/operations/index.ts';
import type { Facts, KnownOrder } from '../../src/operations/operation.ts';
import { formatHash } from '../../src/protocol/index.ts';
import { POOL, poolAnswers } from './ammPool.ts';
import { ACCOUNT_ID, DAY, factsWith, feeAnswer, now, OWNER, pointOf } from './facts.ts';
import { CONTRACT, code, FACTORY, NFT_DATA, nftAnswers, nftInfo, SLOT, slotRow, slots } from './nftSupport.ts';

/** Random intents of one operation, and facts under which each of them can be asked. */
export interface Case {
  readonly intent: fc.Arbitrary<object>;
  readonly facts: Facts;
  /**
   * How many of the signed messages are the request's own; the rest only carry it to the relayer.
   * All when absent.
   */
  readonly messages?: number;
  /**
   * Field that names whose layer-1 key signs: another one is another signature over the same text.
   */
  readonly signer?: string;
  /**
   * Parts whose leaves are one field of the body: a change inside is no other draft of the same
   * kind.
   */
  readonly whole?: readonly string[];
}

export const STORAGE_ID = 40;

const amount = fc.bigInt({ min: 1n, max: 2n ** 96n - 1n }).map(String);
const fee = fc.bigInt({ min: 4000n, max: 2n ** 64n }).map(String);
const address = fc
  .bigInt({ min: 1n, max: 2n ** 160n - 2n })
  .map((value) => `0x${value.toString(16).padStart(40, '0')}`)
  .filter((text) => text.toLowerCase() !== OWNER.toLowerCase());
const until = fc.integer({ min: now + 1, max: now + 30 * DAY });
export const hash = fc.bigInt({ min: 1n, max: 2n ** 253n }).map(formatHash);
const text = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 });
const orderName = fc.stringMatching(/^[A-Za-z0-9._-]{1,120}$/);
const hexBytes = fc
  .uint8Array({ minLength: 1, maxLength: 40 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
/** Some of the optional fields, each present or absent. */
const with_ = <T extends object>(required: { [K in keyof T]: fc.Arbitrary<T[K]> }, optional: object = {}) =>
  fc
    .tuple(fc.record(required), fc.record(optional as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] }))
    .map(([all, some]) => ({ ...all, ...some }));

const spot = (sell: number, buy: number) => ({
  sellToken: fc.record({ tokenId: fc.constant(sell), volume: amount }),
  buyToken: fc.record({ tokenId: fc.constant(buy), volume: amount }),
});
const orderOptions = {
  fillAmountBOrS: fc.boolean(),
  validUntil: until,
  maxFeeBips: fc.integer({ min: 1, max: 63 }),
  clientOrderId: orderName,
  orderType: fc.constantFrom('LIMIT_ORDER', 'TAKER_ONLY', 'MAKER_ONLY'),
  tradeChannel: fc.constantFrom('ORDER_BOOK', 'MIXED'),
  taker: address,
  affiliate: fc.integer({ min: 1, max: 99_999 }).map(String),
};
const order = fc.oneof(
  with_(spot(1, 0), orderOptions),
  with_(spot(0, 1), orderOptions),
  with_({ ...spot(1, 0), orderType: fc.constant('AMM'), poolAddress: address }, { clientOrderId: orderName }),
);

const known = (orderHash: string): KnownOrder => ({
  hash: orderHash,
  clientOrderId: 'mine',
  market: 'LRC-ETH',
  side: 'SELL',
  status: 'processing',
  baseAmount: '100',
  quoteAmount: '5',
  baseFilled: '0',
});
const withOrders: Facts = {
  ...factsWith({}),
  order: async (key) => known('hash' in key ? key.hash : formatHash(7n)),
  signedOrder: async () => ({
    storageId: STORAGE_ID,
    sellTokenId: 1,
    buyTokenId: 0,
    sellVolume: '100',
    buyVolume: '5',
  }),
};

const registered = { accountId: ACCOUNT_ID, owner: OWNER, frozen: false, publicKey: pointOf(3), nonce: 4, keySeed: '' };

const nftRates = {
  nftTokenAddress: CONTRACT,
  feeRate: 20,
  amounts: [
    {
      feeTokenSymbol: 'ETH',
      minAmount: '1',
      tradeCost: '1',
      marketOrderInfo: { minimum: '1', maximum: String(2n ** 96n), dust: '1' },
    },
  ],
  gasPrice: '1',
  cacheOverdueAt: now * 1000,
};
const fees = { getOffchainFee: () => feeAnswer({ ETH: '3000', LRC: '4000' }) };
const feePreference = { maxFee: fc.record({ tokenId: fc.constant(0), volume: fee }) };
const nftFeePreference = { maxFee: fc.record({ tokenId: fc.constant(0), amount: fee }) };
const withdrawal = { token: fc.record({ tokenId: fc.constant(1), volume: amount }) };
const withdrawalOptions = {
  to: address,
  extraData: hexBytes,
  minGas: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  validUntil: until,
};
const nftOf = fc.record({ tokenId: fc.constant(SLOT), nftData: fc.constant(NFT_DATA), amount });
/** A slot that holds as many of its NFT as any request can name. */
const ownNfts = { ...nftAnswers, getNftBalances: () => slots({ ...slotRow, total: String(2n ** 96n) }) };
const nftOrderOptions = {
  fillAmountBOrS: fc.boolean(),
  validUntil: until,
  maxFeeBips: fc.integer({ min: 20, max: 63 }),
  clientOrderId: orderName,
  taker: address,
  affiliate: fc.integer({ min: 1, max: 99_999 }).map(String),
  validate: fc.boolean(),
};
const nftPrice = fc.record({ tokenId: fc.constant(0), amount });

/** Typed by the table of operations: one that is added there and not here does not compile. */
export const cases: Readonly<Record<OperationName, Case>> = {
  submitOrder: { intent: order, facts: factsWith({}) },
  replaceOrder: {
    intent: with_({ replaces: hash, ...spot(1, 0) }, { maxFeeBips: orderOptions.maxFeeBips, clientOrderId: orderName }),
    facts: withOrders,
  },
  submitOneOf: {
    intent: fc.record({ orders: fc.array(with_(spot(1, 0), orderOptions), { minLength: 2, maxLength: 3 }) }),
    facts: factsWith({}),
  },
  hardCancel: { intent: with_({ orderHash: hash, sellVolume: amount, buyVolume: amount }), facts: withOrders },
  cancelOrder: {
    intent: fc.oneof(with_({ orderHash: hash }), with_({ clientOrderId: orderName })),
    facts: withOrders,
  },
  cancelAllOrders: {
    intent: fc.constantFrom({}, { orderHashes: [formatHash(6n)] }),
    facts: factsWith({}, [], [formatHash(5n), formatHash(6n)]),
  },
  transfer: {
    intent: with_(
      { token: fc.record({ tokenId: fc.constant(1), volume: amount }), payeeAddr: address },
      {
        ...feePreference,
        memo: fc.string({ maxLength: 64 }),
        clientId: text,
        payPayeeUpdateAccount: fc.boolean(),
        validUntil: fc.integer({ min: now + 1, max: 2 ** 32 - 1 }),
      },
    ),
    facts: factsWith({ ...fees, getAccount: () => null }),
  },
  withdraw: {
    intent: fc.oneof(
      with_(withdrawal, { ...feePreference, ...withdrawalOptions }),
      with_({ ...withdrawal, fastWithdrawalMode: fc.constant(true) }, withdrawalOptions),
    ),
    facts: factsWith({ ...fees, getCode: () => code('0x') }),
  },
  exitAmmPool: {
    intent: with_(
      {
        poolAddress: fc.constant(POOL),
        exitTokens: fc.record({
          unPooled: fc.tuple(
            fc.record({ tokenId: fc.constant(1), volume: amount }),
            fc.record({ tokenId: fc.constant(0), volume: amount }),
          ),
          burned: amount,
        }),
      },
      { validUntil: until, maxFee: fee },
    ),
    facts: factsWith(poolAnswers()),
  },
  joinAmmPool: {
    intent: with_(
      {
        poolAddress: fc.constant(POOL),
        joinTokens: fc.record({
          pooled: fc.tuple(
            fc.record({ tokenId: fc.constant(1), volume: amount }),
            fc.record({ tokenId: fc.constant(0), volume: amount }),
          ),
          minimumLp: fc.record({ tokenId: fc.constant(100), volume: amount }),
        }),
      },
      { validUntil: until, fee },
    ),
    facts: factsWith(poolAnswers()),
  },
  mintNft: {
    intent: with_(
      {
        nftId: fc.bigInt(0n, 2n ** 256n - 1n).map((id) => `0x${id.toString(16)}`),
        amount,
        nftFactory: fc.constant(FACTORY),
      },
      {
        ...nftFeePreference,
        creatorFeeBips: fc.integer({ min: 0, max: 255 }),
        royaltyAddress: address,
        forceToMint: fc.boolean(),
        validUntil: until,
      },
    ),
    facts: factsWith(nftAnswers),
  },
  transferNft: {
    intent: with_(
      { token: nftOf, toAddress: address },
      { ...nftFeePreference, memo: text, payPayeeUpdateAccount: fc.boolean(), validUntil: until },
    ),
    facts: factsWith(ownNfts),
  },
  withdrawNft: {
    intent: with_(
      { token: nftOf },
      {
        ...nftFeePreference,
        to: address,
        extraData: hexBytes,
        minGas: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
        validUntil: until,
      },
    ),
    facts: factsWith({ ...ownNfts, getCode: () => code('0x6001') }),
  },
  deployNft: {
    intent: with_(
      { nftData: fc.constant(NFT_DATA), tokenAddress: fc.constant(CONTRACT) },
      { feeTokenId: fc.constantFrom(0, 1), validUntil: until },
    ),
    facts: factsWith({ ...nftAnswers, getAvailableBroker: () => ({ broker: `0x${'b'.repeat(40)}` }) }),
    // The payment, by the owner and by the account's key; the third signs the letter that both
    // travel in.
    messages: 2,
  },
  signNftOrder: {
    intent: fc.oneof(
      with_({ sellToken: nftOf, buyToken: nftPrice }, nftOrderOptions),
      with_(
        {
          sellToken: nftPrice,
          buyToken: fc.record({
            tokenId: fc.integer({ min: 32_768, max: 65_533 }),
            nftData: fc.constant(NFT_DATA),
            amount,
          }),
        },
        nftOrderOptions,
      ),
    ),
    facts: factsWith({ ...ownNfts, getNfts: () => [nftInfo], getNftOrderUserRateAmount: () => nftRates }),
  },
  updateAccountKey: {
    intent: with_({}, { feeTokenId: fc.constantFrom(0, 1) }),
    facts: {
      ...factsWith({ ...fees, getAccount: () => registered, getOrders: () => ({ totalNum: 0, orders: [] }) }),
      newKey: { publicKey: pointOf(2), kind: 'derived', keySeed: 'the text', nonce: 4 },
    },
  },
  signMessage: {
    intent: fc
      .string({ minLength: 1, maxLength: 200 })
      .filter((message) => Buffer.byteLength(message) !== 32)
      .map((message) => ({ account: OWNER, message: `0x${Buffer.from(message, 'utf8').toString('hex')}` })),
    facts: factsWith({ getAccount: () => null }),
    signer: 'owner',
  },
  signTypedData: {
    intent: fc.record({ to: address, amount, what: text }).map((message) => ({
      account: OWNER,
      typedData: JSON.stringify({
        domain: { name: 'A shop', chainId: 31337 },
        primaryType: 'Sale',
        types: {
          EIP712Domain: [
            { name: 'name', type: 'string' },
            { name: 'chainId', type: 'uint256' },
          ],
          Sale: [
            { name: 'to', type: 'address' },
            { name: 'amount', type: 'uint256' },
            { name: 'what', type: 'string' },
          ],
        },
        message,
      }),
    })),
    facts: factsWith({}),
    signer: 'owner',
    whole: ['types', 'primaryType'],
  },
};
