import { generatePrivateKey } from 'viem/accounts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { statusOf } from '../../src/journal/index.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveOrder,
  approveRequest,
  buyLrc,
  movableClock,
  moveRelayerClock,
  ORDER,
  openOther,
  ordersOf,
  PASSWORD,
  question,
  resultOf,
  SITE,
  START_TIMEOUT_MS,
  setUp,
  setUpNetwork,
  startRelayer,
  until,
} from './support.ts';

const relayer = await relayerOfFile();

test('an account and a network get another name', async () => {
  const { wallet, accountView, network } = await setUp(relayer);
  expect((await wallet.ui('renameAccount', { account: accountView, label: ' Savings ' })).accounts).toMatchObject([
    { id: accountView, label: 'Savings' },
  ]);
  expect((await wallet.ui('renameNetwork', { networkId: network.id, name: 'Test' })).networks).toMatchObject([
    { id: network.id, name: 'Test', baseUrl: relayer.url },
  ]);
  for (const [method, params] of [
    ['renameAccount', { account: 'x', label: 'x' }],
    ['selectAccount', { account: 'x' }],
  ] as const)
    expect(await wallet.uiAnswer(method, params as never)).toMatchObject({ ok: false, error: { code: 'not-found' } });
});

test('two accounts are separate: cursors, orders and what a site sees', async () => {
  const { wallet, network, accountView, account, client } = await setUp(relayer);
  const other = await openOther(relayer, { ETH: '1', LRC: '1000' });
  const { signer } = await wallet.ui('importSigner', { privateKey: other.privateKey });
  const second = await wallet.ui('addAccount', { networkId: network.id, signer, label: 'Second' });
  expect((await wallet.ui('getState', {})).selectedAccount).toBe(accountView);
  const first = resultOf(await approveOrder(wallet));
  expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [account.owner] });

  const { grants } = wallet.background().wallet;
  await grants.grant(SITE, [second.id], ['read', 'orders']);
  const again = resultOf(await approveOrder(wallet));
  // Both accounts begin at the same id: a shared cursor would have moved on.
  expect(again.storageId).toBe(first.storageId);
  expect(again.hash).not.toBe(first.hash);
  expect(await ordersOf({ client, account })).toHaveLength(1);
  expect(await ordersOf({ client, account: other })).toHaveLength(1);
});

test('an account that is removed while it is being selected leaves another one selected', async () => {
  const { wallet, network, accountView } = await setUp(relayer);
  const other = await openOther(relayer, { ETH: '1', LRC: '1000' });
  const { signer } = await wallet.ui('importSigner', { privateKey: other.privateKey });
  const second = await wallet.ui('addAccount', { networkId: network.id, signer, label: 'Second' });
  const { config } = wallet.background().wallet;
  const { account } = config;
  config.account = async (id) => {
    const found = await account(id);
    config.account = account;
    await wallet.ui('removeAccount', { account: second.id, password: PASSWORD });
    return found;
  };
  await wallet.ui('selectAccount', { account: second.id });
  expect((await wallet.ui('getState', {})).selectedAccount).toBe(accountView);
  expect((await wallet.ui('getHome', { refresh: false })).account.id).toBe(accountView);
});

