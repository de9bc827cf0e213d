import { expect, test } from 'vitest';
import { type PlaceLimitOrderOptions, placeLimitOrder } from '../../examples/limitOrder/placeLimitOrder.ts';
import type { OrderPreview, SubmissionStatus } from '../../src/viem/index.ts';
import { relayerOfFile } from '../background/relayerOfFile.ts';
import { question, SITE, setUp, until } from '../background/support.ts';
import { approve } from '../viem/support.ts';
import { createPageProvider } from './pageProvider.ts';

const relayer = await relayerOfFile();

const ORDER = { market: 'LRC-ETH', side: 'SELL', price: '0.0005', size: '250' } as const;

async function begin(changes: Partial<PlaceLimitOrderOptions> = {}) {
  const page = createPageProvider(SITE);
  const { wallet } = await setUp(relayer, page.ports);
  const shown: OrderPreview[] = [];
  const statuses: SubmissionStatus[] = [];
  const placing = placeLimitOrder({
    provider: page.providerOf(wallet),
    order: ORDER,
    confirm: async (preview) => shown.push(preview) > 0,
    onStatus: (status) => statuses.push(status),
    ...changes,
  });
  return { wallet, placing, shown, statuses };
}

test('shows what the order costs, places it when both are approved, and follows it', async () => {
  const { wallet, placing, shown, statuses } = await begin();
  await approve(wallet);
  const result = await placing;
  expect(shown).toMatchObject([{ pays: { token: 'LRC', amount: '250' }, receives: { token: 'ETH', amount: '0.125' } }]);
  if (!result.placed) throw new Error(JSON.stringify(result));
  await until(async () => statuses.includes('acknowledged'));
  result.unwatch();
});

test('says which field of the form is wrong, and opens no window', async () => {
  const tick = await begin({ order: { ...ORDER, price: '0.000000001' } });
  expect(await tick.placing).toMatchObject({ placed: false, field: 'price' });
  const balance = await begin({ order: { ...ORDER, size: '900000' } });
  expect(await balance.placing).toMatchObject({
    placed: false,
    field: 'size',
    rule: 'the account has 100000 LRC available',
  });
  for (const { wallet, shown } of [tick, balance])
    expect([shown, await wallet.ui('listApprovals', {})]).toEqual([[], []]);
});

test('asks nobody when the costs are not accepted, and takes a no of the wallet for one', async () => {
  const unconfirmed = await begin({ confirm: async () => false });
  expect(await unconfirmed.placing).toMatchObject({ placed: false, reason: 'The costs were not accepted.' });
  expect(await unconfirmed.wallet.ui('listApprovals', {})).toEqual([]);
  const { wallet, placing } = await begin();
  const { id } = await question(wallet);
  await wallet.ui('reject', { id, block: false });
  expect(await placing).toMatchObject({ placed: false, reason: expect.stringMatching(/reject/i) });
});

test('gives the relayer’s refusal as a reason when the balance goes between the preview and the order', async () => {
  const page = createPageProvider(SITE);
  const { wallet } = await setUp(relayer, page.ports);
  const provider = page.providerOf(wallet);
  const whole = { ...ORDER, size: '100000' };
  const place = (order: typeof whole) =>
    placeLimitOrder({ provider, order, confirm: async () => true, onStatus: () => {} });
  const both = [place(whole), place({ ...whole, price: '0.0006' } as never)];
  await approve(wallet);
  await approve(wallet);
  const results = await Promise.all(both);
  expect(results.map(({ placed }) => placed).sort()).toEqual([false, true]);
  expect(results.find(({ placed }) => !placed)).toMatchObject({
    requestId: expect.any(String),
    validUntil: expect.any(Number),
  });
});
