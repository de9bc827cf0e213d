import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type DemoAccount, openAccount } from '../../scripts/demo/openAccount.ts';
import type { RelayerClient } from '../../src/client/index.ts';
import { uiMethods } from '../../src/messaging/uiMethods.ts';
import { orderHash } from '../../src/protocol/index.ts';
import type { RunningRelayer } from '../../src/relayer/createRelayer.ts';
import { developmentRelayer } from '../relayer/support/startRelayer.ts';
import { dev } from '../support/dev.ts';
import { patientClient } from '../support/patientClient.ts';
import { type Firefox, type FirefoxPage, launchFirefox, outcomeOf, startRequest } from './support/firefox.ts';
import { type Site, serveSite } from './support/site.ts';
import { FUNDS, ORDER, PASSWORD } from './support/stage.ts';

/**
 * The main flows in a real Firefox: same source, another build, an event page in place of the
 * service worker.
 */
let relayer: RunningRelayer;
let client: RelayerClient;
let account: DemoAccount;
let friend: DemoAccount;
let site: Site;
let firefox: Firefox;
let page: FirefoxPage;

beforeAll(async () => {
  firefox = await launchFirefox();
  relayer = await developmentRelayer();
  client = patientClient(relayer.url);
  account = await openAccount({ client, baseUrl: relayer.url, funds: FUNDS });
  friend = await openAccount({ client, baseUrl: relayer.url, funds: { ETH: '1' } });
  site = await serveSite();
});

afterAll(async () => {
  await firefox?.close();
  await site?.close();
  await relayer?.close();
});

// The request of a test that failed would stand before those of the tests after it, and its window
// would show them where they wait for one of their own.
beforeEach(({ onTestFailed }) =>
  onTestFailed(async () => {
    for (const shown of await firefox.rejectAll()) console.error(`An approval window showed:\n${shown}`);
  }),
);

const HASH = expect.stringMatching(/^0x[0-9a-f]{64}$/);
const REJECT = '.decision-buttons .button-secondary';

async function ask(method: string, params?: unknown): Promise<FirefoxPage> {
  return firefox.approvalOpenedBy(() => startRequest(page, method, params));
}

const APPROVE = '[data-testid=approve]';

/** Reads a request to its end. @returns Whether the button to approve it answers. */
const isArmed = (window: FirefoxPage) =>
  window.run<boolean>(
    `document.querySelector('.approval-end')?.scrollIntoView({ block: 'end' });
     return document.querySelector('${APPROVE}')?.getAttribute('aria-disabled') === 'false'`,
  );

/**
 * Reads a request to its end and approves it. A click is lost when something new is drawn just
 * before it, such as a balance that comes late: the user then moves the pointer away and clicks
 * again.
 */
async function approve(window: FirefoxPage): Promise<void> {
  const isTaken = () => window.run<boolean>('return window.isTaken');
  const clickOnce = async () => {
    await expect.poll(async () => (await isTaken()) || isArmed(window)).toBe(true);
    // An earlier click that took long to show.
    if (await isTaken()) return;
    await window.run(
      `new MutationObserver((_, observer) => {
         if (document.querySelector('${APPROVE}')?.getAttribute('aria-busy') === 'false') return;
         window.isTaken = true;
         observer.disconnect();
       }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['aria-busy'] });`,
    );
    await window.click(APPROVE);
    await expect.poll(isTaken, { timeout: 3_000 }).toBe(true);
  };
  await window.run('window.isTaken = false');
  await clickOnce().catch(async () => {
    await window.movePointerAway();
    await clickOnce();
  });
}

async function ordersNamed(clientOrderId: string) {
  const query = { accountId: account.accountId, limit: 50 };
  const { orders } = await client.getOrders({ query, apiKey: account.apiKey });
  return orders.filter((order) => order.clientOrderId === clientOrderId);
}

const button = (name: string) => `//button[normalize-space()='${name}'][not(@disabled)]`;
const field = (label: string) => `//label[normalize-space()='${label}']/following::input[1]`;
const choice = (words: string) => `//label[contains(normalize-space(), '${words}')]`;