test('a removed account leaves no key, no grant and no open approval request, and its storage ids stay used', async () => {
  const clock = movableClock();
  const { wallet, network, accountView, account } = await setUp(relayer, { now: clock.now });
  const order = resultOf(await approveOrder(wallet));
  expect(await wallet.uiAnswer('removeAccount', { account: accountView, password: PASSWORD })).toMatchObject({
    ok: false,
    error: { code: 'work-pending', values: { count: '1' } },
  });
  resultOf(await approveRequest(wallet, 'relayer_cancelAllOrders', {}));
  await until(async () => {
    await wallet.ui('touch', {});
    clock.advance(20_000);
    await wallet.background().onWake();
    return (await wallet.background().wallet.journal.pending()).length === 0;
  });

  const refused = await wallet.uiAnswer('removeAccount', { account: accountView, password: 'guess' });
  expect(refused).toMatchObject({ ok: false, error: { code: 'wrong-password' } });
  const asked = wallet.page(SITE, 'relayer_submitOrder', [
    { sellToken: { tokenId: 1, volume: '1000000000000000000' }, buyToken: { tokenId: 0, volume: '50000000000000' } },
  ]);
  const state = await wallet.ui('removeAccount', { account: accountView, password: PASSWORD });
  expect(state).toMatchObject({ accounts: [], selectedAccount: null });
  expect(await asked).toMatchObject({ error: { code: 4100 } });
  const { vault } = wallet.background().wallet;
  expect((await vault.listSecrets()).map(({ kind }) => kind)).toEqual(['l1-key']);
  expect(await wallet.ui('listSites', {})).toEqual([]);
  expect(Object.keys(wallet.kept().local).filter((key) => key.endsWith(`:${accountView}`))).toEqual([]);
  expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [] });

  const [signer] = await wallet.ui('listSigners', {});
  expect(signer).toMatchObject({ address: account.owner, kind: 'local', phrase: null, accounts: [] });
  await wallet.ui('addAccount', { networkId: network.id, signer: signer?.id ?? '', label: 'Back' });
  await wallet.background().wallet.grants.grant(SITE, [accountView], ['read', 'orders']);
  const next = resultOf(await approveOrder(wallet));
  expect(next.storageId).toBeGreaterThan(order.storageId ?? Number.NaN);
});

test('what the user asked for an account ends with it: added again, a new key is begun anew', async () => {
  const { wallet, network, accountView: account } = await setUp(relayer);
  const { approvals, stagedKeys } = wallet.background().wallet;
  const start = () => wallet.ui('startKeyUpdate', { account, approval: null, kind: 'random', feeTokenId: null });
  await start();
  const before = (await wallet.ui('getKeyUpdate', { account, approval: null })).newKey?.publicKey.x ?? '';
  const kept = { account, pending: before, password: PASSWORD, form: 'hex' } as const;
  const { text } = await wallet.ui('exportAccountKey', kept);
  const [asked] = await approvals.unsettled();
  await wallet.ui('confirmBackup', { approval: asked?.id ?? '', shown: { lastDigits: text.slice(-6) } });
  await wallet.ui('removeAccount', { account, password: PASSWORD });
  expect(await approvals.unsettled()).toEqual([]);
  const [signer] = await wallet.ui('listSigners', {});
  await wallet.ui('addAccount', { networkId: network.id, signer: signer?.id ?? '', label: 'Back' });
  expect((await wallet.ui('getKeyUpdate', { account, approval: null })).newKey).toBeNull();
  await start();
  expect((await wallet.ui('getKeyUpdate', { account, approval: null })).newKey).toMatchObject({ backedUp: false });
  expect((await stagedKeys.list(account)).map(({ x }) => x)).not.toContain(before);
});

/** An order that ends in two hours, twelve hours later by the clock of this machine alone. */
async function pastItsEndHere(send: typeof fetch) {
  const clock = movableClock();
  const stage = await setUp(relayer, { now: clock.now, fetch: send });
  resultOf(await approveOrder(stage.wallet, { validUntil: Math.floor(clock.now() / 1000) + 7_200 }));
  clock.advance(43_200_000);
  return stage;
}

test('what is past its end by the clock of this machine alone keeps an account', async () => {
  let isAway = false;
  const { wallet, accountView } = await pastItsEndHere((...request) =>
    isAway ? Promise.reject(new TypeError('fetch failed')) : fetch(...request),
  );
  await wallet.ui('unlock', { password: PASSWORD });
  const { journal } = wallet.background().wallet;
  const remove = (changes: object = {}) =>
    wallet.uiAnswer('removeAccount', { account: accountView, password: PASSWORD, ...changes });
  expect(await remove({ unconfirmed: true })).toMatchObject({ error: { code: 'work-pending' } });
  isAway = true;
  expect(await remove()).toMatchObject({
    error: { code: 'end-unconfirmed', values: { host: new URL(relayer.url).host } },
  });
  expect(await journal.pending()).toMatchObject([{ state: 'acknowledged' }]);
  expect(await remove({ unconfirmed: true })).toMatchObject({ result: { accounts: [] } });
  const [record] = await journal.list();
  expect(record?.state).toBe('expired');
  expect(record?.history.at(-1)?.note).toBe('its account was removed from the wallet after its end, unconfirmed');
});

