import { formatUnits } from 'viem';
import type { GetMixCandlestickReturnType, GetMixDepthReturnType } from '../../viem/index.ts';
import { byId, make } from './elements.ts';
import type { Connection } from './wallet.ts';

const market = 'LRC-ETH';
/** Levels of each side of the book, and candles of the chart. */
const LEVELS = 6;
const CANDLES = 40;
/** Candles below which the chart says that there are few. */
const COURSE = 4;
const EVERY_MS = 3_000;
/** Of the chart's drawing area. */
const [WIDTH, HEIGHT] = [400, 120];

type Row = readonly string[];

const svg = (tag: string, attributes: Readonly<Record<string, string | number>>): Element => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
};

/**
 * Candles from left to right, oldest first, with a line at the last price; of few candles the scale
 * leaves room on both sides.
 */
function drawChart(rows: readonly Row[]): void {
  const candles = rows
    .map(([at, , open, close, high, low]) => [at, open, close, high, low].map(Number))
    .filter((candle) => candle.every(Number.isFinite))
    .sort(([a = 0], [b = 0]) => a - b)
    .slice(-CANDLES);
  const highest = Math.max(...candles.map(([, , , high = 0]) => high));
  const lowest = Math.min(...candles.map(([, , , , low = 0]) => low));
  const isSparse = candles.length < COURSE;
  const room = isSparse ? highest - lowest : 0;
  const range = highest - lowest + 2 * room;
  const y = (price: number) => (range === 0 ? HEIGHT / 2 : ((highest + room - price) / range) * HEIGHT);
  const step = WIDTH / CANDLES;
  const last = candles.at(-1)?.[2];
  byId('last-price').textContent =
    last === undefined
      ? 'No trades yet.'
      : `Last price ${last.toPrecision(5)} ETH.${isSparse ? ' Each trade adds to the chart.' : ''}`;
  byId('chart').replaceChildren(
    ...(last === undefined ? [] : [svg('line', { x1: 0, x2: WIDTH, y1: y(last), y2: y(last), class: 'last' })]),
    ...candles.flatMap(([, open = 0, close = 0, high = 0, low = 0], index) => {
      const x = (CANDLES - candles.length + index) * step;
      const side = close < open ? 'down' : 'up';
      const top = Math.min(y(open), y(close));
      return [
        svg('rect', { x: x + step / 2 - 0.5, y: y(high), width: 1, height: y(low) - y(high), class: side }),
        svg('rect', {
          x: x + 1,
          y: top,
          width: step - 2,
          height: Math.max(1, Math.abs(y(open) - y(close))),
          class: side,
        }),
      ];
    }),
  );
}

function drawSide(testId: string, rows: readonly Row[]): void {
  const largest = Math.max(...rows.map(([, size]) => Number(size)), 1);
  byId(testId).replaceChildren(
    ...rows.slice(0, LEVELS).map(([price = '', size = '0']) => {
      const bar = make('span', { class: 'bar-of-level' });
      bar.style.width = `${(Number(size) / largest) * 100}%`;
      const lrc = Math.floor(Number(formatUnits(BigInt(size), 18))).toLocaleString('en');
      return make('li', {}, bar, make('span', {}, price), make('span', {}, lrc));
    }),
  );
}

/**
 * Draws the book and the candles of the demo's market, again and again, by reads that every site
 * can make. Returns what ends that.
 */
export function followMarket({ request }: Connection): () => void {
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = async (method: string, params: object) => (await request({ method, params: [params] })) as unknown;
  async function draw(): Promise<void> {
    try {
      const { bids, asks } = (await read('relayer_getMixDepth', { market, limit: 20 })) as GetMixDepthReturnType;
      const { candlesticks } = (await read('relayer_getMixCandlestick', {
        market,
        interval: '1min',
        limit: CANDLES,
      })) as GetMixCandlestickReturnType;
      if (isStopped) return;
      const byPrice = (sign: number) => (a: Row, b: Row) => sign * (Number(a[0]) - Number(b[0]));
      drawSide('bids', [...bids].sort(byPrice(-1)));
      drawSide('asks', [...asks].sort(byPrice(1)));
      drawChart(candlesticks);
      byId('market').hidden = false;
    } catch {
      // An exchange without market data, or one that does not answer: the page works without.
    }
    if (!isStopped) timer = setTimeout(draw, EVERY_MS);
  }
  void draw();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    byId('market').hidden = true;
  };
}