test("the first visit's screens make the wallet and open the account", async () => {
  const setUp = await firefox.newPage(firefox.url('src/ui/onboarding.html'));
  await setUp.click(button('Begin'));
  await setUp.type(field('New password'), PASSWORD);
  await setUp.type(field('Confirm password'), PASSWORD);
  await setUp.click(button('Create the wallet'));
  await setUp.retype(field('Exchange server URL'), relayer.url);
  await setUp.click(button('Find exchange'));
  await setUp.click(button('Use this exchange'));
  await setUp.click("//button[contains(., 'I have a key')]");
  await setUp.type(field('Private key'), account.privateKey);
  await setUp.click(button('Import'));
  await setUp.seeText('Your account is ready');
  await setUp.click(button('Continue'));
  await setUp.retype(field('Name'), 'Main');
  await setUp.click(button('Add the account'));
  await setUp.seeText('You are ready');
  await setUp.close();
  expect((await firefox.ui('getState', {})).accounts.map(({ owner }) => owner)).toEqual([account.owner]);
  page = await firefox.newPage(site.origin);
});

test('the page finds the wallet by EIP-6963 and reaches the background', async () => {
  const announced = await page.run<string>('return JSON.stringify(window.announced)');
  expect(JSON.parse(announced)).toMatchObject([{ rdns: 'dev.countersign', name: 'Countersign' }]);
  await startRequest(page, 'eth_accounts');
  expect(await outcomeOf(page)).toEqual({ result: [] });
});

test('connects a site after the user approved', async () => {
  const window = await ask('eth_requestAccounts');
  await window.seeText(new URL(site.origin).host);
  await approve(window);
  expect(await outcomeOf(page)).toEqual({ result: [account.owner] });
  await window.close();
});

test('an approved order is signed, accepted by the relayer, and its hash is the locally computed one', async () => {
  const window = await ask('relayer_submitOrder', [{ ...ORDER, clientOrderId: 'firefox', maxFeeBips: 20 }]);
  await window.seeText('firefox');
  await approve(window);
  const { result } = (await outcomeOf(page)) as { result: { hash: `0x${string}`; storageId: number } };
  await window.close();
  expect(result).toMatchObject({ status: 'acknowledged', clientOrderId: 'firefox', isIdempotent: false });
  const query = { accountId: account.accountId, orderHash: result.hash };
  const order = await client.getOrder({ query, apiKey: account.apiKey });
  const signed = {
    ...ORDER,
    exchange: account.exchange,
    accountId: account.accountId,
    storageId: result.storageId,
    validUntil: order.validity.end,
    maxFeeBips: 20,
    fillAmountBOrS: false,
  };
  expect(BigInt(result.hash)).toBe(orderHash(signed));
});

test('an event page that is stopped while the approval request is open: the user decides, the page is answered, one order exists', async () => {
  const window = await ask('relayer_submitOrder', [{ ...ORDER, clientOrderId: 'open-question' }]);
  await window.seeText('open-question');
  await firefox.stopBackground();
  await approve(window);
  expect(await outcomeOf(page)).toMatchObject({ result: { clientOrderId: 'open-question', status: 'acknowledged' } });
  await window.close();
  expect(await ordersNamed('open-question')).toHaveLength(1);
});

test.each([0, 20, 60])(
  'an event page that is stopped %s ms after the approval: the page is answered, one order exists',
  async (delay) => {
    const name = `after-approve-${delay}`;
    const window = await ask('relayer_submitOrder', [{ ...ORDER, clientOrderId: name }]);
    await approve(window);
    await new Promise((done) => setTimeout(done, delay));
    await firefox.stopBackground();
    // A click that died with the event page left the question open; the user sees that and clicks
    // again.
    await expect
      .poll(async () => {
        const isTold = await page.run<boolean>('return window.outcome !== undefined');
        if (!isTold && (await isArmed(window))) await window.click(APPROVE);
        return isTold;
      })
      .toBe(true);
    expect(await outcomeOf(page)).toMatchObject({ result: { clientOrderId: name, status: 'acknowledged' } });
    await window.close();
    expect(await ordersNamed(name)).toHaveLength(1);
  },
);

test('an order is cancelled after the user approved', async () => {
  const [order] = await ordersNamed('firefox');
  const window = await ask('relayer_cancelOrder', [{ orderHash: order?.hash }]);
  await window.seeText('LRC');
  await approve(window);
  expect(await outcomeOf(page)).toMatchObject({ result: { hash: order?.hash } });
  await window.close();
  await expect.poll(async () => (await ordersNamed('firefox'))[0]?.status).toBe('cancelled');
});

