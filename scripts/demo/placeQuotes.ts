import { parseUnits } from 'viem';
import type { RelayerClient } from '../../src/client/index.ts';
import { formatSignature, sign } from '../../src/crypto/index.ts';
import { lrcInEth } from '../../src/demo/page/prices.ts';
import { orderHash } from '../../src/protocol/index.ts';
import { DAY_SECONDS } from '../../src/protocol/time.ts';
import type { DemoAccount } from './openAccount.ts';

interface Offer {
  readonly side: 'buys' | 'sells';
  /** Whole LRC. */
  readonly lrc: string;
  /** In ETH. */
  readonly price: string;
}

/** Offers of the market maker. */
const quotes: readonly Offer[] = [
  { side: 'buys', lrc: '20000', price: lrcInEth.bid },
  { side: 'buys', lrc: '100000', price: '0.000064' },
  { side: 'sells', lrc: '20000', price: lrcInEth.ask },
  { side: 'sells', lrc: '100000', price: '0.000069' },
];

/**
 * What another account takes of them, so that the market has trades to show: real ones, dated when
 * they are made.
 */
const takes: readonly Offer[] = [
  { side: 'buys', lrc: '120', price: lrcInEth.ask },
  { side: 'sells', lrc: '85', price: lrcInEth.bid },
  { side: 'buys', lrc: '40', price: lrcInEth.ask },
];

const WEI = 10n ** 18n;

async function place(client: RelayerClient, account: DemoAccount, offers: readonly Offer[]): Promise<void> {
  const tokens = await client.getTokens({});
  const idOf = (symbol: string) => {
    const token = tokens.find((candidate) => candidate.symbol === symbol);
    if (!token) throw new Error(`The relayer lists no token ${symbol}`);
    return token.tokenId;
  };
  for (const { side, lrc, price } of offers) {
    const amount = parseUnits(lrc, 18);
    const base = { tokenId: idOf('LRC'), volume: amount.toString() };
    const quote = { tokenId: idOf('ETH'), volume: ((amount * parseUnits(price, 18)) / WEI).toString() };
    const [sellToken, buyToken] = side === 'sells' ? [base, quote] : [quote, base];
    const { accountId, exchange, apiKey, secretKey } = account;
    const { orderId } = await client.getStorageId({
      query: { accountId, sellTokenId: sellToken.tokenId, maxNext: true },
      apiKey,
    });
    if (orderId === undefined) throw new Error('The relayer gave no storage id');
    const order = {
      exchange,
      accountId,
      storageId: orderId,
      sellToken,
      buyToken,
      allOrNone: false,
      fillAmountBOrS: false,
      validUntil: Math.floor(Date.now() / 1000) + 30 * DAY_SECONDS,
      maxFeeBips: 63,
    };
    const eddsaSignature = formatSignature(sign(orderHash(order), secretKey));
    await client.submitOrder({ body: { ...order, eddsaSignature }, apiKey });
  }
}

/**
 * Puts the market maker's orders into the LRC-ETH book, so that an order of the demo page has
 * somebody to trade with.
 * @throws {RelayerClientError} The relayer refused an order.
 */
export const placeQuotes = (client: RelayerClient, maker: DemoAccount): Promise<void> => place(client, maker, quotes);

/**
 * Trades a little of the market maker's orders.
 * @throws {RelayerClientError} The relayer refused an order.
 */
export const takeQuotes = (client: RelayerClient, taker: DemoAccount): Promise<void> => place(client, taker, takes);
