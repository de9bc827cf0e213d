import type { BookLevel, CandleView, MarketDataView, MarketTrade } from '../../../messaging/views.ts';
import { invalidInput } from '../../errors/uiFailure.ts';
import { publicReadsFor } from '../../relayers/reads.ts';
import { tokenFacts } from '../../relayers/relayers.ts';
import { told } from '../../relayers/told.ts';
import { accountNamed, networkNamed } from './named.ts';
import type { UiHandlers } from './uiHandler.ts';

/** Rows of each list that a screen has room for. */
const LEVELS = 20;
const CANDLES = 60;
const TRADES = 12;

type Row = readonly string[];

const isNumber = (text = ''): boolean => /^\d{1,30}(\.\d{1,30})?$/.test(text);
const isPrice = (text = ''): boolean => isNumber(text) && /[1-9]/.test(text);
/**
 * A price too small for the digits of a relayer is rounded down to 0: a bid at which nobody could
 * sell, or a trade.
 */
const isAboveZero = (price: string | undefined): boolean => !isNumber(price) || isPrice(price);
const isVolume = (text = ''): boolean => /^\d{1,40}$/.test(text);
const isTime = (text = ''): boolean => /^\d{1,15}$/.test(text);

/** Decimal text in units of 10^-30, the finest that `isPrice` takes. */
function scaled(price: string): bigint {
  const [whole = '', fraction = ''] = price.split('.');
  return BigInt(whole + fraction.padEnd(30, '0'));
}

/** All rows or nothing: a list with gaps would be another market. */
function allRows<T>(rows: readonly Row[], read: (row: Row) => T | null): T[] | null {
  const found = rows.map(read);
  return found.every((one) => one !== null) ? found : null;
}

const levelOf = ([price = '', size = '']: Row): BookLevel | null =>
  isPrice(price) && isVolume(size) ? { price, size } : null;

const candleOf = ([at, , open = '', close = '', high = '', low = '']: Row): CandleView | null =>
  isTime(at) && [open, close, high, low].every(isPrice) ? { at: Number(at), open, close, high, low } : null;

const tradeOf = ([at, , side, size = '', price = '']: Row): MarketTrade | null =>
  isTime(at) && (side === 'BUY' || side === 'SELL') && isPrice(price) && isVolume(size)
    ? { at: Number(at), side, price, size }
    : null;

/**
 * Best first, whatever the order in which the relayer lists them: what an order would fill is
 * counted from the first on.
 */
const bestFirst = (levels: readonly BookLevel[], sign: 1 | -1): BookLevel[] =>
  [...levels].sort((a, b) => {
    const difference = scaled(a.price) - scaled(b.price);
    return difference > 0n ? sign : difference < 0n ? -sign : 0;
  });

export const marketHandlers: UiHandlers<'getMarkets' | 'getMarketData', 'config' | 'ports' | 'relayers'> = {
  async getMarkets(wallet, { account }) {
    const network = await networkNamed(wallet, (await accountNamed(wallet, account)).networkId);
    const { tokens, markets } = await wallet.relayers.facts(network);
    const token = (id: number) => tokens.find(({ tokenId }) => tokenId === id);
    return markets.flatMap(({ market, baseTokenId, quoteTokenId, enabled }) => {
      const [base, quote] = [token(baseTokenId), token(quoteTokenId)];
      return enabled && base && quote && !market.startsWith('AMM-')
        ? [{ market, base: tokenFacts(base), quote: tokenFacts(quote) }]
        : [];
    });
  },

  async getMarketData(wallet, { account, market, interval }): Promise<MarketDataView> {
    const network = await networkNamed(wallet, (await accountNamed(wallet, account)).networkId);
    const { markets } = await wallet.relayers.facts(network);
    if (!markets.some((known) => known.market === market)) throw invalidInput('market');
    // An order fills from book and pool alike, so both are shown; what the user asks for goes
    // before what a screen follows.
    const { read } = publicReadsFor(network, wallet.relayers, { priority: 'poll' });
    const [depth, tickers, candles, trades] = await Promise.all([
      told(read('getMixDepth', { query: { market, limit: LEVELS } })),
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
        open: isPrice(open) ? (open ?? null) : null,
        close: isPrice(close) ? (close ?? null) : null,
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
};
