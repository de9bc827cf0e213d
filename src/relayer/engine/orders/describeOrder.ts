import type { z } from 'zod';
import type { orderDetail } from '../../../protocol/endpoints/getOrder.ts';
import { scaledText } from '../../../protocol/scaledText.ts';
import type { Catalog, Market, Token } from '../catalog.ts';
import type { Relayer } from '../relayer.ts';
import type { ArchivedOrder } from './archivedOrder.ts';

/** An order in the form of lists. */
export function describeOrder(relayer: Relayer, order: ArchivedOrder): z.input<ReturnType<typeof orderDetail>> {
  const sells = order.side === 'SELL';
  const pair = pairOf(relayer.catalog, order);
  const [baseAmount, quoteAmount] = sells ? [order.amount_s, order.amount_b] : [order.amount_b, order.amount_s];
  const [baseFilled, quoteFilled] = sells ? [order.filled_s, order.filled_b] : [order.filled_b, order.filled_s];
  return {
    hash: order.hash,
    clientOrderId: order.client_order_id,
    side: order.side,
    market: order.market,
    price: pair ? priceText(pair, baseAmount, quoteAmount) : '0',
    volumes: {
      baseAmount: baseAmount.toString(),
      quoteAmount: quoteAmount.toString(),
      baseFilled: baseFilled.toString(),
      quoteFilled: quoteFilled.toString(),
      fee: order.fee.toString(),
    },
    validity: { start: Math.floor(order.created_at / 1000), end: order.valid_until },
    orderType: order.order_type,
    tradeChannel: order.channel,
    status: order.status,
    ...(order.nft_data && { nftData: order.nft_data }),
    storageInfo: { accountId: order.account_id, tokenId: order.token_s, storageId: order.storage_id },
  };
}

/** Names the pair that the order exchanges; an NFT is counted in whole ones. */
function pairOf(catalog: Catalog, { market, nft_data, side, token_s, token_b }: ArchivedOrder): Pair | undefined {
  if (nft_data === '') return catalog.market(market);
  const quote = catalog.token(side === 'SELL' ? token_b : token_s);
  return quote && { base: { decimals: 0 }, quote };
}

type Pair = Readonly<Record<'base' | 'quote', Pick<Token, 'decimals'>>> & Partial<Pick<Market, 'precisionForPrice'>>;

/** Digits of a printed price at least; fills lie between the steps of their market. */
const PRICE_DIGITS = 12;
const DIGITS_BETWEEN = 4;
/** A smaller price gets more of them until eight tell something; wallets read so many. */
const MOST_PRICE_DIGITS = 30;
const EIGHT_DIGITS = 10_000_000n;

/**
 * Whole quote tokens for one whole base token, as a decimal text; rounded down, and to 0 only below
 * 10^-30.
 */
export function priceText(
  { base, quote, precisionForPrice = 0 }: Pair,
  baseAmount: bigint,
  quoteAmount: bigint,
): string {
  const scaledTo = (digits: number) =>
    (quoteAmount * 10n ** BigInt(base.decimals + digits)) / (baseAmount * 10n ** BigInt(quote.decimals));
  let digits = Math.max(PRICE_DIGITS, precisionForPrice + DIGITS_BETWEEN);
  while (digits < MOST_PRICE_DIGITS && scaledTo(digits) < EIGHT_DIGITS) digits++;
  return scaledText(scaledTo(digits), digits);
}
