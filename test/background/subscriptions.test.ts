import { expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Ports } from '../../src/background/ports.ts';
import { MAX_TOPICS } from '../../src/protocol/index.ts';
import { fund } from '../support/dev.ts';
import { pageSender, type WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveOrder, buyLrc, openOther, resultOf, SITE, setUp } from './support.ts';

const relayer = await relayerOfFile();

const DOCUMENT = '00000000-0000-4000-8000-00000000000d';
const BOOK = { topic: 'orderbook', market: 'LRC-ETH', level: 0 };

interface Told {
  readonly subscription: string;
  readonly began?: true;
  readonly result?: { readonly data: unknown };
  readonly error?: { readonly code: number; readonly data?: { readonly reason?: string } };
}

/** What the pages of the site were told of their subscriptions. */
const toldTo = ({ pushed }: WalletHarness, subscription?: string): readonly Told[] =>
  pushed.flatMap(({ origin, message }) => {
    const { type, data } = ('event' in message ? message.data : {}) as { type?: string; data: Told };
    if (origin !== SITE || type !== 'relayer_subscription') return [];
    return subscription === undefined || data.subscription === subscription ? [data] : [];
  });

const reasons = (wallet: WalletHarness, id: string) =>
  toldTo(wallet, id).flatMap(({ error }) => (error ? [error.data?.reason] : []));

const subscribe = async (wallet: WalletHarness, topic: object, id: string = crypto.randomUUID()): Promise<string> =>
  resultOf<string>(await wallet.page(SITE, 'relayer_subscribe', [topic], id, 1, DOCUMENT));

/** Waits until the subscription is in force. */
const begun = async (wallet: WalletHarness, id: string, times = 1) =>
  expect.poll(() => toldTo(wallet, id).filter(({ began }) => began).length).toBe(times);

async function stage(changes: Parameters<typeof setUp>[1] = {}) {
  const sockets: WebSocket[] = [];
  const all = await setUp(relayer, {
    openSocket: (url) => {
      const socket = new WebSocket(url);
      sockets.push(socket);
      return socket as never;
    },
    ...changes,
  });
  const open = () => sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
  return { ...all, sockets, open };
}

test('a page hears of the book and of its own orders, each under the id of its request, without the API key', async () => {
  const { wallet, account } = await stage();
  const id = crypto.randomUUID();
  expect(await subscribe(wallet, BOOK, id)).toBe(id);
  const own = await subscribe(wallet, { topic: 'order' });
  await begun(wallet, id);
  await begun(wallet, own);
  const order = resultOf(await approveOrder(wallet));
  await expect.poll(() => JSON.stringify(toldTo(wallet, own))).toContain(order.hash);
  const isTold = ({ result }: Told) => (result?.data as { asks?: unknown[] } | undefined)?.asks?.length === 1;
  await expect.poll(() => toldTo(wallet, id).some(isTold)).toBe(true);
  expect(toldTo(wallet, id).find(isTold)?.result).toMatchObject({
    ts: expect.any(Number),
    startVersion: expect.any(Number),
    endVersion: expect.any(Number),
  });
  expect(JSON.stringify(wallet.pushed)).not.toContain(account.apiKey);
});

test('what a relayer tells of an order has its request looked up at once, not while the wallet is locked', async () => {
  const { wallet } = await stage();
  const id = await subscribe(wallet, { topic: 'order' });
  await begun(wallet, id);
  const cheap = { buyToken: { tokenId: 0, volume: '30000000000000000' } };
  const first = resultOf(await approveOrder(wallet, cheap));
  const second = resultOf(await approveOrder(wallet, cheap));
  const told = () => toldTo(wallet, id).map(({ result }) => (result?.data as { hash?: string } | undefined)?.hash);
  await expect.poll(told).toContain(second.hash);
  const statuses = ({ requestId }: { requestId: string }) =>
    wallet.pushed.flatMap(({ message }) => {
      const { type, data } = ('event' in message ? message.data : {}) as { type?: string; data: typeof first };
      return type === 'relayer_status' && data.requestId === requestId ? [data.status] : [];
    });
  const fill = async () => buyLrc(relayer, await openOther(relayer, { ETH: '5' }), 3n * 10n ** 16n, 10n ** 20n);
  // No page of the wallet is open, and no check is due.
  await fill();
  await expect.poll(() => statuses(first)).toContain('processed');

  await wallet.ui('lock', {});
  await subscribe(wallet, { topic: 'order' }, id);
  const before = told().length;
  const check = vi.spyOn(wallet.background().wallet.submissions, 'checkOpen');
  await fill();
  await expect.poll(() => told().slice(before)).toContain(second.hash);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(check).not.toHaveBeenCalled();
  expect(statuses(second)).not.toContain('processed');
});

