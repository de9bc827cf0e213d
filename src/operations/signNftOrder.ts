import {
  address,
  booleanField,
  clientOrderId,
  type EndpointAnswer,
  type EndpointBody,
  Float24,
  MAX_FEE_BIPS,
  MAX_LIMIT,
  MIN_NFT_TOKEN_ID,
  maxFeeBips,
  nftOrderBoundFields,
  nftOrderHash,
  nftTokenAmountInfo,
  roundToFloat,
  seconds,
} from '../protocol/index.ts';
import { BIPS } from '../protocol/limits.ts';
import { once } from '../protocol/once.ts';
import { z } from '../protocol/zod.ts';
import { orderExecution } from './execution.ts';
import { deadline, LONGEST_NFT_VALIDITY, takerOf } from './intentFields.ts';
import { overdueAtOf } from './marketFacts.ts';
import {
  type NftFacts,
  nftAmount,
  nftFacts,
  nftRows,
  recheckSlot,
  type SlotFacts,
  slotNft,
  slotOf,
  slotRows,
  slotWarnings,
} from './nftSlot.ts';
import { clientOrderIdRow, type Facts, IntentError, type Operation, splitFields } from './operation.ts';
import { likeOf, recipientOf, recipientRow, roundedRows } from './recipient.ts';
import type { ReviewRow, Text, TokenFacts } from './review.ts';
import { blocksOfFills, outcomeOfStatus } from './settlement.ts';
import { signByAccount } from './signByOwner.ts';
import { feeOf, ORDER_VALIDITY_SECONDS, orderSettlement } from './submitOrder.ts';
import { listedSymbol } from './tokenSymbol.ts';
import type { AmountLimits, Recipient } from './warningFacts.ts';
import { warningsOf } from './warnings.ts';

const isNft = ({ tokenId }: { readonly tokenId: number }) => tokenId >= MIN_NFT_TOKEN_ID;
const side = once(() =>
  nftTokenAmountInfo().check(z.refine(({ amount }) => amount !== '0', { path: ['amount'], error: 'is zero' })),
);

const intent = once(() =>
  z
    .strictObject({
      account: z.optional(address()),
      sellToken: side(),
      /** A bought NFT is named by `nftData`, which the signature binds in place of the token id. */
      buyToken: side(),
      allOrNone: z.optional(z.literal(false, { error: 'only false is supported' })),
      fillAmountBOrS: z.optional(booleanField()),
      /** Seconds; 30 days from now when absent. */
      validUntil: z.optional(seconds()),
      /** When absent, what the relayer's rules ask for the amount at a cost a tenth higher. */
      maxFeeBips: z.optional(maxFeeBips()),
      clientOrderId: z.optional(clientOrderId()),
      taker: z.optional(address()),
      affiliate: z.optional(z.string().check(z.regex(/^[0-9]{1,10}$/, 'is not an account id'))),
      /** Has the relayer check the order before the site gets it. */
      validate: z.optional(z.boolean()),
    })
    .check(
      z.refine(({ sellToken, buyToken }) => isNft(sellToken) || isNft(buyToken), {
        path: ['buyToken', 'tokenId'],
        error: 'and the sold token are no NFT',
      }),
      z.refine(({ sellToken, buyToken }) => !(isNft(sellToken) && isNft(buyToken)), {
        path: ['buyToken', 'tokenId'],
        error: 'an NFT for an NFT leaves no token for the fee',
      }),
      z.refine(({ buyToken }) => !isNft(buyToken) || buyToken.nftData !== undefined, {
        path: ['buyToken', 'nftData'],
        error: 'is missing; it is what the signature of a purchase names',
      }),
      z.refine(({ sellToken, buyToken }) => [sellToken, buyToken].every((token) => isNft(token) || !token.nftData), {
        path: ['sellToken', 'nftData'],
        error: 'belongs to no NFT slot',
      }),
    ),
);

export type SignNftOrderIntent = z.output<ReturnType<typeof intent>>;
type Body = Omit<EndpointBody<'validateOrder'>, 'storageId' | 'eddsaSignature'>;

/** Of a sale: what lies in the slot; of a purchase: the NFT by its identifier. */
type ShownNft =
  | { readonly slot: SlotFacts; readonly bought: null }
  | { readonly slot: null; readonly bought: NftFacts };

type Shown = ShownNft & {
  readonly quote: TokenFacts;
  readonly limits: AmountLimits;
  readonly validate: boolean;
  /** The wallet's own screen asks: there is no site that gets it. */
  readonly isOwn?: true;
  readonly taker?: Recipient;
};

type Rates = EndpointAnswer<'getNftOrderUserRateAmount'>;

