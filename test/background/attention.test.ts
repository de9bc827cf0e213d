import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test, vi } from 'vitest';
import { relayerErrors } from '../../src/protocol/errors.ts';
import { fund } from '../support/dev.ts';
import { createWalletHarness, type WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveFirstKey,
  approveOrder,
  askFirstKey,
  firstKeyInUse,
  movableClock,
  ordersOf,
  PASSWORD,
  refusal,
  resultOf,
  SITE,
  setUp,
  until,
} from './support.ts';

const relayer = await relayerOfFile();

/** A fetch that counts what is sent to one path, and loses its answers while `cut` is set. */
function wire(path: string) {
  const state = { cut: false, sent: 0 };
  const send: typeof fetch = async (input, init) => {
    if (!new URL(String(input)).pathname.endsWith(path)) return fetch(input, init);
    const isSent = init?.method === 'POST';
    if (isSent) state.sent += 1;
    if (!state.cut) return fetch(input, init);
    if (isSent) await fetch(input, init);
    throw new TypeError('fetch failed');
  };
  return { state, send };
}

const kinds = async (wallet: WalletHarness, refresh = false) =>
  (await wallet.ui('getAttention', { refresh })).map(({ kind, actions }) => [kind, ...actions]);

/** Gives an owner without an account one ETH, and waits until the account is there. */
async function fundUnregistered(wallet: WalletHarness, networkId: string, owner: string) {
  await fund(relayer, owner);
  await until(async () => {
    await relayer.engine.run();
    return (await wallet.ui('findAccount', { networkId, owner })).status === 'unregistered';
  });
}

test('all is well: nothing is listed', async () => {
  const { wallet } = await setUp(relayer);
  expect(await kinds(wallet, true)).toEqual([]);
});

test('an order without an answer is listed, and checking finds it without sending it twice', async () => {
  const { state, send } = wire('/api/v3/order');
  const stage = await setUp(relayer, { fetch: send });
  state.cut = true;
  expect(await approveOrder(stage.wallet)).toMatchObject({ error: { code: 4900 } });
  expect(await kinds(stage.wallet)).toEqual([['unknown', 'check']]);
  state.cut = false;
  const [item] = await stage.wallet.ui('getAttention', { refresh: false });
  const aside = await stage.wallet.uiAnswer('repair', { id: item?.id ?? '', action: 'dismiss' });
  expect(aside).toMatchObject({ error: { code: 'not-found' } });
  expect(await stage.wallet.ui('repair', { id: item?.id ?? '', action: 'check' })).toEqual([]);
  expect(await ordersOf(stage)).toHaveLength(1);
  expect(state.sent).toBe(1);
  const again = await stage.wallet.uiAnswer('repair', { id: item?.id ?? '', action: 'abandon' });
  expect(again).toMatchObject({ error: { code: 'not-found' } });
});

/**
 * The wallet knows the relayer under a name that is not this machine's, and the test gives and
 * takes the browser's permissions.
 */
async function setUpElsewhere() {
  const browser = { withheld: [] as string[], pages: [] as string[] };
  const stage = await setUp(relayer, {
    fetch: (input, init) =>
      browser.withheld.length > 0
        ? Promise.reject(new TypeError('fetch failed'))
        : fetch(String(input).replace('https://relayer.example', relayer.url), init),
    withheld: async (patterns) => patterns.filter((pattern) => browser.withheld.includes(pattern)),
    withheldPages: async () => browser.pages,
  });
  const { config } = stage.wallet.background().wallet;
  await config.update((data) => ({
    ...data,
    networks: data.networks.map((network) => ({ ...network, baseUrl: 'https://relayer.example' })),
  }));
  return { ...stage, browser };
}

test('a relayer that the browser no longer lets the wallet ask is told apart from one that is away, and asked again once it is allowed', async () => {
  const { wallet, browser } = await setUpElsewhere();
  browser.withheld = ['https://relayer.example/*'];
  expect(await wallet.ui('getAttention', { refresh: true })).toMatchObject([
    { kind: 'not-allowed', actions: ['allow'], origins: ['https://relayer.example/*'] },
  ]);
  browser.withheld = [];
  expect(await kinds(wallet, true)).toEqual([]);
});

test('pages that the browser keeps the wallet out of are named, until the user has seen it', async () => {
  const { wallet, browser } = await setUpElsewhere();
  browser.pages = ['https://*/*'];
  const [item] = await wallet.ui('getAttention', { refresh: false });
  expect(item).toMatchObject({ kind: 'hidden', actions: ['allow', 'dismiss'], origins: ['https://*/*'] });
  expect(await wallet.ui('repair', { id: item?.id ?? '', action: 'dismiss' })).toEqual([]);
});

