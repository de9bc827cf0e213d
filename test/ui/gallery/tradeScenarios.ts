import * as f from '../support/fixtures.ts';
import { type Answers, failed, ok, open, type Scenario } from './scenarios.ts';

/** The Trade screen in its states; the form's preview warns only where a state is about that. */
const trade: Answers = {
  ...open,
  previewOperation: ok({ review: { ...f.transferReview, warnings: [] }, refused: null }),
};
const [price, size] = ['.form .field:nth-of-type(1) .amount-input', '.form .field:nth-of-type(2) .amount-input'];
const filled = [{ fill: price, text: '0.00021' }, { fill: size, text: '1500' }, { wait: 400 }] as const;

export const tradeScenarios: readonly Scenario[] = [
  { name: 'popup-trade', page: 'popup', answers: trade, at: '/trade', forced: true },
  {
    name: 'popup-trade-form',
    page: 'popup',
    answers: trade,
    at: '/trade/LRC-ETH',
    steps: [{ click: '.segments-2 .segment:nth-child(2)' }, ...filled, { scroll: '.form-foot' }],
    forced: true,
  },
  {
    name: 'popup-trade-warned',
    page: 'popup',
    answers: { ...trade, previewOperation: open.previewOperation as never },
    at: '/trade',
    steps: [{ fill: price, text: '0.0003' }, { fill: size, text: '90000000' }, { wait: 400 }, { scroll: '.form-foot' }],
  },
  {
    name: 'popup-trade-orders',
    page: 'popup',
    answers: trade,
    at: '/trade',
    steps: [{ click: '.entry:first-child .entry-head' }, { scroll: '.trades' }],
  },
  {
    name: 'popup-trade-empty',
    page: 'popup',
    answers: {
      ...trade,
      getMarketData: ok(f.emptyMarket),
      getBalances: ok([]),
      getOrders: ok(f.fresh({ open: [], over: [], moreOpen: false, moreOver: false })),
    },
    at: '/trade',
  },
  {
    name: 'popup-trade-few',
    page: 'popup',
    answers: { ...trade, getMarketData: ok({ ...f.marketData, candles: f.marketData.candles?.slice(-1) ?? [] }) },
    at: '/trade',
  },
  { name: 'popup-trade-silent', page: 'popup', answers: { ...trade, getMarketData: ok(f.silentMarket) }, at: '/trade' },
  {
    name: 'popup-trade-offline',
    page: 'popup',
    answers: {
      ...trade,
      getMarketData: failed('relayer-unreachable', 'error_relayerUnreachable', { host: '127.0.0.1:4510' }),
    },
    at: '/trade',
  },
  { name: 'popup-trade-loading', page: 'popup', answers: { ...trade, getMarketData: 'wait' }, at: '/trade' },
  { name: 'popup-trade-no-market', page: 'popup', answers: { ...trade, getMarkets: ok([]) }, at: '/trade' },
  {
    name: 'popup-trade-german',
    page: 'popup',
    answers: trade,
    at: '/trade',
    language: 'de',
    steps: [...filled, { scroll: '.form-foot' }],
  },
];
