import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageMethods } from '../../src/background/rpc/page/index.ts';
import { callerOf, type Sender } from '../../src/background/sites/sender.ts';
import { uiMethods } from '../../src/messaging/uiMethods.ts';
import { permissionKinds } from '../../src/operations/permissionKinds.ts';
import { fuzzFactor, fuzzSeed } from '../support/fuzz.ts';
import { createWalletHarness, pageSender, SELF } from '../support/wallet.ts';

const self = { id: 'abcdefghijklmnop', baseUrl: 'chrome-extension://abcdefghijklmnop/' };
const tab = { id: 7 };

test('a page of ours is the wallet itself', () => {
  for (const page of ['popup.html', 'approval.html?id=1', 'onboarding.html#x'])
    for (const more of [{}, { tab }, { tab, frameId: 0 }, { origin: self.baseUrl.slice(0, -1), frameId: 0 }])
      expect(callerOf({ id: self.id, url: `${self.baseUrl}src/ui/${page}`, ...more }, self)).toEqual({ kind: 'ui' });
});

test('the top frame of a tab is a page with the origin that the browser reports', () => {
  const url = 'https://site.example:8443/path?query#hash';
  expect(callerOf({ id: self.id, url, origin: 'https://site.example:8443', frameId: 0, tab }, self)).toEqual({
    kind: 'page',
    origin: 'https://site.example:8443',
    tabId: 7,
  });
});

test('a page without https, and one whose origin the browser does not name, have the origin of their address', () => {
  const url = 'http://127.0.0.1:4511/#order';
  const page = { kind: 'page', origin: 'http://127.0.0.1:4511', tabId: 7 };
  expect(callerOf({ id: self.id, url, origin: 'http://127.0.0.1:4511', frameId: 0, tab }, self)).toEqual(page);
  expect(callerOf({ id: self.id, url, frameId: 0, tab }, self)).toEqual(page);
  const named = callerOf({ id: self.id, url, frameId: 0, tab, documentId: 'shown' }, self);
  expect(named).toEqual({ ...page, frameDocument: 'shown' });
});

const refusedSenders: Record<string, [Sender, string]> = {
  'another extension': [{ id: 'other', url: `${self.baseUrl}src/ui/popup.html` }, 'another extension'],
  'no extension id': [{ url: 'https://site.example/', frameId: 0, tab }, 'another extension'],
  'no url': [{ id: self.id, frameId: 0, tab }, 'no sender URL'],
  'a frame inside a page': [
    { id: self.id, url: 'https://site.example/', frameId: 3, tab },
    'only the top frame of a tab can use the wallet',
  ],
  'a page without a tab': [{ id: self.id, url: 'https://site.example/', frameId: 0 }, 'not a tab'],
  'an address that is none': [{ id: self.id, url: '//site.example', frameId: 0, tab }, 'sender URL unreadable'],
  'a file': [{ id: self.id, url: 'file:///etc/passwd', frameId: 0, tab }, 'only http and https pages'],
  'a data URL': [{ id: self.id, url: 'data:text/html,x', frameId: 0, tab }, 'only http and https pages'],
  'a sandboxed page': [{ id: self.id, url: 'https://site.example/', origin: 'null', frameId: 0, tab }, 'opaque origin'],
  'our page in a frame': [
    { id: self.id, url: `${self.baseUrl}src/ui/approval.html`, frameId: 7, tab },
    'a frame is no page of the wallet',
  ],
  'the address of our page with another origin': [
    { id: self.id, url: `${self.baseUrl}src/ui/approval.html`, origin: 'https://site.example', frameId: 0, tab },
    'opaque origin',
  ],
  'the address of our page with an opaque origin': [
    { id: self.id, url: `${self.baseUrl}src/ui/approval.html`, origin: 'null', frameId: 0, tab },
    'opaque origin',
  ],
  'another file of the extension': [
    { id: self.id, url: `${self.baseUrl}other.html`, frameId: 0, tab },
    'only http and https pages',
  ],
};

test.each(Object.entries(refusedSenders))('refuses %s', (_name, [sender, reason]) => {
  expect(callerOf(sender, self)).toEqual({ kind: 'refused', reason });
});

test('a site whose path looks like that of our pages is a page like any other', () => {
  const site = { id: self.id, origin: 'https://site.example', frameId: 0, tab };
  for (const path of ['src/ui/popup.html', `#${self.baseUrl}src/ui/popup.html`, `?${self.baseUrl}src/ui/`])
    expect(callerOf({ ...site, url: `https://site.example/${path}` }, self)).toMatchObject({ kind: 'page' });
});