test('a relayer whose clock says 0 keeps no account for ever: the user decides, as when it is away', async () => {
  const { wallet, accountView } = await pastItsEndHere(async (...request) =>
    new URL(String(request[0])).pathname.endsWith('/timestamp') ? Response.json({ timestamp: 0 }) : fetch(...request),
  );
  await wallet.ui('unlock', { password: PASSWORD });
  const remove = (unconfirmed: boolean) =>
    wallet.uiAnswer('removeAccount', { account: accountView, password: PASSWORD, unconfirmed });
  expect(await remove(false)).toMatchObject({ error: { code: 'end-unconfirmed' } });
  expect(await remove(true)).toMatchObject({ result: { accounts: [] } });
});

test(
  'what is past its end by both clocks does not keep an account, also when its relayer never says how it ended',
  async () => {
    const own = await startRelayer();
    onTestFinished(() => own.close());
    const clock = movableClock();
    let answersOrders = true;
    const { wallet, accountView } = await setUp(own, {
      now: clock.now,
      fetch: (input, init) =>
        answersOrders || !new URL(String(input)).pathname.endsWith('/order')
          ? fetch(input, init)
          : Promise.reject(new TypeError('fetch failed')),
    });
    resultOf(await approveOrder(wallet));
    answersOrders = false;
    clock.advance(90 * 86_400_000);
    await moveRelayerClock(own, 90 * 86_400_000);
    await wallet.ui('unlock', { password: PASSWORD });
    const { journal } = wallet.background().wallet;
    expect(await journal.pending()).toMatchObject([{ state: 'acknowledged' }]);
    expect((await wallet.ui('removeAccount', { account: accountView, password: PASSWORD })).accounts).toEqual([]);
    const [record] = await journal.list();
    expect(record && [record.state, statusOf(record)]).toEqual(['expired', 'unknown']);
  },
  START_TIMEOUT_MS,
);

/** An order that is filled while this wallet hears nothing of it, twenty minutes past its end. */
async function filledUnheard(send: typeof fetch = fetch) {
  // Its own, where nobody else's order is filled first.
  const own = await startRelayer();
  onTestFinished(() => own.close());
  const clock = movableClock();
  const { wallet, accountView, network, ...stage } = await setUp(own, { now: clock.now, fetch: send });
  await wallet.ui('setSettings', { lockAfterMinutes: 120 });
  const validUntil = Math.floor(clock.now() / 1000) + 600;
  const order = { ...ORDER, validUntil, idempotencyKey: 'mine' };
  const asked = wallet.page(SITE, 'relayer_submitOrder', [order], undefined, 1, 'page');
  const { id, digest, account } = await question(wallet);
  await wallet.uiAnswer('approve', { id, digest: digest ?? '', account: account?.id ?? null });
  await asked;
  const buyer = await openOther(own, { ETH: '10' });
  await buyLrc(own, buyer, 50_000_000_000_000_000n, 100_000_000_000_000_000_000n);
  await until(async () => (await ordersOf(stage))[0]?.status === 'processed');
  // Another account, by which the site still sees the wallet.
  const { signer } = await wallet.ui('importSigner', { privateKey: (await openOther(own)).privateKey });
  const second = await wallet.ui('addAccount', { networkId: network.id, signer, label: 'Second' });
  await wallet.background().wallet.grants.grant(SITE, [accountView, second.id], ['read', 'orders']);
  clock.advance(1_800_000);
  const remove = (unconfirmed = false) =>
    wallet.uiAnswer('removeAccount', { account: accountView, password: PASSWORD, unconfirmed });
  const told = () => wallet.page(SITE, 'relayer_getRequest', [{ requestId: 'mine' }]);
  return { own, wallet, remove, told };
}

test(
  'an account goes after the relayer was asked how its requests ended',
  async () => {
    const { own, remove, told } = await filledUnheard();
    await moveRelayerClock(own, 1_800_000);
    expect(await remove()).toMatchObject({ ok: true });
    expect(await told()).toMatchObject({ result: { status: 'processed' } });
  },
  START_TIMEOUT_MS,
);