test('the same request again keeps what there is; after a stop of the worker it begins anew, and the page hears so', async () => {
  const { wallet } = await stage();
  const id = await subscribe(wallet, { topic: 'account' });
  await begun(wallet, id);
  await subscribe(wallet, { topic: 'account' }, id);
  expect(toldTo(wallet, id).filter(({ began }) => began)).toHaveLength(1);
  wallet.restart();
  await subscribe(wallet, { topic: 'account' }, id);
  await begun(wallet, id, 2);
});

test('the connection ends with the last subscription: of a page that unsubscribes, and of one that is left', async () => {
  const { wallet, open } = await stage();
  const first = await subscribe(wallet, BOOK);
  const second = await subscribe(wallet, { topic: 'ticker', market: 'LRC-ETH' });
  await begun(wallet, second);
  const leave = async (subscription: string) =>
    resultOf<boolean>(await wallet.page(SITE, 'relayer_unsubscribe', { subscription }));
  expect(await leave(first)).toBe(true);
  expect(await leave(first)).toBe(false);
  expect(open()).toBe(1);
  await wallet.message({ type: 'gone', documentId: DOCUMENT }, pageSender('https://other.example'));
  await wallet.message({ type: 'gone', documentId: crypto.randomUUID() }, pageSender(SITE));
  expect(open()).toBe(1);
  await wallet.message({ type: 'gone', documentId: DOCUMENT }, pageSender(SITE));
  await expect.poll(open).toBe(0);
  expect(toldTo(wallet).filter(({ error }) => error)).toEqual([]);
});

test('a page that says nothing more is taken for gone', async () => {
  const { wallet, open } = await stage();
  const id = await subscribe(wallet, BOOK);
  await begun(wallet, id);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], now: Date.now() });
  try {
    await subscribe(wallet, BOOK, id);
    vi.advanceTimersByTime(149_000);
    await subscribe(wallet, BOOK, id);
    vi.advanceTimersByTime(149_000);
    expect(open()).toBe(1);
    vi.advanceTimersByTime(2_000);
  } finally {
    vi.useRealTimers();
  }
  await expect.poll(open).toBe(0);
});

test('a subscription that was ended leaves no clock behind for the next one of its id', async () => {
  const { wallet } = await stage();
  const id = await subscribe(wallet, BOOK);
  const leave = async () => resultOf<boolean>(await wallet.page(SITE, 'relayer_unsubscribe', { subscription: id }));
  await begun(wallet, id);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], now: Date.now() });
  try {
    await subscribe(wallet, BOOK, id);
    expect(await leave()).toBe(true);
    vi.advanceTimersByTime(100_000);
    await subscribe(wallet, BOOK, id);
    vi.advanceTimersByTime(100_000);
  } finally {
    vi.useRealTimers();
  }
  expect(await leave()).toBe(true);
});

test('a hidden page, which speaks only once a minute, keeps its orders while the wallet is locked', async () => {
  const { wallet, open } = await stage();
  const own = await subscribe(wallet, { topic: 'order' });
  await begun(wallet, own);
  await wallet.ui('lock', {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], now: Date.now() });
  try {
    await subscribe(wallet, { topic: 'order' }, own);
    // One time nothing arrives.
    for (const ms of [60_000, 60_000, 120_000, 60_000]) {
      vi.advanceTimersByTime(ms);
      expect(await subscribe(wallet, { topic: 'order' }, own)).toBe(own);
    }
  } finally {
    vi.useRealTimers();
  }
  expect(open()).toBe(1);
  expect(reasons(wallet, own)).toEqual([]);
});