test('no sender but a page of ours reaches an internal method, whatever the message looks like', async () => {
  const { background, message } = createWalletHarness();
  await background().ready;
  const senders: Sender[] = [
    pageSender('https://site.example'),
    { ...pageSender('https://site.example'), frameId: 2 },
    { ...pageSender('https://site.example'), origin: 'null' },
    { id: 'other-extension', url: 'chrome-extension://other-extension/src/ui/popup.html' },
    { ...pageSender('https://site.example'), url: 'file:///x' },
    { ...pageSender('https://site.example'), url: undefined },
    { ...pageSender('https://site.example'), url: 'https://site.example/src/ui/approval.html' },
    { ...pageSender('https://site.example'), url: `https://site.example/?${SELF.baseUrl}src/ui/approval.html` },
    { id: SELF.id, url: `${SELF.baseUrl}src/ui/approval.html`, origin: 'https://site.example', frameId: 7 },
    {},
  ];
  for (const method of Object.keys(uiMethods))
    for (const sender of senders) {
      expect(await message({ type: 'ui', id: 'x', method, params: {} }, sender)).toBeUndefined();
      const asPage = (await message({ type: 'page', id: crypto.randomUUID(), method, params: [{}] }, sender)) as {
        error: object;
      };
      const isPage = callerOf(sender, SELF).kind === 'page';
      expect([method, asPage.error]).toMatchObject([method, { code: isPage ? 4200 : 4100 }]);
    }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(uiMethods)),
      fc.constantFrom(...senders),
      fc.constantFrom('ui', 'page', 'to-page', 'changed', undefined),
      fc.jsonValue(),
      async (method, sender, type, params) => {
        const reply = (await message({ type, id: crypto.randomUUID(), method, params }, sender)) as
          | { error: { code: number } }
          | undefined;
        if (reply === undefined) return;
        expect([4100, 4200]).toContain(reply.error.code);
      },
    ),
    { numRuns: 200 * fuzzFactor, seed: Number(fuzzSeed) },
  );
  expect((await background().wallet.config.read()).networks).toEqual([]);
});

test('every method of pages says what it needs; those that need no permission are these', () => {
  const policies = [...pageMethods.values()].map(({ name, needs }) => [name, needs] as const);
  const thatNeed = (what: string) => policies.filter(([, needs]) => needs === what).map(([name]) => name);
  for (const [, needs] of policies) expect(['none', 'connection', ...permissionKinds]).toContain(needs);
  expect(thatNeed('none')).toEqual([
    'eth_requestAccounts',
    'eth_accounts',
    'eth_chainId',
    'wallet_getPermissions',
    'wallet_requestPermissions',
    'wallet_revokePermissions',
    // Proposes an exchange, which the user adds or not.
    'wallet_addEthereumChain',
    // What the exchange tells anybody, of no account.
    'relayer_getTimestamp',
    'relayer_getExchangeInfo',
    'relayer_getTokens',
    'relayer_getMarkets',
    'relayer_getMixMarkets',
    'relayer_getAmmPools',
    'relayer_getAmmBalances',
    'relayer_getDepth',
    'relayer_getMixDepth',
    'relayer_getTicker',
    'relayer_getMixTicker',
    'relayer_getCandlestick',
    'relayer_getMixCandlestick',
    'relayer_getTrades',
    'relayer_getAmmTrades',
    'relayer_getPrice',
    'relayer_getLatestTokenPrices',
    'relayer_getAmmPoolsStats',
    'relayer_getFeeInfo',
    'relayer_getWithdrawalAgents',
    'relayer_computeTokenAddress',
    'relayer_getCode',
    'relayer_getAvailableBroker',
    'relayer_getBlockBytes',
    'relayer_revokeStandingApproval',
    // Ends what the site has begun.
    'relayer_unsubscribe',
    'wallet_getCapabilities',
  ]);
  expect(thatNeed('connection')).toEqual([
    'wallet_switchEthereumChain',
    'relayer_getRequest',
    'relayer_getRequests',
    'relayer_withdrawRequest',
    // Of all accounts; those of one need more.
    'relayer_getStandingApprovals',
    'relayer_getReceipt',
    // Public topics; those of an account need more.
    'relayer_subscribe',
  ]);
});

test('a page of ours does not reach the methods of pages', async () => {
  const { message } = createWalletHarness();
  const ui = {
    id: 'nfdlcigheabhlfmdgcmjmendohihdmdp',
    url: 'chrome-extension://nfdlcigheabhlfmdgcmjmendohihdmdp/src/ui/popup.html',
  };
  expect(await message({ type: 'page', id: crypto.randomUUID(), method: 'eth_accounts' }, ui)).toBeUndefined();
});

test('what a compromised renderer sends past its content script is bounded and has the shape of a request', async () => {
  const wallet = createWalletHarness();
  const send = (more: object) =>
    wallet.message(
      { type: 'page', id: crypto.randomUUID(), method: 'eth_requestAccounts', ...more },
      pageSender('https://evil.example'),
    );
  const loop: unknown[] = [];
  loop.push(loop);
  for (const id of ['x', 'x'.repeat(36), '0'.repeat(37), 7]) expect(await send({ id })).toBeUndefined();
  for (const [code, more] of [
    [-32600, { method: undefined }],
    [-32600, { method: 'm'.repeat(101) }],
    [-32602, { params: ['p'.repeat(65_533)] }],
    [-32602, { params: [1n] }],
    [-32602, { params: loop }],
  ] as const)
    expect(await send(more)).toMatchObject({ error: { code } });
  expect(await wallet.ui('listApprovals', {})).toEqual([]);
  // The longest that gets through is looked at.
  expect(await send({ method: 'm'.repeat(100), params: ['p'.repeat(65_532)] })).toMatchObject({
    error: { code: 4200 },
  });
});
