import { announceProvider, createStore, type EIP1193Provider } from 'mipd';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { discoverRelayerWallets, findRelayerWallet, type RelayerWallet } from '../../src/viem/index.ts';

/**
 * mipd needs a page: an event target named `window`. A wallet that has announced itself stays in
 * its page.
 */
beforeEach(() => {
  vi.stubGlobal('window', new EventTarget());
});
afterEach(() => {
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

test('wallets with relayer methods are found, others are left out', async () => {
  const seen: string[][] = [];
  const stop = discoverRelayerWallets({ onWallets: (wallets) => seen.push(rdnsOf(wallets)) });
  for (const { detail } of [old, batching, relayerWallet]) announceProvider(detail);
  await vi.waitFor(() => expect(seen).toEqual([['dev.countersign']]), { timeout: 240_000 });
  const late = wallet('dev.late', () => ({ '0x1': { relayer: { supported: true } } }));
  announceProvider(late.detail);
  await vi.waitFor(() => expect(seen.at(-1)).toEqual(['dev.countersign', 'dev.late']), { timeout: 240_000 });
  expect(old.calls).toEqual(['wallet_getCapabilities']);
  stop();
});

test('a wallet whose request needs its object is found, and a search of a month does not end at once', async () => {
  class Wallet {
    readonly #capabilities = { '0x1': { relayer: { supported: true } } };
    async request() {
      return this.#capabilities;
    }
  }
  const { info } = wallet('dev.class', () => ({})).detail;
  const seen: string[][] = [];
  const stop = discoverRelayerWallets({
    onWallets: (wallets) => seen.push(rdnsOf(wallets)),
    timeout: 30 * 86_400_000,
  });
  await new Promise((done) => setTimeout(done, 20));
  announceProvider({ info, provider: new Wallet() as unknown as EIP1193Provider });
  await expect.poll(() => seen).toEqual([['dev.class']]);
  stop();
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
  await vi.waitFor(() => expect(found).toBe(1), { timeout: 240_000 });
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
  await vi.waitFor(() => expect(seen).toEqual([['dev.named']]), { timeout: 240_000 });
  expect(named.calls).toEqual([]);
  stop();
  expect(rdnsOf(store.getProviders() as readonly RelayerWallet[])).toContain('dev.named');
});

const relayer = () => ({ '0x1': { relayer: { supported: true } } });
const silent = wallet('io.silent', () => new Promise(() => {}));

describe('a search without a wallet', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('ends after its timeout with an empty list, also when a wallet does not answer', async () => {
    vi.useFakeTimers();
    const seen: string[][] = [];
    discoverRelayerWallets({ onWallets: (wallets) => seen.push(rdnsOf(wallets)) });
    announceProvider(silent.detail);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toEqual([[]]);
    announceProvider(wallet('dev.late', relayer).detail);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen).toEqual([[]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('says nothing more once it is stopped or aborted', async () => {
    vi.useFakeTimers();
    const onWallets = vi.fn();
    const given = new AbortController();
    discoverRelayerWallets({ onWallets })();
    discoverRelayerWallets({ onWallets, signal: given.signal });
    discoverRelayerWallets({ onWallets, signal: AbortSignal.abort() });
    given.abort();
    announceProvider(wallet('dev.late', relayer).detail);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onWallets).not.toHaveBeenCalled();
  });

  test('counts its timeout from when a prerendered page is shown', async () => {
    vi.useFakeTimers();
    const page = Object.assign(new EventTarget(), { prerendering: true });
    vi.stubGlobal('document', page);
    const seen: (readonly RelayerWallet[])[] = [];
    const onWallets = (wallets: readonly RelayerWallet[]) => void seen.push(wallets);
    discoverRelayerWallets({ onWallets });
    discoverRelayerWallets({ onWallets })();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen).toEqual([]);
    page.prerendering = false;
    page.dispatchEvent(new Event('prerenderingchange'));
    await vi.advanceTimersByTimeAsync(4_999);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toEqual([[]]);
  });

  test('goes on with timeout 0 until it is stopped', async () => {
    vi.useFakeTimers();
    const seen: string[][] = [];
    const stop = discoverRelayerWallets({ timeout: 0, onWallets: (wallets) => seen.push(rdnsOf(wallets)) });
    await vi.advanceTimersByTimeAsync(3_600_000);
    announceProvider(wallet('dev.afterAnHour', relayer).detail);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual([['dev.afterAnHour']]);
    stop();
  });

  test('one wallet: null after the timeout', async () => {
    vi.useFakeTimers();
    const found = findRelayerWallet({ timeout: 300 });
    await vi.advanceTimersByTimeAsync(300);
    expect(await found).toBeNull();
  });
});

describe('one wallet', () => {
  test('is the first that has relayer methods', async () => {
    const found = findRelayerWallet({ timeout: 0 });
    for (const { detail } of [old, relayerWallet]) announceProvider(detail);
    expect((await found)?.info.rdns).toBe('dev.countersign');
  });

  test('is not waited for any longer when the signal is aborted', async () => {
    const given = new AbortController();
    const found = findRelayerWallet({ signal: given.signal });
    given.abort(new Error('enough'));
    await expect(found).rejects.toThrow('enough');
    await expect(findRelayerWallet({ signal: given.signal })).rejects.toThrow('enough');
  });
});
