import { beforeEach, expect, test } from 'vitest';
import { createBackground } from '../../src/background/createBackground.ts';
import { createStartupSnapshot } from '../../src/background/lifecycle/startupSnapshot.ts';
import type { PageCaller, Sender } from '../../src/background/sites/sender.ts';
import { createStart } from '../../src/background/worker/start/createStart.ts';
import { startupKeys } from '../../src/messaging/startupFacts.ts';
import { createWalletHarness, PASSWORD, pageSender, SELF, UI_SENDER, type WalletHarness } from '../support/wallet.ts';
import { until } from './support.ts';

const SITE = 'https://site.example';
const QUIET_MS = 5;
const point = { x: `0x${'1'.repeat(64)}`, y: `0x${'2'.repeat(64)}` };
const owner = '0x52908400098527886E0F7030069857D2E4169EE7';

let wallet: WalletHarness;
beforeEach(() => {
  wallet = createWalletHarness({}, QUIET_MS);
});

const network = {
  id: 'main',
  name: 'Main',
  baseUrl: 'https://relayer.example',
  chainId: 5,
  exchangeAddress: `0x${'3'.repeat(40)}`,
};

/**
 * A network and two accounts, one of them a contract's, of which the site sees the first; as if set
 * up long ago.
 */
async function storeAccounts(): Promise<void> {
  const account = { networkId: 'main', owner, publicKey: point, signer: 's', keySeed: 'seed' };
  await wallet.background().wallet.config.update((data) => ({
    ...data,
    networks: [network],
    accounts: [
      { ...account, id: 'main:7', accountId: 7, label: 'One' },
      { ...account, id: 'main:8', accountId: 8, label: 'Two', smart: { kind: 'contract' } },
    ],
    selectedAccount: 'main:7',
  }));
  await wallet.background().wallet.grants.grant(SITE, ['main:7'], ['read', 'orders']);
}

/** What is stored for a cold start, once the last worker had its quiet time. */
const factsKept = () => until(async () => wallet.ports.session.get(startupKeys.facts));

/** The session in one read, as the browser gives it. */
const readSession = async (keys: string[]) =>
  Object.fromEntries(await Promise.all(keys.map(async (key) => [key, await wallet.ports.session.get(key)])));

/** Of a page's request. */
const ID = crypto.randomUUID();

/**
 * A cold start over the wallet's stores, which counts how often the whole background is loaded. In
 * a browser there is one at a time; here the wallet's own goes on beside it and keeps the facts, so
 * this one keeps none.
 */
function coldStart(load = async () => {}) {
  let loads = 0;
  const spoke: string[] = [];
  const heard = ({ tabId, origin }: PageCaller) => void spoke.push(`${tabId} ${origin}`);
  const start = createStart(createStartupSnapshot(readSession, wallet.ports.now), SELF, heard, async () => {
    loads++;
    await load();
    const { ports } = wallet;
    return createBackground({ ...ports, session: { ...ports.session, set: async () => {} } }, SELF);
  });
  return {
    start,
    loads: () => loads,
    spoke,
    ui: (method: string, params: unknown = {}) => start.onMessage({ type: 'ui', method, params }, UI_SENDER),
    page: (method: string, params?: unknown, origin = SITE) =>
      start.onMessage({ type: 'page', id: ID, method, params }, pageSender(origin)),
  };
}

async function expectSameState(): Promise<void> {
  await factsKept();
  const cold = coldStart();
  const first = await cold.ui('getState');
  expect(cold.loads()).toBe(0);
  expect(first).toEqual(await wallet.uiAnswer('getState', {}));
}

test('the first state is the one that the whole background tells: unlocked, asked, locked', async () => {
  await wallet.ui('createVault', { password: PASSWORD });
  await expectSameState();
  await storeAccounts();
  const asking = wallet.page('https://other.example', 'eth_requestAccounts');
  const [open] = await until(async () => {
    const questions = await wallet.ui('listApprovals', {});
    return questions.length > 0 && questions;
  });
  await expectSameState();
  expect((await wallet.ui('getState', {})).openApprovals).toBe(1);
  await wallet.ui('reject', { id: open?.id ?? '', block: false });
  await asking;
  await wallet.ui('lock', {});
  await expectSameState();
});

