import { createWalletClient, custom } from 'viem';
import { describe, expect, test } from 'vitest';
import { relayerActions } from '../../src/viem/index.ts';
import { harnessProvider } from '../support/harnessProvider.ts';
import type { WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveOrder,
  approveRequest,
  movableClock,
  ORDER,
  PASSWORD,
  question,
  resultOf,
  SITE,
  setUp,
  until,
} from './support.ts';

const relayer = await relayerOfFile();

/** What the site heard, in order: `answer`, or the status of one of its requests. */
const heard = (wallet: WalletHarness): string[] =>
  wallet.pushed.flatMap(({ origin, message }) => {
    if (origin !== SITE) return [];
    if ('id' in message) return ['answer'];
    const { type, data } = message.data as { type?: string; data?: { status: string } };
    return type === 'relayer_status' && data ? [data.status] : [];
  });

test('an order is told once, after its answer, and once more when it ends', async () => {
  const clock = movableClock();
  const { wallet } = await setUp(relayer, { now: clock.now });
  wallet.pushed.length = 0;
  const { hash } = resultOf(await approveOrder(wallet));
  await until(async () => heard(wallet).includes('acknowledged'));
  await approveRequest(wallet, 'relayer_cancelOrder', { orderHash: hash });
  await until(async () => {
    // The clock that makes the next poll due must not lock the wallet.
    await wallet.ui('touch', {});
    clock.advance(60_000);
    await wallet.background().onWake();
    return heard(wallet).includes('cancelled');
  });
  expect(heard(wallet).slice(0, 2)).toEqual(['answer', 'acknowledged']);
  expect(heard(wallet).toSorted()).toEqual(['acknowledged', 'answer', 'answer', 'cancelled', 'processed']);
  expect(heard(wallet).lastIndexOf('answer')).toBeLessThan(heard(wallet).indexOf('processed'));
});

test('an order that ends before its answer is written is told as ended, to the site and the user', async () => {
  const notified: string[] = [];
  const { wallet } = await setUp(relayer, { notify: async (_, __, text) => void notified.push(text) });
  await wallet.ui('setSettings', { notifications: true });
  const { approvals, journal, tellStatus } = wallet.background().wallet;
  const { settle } = approvals;
  Object.assign(approvals, {
    async settle(...given: Parameters<typeof settle>) {
      const [record] = await journal.list();
      if (record?.state === 'acknowledged') await tellStatus(await journal.markFinal(record.id, 'processed'));
      return settle(...given);
    },
  });
  wallet.pushed.length = 0;
  await approveOrder(wallet);
  await until(async () => heard(wallet).length > 1);
  expect(heard(wallet)).toEqual(['answer', 'processed']);
  expect(notified).toEqual(['statusProcessedMeaning']);
});

describe('of several orders, the first of which finds nobody', () => {
  const sold = { buyToken: { tokenId: 0, volume: '22000000000000000' } };
  const orders = [
    { ...ORDER, ...sold, clientOrderId: 'first', orderType: 'TAKER_ONLY' },
    { ...ORDER, ...sold, clientOrderId: 'second' },
  ];

  test('the one that rests is told once, after the answer that names the request', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    wallet.pushed.length = 0;
    const { hash, requestId } = resultOf(await approveRequest(wallet, 'relayer_submitOneOf', { orders }));
    await until(async () => heard(wallet).includes('acknowledged'));
    const { journal, tellStatus } = wallet.background().wallet;
    const [, first] = await journal.list();
    // Such as a later look at it.
    if (first) await tellStatus({ ...first, state: 'expired' });
    expect(heard(wallet)).toEqual(['answer', 'acknowledged']);
    expect(resultOf(await wallet.page(SITE, 'relayer_getRequest', [{ requestId }]))).toMatchObject({
      hash,
      status: 'acknowledged',
    });
  });

  test('a wait goes on until the one that rests has ended', async () => {
    const { ports, connect } = harnessProvider(SITE);
    const { wallet } = await setUp(relayer, ports);
    const provider = connect(wallet);
    const client = createWalletClient({ transport: custom(provider), pollingInterval: 60_000 }).extend(
      relayerActions(),
    );
    const asked = client.relayer.submitOneOf({ orders: orders as never });
    const { id, digest, account } = await question(wallet);
    await wallet.ui('approve', { id, digest: digest ?? '', account: account?.id ?? null, password: PASSWORD });
    const { requestId } = await asked;
    const statuses: string[] = [];
    const ended = new Promise<void>((resolve) => {
      client.relayer.watchSubmission({
        requestId,
        provider,
        onStatus: (status) => {
          statuses.push(status);
          if (status === 'cancelled') resolve();
        },
      });
    });
    const { journal, tellStatus } = wallet.background().wallet;
    const [second, first] = await journal.list();
    if (!first || !second) throw new Error('two orders were signed');
    await until(async () => statuses.length > 0);
    await tellStatus({ ...first, state: 'expired' });
    await tellStatus(await journal.markFinal(second.id, 'cancelled'));
    await ended;
    expect(statuses).toEqual(['acknowledged', 'cancelled']);
    expect(await client.relayer.waitForSubmission({ requestId, provider })).toBe('cancelled');
  });
});

test('the end of an order is told also when the worker stopped as it was written, and the user is told nothing twice', async () => {
  const clock = movableClock();
  const notified: string[] = [];
  const { wallet } = await setUp(relayer, { now: clock.now, notify: async (id) => void notified.push(id) });
  await wallet.ui('setSettings', { notifications: true });
  wallet.restart();
  await wallet.ui('getState', {});
  // What a start does after its first answer is done.
  await until(async () => (await wallet.ports.session.get('last-start')) !== undefined);
  const { hash } = resultOf(await approveOrder(wallet));
  await until(async () => heard(wallet).includes('acknowledged'));
  const { journal } = wallet.background().wallet;
  const { markFinal } = journal;
  let isStopped = false;
  Object.assign(journal, {
    markFinal: async (...given: Parameters<typeof markFinal>) => {
      const record = await markFinal(...given);
      if (record.hash !== hash || record.operation !== 'submitOrder') return record;
      isStopped = true;
      return new Promise(() => {});
    },
  });
  await approveRequest(wallet, 'relayer_cancelOrder', { orderHash: hash });
  await until(async () => {
    await wallet.ui('touch', {});
    clock.advance(60_000);
    void wallet.background().onWake();
    return isStopped;
  });
  notified.length = 0;
  wallet.pushed.length = 0;
  wallet.restart();
  await wallet.ui('getState', {});
  await until(async () => heard(wallet).includes('cancelled'));
  expect(notified).toEqual([]);
});