test('what has no answer after its end can be put aside once its relayer is away or tells no time, and is looked up all the same', async () => {
  const clock = movableClock();
  const { state, send } = wire('/api/v3/order');
  const away = { cut: false };
  const lie: { timestamp?: number } = {};
  const stage = await setUp(relayer, {
    fetch: async (...request) => {
      if (away.cut) throw new TypeError('fetch failed');
      const isLie = lie.timestamp !== undefined && new URL(String(request[0])).pathname.endsWith('/timestamp');
      return isLie ? Response.json(lie) : send(...request);
    },
    now: clock.now,
  });
  state.cut = true;
  await approveOrder(stage.wallet, { validUntil: Math.floor(clock.now() / 1000) + 7_200 });
  expect(await kinds(stage.wallet)).toEqual([['unknown', 'check']]);
  clock.advance(43_200_000);
  // The relayer's clock is not past it.
  expect(await kinds(stage.wallet, true)).toEqual([['unknown', 'check']]);
  lie.timestamp = 0;
  expect(await kinds(stage.wallet, true)).toEqual([['unknown', 'check', 'dismiss']]);
  delete lie.timestamp;
  away.cut = true;
  expect(await kinds(stage.wallet, true)).toEqual([
    ['unknown', 'check', 'dismiss'],
    ['unreachable', 'check'],
  ]);
  away.cut = false;
  const [item] = await stage.wallet.ui('getAttention', { refresh: false });
  expect(await stage.wallet.ui('repair', { id: item?.id ?? '', action: 'dismiss' })).toMatchObject([
    { kind: 'unreachable' },
  ]);
  const { journal } = stage.wallet.background().wallet;
  expect(await journal.pending()).toMatchObject([{ state: 'sent' }]);
  state.cut = false;
  await stage.wallet.ui('unlock', { password: PASSWORD });
  await until(async () => {
    await stage.wallet.ui('touch', {});
    clock.advance(20_000);
    await stage.wallet.background().onWake();
    return (await journal.pending())[0]?.state === 'acknowledged';
  });
});

/** A wallet with an order that the relayer refused because its slot is taken. */
async function slotTaken() {
  const state = { refuses: true };
  const stage = await setUp(relayer, {
    fetch: async (input, init) =>
      state.refuses && init?.method === 'POST' && String(input).endsWith('/api/v3/order')
        ? refusal(relayerErrors.ORDER_ID_INVALID.code)
        : fetch(input, init),
  });
  await approveOrder(stage.wallet);
  return { ...stage, state };
}

test.each<[string, (stage: Awaited<ReturnType<typeof slotTaken>>) => Promise<unknown>]>([
  [
    'its account is removed',
    ({ wallet, accountView: account }) => wallet.ui('removeAccount', { account, password: PASSWORD }),
  ],
  [
    'its cursor was moved',
    async ({ wallet }) => {
      const [item] = await wallet.ui('getAttention', { refresh: false });
      return wallet.ui('repair', { id: item?.id ?? '', action: 'resync' });
    },
  ],
])('a slot that is taken is no longer listed once %s', async (_how, end) => {
  const stage = await slotTaken();
  await end(stage);
  expect(await kinds(stage.wallet)).toEqual([]);
});

test('a refused request is listed no more once the exchange took a later one under another URL', async () => {
  const { wallet, state } = await slotTaken();
  expect(await kinds(wallet)).toEqual([['slot-taken', 'resync', 'dismiss']]);
  const baseUrl = relayer.url.replace('127.0.0.1', 'localhost');
  const { id: networkId } = await wallet.ui('addNetwork', { baseUrl, name: 'Twin' });
  const { config, grants } = wallet.background().wallet;
  const signer = (await config.read()).signers[0]?.id ?? '';
  const { id } = await wallet.ui('addAccount', { networkId, signer, label: 'Twin' });
  await grants.prefer(SITE, [id], ['read', 'orders']);
  state.refuses = false;
  resultOf(await approveOrder(wallet));
  expect(await kinds(wallet)).toEqual([]);
});

test('a key that was replaced elsewhere is found, with the way to replace it', async () => {
  const stage = await setUp(relayer);
  const other = createWalletHarness();
  await other.ui('createVault', { password: PASSWORD });
  const network = await other.ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
  const { signer } = await other.ui('importSigner', { privateKey: stage.account.privateKey });
  const { id } = await other.ui('addAccount', { networkId: network.id, signer, label: 'Other' });
  const asked = await other.ui('startKeyUpdate', { account: id, approval: null, kind: 'derived', feeTokenId: null });
  await other.ui('approve', { id: asked.id, digest: asked.digest ?? '', account: id, password: PASSWORD });
  await until(async () => {
    await relayer.engine.run();
    const account = await stage.client.getAccount({ query: { accountId: stage.account.accountId } });
    return account.nonce === 2;
  });
  expect(await kinds(stage.wallet, true)).toEqual([['key-mismatch', 'replace-key', 'add-key', 'check']]);
  const facts = await stage.wallet.ui('getKeyUpdateFacts', { account: stage.accountView });
  expect(facts).toMatchObject({ keyIsRegistered: false, openOrders: null });
  expect(facts.fees.length).toBeGreaterThan(0);
});