test('a transfer needs a permission of its own, and both signatures are accepted', async () => {
  const token = { tokenId: 1, volume: '7000000000000000000' };
  const wanted = { relayer_withdrawals: {}, relayer_nfts: {} };
  const permission = await ask('wallet_requestPermissions', [wanted]);
  await approve(permission);
  await outcomeOf(page);
  await permission.close();
  const window = await ask('relayer_transfer', [{ token, payeeAddr: friend.owner, feeTokenId: 0 }]);
  await window.seeText('Its request comes next.');
  await approve(window);
  await window.seeText('The permission is given.');
  // The pointer rests where the button appears, and has to leave it.
  await window.movePointerAway();
  await approve(window);
  expect(await outcomeOf(page)).toMatchObject({ result: { hash: HASH } });
  await window.close();
  const query = { accountId: friend.accountId, tokens: '1' };
  const total = async () => (await client.getBalances({ query, apiKey: friend.apiKey }))[0]?.total;
  await expect.poll(total).toBe(token.volume);
});

test('a withdrawal and the transfer of an NFT are approved and carried out', async () => {
  await dev(relayer, 'nftDeposit', {
    owner: account.owner,
    tokenAddress: `0x${'ab'.repeat(20)}`,
    nftId: `0x${'17'.repeat(32)}`,
    amount: '3',
  });
  const token = { tokenId: 1, volume: '100000000000000000000' };
  const withdrawal = await ask('relayer_withdraw', [{ token, feeTokenId: 0 }]);
  await approve(withdrawal);
  expect(await outcomeOf(page)).toMatchObject({ result: { hash: HASH } });
  await withdrawal.close();

  const nfts = async ({ accountId, apiKey }: DemoAccount) =>
    (await client.getNftBalances({ query: { accountId }, apiKey })).data;
  await expect.poll(() => nfts(account)).toHaveLength(1);
  const [{ tokenId, nftData } = { tokenId: 0, nftData: '' }] = await nfts(account);
  const transfer = await ask('relayer_transferNft', [
    { token: { tokenId, nftData, amount: '2' }, toAddress: friend.owner, feeTokenId: 0 },
  ]);
  await approve(transfer);
  expect(await outcomeOf(page)).toMatchObject({ result: { hash: HASH } });
  await transfer.close();
  const received = async () => (await nfts(friend)).map(({ total }) => total);
  await expect.poll(received).toEqual(['2']);
  const query = { accountId: account.accountId };
  const withdrawals = async () =>
    (await client.getWithdrawals({ query, apiKey: account.apiKey })).transactions.map(({ amount }) => amount);
  expect(await withdrawals()).toEqual([token.volume]);
});

test('a rejected order is not sent, and the page is told', async () => {
  const window = await ask('relayer_submitOrder', [{ ...ORDER, clientOrderId: 'rejected' }]);
  await window.click(REJECT);
  expect(await outcomeOf(page)).toMatchObject({ error: { code: 4001 } });
  // The window has nothing else to show. A question that comes before it is gone is shown in it,
  // and opens none.
  await window.closed();
  expect(await ordersNamed('rejected')).toHaveLength(0);
});

test('an approval request that comes while the window closes is shown all the same', async () => {
  // A site of its own: three rejections in half a minute would silence the other.
  const second = await serveSite();
  const other = await firefox.newPage(second.origin);
  const connect = await firefox.approvalOpenedBy(() => startRequest(other, 'eth_requestAccounts'));
  await approve(connect);
  await outcomeOf(other);
  await connect.close();
  const order = (clientOrderId: string) => [{ ...ORDER, clientOrderId }];
  const window = await firefox.approvalOpenedBy(() => startRequest(other, 'relayer_submitOrder', order('closing')));
  await window.click(REJECT);
  await outcomeOf(other);
  await startRequest(other, 'relayer_submitOrder', order('while-closing'));
  const next = await firefox.approvalShowing('while-closing');
  await next.click(REJECT);
  expect(await outcomeOf(other)).toMatchObject({ error: { code: 4001 } });
  await next.closed();
  await other.close();
  await second.close();
});

test('closing the window rejects', async () => {
  const window = await ask('relayer_submitOrder', [{ ...ORDER, clientOrderId: 'closed' }]);
  // Only who has seen the question can say no to it.
  await window.seeText('closed');
  await window.close();
  expect(await outcomeOf(page)).toMatchObject({ error: { code: 4001 } });
  expect(await ordersNamed('closed')).toHaveLength(0);
});