test(
  'a request of which nobody said how it ended is unknown after its account was removed',
  async () => {
    const wire = { isAway: false };
    const { wallet, remove, told } = await filledUnheard((...request) =>
      wire.isAway ? Promise.reject(new TypeError('fetch failed')) : fetch(...request),
    );
    wire.isAway = true;
    expect(await remove()).toMatchObject({ error: { code: 'end-unconfirmed' } });
    expect(await remove(true)).toMatchObject({ ok: true });
    expect(await told()).toMatchObject({ result: { status: 'unknown' } });
    expect(await wallet.ui('getActivity', { limit: 5 })).toMatchObject([
      { status: 'expired', isEndUnknown: true, problem: null },
    ]);
  },
  START_TIMEOUT_MS,
);

test('an approved request whose account is removed before it is carried out is answered', async () => {
  const { wallet, accountView } = await setUp(relayer);
  const asked = wallet.page(SITE, 'relayer_submitOrder', [
    { sellToken: { tokenId: 1, volume: '1000000000000000000' }, buyToken: { tokenId: 0, volume: '50000000000000' } },
  ]);
  const { approvals, executing } = wallet.background().wallet;
  const { id } = await until(async () => (await approvals.open()).find(({ stage }) => stage === 'ready'));
  // Nothing that goes on by itself carries it out too early.
  let end = () => {};
  executing.set(id, new Promise((resolve) => (end = resolve)));
  await approvals.update(id, (current) =>
    current.kind === 'operation' && current.stage === 'ready'
      ? { ...current, stage: 'approved', decidedAt: Date.now() }
      : null,
  );
  await wallet.ui('removeAccount', { account: accountView, password: PASSWORD });
  executing.delete(id);
  end();
  await wallet.background().onWake();
  expect(await asked).toMatchObject({ error: { code: 4100 } });
  expect((await approvals.get(id))?.stage).toBe('closed');
});

test('a request that was signed while its rights were being ended keeps the account and its key', async () => {
  let meanwhile = async () => {};
  const { wallet, accountView, account, network } = await setUp(relayer, { toAllPages: () => meanwhile() });
  const { journal, vault } = wallet.background().wallet;
  meanwhile = async () => {
    meanwhile = async () => {};
    const { id } = await journal.reserve({
      ...{ networkId: network.id, accountId: account.accountId, origin: SITE, requestId: 'late', reviewDigest: '0x1' },
      ...{ operation: 'transfer', draft: {}, validUntil: Math.floor(Date.now() / 1000) + 3_600 },
    });
    await journal.markSigned(id, { wire: { endpoint: 'submitTransfer', bodyText: '{}' } });
  };
  expect(await wallet.uiAnswer('removeAccount', { account: accountView, password: PASSWORD })).toMatchObject({
    error: { code: 'work-pending', values: { count: '1' } },
  });
  expect(await vault.hasSecret(`eddsa:${accountView}`)).toBe(true);
  expect((await wallet.ui('getState', {})).accounts).toMatchObject([{ id: accountView }]);
});

test('removing an account of a locked wallet ends nothing', async () => {
  const { wallet, accountView } = await setUp(relayer);
  await wallet.ui('lock', {});
  expect(await wallet.uiAnswer('removeAccount', { account: accountView, password: PASSWORD })).toMatchObject({
    ok: false,
    error: { code: 'locked' },
  });
  expect(await wallet.background().wallet.grants.of(SITE)).toMatchObject({ grants: [{ account: accountView }] });
  expect((await wallet.ui('getState', {})).accounts).toMatchObject([{ id: accountView }]);
});