test.each([
  ['refuses it with ACCOUNT_NOT_FOUND', () => refusal(relayerErrors.ACCOUNT_NOT_FOUND.code)],
  ['refuses it with ADDRESS_NOT_FOUND', () => refusal(relayerErrors.ADDRESS_NOT_FOUND.code)],
  [
    'names another owner',
    async (answer: Response) => Response.json({ ...(await answer.json()), owner: `0x${'9'.repeat(40)}` }),
  ],
])('an account that the relayer no longer knows leads to its proofs, when it %s', async (_how, answer) => {
  let isGone = false;
  const { wallet } = await setUp(relayer, {
    fetch: async (input, init) => {
      const found = await fetch(input, init);
      return new URL(String(input)).pathname === '/api/v3/account' && isGone ? answer(found) : found;
    },
  });
  isGone = true;
  expect(await kinds(wallet, true)).toEqual([['account-gone', 'proofs', 'check']]);
  isGone = false;
  const [item] = await wallet.ui('getAttention', { refresh: false });
  expect(await wallet.ui('repair', { id: item?.id ?? '', action: 'check' })).toEqual([]);
});

test('a claimed account that the relayer no longer knows leads to no proofs, which it cannot have', async () => {
  let isGone = false;
  const wallet = createWalletHarness({
    fetch: async (input, init) => {
      const isAccount = new URL(String(input)).pathname === '/api/v3/account';
      return isGone && isAccount ? refusal(relayerErrors.ACCOUNT_NOT_FOUND.code) : fetch(input, init);
    },
  });
  const privateKey = generatePrivateKey();
  await wallet.ui('createVault', { password: PASSWORD });
  const network = await wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
  const { signer } = await wallet.ui('importSigner', { privateKey });
  await fundUnregistered(wallet, network.id, privateKeyToAccount(privateKey).address);
  await wallet.ui('claimAccount', { networkId: network.id, signer, label: 'Main' });
  isGone = true;
  expect(await kinds(wallet, true)).toEqual([['account-gone', 'check']]);
});

test('asking for a first key again, while the first registration has no end, signs no second one', async () => {
  const wallet = createWalletHarness();
  const privateKey = generatePrivateKey();
  const owner = privateKeyToAccount(privateKey).address;
  await wallet.ui('createVault', { password: PASSWORD });
  const network = await wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
  const { signer } = await wallet.ui('importSigner', { privateKey });
  await fundUnregistered(wallet, network.id, owner);
  const { journal, submissions } = wallet.background().wallet;
  // Nothing leaves: the worker stops between signature and request.
  const real = submissions.send;
  const stopped = new Promise<void>((dead) => {
    const send = () => {
      dead();
      return new Promise(() => {});
    };
    Object.assign(submissions, { send });
  });
  const place = { networkId: network.id, signer };
  const asked = await askFirstKey(wallet, place);
  await approveFirstKey(wallet, asked);
  await stopped;
  Object.assign(submissions, { send: real });
  expect(await journal.list()).toMatchObject([{ state: 'signed', hash: expect.stringMatching(/^0x/) }]);
  // Claiming it again, as a setup in another tab does, changes nothing; no other key is asked for
  // beside it.
  await wallet.ui('claimAccount', { ...place, label: 'Main' });
  for (const kind of ['derived', 'random'] as const)
    expect(
      await wallet.uiAnswer('startKeyUpdate', { account: asked.account, approval: null, kind, feeTokenId: null }),
    ).toMatchObject({ error: { code: 'key-update-open' } });
  wallet.restart();
  expect(await firstKeyInUse(wallet, asked)).toMatchObject({ publicKey: asked.newKey.publicKey });
  expect(await wallet.background().wallet.journal.list()).toMatchObject([{ state: 'processed' }]);
});

test('a first key whose worker stopped is followed to its end, and its account is in use then', async () => {
  const privateKey = generatePrivateKey();
  const wallet = createWalletHarness();
  await wallet.ui('createVault', { password: PASSWORD });
  const network = await wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
  const { signer } = await wallet.ui('importSigner', { privateKey });
  const owner = privateKeyToAccount(privateKey).address;
  await fundUnregistered(wallet, network.id, owner);
  const asked = await askFirstKey(wallet, { networkId: network.id, signer });
  expect(await kinds(wallet, true)).toEqual([]);
  await approveFirstKey(wallet, asked);
  await until(async () => {
    const [record] = await wallet.background().wallet.journal.list();
    return record?.state === 'sent' || record?.state === 'acknowledged';
  });
  wallet.restart();
  expect(await firstKeyInUse(wallet, asked)).toMatchObject({ publicKey: asked.newKey.publicKey });
  expect(await kinds(wallet)).toEqual([]);
});