test('a locked wallet asks for the password first, and goes on where it was', async () => {
  await firefox.ui('lock', {});
  const window = await ask('relayer_submitOrder', [{ ...ORDER, clientOrderId: 'locked' }]);
  await window.type('input[type=password]', PASSWORD);
  await window.click('button[type=submit]:not([disabled])');
  await window.seeText('locked');
  await approve(window);
  expect(await outcomeOf(page)).toMatchObject({ result: { clientOrderId: 'locked' } });
  await window.close();
});

test('the channel between page script and content script is shown to no script of the page', async () => {
  const hostile = await serveSite(`<!doctype html><script>
    window.seen = [];
    for (const name of ['message', 'countersign:port', 'countersign:ask'])
      addEventListener(name, () => seen.push(name), true);
    addEventListener('eip6963:announceProvider', ({ detail }) => { window.wallet = detail.provider; });
    dispatchEvent(new Event('eip6963:requestProvider'));
    window.answers = [];
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => answers.push(data);
    dispatchEvent(new MessageEvent('countersign:port', { ports: [port2] }));
    port1.postMessage({ id: crypto.randomUUID(), method: 'eth_accounts' });
  </script>`);
  const other = await firefox.newPage(hostile.origin);
  await startRequest(other, 'eth_accounts');
  expect(await outcomeOf(other)).toEqual({ result: [] });
  // The one event is the page's own.
  expect(JSON.parse(await other.run('return JSON.stringify([window.seen, window.answers])'))).toEqual([
    ['countersign:port'],
    [],
  ]);
  await other.close();
  await hostile.close();
});

/** What lies in the wallet's own database, as one of its pages reads it. */
async function storedState(): Promise<Record<string, unknown>> {
  const own = await firefox.newPage(firefox.url('src/ui/popup.html'));
  const text = await own.run<string>(`return new window.Promise((resolve, reject) => {
    const opening = window.indexedDB.open('countersign-state');
    opening.onerror = () => reject(new Error('not opened'));
    opening.onsuccess = () => {
      const objects = opening.result.transaction('entries').objectStore('entries');
      const keys = objects.getAllKeys();
      const values = objects.getAll();
      values.onsuccess = () => {
        opening.result.close();
        resolve(JSON.stringify(Object.fromEntries(keys.result.map((key, index) => [key, values.result[index]]))));
      };
    };
  })`);
  await own.close();
  return JSON.parse(text);
}

test('the content script of a site that was never connected reads nothing of what decides, and what it writes decides nothing', async () => {
  const strange = await serveSite();
  const tab = await firefox.newPage(strange.origin);
  const decisive = async () => {
    const state = await firefox.ui('getState', {});
    const [{ id: networkId } = { id: '' }] = state.networks;
    return {
      state,
      sites: await firefox.ui('listSites', {}),
      standing: await firefox.ui('listStanding', {}),
      tokens: await firefox.ui('getTokenChanges', { networkId }),
    };
  };
  const before = await decisive();
  expect(before.sites.map(({ origin }) => origin)).toContain(site.origin);

  // Everything in its true form, with what an attacker wants.
  const stored = await storedState();
  const forged = JSON.stringify(stored)
    .replaceAll(site.origin, strange.origin)
    .replaceAll(relayer.url, strange.origin)
    .replaceAll('"decimals":18', '"decimals":6');
  const { config, sites, 'taken-over': _, ...rest } = JSON.parse(forged);
  expect([config, sites, Object.keys(rest).some((key) => key.startsWith('pins:'))]).toEqual([
    expect.anything(),
    expect.anything(),
    true,
  ]);
  const found = await firefox.inContentScript<object>(
    tab,
    `const { runtime, storage } = browser;
    const opened = () => new Promise((resolve) => {
      const opening = indexedDB.open('countersign-state');
      opening.onsuccess = () => resolve([...opening.result.objectStoreNames]);
      opening.onerror = () => resolve('not opened');
    });
    const heard = new Set();
    for (const method of ${JSON.stringify(Object.keys(uiMethods))})
      heard.add((await runtime.sendMessage({ type: 'ui', method, params: {} }).catch(() => 'error')) ?? 'no answer');
    const found = {
      local: Object.keys(await storage.local.get(null)),
      session: typeof storage.session,
      background: typeof runtime.getBackgroundPage,
      databases: (await indexedDB.databases()).map(({ name }) => name),
      opened: await opened(),
      heard: [...heard],
    };
    await storage.local.set(JSON.parse(${JSON.stringify(forged)}));
    return { ...found, written: Object.keys(await storage.local.get(null)).length > 0 };`,
  );
  expect(found).toEqual({
    local: [],
    session: 'undefined',
    background: 'undefined',
    // Those of its page, because a content script has no other origin.
    databases: [],
    opened: [],
    heard: ['no answer'],
    written: true,
  });
  await firefox.stopBackground();
  expect(await decisive()).toEqual(before);
  await startRequest(tab, 'eth_accounts');
  expect(await outcomeOf(tab)).toEqual({ result: [] });
  await startRequest(page, 'eth_accounts');
  expect(await outcomeOf(page)).toEqual({ result: [account.owner] });
  await tab.close();
  await strange.close();
});

