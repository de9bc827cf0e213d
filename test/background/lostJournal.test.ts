import { clear } from 'idb-keyval';
import { expect, test } from 'vitest';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveOrder,
  approveRequest,
  ORDER,
  ordersOf,
  PASSWORD,
  question,
  resultOf,
  SITE,
  setUp,
  until,
} from './support.ts';

/** The browser has lost the journal, and nothing else. */
const relayer = await relayerOfFile();

test('what was approved and perhaps sent before is not signed again unasked', async () => {
  const wire = { isHeld: true };
  const { wallet, ...stage } = await setUp(relayer, {
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      const isOrder = init?.method === 'POST' && new URL(String(input)).pathname === '/api/v3/order';
      // The worker stops before the answer comes.
      return isOrder && wire.isHeld ? new Promise(() => {}) : answer;
    },
  });
  void wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
  const { id, digest, account } = await question(wallet);
  void wallet.uiAnswer('approve', { id, digest: digest ?? '', account: account?.id ?? null });
  await until(async () => (await ordersOf(stage)).length === 1);
  wallet.stop();
  wire.isHeld = false;
  await clear(wallet.ports.journalStore);
  wallet.restart();
  await wallet.ui('unlock', { password: PASSWORD });
  const again = await question(wallet);
  expect(again).toMatchObject({ id, again: { key: 'again_recordsLost' } });
  expect(await ordersOf(stage)).toHaveLength(1);
  // The relayer’s next id counts.
  await wallet.ui('approve', { id, digest: again.digest ?? '', account: again.account?.id ?? null });
  await until(async () => (await ordersOf(stage)).length === 2);
});

test('nothing is signed within a standing approval that was given before', async () => {
  const { wallet } = await setUp(relayer);
  resultOf(
    await approveRequest(wallet, 'relayer_requestStandingApproval', {
      sellTokenId: 1,
      buyTokenId: 0,
      minPrice: '0.0004',
      orderVolume: ORDER.sellToken.volume,
      totalVolume: ORDER.sellToken.volume,
      rate: { requests: 5, seconds: 60 },
      validUntil: Math.floor(Date.now() / 1000) + 3_600,
    }),
  );
  await clear(wallet.ports.journalStore);
  wallet.restart();
  await wallet.ui('unlock', { password: PASSWORD });
  resultOf(await approveOrder(wallet));
  await until(async () => (await wallet.background().wallet.standing.list()).every(({ ended }) => ended !== null));
});