/**
 * The fee rate of an order by the three rules of the interface document: (1) at least the fee rate,
 * for amounts from `minAmount` on; (2) below that, amount times rate above the trade cost; (3) the
 * amount within the market's limits. A seller's fee has to cover the royalty as well.
 * @param asked - Ten-thousandths. When absent, the least that the rules allow, also after the cost
 *   of a trade, which changes every quarter of an hour, has risen by a tenth.
 * @throws {IntentError} naming the broken rule.
 */
function feeRate(
  asked: number | undefined,
  amount: bigint,
  field: string,
  rates: Rates,
  quote: TokenFacts,
  royalty: number,
): number {
  const row = rates.amounts.find(({ feeTokenSymbol }) => feeTokenSymbol === listedSymbol(quote));
  if (!row) throw new IntentError(`${field}.tokenId`, `NFT orders are not quoted in ${quote.symbol}`);
  const { minimum, maximum } = row.marketOrderInfo;
  const belowText = (volume: string): Text => ({
    key: 'warning_amountBelowLimit',
    values: { limit: { kind: 'amount', volume, token: quote } },
  });
  if (amount < BigInt(minimum))
    throw new IntentError(`${field}.amount`, `is below the market's least of ${minimum}`, belowText(minimum));
  if (amount > BigInt(maximum)) throw new IntentError(`${field}.amount`, `is above the market's most of ${maximum}`);
  const cost = BigInt(row.tradeCost);
  const above = (cost: bigint) => Number((cost * BIPS) / amount) + 1;
  const covering = amount >= BigInt(row.minAmount) ? 0 : above(cost);
  const needed = Math.max(rates.feeRate, covering, royalty, 1);
  if (needed > MAX_FEE_BIPS)
    throw new IntentError(
      covering > MAX_FEE_BIPS ? `${field}.amount` : 'maxFeeBips',
      `needs a fee rate of ${needed}, above the ${MAX_FEE_BIPS} of the interface`,
      needed === covering
        ? // From here on the highest rate covers the cost.
          belowText(String((cost * BIPS) / BigInt(MAX_FEE_BIPS) + 1n))
        : {
            key: 'problem_feeRate',
            values: { needed: { kind: 'bips', bips: needed }, most: { kind: 'bips', bips: MAX_FEE_BIPS } },
          },
    );
  if (asked !== undefined && asked < needed)
    throw new IntentError('maxFeeBips', `is below the ${needed} that the relayer's rules ask for this amount`);
  return asked ?? Math.max(needed, Math.min(MAX_FEE_BIPS, above((cost * 11n) / 10n)));
}

async function boughtNft(nftData: string, facts: Facts): Promise<NftFacts> {
  const nft = await nftFacts(nftData, facts);
  if (!nft) throw new IntentError('buyToken.nftData', 'is no NFT that the relayer knows');
  return { ...nft, ...likeOf(nft.tokenAddress, await facts.knownAddresses()) };
}

/**
 * Signs an order that sells or buys NFTs and gives it to the site, which brings the two sides of a
 * trade together. With `validate` the relayer checks it first.
 */