test('the popup lists the account', async () => {
  const popup = await firefox.newPage(firefox.url('src/ui/popup.html'));
  await popup.seeText('Main');
  await popup.close();
});

test('the sidebar shows the same wallet in the width that it gets', async () => {
  const sidebar = await firefox.newPage(firefox.url('src/ui/popup.html?view=panel'));
  await sidebar.seeText('Main');
  expect(await sidebar.run("return getComputedStyle(document.body).width === innerWidth + 'px'")).toBe(true);
  await sidebar.close();
});

test('pages that the user took from the wallet are noticed, and asked for again by a click', async () => {
  const withheld = async () =>
    (await firefox.ui('getAttention', { refresh: false })).map(({ kind, origins }) => ({ kind, origins }));
  expect(await withheld()).toEqual([]);
  await firefox.takeHosts(['https://*/*']);
  expect(await withheld()).toEqual([{ kind: 'hidden', origins: ['https://*/*'] }]);
  const popup = await firefox.newPage(firefox.url('src/ui/popup.html'));
  await popup.seeText('Sites do not find the wallet');
  await popup.click(button('Allow'));
  await expect.poll(withheld).toEqual([]);
  await popup.close();
});

test('an add-on that is reloaded under a request leaves its outcome unknown, and a repeat makes no second order', async () => {
  const order = { ...ORDER, clientOrderId: 'reloaded' };
  await ask('relayer_submitOrder', [order]);
  await firefox.reload();
  const { error } = (await outcomeOf(page)) as { error: { code: number; data: { requestId: string } } };
  expect(error).toMatchObject({ code: 4900, data: { reason: 'walletReplaced', status: 'unknown' } });

  await firefox.ui('unlock', { password: PASSWORD });
  await page.goto(site.origin);
  // The old page hears no answer, so its pending request ends; a repeat under its id is told how it
  // ended.
  await expect.poll(() => firefox.ui('listApprovals', {})).toEqual([]);
  await startRequest(page, 'relayer_submitOrder', [{ ...order, idempotencyKey: error.data.requestId }]);
  expect(await outcomeOf(page)).toMatchObject({
    error: { code: 4001, data: { reason: 'pageLeft', status: 'withdrawn' } },
  });
  expect(await ordersNamed('reloaded')).toEqual([]);
});

test('the wizard replaces the account key, and the new one signs', async () => {
  const registered = async () => (await client.getAccount({ query: { accountId: account.accountId } })).publicKey.x;
  const before = await registered();
  const [{ id } = { id: '' }] = (await firefox.ui('getState', {})).accounts;
  const wizard = await firefox.newPage(firefox.url(`src/ui/keyUpdate.html?account=${encodeURIComponent(id)}`));
  await wizard.click(choice('Somebody may have it'));
  await wizard.click(button('Continue'));
  await wizard.click(choice('Derive it'));
  await wizard.click(button('Make the key'));
  await wizard.type('input[autocomplete=current-password]', PASSWORD);
  await wizard.click(button('Replace the key'));
  await wizard.seeText('Your account has a new key');
  await wizard.close();
  expect(await registered()).not.toBe(before);
  const window = await ask('relayer_submitOrder', [{ ...ORDER, clientOrderId: 'new-key' }]);
  await approve(window);
  expect(await outcomeOf(page)).toMatchObject({ result: { clientOrderId: 'new-key', status: 'acknowledged' } });
  await window.close();
});

test('no passkey is offered, because Firefox has none for extensions', async () => {
  const security = await firefox.newPage(firefox.url('src/ui/popup.html#/security'));
  await security.seeText('This browser offers no passkeys to extensions.');
  await security.close();
});

test('nothing in the browser asked for a host beyond this machine', () => {
  // Firefox's own services are asked by the browser, with or without an extension.
  const own = /(^|\.)(mozilla|firefox)\.(com|org|net)(:\d+)?$/;
  expect([...new Set(firefox.askedOutside)].filter((host) => !own.test(host))).toEqual([]);
});