test('the lock ends what is told of accounts, and nothing else', async () => {
  const { wallet, open } = await stage();
  const own = await subscribe(wallet, { topic: 'account' });
  const book = await subscribe(wallet, BOOK);
  await begun(wallet, own);
  await begun(wallet, book);
  await wallet.ui('lock', {});
  expect(reasons(wallet, own)).toEqual(['locked']);
  expect(reasons(wallet, book)).toEqual([]);
  await expect.poll(open).toBe(1);
  expect(await wallet.page(SITE, 'relayer_subscribe', { topic: 'order' })).toMatchObject({
    error: { code: 4100, data: { reason: 'locked' } },
  });
  const before = toldTo(wallet, book).length;
  await buyLrc(relayer, await openOther(relayer), 10n ** 15n, 10n ** 18n * 100n);
  await expect.poll(() => toldTo(wallet, book).length).toBeGreaterThan(before);
});

test('a locked wallet still tells a site of the fills of its own orders, and of nobody else’s', async () => {
  const { wallet, account, client } = await stage();
  const id = await subscribe(wallet, { topic: 'order' });
  await begun(wallet, id);
  // Cheaper than what other tests left in the book.
  const mine = resultOf(await approveOrder(wallet, { buyToken: { tokenId: 0, volume: '40000000000000000' } }));
  await wallet.ui('lock', {});
  await subscribe(wallet, { topic: 'order' }, id);
  const before = toldTo(wallet, id).length;
  const list = vi.spyOn(wallet.background().wallet.journal, 'list');
  // Another program of the same owner, with a key of its own.
  await buyLrc(relayer, account, 10n ** 15n, 10n ** 18n * 100n);
  const buyer = await openOther(relayer, { ETH: '5' });
  await buyLrc(relayer, buyer, 8n * 10n ** 15n, 20n * 10n ** 18n);
  await expect
    .poll(() => JSON.stringify(toldTo(wallet, id).slice(before)))
    .toContain('"filledSize":"20000000000000000000"');
  const hashes = toldTo(wallet, id)
    .slice(before)
    .map(({ result }) => (result?.data as { hash?: string } | undefined)?.hash);
  expect(new Set(hashes)).toEqual(new Set([mine.hash]));
  // One order at a time is looked for, and its own only once.
  const looked = list.mock.calls.map(([filter]) => filter).filter((filter) => filter?.origin === SITE);
  expect(looked.filter((filter) => filter?.hashes?.[0] === mine.hash)).toEqual([
    { origin: SITE, hashes: [mine.hash], limit: 1 },
  ]);
  expect(looked.filter((filter) => filter?.limit !== 1)).toEqual([]);
  expect((await client.getOrders({ query: { accountId: account.accountId }, apiKey: account.apiKey })).totalNum).toBe(
    2,
  );
  expect(reasons(wallet, id)).toEqual([]);
});

test('a deadline that locks without a word ends it with the next message', async () => {
  let ahead = 0;
  const { wallet, account } = await stage({ now: () => Date.now() + ahead });
  const own = await subscribe(wallet, { topic: 'account' });
  await begun(wallet, own);
  ahead = 40 * 86_400_000;
  const before = toldTo(wallet, own).length;
  await fund(relayer, account.owner);
  await expect.poll(() => reasons(wallet, own)).toEqual(['locked']);
  expect(toldTo(wallet, own)).toHaveLength(before + 1);
});

test('what a site may not see any more ends at once, and is told', async () => {
  const { wallet, accountView } = await stage();
  const { grants, rights } = wallet.background().wallet;
  const own = await subscribe(wallet, { topic: 'order' });
  const book = await subscribe(wallet, BOOK);
  await grants.revokeKind(SITE, accountView, 'read');
  await rights.changed(SITE);
  expect(reasons(wallet, own)).toEqual(['revoked']);
  expect(reasons(wallet, book)).toEqual([]);
  expect(await wallet.page(SITE, 'relayer_subscribe', { topic: 'order' })).toMatchObject({
    error: { code: 4100, data: { reason: 'noPermission', permission: 'relayer_read' } },
  });
  await wallet.page(SITE, 'wallet_revokePermissions', [{ eth_accounts: {} }]);
  expect(reasons(wallet, book)).toEqual(['revoked']);
  expect(await wallet.page(SITE, 'relayer_subscribe', BOOK)).toMatchObject({
    error: { code: 4100, data: { reason: 'notConnected' } },
  });
});