test('a network and a signer that are in use stay; unused ones go', async () => {
  const { wallet, network, accountView } = await setUp(relayer);
  const [used] = await wallet.ui('listSigners', {});
  expect(used?.accounts).toEqual([accountView]);
  expect(await wallet.uiAnswer('removeNetwork', { networkId: network.id })).toMatchObject({
    ok: false,
    error: { code: 'network-in-use' },
  });
  const inUse = await wallet.uiAnswer('removeSigner', { signer: used?.id ?? '', password: PASSWORD });
  expect(inUse).toMatchObject({ ok: false, error: { code: 'signer-in-use' } });
  const spare = await wallet.ui('importSigner', { privateKey: generatePrivateKey() });
  expect(await wallet.ui('removeSigner', { signer: spare.signer, password: PASSWORD })).toEqual([used]);
  await wallet.ui('removeAccount', { account: accountView, password: PASSWORD });
  await wallet.ui('addContact', { networkId: network.id, address: `0x${'7'.repeat(40)}`, name: 'Ana' });
  expect((await wallet.ui('removeNetwork', { networkId: network.id })).networks).toEqual([]);
  expect(await wallet.background().wallet.contacts.read()).toEqual([]);
  const last = await wallet.uiAnswer('removeSigner', { signer: used?.id ?? '', password: PASSWORD });
  expect(last).toMatchObject({ ok: false, error: { code: 'empty-overwrite', key: 'error_lastSecret' } });
});

test('facts that are read while a comparison finds another exchange are not kept as new', async () => {
  let isChanged = false;
  let meanwhile = async (): Promise<unknown> => undefined;
  const lie: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    const answer = await fetch(input, init);
    if (pathname === '/api/v3/exchange/markets') await meanwhile();
    if (pathname !== '/api/v3/exchange/info' || !isChanged) return answer;
    return Response.json({ ...((await answer.json()) as object), exchangeAddress: `0x${'e'.repeat(40)}` });
  };
  const clock = movableClock();
  const { wallet, network } = await setUpNetwork(relayer, { fetch: lie, now: clock.now });
  const { relayers } = wallet.background().wallet;
  // What is stored is too old, what was compared is not.
  await wallet.ui('checkNetwork', { networkId: network.id });
  clock.advance(10 * 60_000);
  await relayers.checkExchange(network, { anew: true });
  clock.advance(6 * 60_000);
  meanwhile = async () => {
    meanwhile = async () => undefined;
    isChanged = true;
    expect((await wallet.ui('checkNetwork', { networkId: network.id })).same).toBe(false);
  };
  await relayers.facts(network).catch(() => {});
  await expect(relayers.facts(network)).rejects.toMatchObject({ code: 'exchange-changed' });
});

test('a check of the exchange compares the answer that it shows', async () => {
  let asked = 0;
  const lie: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (new URL(String(input)).pathname !== '/api/v3/exchange/info') return answer;
    asked += 1;
    return Response.json({ ...((await answer.json()) as object), exchangeAddress: `0x${'e'.repeat(39)}${asked % 10}` });
  };
  let isLying = false;
  const fetching: typeof fetch = (input, init) => (isLying ? lie : fetch)(input, init);
  const { wallet, network } = await setUpNetwork(relayer, { fetch: fetching });
  isLying = true;
  const { same, reported } = await wallet.ui('checkNetwork', { networkId: network.id });
  expect([same, reported.exchangeAddress, asked]).toEqual([false, `0x${'e'.repeat(39)}1`, 1]);
});

test(
  'a relayer that comes back with another exchange is refused, and says which',
  async () => {
    let answering = relayer.url;
    const clock = movableClock();
    const { wallet, network } = await setUp(relayer, {
      now: clock.now,
      fetch: (input, init) => fetch(String(input).replace(relayer.url, answering), init),
    });
    expect(await wallet.ui('checkNetwork', { networkId: network.id })).toMatchObject({
      same: true,
      reported: { chainId: 31337, exchangeAddress: network.exchangeAddress },
    });
    // Read a moment before the exchange changes.
    await wallet.ui('getHome', { refresh: true });
    const changed = '0x00000000000000000000000000000000000000Ee';
    const impostor = await startRelayer({ exchangeAddress: changed });
    onTestFinished(() => impostor.close());
    answering = impostor.url;
    const check = await wallet.ui('checkNetwork', { networkId: network.id });
    expect(check.same).toBe(false);
    expect(check.reported.exchangeAddress.toLowerCase()).toBe(changed.toLowerCase());
    expect((await wallet.ui('getState', {})).networks).toEqual([network]);
    const { relayers } = wallet.background().wallet;
    await expect(relayers.facts(network)).rejects.toMatchObject({ code: 'exchange-changed' });
    expect((await relayers.knownSymbols(network.id)).get(1)).toBe('LRC');
    clock.advance(16 * 60_000);
    await wallet.ui('unlock', { password: PASSWORD });
    const [{ owner } = { owner: '' }] = (await wallet.ui('getState', {})).accounts;
    for (const answer of [
      await wallet.uiAnswer('findAccount', { networkId: network.id, owner }),
      await wallet.uiAnswer('addNetwork', { baseUrl: network.baseUrl, name: 'Again' }),
    ])
      expect(answer).toMatchObject({ ok: false, error: { code: 'exchange-changed', key: 'error_exchangeChanged' } });
    expect((await wallet.ui('getHome', { refresh: true })).problem).toMatchObject({ key: 'error_exchangeChanged' });
    // The old worker's memory is not what refuses.
    wallet.restart();
    const after = await wallet.uiAnswer('findAccount', { networkId: network.id, owner });
    expect(after).toMatchObject({ ok: false, error: { code: 'exchange-changed' } });
    expect((await wallet.ui('getState', {})).networks).toEqual([network]);
  },
  START_TIMEOUT_MS,
);