test('a first key without an answer can be put aside once its relayer is away, and that it is away is said', async () => {
  const clock = movableClock();
  const away = { cut: false };
  const wallet = createWalletHarness({
    fetch: async (input, init) => {
      const isUpdate = init?.method === 'POST' && new URL(String(input)).pathname === '/api/v3/account';
      if (away.cut || isUpdate) throw new TypeError('fetch failed');
      return fetch(input, init);
    },
    now: clock.now,
  });
  const privateKey = generatePrivateKey();
  await wallet.ui('createVault', { password: PASSWORD });
  const network = await wallet.ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
  const { signer } = await wallet.ui('importSigner', { privateKey });
  await fundUnregistered(wallet, network.id, privateKeyToAccount(privateKey).address);
  await approveFirstKey(wallet, await askFirstKey(wallet, { networkId: network.id, signer }));
  await until(async () => (await wallet.background().wallet.journal.list())[0]?.state === 'sent');
  expect(await kinds(wallet, true)).toEqual([['unknown', 'check']]);
  clock.advance(172_800_000);
  away.cut = true;
  expect(await kinds(wallet, true)).toEqual([
    ['unknown', 'check', 'dismiss'],
    ['unreachable', 'check'],
  ]);
});

/** A wallet with so many accounts at one relayer, which says of each what it says of the first. */
async function setUpMany(count: number) {
  const asked: string[] = [];
  let real: number | undefined;
  const { wallet, account } = await setUp(relayer, {
    fetch: (input, init) => {
      const url = new URL(String(input));
      asked.push(url.pathname);
      if (url.pathname === '/api/v3/account' && real) url.searchParams.set('accountId', String(real));
      return fetch(url, init);
    },
  });
  const { config } = wallet.background().wallet;
  const [first] = (await config.read()).accounts;
  if (!first) throw new Error('no account');
  const accounts = Array.from({ length: count }, (_, more) => {
    const accountId = first.accountId + more;
    return { ...first, accountId, id: `${first.networkId}:${accountId}` };
  });
  await config.update((data) => ({ ...data, accounts }));
  real = account.accountId;
  asked.length = 0;
  const askedFor = (path: string) => asked.filter((one) => one === `/api/v3/${path}`).length;
  return { wallet, accounts, askedFor };
}

test('what has no room in the own queue says nothing of the relayer: the last check counts on', async () => {
  const { wallet, accounts } = await setUpMany(2);
  const other = { registered: { x: '1', y: '1' }, lagMs: 5 };
  for (const { id } of accounts) await wallet.ports.local.set({ [`key-check:${id}`]: other });
  const { config, relayers } = wallet.background().wallet;
  const [network] = (await config.read()).networks;
  const client = relayers.client(network as never);
  const { getAccount } = client;
  const polls = Array.from({ length: 110 }, (_, accountId) => getAccount({ query: { accountId }, priority: 'poll' }));
  const [full] = (await Promise.allSettled(polls)).flatMap((poll) => (poll.status === 'rejected' ? [poll.reason] : []));
  expect(full).toMatchObject({ queueFreeInMs: expect.any(Number) });
  const ofClient = vi.spyOn(relayers, 'client');
  ofClient.mockReturnValue({ ...client, getAccount: () => Promise.reject(full) });
  expect((await kinds(wallet, true)).map(([kind]) => kind)).toEqual(['key-mismatch', 'key-mismatch']);
  ofClient.mockRestore();
  expect(await kinds(wallet, true)).toEqual([]);
});

test('of more accounts than the own queue has room for, each is asked about', async () => {
  const { wallet, askedFor } = await setUpMany(130);
  expect(await kinds(wallet, true)).toEqual([]);
  expect([askedFor('account'), askedFor('timestamp')]).toEqual([130, 1]);
});

test('keys are checked once at a time, however often it is asked for', async () => {
  const { wallet, askedFor } = await setUpMany(60);
  const first = kinds(wallet, true);
  await until(async () => askedFor('timestamp') === 1);
  const all = [first, ...Array.from({ length: 4 }, () => kinds(wallet, true))];
  expect(await Promise.all(all)).toEqual(all.map(() => []));
  // Those that ask during the first run share the next one.
  expect(askedFor('account')).toBe(120);
  expect(askedFor('timestamp')).toBe(2);
});

test('the journal is not read anew for each account', async () => {
  const { wallet } = await setUpMany(20);
  const list = vi.spyOn(wallet.background().wallet.journal, 'list');
  expect(await kinds(wallet)).toEqual([]);
  expect(list).not.toHaveBeenCalled();
});
