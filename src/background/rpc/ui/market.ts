import { BOOK_LEVELS } from '../../../messaging/bookLevels.ts';
import type { BookLevel, CandleView, MarketDataView, MarketTrade } from '../../../messaging/views.ts';
import { comparePrices } from '../../../operations/standing.ts';
import { plainPrice } from '../../../protocol/scaledPrice.ts';
import { invalidInput } from '../../errors/uiFailure.ts';
import { publicReadsFor } from '../../relayers/reads.ts';
import { tokenFacts } from '../../relayers/relayers.ts';
import { told } from '../../relayers/told.ts';
import { placeNamed } from './named.ts';
import { traded } from './tokensOf.ts';
import type { UiHandlers } from './uiHandler.ts';

/** Rows of each list that a screen has room for. */
const CANDLES = 60;
const TRADES = 12;

type Row = readonly string[];

/** A price as a plain decimal, with as many digits behind the point as the screens count with. */
const decimalOf = (text: string) => plainPrice(text)?.replace(/(\.\d{30})\d+$/, '$1');
const isZero = (price: string | undefined): boolean => price !== undefined && !/[1-9]/.test(price);

function priceOf(text = ''): string | null {
  const price = decimalOf(text);
  return price === undefined || isZero(price) ? null : price;
}
/**
 * A price too small for the digits of a relayer is rounded down to 0: a bid at which nobody could
 * sell, or a trade.
 */
const isAboveZero = (text = ''): boolean => !isZero(decimalOf(text));
const isVolume = (text = ''): boolean => /^\d{1,40}$/.test(text);
const isTime = (text = ''): boolean => /^\d{1,15}$/.test(text);

/** All rows or nothing: a list with gaps would be another market. */
function allRows<T>(rows: readonly Row[], read: (row: Row) => T | null): T[] | null {
  const found = rows.map(read);
  return found.every((one) => one !== null) ? found : null;
}

function levelOf([text, size = '']: Row): BookLevel | null {
  const price = priceOf(text);
  return price && isVolume(size) ? { price, size } : null;
}

function candleOf([at, , ...prices]: Row): CandleView | null {
  const [open, close, high, low] = prices.map(priceOf);
  return isTime(at) && open && close && high && low ? { at: Number(at), open, close, high, low } : null;
}

function tradeOf([at, , word = '', size = '', text]: Row): MarketTrade | null {
  const side = word.toUpperCase();
  const price = priceOf(text);
  return isTime(at) && (side === 'BUY' || side === 'SELL') && price && isVolume(size)
    ? { at: Number(at), side, price, size }
    : null;
}

/**
 * Best first, whatever the order in which the relayer lists them: what an order would fill is
 * counted from the first on.
 */
const bestFirst = (levels: readonly BookLevel[], sign: 1 | -1): BookLevel[] =>
  [...levels].sort((a, b) => sign * comparePrices(a.price, b.price));

export const marketHandlers = {
  async getMarkets(wallet, { account }) {
    const { network } = await placeNamed(wallet, account);
    const { tokens, markets } = await wallet.relayers.facts(network);
    const token = (id: number) => tokens.find(({ tokenId }) => tokenId === id);
    return traded(markets).flatMap(({ market, baseTokenId, quoteTokenId }) => {
      const [base, quote] = [token(baseTokenId), token(quoteTokenId)];
      return base && quote ? [{ market, base: tokenFacts(base), quote: tokenFacts(quote) }] : [];
    });
  },

  async getMarketData(wallet, { account, market, interval }): Promise<MarketDataView> {
    const { network } = await placeNamed(wallet, account);
    const { markets } = await wallet.relayers.facts(network);
    if (!markets.some((known) => known.market === market)) throw invalidInput('market');
    // An order fills from book and pool alike, so both are shown; what the user asks for goes
    // before what a screen follows.
    const { read } = publicReadsFor(network, wallet.relayers, { priority: 'poll' });
    const [depth, tickers, candles, trades] = await Promise.all([
      told(read('getMixDepth', { query: { market, limit: BOOK_LEVELS } })),
      told(read('getMixTicker', { query: { market } })),
      told(read('getMixCandlestick', { query: { market, interval, limit: CANDLES } })),
      told(read('getTrades', { query: { market, limit: TRADES } })),
    ]);
    const bids =
      depth &&
      allRows(
        depth.bids.filter(([price]) => isAboveZero(price)),
        levelOf,
      );
    const asks = depth && allRows(depth.asks, levelOf);
    const [, , , , open, , , close] = tickers?.tickers[0] ?? [];
    return {
      at: wallet.ports.now(),
      ticker: tickers && {
        open: priceOf(open),
        close: priceOf(close),
      },
      book: bids && asks && { bids: bestFirst(bids, -1), asks: bestFirst(asks, 1) },
      candles: candles && (allRows(candles.candlesticks, candleOf)?.sort((a, b) => a.at - b.at) ?? null),
      trades:
        trades &&
        allRows(
          trades.trades.filter(([, , , , price]) => isAboveZero(price)),
          tradeOf,
        ),
    };
  },
} satisfies UiHandlers<'config' | 'ports' | 'relayers'>;