export const signNftOrder: Operation<SignNftOrderIntent, Body, Shown> = {
  name: 'signNftOrder',
  method: 'relayer_signNftOrder',
  permission: 'nfts',
  group: 'nfts',
  own: true,
  handsOver: true,
  intent,
  settle: {
    // Some relayers name NFT orders by another hash than the signed one, and list none of them.
    ...orderSettlement((ack) => (ack.status === '' ? { state: 'processed', ack } : outcomeOfStatus(ack))),
    reportsHash: false,
    async blocks({ accountId, hash }, reads) {
      if (hash === null) return { blockIds: [], more: false };
      const query = { accountId, orderHash: hash, limit: MAX_LIMIT };
      const { trades, totalNum } = await reads.read('getNftTrades', { query });
      return blocksOfFills(
        trades.map((row) => row[11]),
        totalNum,
      );
    },
  },
  executedAs: ({ sellToken, buyToken, ...body }, storageId) =>
    orderExecution({ ...body, sells: sellToken, buys: buyToken }, storageId),
  result: ({ signedBody }) => ({ order: signedBody }),

  async prepare(asked, facts) {
    const { accountId } = facts.account;
    const sells = isNft(asked.sellToken);
    const quoteField = sells ? 'buyToken' : 'sellToken';
    const { tokenId: quoteId, amount } = asked[quoteField];
    const quote = await facts.token(quoteId, `${quoteField}.tokenId`);
    const nft: ShownNft = sells
      ? { slot: await slotOf(asked.sellToken, 'sellToken', accountId, facts), bought: null }
      : { slot: null, bought: await boughtNft(asked.buyToken.nftData as string, facts) };
    const { slot, bought } = nft;
    const nftTokenAddress = (nft.slot ?? nft.bought).tokenAddress;
    const query = { accountId, nftTokenAddress, feeTokenSymbol: listedSymbol(quote) };
    const rates = await facts.read('getNftOrderUserRateAmount', { query });
    const { account: _, validate = false, taker: __, ...rest } = asked;
    const taker = takerOf(asked.taker);
    const body: Body = {
      ...rest,
      ...(taker === undefined ? {} : { taker }),
      ...(slot ? { sellToken: { ...asked.sellToken, nftData: slot.nftData } } : {}),
      ...(bought ? { buyToken: { ...asked.buyToken, nftData: bought.nftData } } : {}),
      exchange: facts.exchangeAddress,
      accountId,
      allOrNone: false,
      fillAmountBOrS: asked.fillAmountBOrS ?? false,
      validUntil: await deadline(asked.validUntil ?? facts.now + ORDER_VALIDITY_SECONDS, facts, LONGEST_NFT_VALIDITY),
      maxFeeBips: feeRate(asked.maxFeeBips, BigInt(amount), quoteField, rates, quote, slot?.royalty ?? 0),
    };
    const limits = { amount, overdueAt: overdueAtOf(rates.cacheOverdueAt) };
    // The wallet's own origin is no URL.
    const own = facts.origin.includes('://') ? {} : ({ isOwn: true } as const);
    return {
      body,
      shown: {
        ...nft,
        quote,
        limits,
        validate,
        ...own,
        ...(taker === undefined ? {} : { taker: await recipientOf(taker, facts) }),
      },
    };
  },

  review({ body, shown }, now) {
    const { slot, bought, quote, limits } = shown;
    const { tokenAddress } = shown.slot ?? shown.bought;
    const nftSide = slot ? body.sellToken : body.buyToken;
    const quoteSide = slot ? body.buyToken : body.sellToken;
    const count = nftAmount(nftSide.amount, { tokenId: nftSide.tokenId, tokenAddress });
    const signed = BigInt(quoteSide.amount);
    const fee = BigInt(feeOf(signed, body.maxFeeBips));
    // What a block cannot hold of a price, the seller goes without.
    const price = slot ? roundToFloat(signed, Float24) : signed;
    const money = (volume: bigint) => ({ kind: 'amount', volume: volume.toString(), token: quote }) as const;
    // The worst case: a seller gets what the highest fee leaves, a buyer pays it on top.
    const [pay, receive] = slot
      ? [count, { ...money(price - fee), least: true } as const]
      : [money(price + fee), count];
    const rate = { kind: 'bips', bips: body.maxFeeBips } as const;
    const feeNote: Text = {
      key: slot ? 'review_afterFee' : 'review_withFee',
      values: { gross: slot ? { ...money(price), least: true } : money(price), fee: money(fee) },
    };
    const rows: ReviewRow[] = [
      {
        label: { key: 'review_pay' },
        value: pay,
        emphasis: 'pay',
        ...(slot ? {} : { note: feeNote, leaves: true as const }),
      },
      { label: { key: 'review_receive' }, value: receive, emphasis: 'receive', ...(slot ? { note: feeNote } : {}) },
      {
        label: { key: 'review_worstFee' },
        // A sale that is filled by its NFTs may get more than the least price.
        value: slot && !body.fillAmountBOrS ? rate : money(fee),
        note: { key: 'review_nftFeeNote', values: { rate } },
        detail: true,
      },
      { label: { key: 'review_expires' }, value: { kind: 'time', seconds: body.validUntil } },
      ...(slot ? [...roundedRows(money(signed), 'review_price'), ...slotRows(slot)] : nftRows(bought, true)),
      {
        label: { key: 'review_handedOver' },
        value: {
          kind: 'message',
          key: shown.isOwn
            ? 'review_handedOverOwn'
            : shown.validate
              ? 'review_handedOverValidated'
              : 'review_handedOverSite',
        },
      },
    ];
    if (shown.taker) rows.push(...recipientRow(shown.taker, 'review_taker'));
    rows.push(...clientOrderIdRow(body).map((row) => ({ ...row, unsigned: true as const })));
    return {
      sentence: { key: slot ? 'review_sellNft' : 'review_buyNft', values: { pay, receive } },
      rows,
      nft: slot ? slotNft(slot) : { nftId: bought.nftId },
      warnings: warningsOf({
        now,
        limits,
        ...(shown.taker ? { recipient: shown.taker } : {}),
        ...(slot ? slotWarnings(slot, nftSide.amount) : { nftDiffers: !bought.isVerified, nft: bought }),
      }),
      ...splitFields(body, nftOrderBoundFields(body)),
    };
  },

  storageSlot: ({ body }) => ({ tokenId: body.sellToken.tokenId, parity: 'order' }),

  async recheck({ body, shown }, reads) {
    if (shown.slot) await recheckSlot(shown.slot, body.accountId, reads);
  },

  signs: ['validate'],

  async sign({ body, shown }, storageId, _facts, keys) {
    if (storageId === null) throw new Error('signNftOrder is signed with a storage id');
    const order = { ...body, storageId };
    return signByAccount(shown.validate ? 'validateOrder' : 'none', order, nftOrderHash(order), keys);
  },
};