test('a relayer that writes its contract in other letters is the same exchange', async () => {
  let isLower = false;
  const { wallet, network } = await setUpNetwork(relayer, {
    async fetch(input, init) {
      const answer = await fetch(input, init);
      if (!String(input).endsWith('/exchange/info') || !isLower) return answer;
      const info = (await answer.json()) as { exchangeAddress: string };
      return Response.json({ ...info, exchangeAddress: info.exchangeAddress.toLowerCase() });
    },
  });
  isLower = true;
  expect((await wallet.ui('checkNetwork', { networkId: network.id })).same).toBe(true);
  // As it was first seen: its letter case enters the key seed.
  expect((await wallet.ui('getState', {})).networks).toEqual([network]);
});

/** A wallet whose relayer answers under some paths only when it is told to. */
async function setUpSlow() {
  const held = new Map<string, Promise<void>>();
  const waiting = new Set<string>();
  const stage = await setUp(relayer, {
    async fetch(input, init) {
      const answer = await fetch(input, init);
      const path = new URL(String(input)).pathname;
      waiting.add(path);
      await held.get(path);
      waiting.delete(path);
      return answer;
    },
  });
  return {
    ...stage,
    waiting,
    hold(path: string): () => void {
      let answer = () => {};
      held.set(
        path,
        new Promise((resolve) => {
          answer = resolve;
        }),
      );
      return () => answer();
    },
  };
}

test.each(['/api/v3/apiKey', '/api/v3/user/balances', '/api/v3/exit/proof'])(
  'what the relayer answers at %s after the account was removed is stored nowhere',
  async (path) => {
    const { wallet, accountView, hold, waiting } = await setUpSlow();
    const { balanceProofs } = wallet.background().wallet;
    const refreshed = vi.spyOn(balanceProofs, 'refresh');
    const answer = hold(path);
    const reads = [
      wallet.uiAnswer('getHome', { refresh: true }),
      wallet.uiAnswer('getOrders', { account: accountView, refresh: true }),
    ];
    await until(async () => waiting.has(path));
    await wallet.ui('removeAccount', { account: accountView, password: PASSWORD });
    answer();
    await Promise.all(reads);
    await until(async () => !waiting.has(path));
    await Promise.allSettled(refreshed.mock.results.map(({ value }) => value));
    const { vault } = wallet.background().wallet;
    expect((await vault.listSecrets()).map(({ kind }) => kind)).toEqual(['l1-key']);
    expect(Object.keys(wallet.kept().local).filter((key) => key.endsWith(`:${accountView}`))).toEqual([]);
  },
);

test('what the relayer answers after its network was removed is stored nowhere', async () => {
  const { wallet, accountView, network, hold, waiting } = await setUpSlow();
  await wallet.ui('removeAccount', { account: accountView, password: PASSWORD });
  const path = '/api/v3/exchange/tokens';
  const answer = hold(path);
  const read = wallet.uiAnswer('getTokenChanges', { networkId: network.id });
  await until(async () => waiting.has(path));
  expect((await wallet.ui('removeNetwork', { networkId: network.id })).networks).toEqual([]);
  answer();
  await read;
  expect(Object.keys(wallet.kept().local).filter((key) => key.endsWith(`:${network.id}`))).toEqual([]);
});
