import { announceProvider, createStore, type EIP1193Provider } from 'mipd';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { discoverRelayerWallets, type RelayerWallet } from '../../src/viem/index.ts';

/** mipd needs a page: an event target named `window`. */
beforeAll(() => {
  vi.stubGlobal('window', new EventTarget());
});
afterAll(() => {
  vi.unstubAllGlobals();
});

const wallet = (rdns: string, capabilities: () => unknown) => {
  const calls: string[] = [];
  const request = async ({ method }: { method: string }) => {
    calls.push(method);
    return capabilities();
  };
  const info = { uuid: rdns, name: rdns, icon: 'data:image/svg+xml,', rdns } as const;
  return { calls, detail: { info, provider: { request } as unknown as EIP1193Provider } };
};
const relayerWallet = wallet('dev.countersign', () => ({ '0x7a69': { relayer: { supported: true, methods: [] } } }));
const batching = wallet('io.batching', () => ({ '0x1': { atomic: { status: 'supported' } } }));
const old = wallet('io.old', () => {
  throw Object.assign(new Error('no such method'), { code: 4200 });
});

const rdnsOf = (wallets: readonly RelayerWallet[]) => wallets.map(({ info }) => info.rdns);

test('wallets with relayer methods are found, others are left out, and the search ends', async () => {
  const seen: string[][] = [];
  const stop = discoverRelayerWallets({ onWallets: (wallets) => seen.push(rdnsOf(wallets)) });
  for (const { detail } of [old, batching, relayerWallet]) announceProvider(detail);
  await vi.waitFor(() => expect(seen).toEqual([['dev.countersign']]));
  const late = wallet('dev.late', () => ({ '0x1': { relayer: { supported: true } } }));
  announceProvider(late.detail);
  await vi.waitFor(() => expect(seen.at(-1)).toEqual(['dev.countersign', 'dev.late']));
  expect(old.calls).toEqual(['wallet_getCapabilities']);
  stop();
  announceProvider(wallet('dev.later', () => ({ '0x1': { relayer: { supported: true } } })).detail);
  await Promise.resolve();
  expect(seen).toHaveLength(2);
});

test('a callback may end the search with what the call returned', async () => {
  announceProvider(wallet('dev.known', () => ({})).detail);
  const store = createStore();
  let found = 0;
  const stop = discoverRelayerWallets({
    rdns: ['dev.known'],
    store,
    onWallets: () => {
      found++;
      stop();
    },
  });
  announceProvider(wallet('dev.known', () => ({})).detail);
  await vi.waitFor(() => expect(found).toBe(1));
});

test('a wallet that is named is taken without being asked', async () => {
  const named = wallet('dev.named', () => ({}));
  announceProvider(named.detail);
  const seen: string[][] = [];
  const store = createStore();
  const stop = discoverRelayerWallets({
    rdns: ['dev.named'],
    store,
    onWallets: (wallets) => seen.push(rdnsOf(wallets)),
  });
  await vi.waitFor(() => expect(seen).toEqual([['dev.named']]));
  expect(named.calls).toEqual([]);
  stop();
  expect(rdnsOf(store.getProviders() as readonly RelayerWallet[])).toContain('dev.named');
});