test.each(['eth_accounts', 'eth_chainId', 'wallet_getPermissions'])(
  'the first answer to %s is that of the whole background, for a site that is connected and one that is not',
  async (method) => {
    await wallet.ui('createVault', { password: PASSWORD });
    await storeAccounts();
    await factsKept();
    for (const origin of [SITE, 'https://other.example']) {
      const cold = coldStart();
      const first = await cold.page(method, [], origin);
      expect(cold.loads()).toBe(0);
      // From now on its tab is told events.
      expect(cold.spoke).toEqual([`1 ${origin}`]);
      expect(first).toEqual({ id: ID, ...(await wallet.page(origin, method)) });
    }
  },
);

test.each([
  [{ type: 'gone', documentId: 'left' }, undefined],
  ...['cached', 'pending_deletion'].map((state) => [
    { type: 'page', id: ID, method: 'relayer_unsubscribe', params: [{ subscription: ID }] },
    state,
  ]),
] as [object, string | undefined][])(
  'what a document sends as it is left counts as no word of its tab',
  async (message, documentLifecycle) => {
    const cold = coldStart();
    await cold.start.onMessage(
      { type: 'page', id: ID, method: 'eth_accounts' },
      { ...pageSender(SITE, 2), documentLifecycle: 'active' },
    );
    await cold.start.onMessage(message, { ...pageSender(SITE), documentLifecycle });
    expect(cold.spoke).toEqual([`2 ${SITE}`]);
  },
);

test('the first home screen is the one that the whole background tells, after each change of it', async () => {
  await wallet.ui('createVault', { password: PASSWORD });
  await factsKept();
  const none = coldStart();
  expect(await none.ui('getHome', { refresh: false })).toMatchObject({ ok: false, error: { code: 'not-found' } });
  expect(none.loads()).toBe(1);
  await storeAccounts();
  const { config, ports } = wallet.background().wallet;
  const token = {
    symbol: 'ETH',
    tokenId: 0,
    address: `0x${'0'.repeat(40)}`,
    decimals: 18,
    precision: 7,
    name: 'Ether',
  };
  const amounts = { total: '5', locked: '1', pendingDeposit: '0', pendingWithdraw: '0' };
  for (const change of [
    async () => {},
    () => ports.local.set({ 'balances:main:7': { at: 1_000, balances: [{ token, ...amounts }] } }),
    () => config.update((data) => ({ ...data, selectedAccount: 'main:8' })),
  ]) {
    await change();
    await factsKept();
    const cold = coldStart();
    const first = await cold.ui('getHome', { refresh: false });
    expect(cold.loads()).toBe(0);
    const whole = await wallet.uiAnswer('getHome', { refresh: false });
    expect(whole).toMatchObject({ ok: true, result: { account: { networkId: 'main' } } });
    expect(first).toEqual(whole);
  }
});

test('a home screen that is to be read anew, or is asked for otherwise, comes from the whole background', async () => {
  await wallet.ui('createVault', { password: PASSWORD });
  await storeAccounts();
  await factsKept();
  for (const params of [{ refresh: true }, { refresh: false, more: 1 }, {}, null]) {
    const cold = coldStart();
    await cold.ui('getHome', params);
    expect(cold.loads()).toBe(1);
  }
  expect(await coldStart().page('getHome', { refresh: false })).toMatchObject({ error: { code: 4200 } });
});

test('parameters that such a method does not take are refused by the whole background', async () => {
  const cold = coldStart();
  expect(await cold.page('eth_accounts', [{ hidden: 1 }])).toMatchObject({ id: ID, error: { code: -32602 } });
  expect(await cold.ui('getState', { more: 1 })).toMatchObject({ ok: false });
  expect(cold.loads()).toBe(1);
});

