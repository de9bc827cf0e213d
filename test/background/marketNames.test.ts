import { expect, test } from 'vitest';
import { answers as samples } from '../protocol/samples.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { openFunded, setUp } from './support.ts';

/** An exchange where one symbol, `USDC-E`, contains the sign that parts the symbols of a market. */
const relayer = await relayerOfFile();
const opened = await openFunded(relayer);
const HASH = `0x${'ab'.repeat(32)}`;

async function stage() {
  const answers: Record<string, object> = {};
  const send: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    const known = answers[pathname];
    if (known) return Response.json(known);
    const answer = await fetch(input, init);
    if (pathname.endsWith('/exchange/tokens')) {
      const tokens = (await answer.json()) as { symbol: string }[];
      return Response.json(tokens.map((token) => (token.symbol === 'DAI' ? { ...token, symbol: 'USDC-E' } : token)));
    }
    if (pathname.endsWith('/exchange/markets')) {
      const { markets } = (await answer.json()) as { markets: { market: string }[] };
      const renamed = ({ market, ...rest }: { market: string }) => ({
        ...rest,
        market: market.replace('DAI', 'USDC-E'),
      });
      return Response.json({ markets: markets.map(renamed) });
    }
    return answer;
  };
  const made = await setUp(relayer, { fetch: send }, [], opened);
  return { ...made, answers };
}

const order = (changes: object) => ({
  ...samples.getOrders.orders[0],
  ...{ hash: HASH, market: 'ETH-USDC-E', side: 'SELL', status: 'processing', ...changes },
});
const listed = (...orders: object[]) => ({ totalNum: orders.length, orders });

test('an order is in the tokens of its market, and in none where the market is not known', async () => {
  const { wallet, accountView: account, answers } = await stage();
  answers['/api/v3/orders'] = listed(order({ side: 'sell' }), order({ market: 'ETH-USDC-X' }));
  const { data } = await wallet.ui('getOrders', { account, refresh: true });
  expect(data?.open).toMatchObject([
    { side: 'SELL', base: { tokenId: 0, symbol: 'ETH' }, quote: { tokenId: 3, symbol: 'USDC-E', decimals: 18 } },
    { base: null, quote: null },
  ]);
});

test('of each list of orders a page is shown, however many the relayer answers with', async () => {
  const { wallet, accountView: account, answers } = await stage();
  answers['/api/v3/orders'] = listed(...Array(60).fill(order({})));
  const { data } = await wallet.ui('getOrders', { account, refresh: true });
  expect(data).toMatchObject({ moreOpen: true, moreOver: true });
  expect([data?.open.length, data?.over.length]).toEqual([50, 50]);
});

test('the review of a cancellation names the tokens of the market', async () => {
  const { wallet, accountView: account, answers } = await stage();
  answers['/api/v3/order'] = order({});
  const preview = () =>
    wallet.ui('previewOperation', { operation: 'cancelOrder', account, intent: { orderHash: HASH } });
  const tokens = async () =>
    (await preview()).review?.rows.flatMap(({ value }) => (value.kind === 'amount' ? value.token.tokenId : []));
  expect(await tokens()).toEqual([0, 3, 0]);
  answers['/api/v3/order'] = order({ market: 'ETH-USDC-X' });
  expect(await tokens()).toEqual([]);
});

test('a fill is in the tokens of its market, whatever the case of its side', async () => {
  const { wallet, accountView: account, answers } = await stage();
  const trade = (side: string, market: string) => [
    '1',
    '7',
    side,
    '5',
    '0.5',
    market,
    '3',
    '1',
    '0',
    '1',
    '1',
    '0',
    HASH,
  ];
  const trades = [trade('sell', 'ETH-USDC-E'), trade('BUY', 'ETH-USDC-X')];
  answers['/api/v3/user/trades'] = { totalNum: 2, trades };
  const { data } = await wallet.ui('getHistory', { account, refresh: true });
  expect(data?.events.filter(({ hash }) => hash === HASH)).toMatchObject([
    {
      ...{ kind: 'sold', amount: { token: { symbol: 'ETH' }, volume: '5' } },
      fee: { token: { tokenId: 3 }, volume: '3' },
      sentence: { values: { price: { quote: 'USDC-E', base: 'ETH' } } },
    },
    { kind: 'bought', amount: { token: null, volume: '5' }, fee: null, sentence: { key: 'history_bought_short' } },
  ]);
});

test('a transfer without a sender is received by its receiver alone, and in no list without both', async () => {
  const { wallet, accountView: account, answers, account: own } = await stage();
  const other = `0x${'11'.repeat(20)}`;
  const parties = [
    { receiverAddress: own.owner.toLowerCase() },
    { receiverAddress: other },
    { receiver: own.accountId },
    { receiver: own.accountId + 1 },
    { receiver: 0 },
    {},
    { senderAddress: other, receiverAddress: own.owner },
    { senderAddress: own.owner, receiverAddress: own.owner },
  ];
  const nobody = { senderAddress: undefined, receiverAddress: undefined, receiver: undefined };
  const transactions = parties.map((party, id) => ({
    ...samples.getUserTransactions.transactions[0],
    ...{ id, txType: 'TRANSFER', symbol: 'LRC', ...nobody, ...party },
  }));
  answers['/api/v3/user/transactions'] = { totalNum: transactions.length, transactions };
  const { data } = await wallet.ui('getHistory', { account, refresh: true });
  expect(data?.events.map(({ id, kind }) => `${id} ${kind}`).sort()).toEqual([
    ...['request:0 received', 'request:1 sent', 'request:2 received', 'request:3 sent'],
    ...['request:6 received', 'request:7 sent'],
  ]);
});