test('what a site may not see any more ends also when its requests cannot be closed, and they when it cannot', async () => {
  const { wallet, accountView } = await stage();
  const { badge, closing, grants, rights, subscriptions } = wallet.background().wallet;
  const own = await subscribe(wallet, { topic: 'order' });
  await grants.revokeKind(SITE, accountView, 'read');
  vi.spyOn(badge, 'refresh').mockRejectedValueOnce(new Error('no badge'));
  await expect(rights.changed(SITE)).rejects.toThrow('no badge');
  expect(reasons(wallet, own)).toEqual(['revoked']);
  const closed = vi.spyOn(closing, 'closeOf');
  vi.spyOn(subscriptions, 'recheck').mockRejectedValueOnce(new Error('no store'));
  await expect(rights.changed(SITE)).rejects.toThrow('no store');
  expect(closed).toHaveBeenCalled();
});

test('a right that is taken away while a subscription begins ends it', async () => {
  const { wallet, accountView, sockets } = await stage();
  const { grants, rights, vault } = wallet.background().wallet;
  const isUnlocked = vault.isUnlocked;
  // Right before the subscription is entered, and after the router has looked at the rights.
  const looked = vi.spyOn(vault, 'isUnlocked').mockImplementationOnce(async () => {
    await grants.revokeKind(SITE, accountView, 'read');
    await rights.changed(SITE);
    return isUnlocked();
  });
  const id = await subscribe(wallet, { topic: 'order' });
  expect(looked).toHaveBeenCalled();
  expect(reasons(wallet, id)).toEqual(['revoked']);
  expect(sockets).toEqual([]);
});

test('a subscription that could not begin is not there, and the next repeat of its request begins it', async () => {
  const { wallet } = await stage();
  const { config, vault } = wallet.background().wallet;
  const id = crypto.randomUUID();
  // Right before the subscription is entered: the next reading is that of the rights, behind it.
  vi.spyOn(vault, 'isUnlocked').mockImplementationOnce(async () => {
    vi.spyOn(config, 'read').mockRejectedValueOnce(new Error('the disk does not answer'));
    return true;
  });
  expect(await wallet.page(SITE, 'relayer_subscribe', [{ topic: 'order' }], id, 1, DOCUMENT)).toMatchObject({
    error: { code: -32603 },
  });
  await subscribe(wallet, { topic: 'order' }, id);
  await begun(wallet, id);
});

test('a subscription that could not begin leaves a newer one of the same request', async () => {
  const { wallet } = await stage();
  const { config, vault } = wallet.background().wallet;
  const [id, topic] = [crypto.randomUUID(), { topic: 'order' }];
  vi.spyOn(vault, 'isUnlocked').mockImplementationOnce(async () => {
    vi.spyOn(config, 'read').mockImplementationOnce(async () => {
      await wallet.page(SITE, 'relayer_unsubscribe', { subscription: id });
      await subscribe(wallet, topic, id);
      throw new Error('the disk does not answer');
    });
    return true;
  });
  expect(await wallet.page(SITE, 'relayer_subscribe', [topic], id, 1, DOCUMENT)).toMatchObject({
    error: { code: -32603 },
  });
  await begun(wallet, id);
  expect(resultOf(await wallet.page(SITE, 'relayer_unsubscribe', { subscription: id }))).toBe(true);
});

test('a blocked site hears nothing more, not even that', async () => {
  const { wallet, open } = await stage();
  const id = await subscribe(wallet, BOOK);
  await begun(wallet, id);
  const before = wallet.pushed.length;
  await wallet.background().wallet.rights.block(SITE);
  await expect.poll(open).toBe(0);
  const after = wallet.pushed.slice(before).map(({ message }) => JSON.stringify(message));
  expect(after.filter((text) => text.includes('relayer_subscription'))).toEqual([]);
});

