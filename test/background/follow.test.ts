import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createFollow } from '../../src/background/lifecycle/followAccounts.ts';
import { formatSignature } from '../../src/crypto/index.ts';
import { endpoints, requestHash, requestMessage } from '../../src/protocol/index.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveOrder, moveRelayerClock, PASSWORD, SITE, setUp } from './support.ts';

const relayer = await relayerOfFile();

async function stage() {
  const sockets: WebSocket[] = [];
  let told = 0;
  /** Subscriptions that the relayer has agreed to. */
  let agreed = 0;
  const all = await setUp(relayer, {
    openSocket: (url) => {
      const socket = new WebSocket(url);
      sockets.push(socket);
      socket.on('message', (text) => {
        if (JSON.parse(String(text) === 'ping' ? '{}' : String(text)).result?.status === 'OK') agreed += 1;
      });
      return socket as never;
    },
    toUi: () => {
      told += 1;
    },
  });
  const open = () => sockets.filter(({ readyState }) => readyState === WebSocket.OPEN);
  return { ...all, sockets, open, told: () => told, agreed: () => agreed };
}

test('a relayer without pushes costs nothing but the tries: everything goes on by asking', async () => {
  const { wallet } = await setUp(relayer, {
    openSocket: () => {
      throw new Error('no sockets here');
    },
  });
  await wallet.ui('stay', {});
  await approveOrder(wallet);
  expect(await wallet.background().wallet.journal.pending()).toHaveLength(1);
});

test('a lock while the accounts are being read leaves no connection behind', async () => {
  const { wallet } = await stage();
  const parts = wallet.background().wallet;
  let read = () => {};
  const asked = new Promise<void>((resolve) => {
    read = resolve;
  });
  let lock = () => {};
  const locked = new Promise<void>((resolve) => {
    lock = resolve;
  });
  let connections = 0;
  const follow = createFollow({
    ...parts,
    connect() {
      connections += 1;
      throw new Error('a connection after the lock');
    },
    config: {
      async read() {
        const data = await parts.config.read();
        read();
        await locked;
        return data;
      },
    },
  });
  const staying = follow.stay();
  await asked;
  follow.stop();
  lock();
  await staying;
  expect(connections).toBe(0);
});

test('orders that one relayer invents keep none of another from being looked up', async () => {
  let told = 0;
  const looks: ((hash: unknown) => boolean)[] = [];
  const tell = new Map<string, (hash: unknown) => void>();
  const ids = ['one', 'two'];
  const follow = createFollow({
    ports: { now: () => 0, toUi: () => (told += 1) },
    vault: { isUnlocked: async () => true },
    journal: { pending: async () => [] },
    config: {
      read: async () => ({ networks: ids.map((id) => ({ id })), accounts: ids.map((id) => ({ id, networkId: id })) }),
    },
    connect: ({ network }: { network: { id: string } }) => ({
      subscribe({ topic }: { topic: string }, listener: { told: (push: object) => void }) {
        if (topic === 'order') tell.set(network.id, (hash) => listener.told({ data: { hash } }));
      },
      close() {},
    }),
    submissions: { checkOpen: async (isMeant: (record: object) => boolean) => looks.push((hash) => isMeant({ hash })) },
  } as unknown as Parameters<typeof createFollow>[0]);
  await follow.stay();
  const hashOf = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
  tell.get('one')?.('no hash');
  await expect.poll(() => told).toBe(1);

  for (let n = 0; n < 30; n++) tell.get('one')?.(hashOf(n));
  tell.get('two')?.(hashOf(99));
  await expect.poll(() => looks.length).toBe(1);
  expect([19, 20, 99, 98].map((n) => looks[0]?.(hashOf(n)))).toEqual([true, false, true, false]);
  follow.stop();
});

test('of many accounts the selected one is followed first, then those with open requests', async () => {
  const { wallet } = await setUp(relayer);
  await approveOrder(wallet);
  const parts = wallet.background().wallet;
  const data = await parts.config.read();
  const [own] = data.accounts;
  if (!own) throw new Error('no account');
  const others = Array.from({ length: 12 }, (_, index) => ({ ...own, accountId: 900 + index, id: `other ${index}` }));
  const followed: string[] = [];
  const follow = createFollow({
    ...parts,
    connect: ({ account }) => {
      followed.push(account?.id ?? '');
      return { subscribe() {}, close() {} } as never;
    },
    config: { read: async () => ({ ...data, accounts: [...others, own], selectedAccount: 'other 11' }) },
  });
  await follow.stay();
  follow.stop();
  expect(followed).toEqual(['other 11', own.id, ...others.slice(0, 6).map(({ id }) => id)]);
});

test('the connection of an account ends when it is removed', async () => {
  const { wallet, accountView, open } = await stage();
  await wallet.ui('stay', {});
  await expect.poll(() => open().length).toBe(1);
  await wallet.ui('removeAccount', { account: accountView, password: PASSWORD });
  expect(open()).toHaveLength(0);
});

test('an account whose API key another device has renewed is followed on', async () => {
  const { wallet, account, client, accountView, sockets, open, agreed } = await stage();
  const { accountKeys, config } = wallet.background().wallet;
  await wallet.ui('stay', {});
  await expect.poll(agreed).toBe(2);

  const place = await config.place(accountView);
  if (!place.account) throw new Error('the account is not in the wallet');
  const { method, path } = endpoints.resetApiKey;
  const bodyText = JSON.stringify({ accountId: account.accountId });
  const signed = requestHash(requestMessage({ method, baseUrl: relayer.url, path, bodyText }));
  const signature = formatSignature(await accountKeys.keysOf(place.account).signEddsa(signed));
  await client.resetApiKey({ bodyText, apiKey: account.apiKey, signature });

  // The relayer ends the connection at its next heartbeat; the network may do so before.
  open()[0]?.terminate();
  await expect.poll(agreed).toBe(4);
  expect(sockets).toHaveLength(2);
});

test('an open page of the wallet hears of orders and balances without asking, and nobody else does', async () => {
  const { wallet, account, sockets, open, told } = await stage();
  const { journal } = wallet.background().wallet;
  await approveOrder(wallet);
  // Nobody listens before a page is open.
  expect(sockets).toHaveLength(0);
  await wallet.ui('stay', {});
  await expect.poll(() => open().length).toBe(1);
  await wallet.ui('stay', {});
  const [record] = await journal.pending();
  const before = told();
  // It ends at the relayer, and nothing here asks about it.
  await moveRelayerClock(relayer, 40 * 86_400_000);
  await expect.poll(async () => (await journal.get(record?.id ?? ''))?.state).toBe('expired');
  await expect.poll(told).toBeGreaterThan(before);
  const toSite = () => JSON.stringify(wallet.pushed.filter(({ origin }) => origin === SITE));
  await expect.poll(toSite).toContain('expired');
  expect(JSON.stringify(wallet.pushed)).not.toContain(account.apiKey);
  // One connection for the account, however often the page says that it is open.
  expect(sockets).toHaveLength(1);

  await wallet.ui('lock', {});
  await expect.poll(() => open().length).toBe(0);
  await wallet.ui('stay', {});
  expect(sockets).toHaveLength(1);
});
