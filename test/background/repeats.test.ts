import { clear } from 'idb-keyval';
import { expect, test } from 'vitest';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveOrder,
  approveRequest,
  movableClock,
  ORDER,
  openOther,
  ordersOf,
  question,
  resultOf,
  SITE,
  setUp,
  until,
} from './support.ts';

/** What a site is told of a request that it names again. */
const relayer = await relayerOfFile();

const KEYED = { ...ORDER, idempotencyKey: 'order 1' };

test('a key whose request failed before a signature is free, and a rejection holds it', async () => {
  let isAway = false;
  const { wallet, ...stage } = await setUp(relayer, {
    async fetch(input, init) {
      if (isAway) throw new TypeError('fetch failed');
      return fetch(input, init);
    },
  });
  const submit = (intent: object) => wallet.page(SITE, 'relayer_submitOrder', [intent]);
  const asked = submit(KEYED);
  const { id, digest, account } = await question(wallet);
  isAway = true;
  await wallet.ui('approve', { id, digest: digest ?? '', account: account?.id ?? null });
  expect(await asked).toMatchObject({ error: { code: 4900, data: { status: 'not-signed' } } });
  isAway = false;
  const { requestId } = resultOf(await approveRequest(wallet, 'relayer_submitOrder', KEYED));
  expect(requestId).not.toBe(id);
  expect(await submit(KEYED)).toMatchObject({ result: { requestId } });
  expect(await wallet.page(SITE, 'relayer_getRequest', [{ requestId: 'order 1' }])).toMatchObject({
    result: { requestId, status: 'acknowledged' },
  });
  expect(await ordersOf({ ...stage })).toHaveLength(1);

  const second = { ...KEYED, idempotencyKey: 'order 2' };
  const rejected = submit(second);
  await wallet.ui('reject', { id: (await question(wallet)).id, block: false });
  expect(await rejected).toMatchObject({ error: { code: 4001 } });
  expect(await submit(second)).toEqual(await rejected);
});

test('a repeat under a key has the outcome that is known by now', async () => {
  let isLost = true;
  const clock = movableClock();
  const { wallet } = await setUp(relayer, {
    now: clock.now,
    async fetch(input, init) {
      if (isLost && init?.method === 'POST') throw new TypeError('fetch failed');
      return fetch(input, init);
    },
  });
  const first = await approveRequest(wallet, 'relayer_submitOrder', KEYED);
  expect(first).toMatchObject({ error: { code: 4900, data: { status: 'unknown' } } });
  const again = () => wallet.page(SITE, 'relayer_submitOrder', [KEYED]);
  expect(await again()).toEqual(first);
  isLost = false;
  const { requestId, hash } = await until(async () => {
    clock.advance(2_000);
    await wallet.background().onWake();
    const now = resultOf(await wallet.page(SITE, 'relayer_getRequest', [{ requestId: 'order 1' }]));
    return now.status === 'acknowledged' && now;
  });
  expect(await again()).toMatchObject({ result: { requestId, hash, status: 'acknowledged' } });
});

test('a request whose record is gone has an unknown outcome, and the hash that its page was told', async () => {
  const { wallet } = await setUp(relayer);
  const { requestId, hash } = resultOf(await approveOrder(wallet));
  await clear(wallet.ports.journalStore);
  const unknown = { requestId, hash, status: 'unknown' };
  expect(await wallet.page(SITE, 'relayer_getRequest', [{ requestId }])).toMatchObject({ result: unknown });
  expect(await wallet.page(SITE, 'relayer_getRequests', [{}])).toMatchObject({ result: [unknown] });
});

test('a request whose account was removed has no receipt, and that is said', async () => {
  const { wallet, network } = await setUp(relayer);
  const { requestId } = resultOf(await approveOrder(wallet));
  const other = await openOther(relayer);
  const { signer } = await wallet.ui('importSigner', { privateKey: other.privateKey });
  const { id } = await wallet.ui('addAccount', { networkId: network.id, signer, label: 'Other' });
  const { config, grants } = wallet.background().wallet;
  await grants.grant(SITE, [id], ['read']);
  await config.update((data) => ({ ...data, accounts: data.accounts.filter((account) => account.id === id) }));
  expect(await wallet.page(SITE, 'relayer_getReceipt', [{ requestId }])).toEqual({
    error: { code: -32602, message: 'requestId: its account was removed from the wallet' },
  });
});