/** Sockets whose messages reach the wallet as `change` has them. */
const changed =
  (change: (text: string) => readonly string[]): Ports['openSocket'] =>
  (url) => {
    const socket = new WebSocket(url);
    return new Proxy(socket, {
      get: (target, key) => {
        const value = Reflect.get(target, key) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
      set(target, key, value) {
        if (key !== 'onmessage' || !value) return Reflect.set(target, key, value);
        target.onmessage = ({ data }) => {
          for (const text of change(String(data))) target.onmessage && value({ data: text });
        };
        return true;
      },
    }) as never;
  };

test('what a relayer tells of another account is not handed on', async () => {
  const { wallet } = await stage({
    openSocket: changed((text) => [text.replace(/"accountId":\d+/g, '"accountId":7')]),
  });
  const own = await subscribe(wallet, { topic: 'order' });
  const book = await subscribe(wallet, { ...BOOK, snapshot: true });
  await begun(wallet, own);
  await begun(wallet, book);
  await approveOrder(wallet);
  await expect.poll(() => toldTo(wallet, book).filter(({ result }) => result).length).toBeGreaterThan(1);
  expect(toldTo(wallet, own).filter(({ result }) => result)).toEqual([]);
});

test('an order that names no account, as other relayers tell it, is handed on', async () => {
  const { wallet } = await stage({
    openSocket: changed((text) => [text.replace(/,"accountId":\d+/g, '')]),
  });
  const own = await subscribe(wallet, { topic: 'order' });
  await begun(wallet, own);
  const order = resultOf(await approveOrder(wallet));
  await expect
    .poll(() => toldTo(wallet, own).map(({ result }) => result?.data))
    .toContainEqual(expect.objectContaining({ hash: order.hash }));
  expect(JSON.stringify(toldTo(wallet, own))).not.toContain('accountId');
});

test('a locked wallet hands on no order that the relayer gives no hash', async () => {
  let nameless = 0;
  const { wallet, account } = await stage({
    openSocket: changed((text) => {
      const without = text.replace(/"hash":"[^"]*",/, '');
      if (without !== text) nameless += 1;
      return [without];
    }),
  });
  const own = await subscribe(wallet, { topic: 'order' });
  const book = await subscribe(wallet, BOOK);
  await begun(wallet, own);
  await begun(wallet, book);
  await wallet.ui('lock', {});
  const before = toldTo(wallet, book).length;
  await buyLrc(relayer, account, 10n ** 15n, 10n ** 18n * 100n);
  await expect.poll(() => nameless).toBeGreaterThan(0);
  await expect.poll(() => toldTo(wallet, book).length).toBeGreaterThan(before);
  expect(toldTo(wallet, own).filter(({ result }) => result)).toEqual([]);
});

test('a wipe closes the connections of sites and of the wallet itself, and the pages hear why', async () => {
  const { wallet, open } = await stage();
  const book = await subscribe(wallet, BOOK);
  const own = await subscribe(wallet, { topic: 'order' });
  await begun(wallet, own);
  await begun(wallet, book);
  await wallet.ui('stay', {});
  await expect.poll(open).toBe(3);
  await wallet.ui('wipe', { confirm: 'wipe' });
  await expect.poll(open).toBe(0);
  for (const id of [book, own]) expect(reasons(wallet, id)).toEqual(['revoked']);
});

test('a page that takes nothing loses its subscription before much is waiting', async () => {
  const sent: string[] = [];
  const { wallet } = await stage({
    openSocket: changed((text) => Array.from({ length: text.includes('"result"') ? 1 : 300 }, () => text)),
    toPage: (_tab, _origin, message) => {
      sent.push(JSON.stringify(message));
      return new Promise(() => {});
    },
  });
  const id = await subscribe(wallet, { topic: 'ticker', market: 'LRC-ETH' });
  await expect.poll(() => sent.some((text) => text.includes('"reason":"subscriptions"'))).toBe(true);
  // Why it ended, and at most one before that was on its way.
  expect(sent.filter((text) => text.includes(id)).length).toBeLessThan(3);
  expect(await wallet.page(SITE, 'relayer_unsubscribe', { subscription: id })).toEqual({ result: false });
});

test('what waits for a page when its subscription ends is not sent any more', async () => {
  const sent: string[] = [];
  let take = () => {};
  const taken = new Promise<void>((resolve) => {
    take = resolve;
  });
  let arrived = 0;
  const { wallet } = await stage({
    openSocket: changed((text) => {
      if (text.includes('"data"')) arrived += 1;
      return [text, text];
    }),
    toPage: (_tab, _origin, message) => {
      sent.push(JSON.stringify(message));
      return taken;
    },
  });
  const id = await subscribe(wallet, { topic: 'ticker', market: 'LRC-ETH' });
  const toldOf = () => sent.filter((text) => text.includes(id)).length;
  await expect.poll(() => arrived > 0 && toldOf()).toBe(1);
  expect(await wallet.page(SITE, 'relayer_unsubscribe', { subscription: id })).toEqual({ result: true });
  take();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(toldOf()).toBe(1);
});

test('a tab that cannot be reached ends its subscription', async () => {
  const { wallet, sockets, open } = await stage({ toPage: () => Promise.reject(new Error('no such tab')) });
  await subscribe(wallet, { topic: 'ticker', market: 'LRC-ETH' });
  await expect.poll(() => sockets.length).toBe(1);
  await expect.poll(open).toBe(0);
});

test('topics, their fields and their number are checked', async () => {
  const { wallet, account } = await stage();
  const refusal = async (topic: unknown) => {
    const outcome = await wallet.page(SITE, 'relayer_subscribe', [topic]);
    return 'error' in outcome ? `${outcome.error.code} ${outcome.error.message}` : '';
  };
  expect(await refusal({})).toMatch(/^-32602 topic: /);
  expect(await refusal({ topic: 'weather' })).toMatch(/^-32602 topic: /);
  expect(await refusal({ topic: 'orderbook', level: 0 })).toMatch(/^-32602 market: /);
  expect(await refusal({ ...BOOK, depth: 3 })).toBe('-32602 depth: is not a field of this request');
  expect(await refusal({ ...BOOK, account: account.owner })).toBe('-32602 account: is not a field of this request');
  expect(await refusal({ topic: 'account', accountId: 10_001 })).toBe(
    '-32602 accountId: is not a field of this request',
  );
  expect(await refusal({ topic: 'order', account: `0x${'1'.repeat(40)}` })).toMatch(/^4100 /);
  for (let level = 0; level < MAX_TOPICS; level++) await subscribe(wallet, { ...BOOK, count: level + 1 });
  expect(await refusal({ topic: 'trade', market: 'LRC-ETH' })).toBe(
    `-32005 A site has ${MAX_TOPICS} subscriptions at most.`,
  );
});

test('all sites together have twelve connections, and the next site gets the one that is left', async () => {
  const { wallet, accountView } = await stage();
  const siteOf = (n: number) => `https://site-${n}.example`;
  const follow = async (n: number) => {
    await wallet.background().wallet.grants.grant(siteOf(n), [accountView], ['read']);
    return wallet.page(siteOf(n), 'relayer_subscribe', [BOOK], crypto.randomUUID(), 1, DOCUMENT);
  };
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) ids.push(resultOf<string>(await follow(n)));
  expect(await follow(12)).toMatchObject({
    error: { code: -32005, message: 'Too many sites follow relayers already.' },
  });
  await wallet.page(siteOf(0), 'relayer_unsubscribe', { subscription: ids[0] });
  resultOf(await follow(12));
});

test('a topic that the relayer refuses ends with its code', async () => {
  const { wallet } = await stage();
  const id = await subscribe(wallet, { topic: 'trade', market: 'LRC-NONE' });
  await expect
    .poll(() => toldTo(wallet, id))
    .toMatchObject([{ error: { code: -32003, data: { name: 'TRADE_INVALID' } } }]);
});
