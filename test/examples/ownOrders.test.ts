import { createWalletClient, custom } from 'viem';
import { expect, test } from 'vitest';
import type { Allowance } from '../../examples/marketMaker/allowance.ts';
import { tickOf } from '../../examples/marketMaker/market.ts';
import { createOwnOrders } from '../../examples/marketMaker/ownOrders.ts';
import { relayerActions } from '../../src/viem/index.ts';
import { relayerOfFile } from '../background/relayerOfFile.ts';
import { question, SITE, setUp } from '../background/support.ts';
import { approve } from '../viem/support.ts';
import { createPageProvider } from './pageProvider.ts';

const relayer = await relayerOfFile();

const allowance: Allowance = {
  id: 'none',
  orderVolume: 100n * 10n ** 18n,
  validUntil: Math.floor(Date.now() / 1000) + 86_400,
  covers: () => true,
  isUsedUp: () => false,
  waitFor: () => 0,
  count: () => () => {},
};

/** Adds orders of the account that are newer than its only one, and have ended. */
async function addEnded(accountId: number, count: number): Promise<void> {
  const [columns] = await relayer.db.query<{ list: string }>(
    `SELECT string_agg(quote_ident(attname), ', ') AS list FROM pg_attribute WHERE attrelid = 'orders'::regclass
       AND attnum > 0 AND NOT attisdropped
       AND attname NOT IN ('seq', 'hash', 'client_order_id', 'status', 'locked', 'resting')`,
  );
  await relayer.db.query(
    `INSERT INTO orders (hash, client_order_id, status, locked, resting, ${columns?.list})
     SELECT '0x' || lpad(to_hex(account_id * 1000 + n), 64, '0'), 'mm-earlier-' || n, 'cancelled', 0, false,
       ${columns?.list}
     FROM orders, generate_series(1, $2::int) AS n WHERE account_id = $1`,
    [accountId, count],
  );
}

async function openOwn() {
  const page = createPageProvider(SITE);
  const { account, wallet } = await setUp(relayer, page.ports);
  const transport = custom(page.providerOf(wallet));
  const { relayer: actions } = createWalletClient({ transport }).extend(relayerActions());
  const [{ markets }, tokens] = await Promise.all([actions.getMarkets(), actions.getTokens()]);
  const listed = markets.find(({ market }) => market === 'LRC-ETH');
  const [base, quote] = [1, 0].map((id) => tokens.find(({ tokenId }) => tokenId === id));
  if (!base || !quote || listed?.precisionForPrice === undefined) throw new Error('no market LRC-ETH');
  const market = { name: 'LRC-ETH', base, quote, digits: listed.precisionForPrice };
  const tick = tickOf('0.0000675', market);
  const begin = () =>
    createOwnOrders({
      relayer: actions,
      market,
      allowances: { SELL: allowance, BUY: allowance },
      prefix: 'mm-',
      quoteSeconds: 600,
      lateMs: 10_000,
    });

  const own = begin();
  const placing = own.place('SELL', tick);
  await approve(wallet);
  expect(await placing).toBeUndefined();
  const [placed] = own.open.values();
  if (!placed) throw new Error('no order is open');
  return { wallet, account, actions, begin, own, placed, tick };
}

test('waits ten seconds for a cancellation that opens a window, and leaves the window open', async () => {
  const { wallet, own, placed } = await openOwn();
  expect(await own.cancel(placed)).toBeUndefined();
  expect(await wallet.ui('listApprovals', {})).toHaveLength(1);
  const again = own.cancel(placed);
  await approve(wallet);
  expect(await again).toBeUndefined();
  await own.read();
  expect([...own.ended.values()]).toMatchObject([{ id: placed.id, status: 'cancelled' }]);
  expect(wallet.shown).toHaveLength(2);
});

test('tells that the user rejected a cancellation, however late', async () => {
  const { wallet, own, placed } = await openOwn();
  expect(await own.cancel(placed)).toBeUndefined();
  const { id } = await question(wallet);
  await wallet.ui('reject', { id, block: false });
  expect(await own.cancel(placed)).toMatchObject({ name: 'RejectedError' });
});

test.each([0, 60, 210])('after a reload an open quote is found behind %i newer orders that ended', async (count) => {
  const { account, actions, begin, placed, tick } = await openOwn();
  await addEnded(account.accountId, count);
  expect(await actions.getOrders({ limit: 1 })).toMatchObject({ totalNum: count + 1 });

  const after = begin();
  await after.read();
  expect([...after.open.values()]).toMatchObject([{ id: placed.id, hash: placed.hash, tick, side: 'SELL' }]);
});

test.each([50, 120])('%i open quotes are taken over, whatever a relayer counts', async (count) => {
  const status = 'processing';
  const volumes = { baseAmount: '1', quoteAmount: '1', baseFilled: '0', quoteFilled: '0' };
  const listed = Array.from({ length: count }, (_, n) => ({
    ...{ hash: `0x${n}`, clientOrderId: `mm-${n}`, side: 'SELL', status, volumes },
  }));
  let reads = 0;
  const request = async ({ params }: { params?: readonly { limit: number; offset: number }[] }) => {
    if (++reads > 20) throw new Error('read without end');
    const { limit = 0, offset = 0 } = params?.[0] ?? {};
    const orders = listed.slice(offset, offset + limit);
    return { totalNum: orders.length, orders };
  };
  const client = createWalletClient({ transport: custom({ request }, { retryCount: 0 }) }).extend(relayerActions());
  const own = createOwnOrders({
    relayer: client.relayer,
    market: { name: 'LRC-ETH', base: { decimals: 18 }, quote: { decimals: 18 }, digits: 5 } as never,
    allowances: { SELL: allowance, BUY: allowance },
    prefix: 'mm-',
    quoteSeconds: 600,
    lateMs: 10_000,
  });
  await own.read();
  expect(own.open.size).toBe(count);
});