test('senders that are refused are refused at the start too, each by the first message of a cold worker', async () => {
  await storeAccounts();
  const tab = pageSender(SITE);
  const refused: Sender[] = [
    { ...tab, frameId: 1 },
    { ...tab, origin: 'null' },
    { ...tab, url: 'file:///x' },
    { ...tab, url: undefined },
    { id: 'other', url: 'chrome-extension://other/src/ui/popup.html' },
    {},
  ];
  const first = (message: object, sender: Sender) => coldStart().start.onMessage(message, sender);
  for (const sender of refused)
    expect(await first({ type: 'page', id: ID, method: 'eth_accounts' }, sender)).toMatchObject({
      id: ID,
      error: { code: 4100 },
    });
  for (const sender of [tab, ...refused])
    expect(await first({ type: 'ui', id: ID, method: 'getState', params: {} }, sender)).toBeUndefined();
  expect(await first({ type: 'page', id: ID, method: 'eth_accounts' }, UI_SENDER)).toBeUndefined();
  expect(await first({ type: 'page', id: ID, method: 'getState', params: {} }, tab)).toMatchObject({
    error: { code: 4200 },
  });
});

test('what an older version stored gets its defaults from the schemas', async () => {
  await storeAccounts();
  const config = (await wallet.ports.local.get('config')) as { settings: Record<string, unknown> };
  const { notifications: _, ...settings } = config.settings;
  await wallet.ports.local.set({ config: { ...config, settings } });
  await wallet.ports.session.remove([startupKeys.facts]);
  const cold = coldStart();
  expect(await cold.ui('getState')).toMatchObject({ ok: true, result: { settings: { notifications: false } } });
  expect(cold.loads()).toBe(1);
});

test('an approval request that another version stored keeps the wallet from no other one', async () => {
  await storeAccounts();
  await wallet.ports.requestStore('readwrite', (objects) => objects.put({ id: 'x', stage: 'later' }, 'approval:x'));
  const background = createBackground(wallet.ports, SELF);
  const sent = { type: 'ui', method: 'listApprovals', params: {} };
  expect(await background.onMessage(sent, UI_SENDER)).toEqual({ ok: true, result: [] });
  await background.onWake();
});

test('a wallet without a vault leaves no facts, and the whole background answers', async () => {
  await wallet.ui('setSettings', { lockAfterMinutes: 20 });
  await new Promise((done) => setTimeout(done, 20 * QUIET_MS));
  expect(await wallet.ports.session.get(startupKeys.facts)).toBeUndefined();
  const cold = coldStart();
  expect(await cold.ui('getState')).toMatchObject({ ok: true, result: { vault: 'absent' } });
  expect(cold.loads()).toBe(1);
});

test('nothing is told of a wallet whose wipe goes on', async () => {
  await wallet.ui('createVault', { password: PASSWORD });
  await storeAccounts();
  await factsKept();
  await wallet.background().wallet.ports.local.set({ wiping: true });
  wallet.stop();
  const cold = coldStart();
  expect(await cold.ui('getState')).toMatchObject({ ok: true, result: { vault: 'absent', accounts: [] } });
  expect(cold.loads()).toBe(1);
});

test('after a first answer the whole background starts by itself and mends what the last one left', async () => {
  await wallet.ports.local.set({ wiping: true });
  const cold = coldStart();
  const state = await cold.ui('getSubmission', { id: 'none' });
  expect(state).toMatchObject({ ok: false });
  expect(await wallet.ports.local.get('wiping')).toBeUndefined();
  await wallet.ui('createVault', { password: PASSWORD });
  await factsKept();
  const other = coldStart();
  await other.ui('getState');
  expect(other.loads()).toBe(0);
  await until(async () => other.loads() === 1);
});

test('messages that come while the whole background is loaded are all answered, over one of it', async () => {
  let finish = () => {};
  const loading = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const cold = coldStart(() => loading);
  const answers = [cold.ui('listSites'), cold.ui('getState'), cold.page('eth_chainId'), cold.page('no_method')];
  finish();
  expect(await Promise.all(answers)).toMatchObject([
    { ok: true, result: [] },
    { ok: true, result: { vault: 'absent' } },
    { id: ID, result: '0x0' },
    { id: ID, error: { code: 4200 } },
  ]);
  expect(cold.loads()).toBe(1);
});

test('a load that failed gives no answer, and is tried again by the next message', async () => {
  let broken = true;
  const cold = coldStart(async () => {
    if (broken) throw new Error('the part could not be read');
  });
  expect(await cold.ui('listSites')).toBeUndefined();
  broken = false;
  expect(await cold.ui('listSites')).toEqual({ ok: true, result: [] });
});
