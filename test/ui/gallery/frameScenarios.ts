import type { SiteView } from '../../../src/messaging/views.ts';
import * as f from '../support/fixtures.ts';
import { failed, ok, open, type Scenario } from './scenarios.ts';

const two = { ...open, getState: ok(f.twoAccounts) };
const trade: SiteView = {
  origin: 'https://trade.example.org',
  grants: [
    { account: f.account.id, kinds: ['read', 'orders', 'transfers'] },
    { account: f.secondAccount.id, kinds: ['read'] },
  ],
  blocked: false,
};
const blocked: SiteView = {
  origin: `https://${'a-name-that-does-not-end.'.repeat(4)}example`,
  grants: [],
  blocked: true,
};
const manyAccounts = Array.from({ length: 12 }, (_, index) => ({
  ...f.account,
  id: `dev:${10_100 + index}`,
  accountId: 10_100 + index,
  owner: `0x${(index + 17).toString(16).padStart(2, '0').repeat(20)}`,
  label: ['Trading', 'Savings', 'Payments', 'Market maker, second machine'][index % 4] ?? '',
}));

/**
 * Screens around the account: sites, accounts, exchanges, key, queue, settings, advanced, about.
 */
export const frameScenarios: readonly Scenario[] = [
  {
    name: 'popup-site',
    page: 'popup',
    answers: { ...two, listSites: ok([trade]) },
    at: `/sites/${encodeURIComponent(trade.origin)}`,
  },
  {
    name: 'popup-site-leaving',
    page: 'popup',
    answers: { ...two, listSites: ok([trade]) },
    at: `/sites/${encodeURIComponent(trade.origin)}`,
    steps: [{ click: '.choice-row .button:first-child' }, { scroll: '.choice-row' }],
  },
  {
    name: 'popup-site-blocked',
    page: 'popup',
    answers: { ...two, listSites: ok([blocked]) },
    at: `/sites/${encodeURIComponent(blocked.origin)}`,
  },
  { name: 'popup-accounts', page: 'popup', answers: two, at: '/accounts' },
  {
    name: 'popup-accounts-many',
    page: 'popup',
    answers: { ...open, getState: ok({ ...f.twoAccounts, accounts: [...f.twoAccounts.accounts, ...manyAccounts] }) },
    at: '/accounts',
  },
  {
    name: 'popup-accounts-unused-key',
    page: 'popup',
    answers: {
      ...two,
      listSigners: ok([{ id: 'signer:9', address: f.secondAccount.owner, kind: 'local', phrase: null, accounts: [] }]),
    },
    at: '/accounts',
    steps: [{ click: 'li .button-danger-quiet' }, { scroll: '.card-danger .choice-row' }],
  },
  { name: 'popup-account', page: 'popup', answers: two, at: `/accounts/${encodeURIComponent(f.account.id)}` },
  {
    name: 'popup-account-remove',
    page: 'popup',
    answers: { ...two, removeAccount: failed('wrong-password', 'error_wrongPassword') },
    at: `/accounts/${encodeURIComponent(f.secondAccount.id)}`,
    steps: [
      { click: 'main > .button-danger-quiet' },
      { fill: '.card-danger input', text: 'not it' },
      { click: '.card-danger .button-danger' },
      { scroll: '.card-danger .choice-row' },
    ],
  },
  { name: 'popup-networks', page: 'popup', answers: two, at: '/networks' },
  {
    name: 'popup-network-same',
    page: 'popup',
    answers: {
      ...two,
      checkNetwork: ok({
        reported: { chainId: 31337, exchangeAddress: f.network.exchangeAddress },
        same: true,
      }),
    },
    at: `/networks/${f.network.id}`,
    steps: [{ click: 'main > .button:has(.icon)' }],
  },
  {
    name: 'popup-network-differs',
    page: 'popup',
    answers: {
      ...two,
      checkNetwork: ok({
        reported: { chainId: 1, exchangeAddress: f.secondAccount.owner },
        same: false,
      }),
    },
    at: `/networks/${f.network.id}`,
    steps: [{ click: 'main > .button:has(.icon)' }, { scroll: '.banner-danger' }],
  },
  {
    name: 'popup-network-tokens-link',
    page: 'popup',
    answers: { ...two, getTokenChanges: ok(f.tokenChanges) },
    at: `/networks/${f.network.id}`,
  },
  {
    name: 'popup-network-tokens',
    page: 'popup',
    answers: {
      ...two,
      getTokenChanges: ok(f.tokenChanges),
      acceptToken: failed('wrong-password', 'error_wrongPassword'),
    },
    at: `/networks/${f.network.id}/tokens`,
    size: { width: 380, height: 1500 },
    forced: true,
    steps: [
      { click: 'section:last-of-type > .button' },
      { fill: '.card-danger input', text: 'not it' },
      { click: '.card-danger .button-danger' },
    ],
  },
  {
    name: 'popup-key',
    page: 'popup',
    answers: {
      ...two,
      getKeyInfo: ok({
        account: f.account.id,
        publicKey: f.account.publicKey,
        kind: 'derived',
        since: f.now - 48 * 86_400_000,
        signatures: 1284,
      }),
    },
    at: '/key',
  },
  {
    name: 'popup-key-imported',
    page: 'popup',
    answers: {
      ...two,
      getKeyInfo: ok({
        account: f.account.id,
        publicKey: f.account.publicKey,
        kind: 'imported',
        since: null,
        signatures: 0,
      }),
    },
    at: '/key',
  },
  {
    name: 'popup-queue',
    page: 'popup',
    answers: {
      ...open,
      getState: ok({ ...f.twoAccounts, openApprovals: 3 }),
      listApprovals: ok([
        {
          id: 'a1',
          kind: 'operation',
          origin: trade.origin,
          createdAt: f.now - 240_000,
          operation: 'submitOrder',
          account: f.account.id,
          approvedAt: f.now - 90_000,
        },
        {
          id: 'a2',
          kind: 'operation',
          origin: trade.origin,
          createdAt: f.now - 60_000,
          operation: 'withdraw',
          account: f.secondAccount.id,
          approvedAt: null,
        },
        {
          id: 'a3',
          kind: 'connect',
          origin: 'http://shop.example',
          createdAt: f.now - 5_000,
          operation: null,
          account: null,
          approvedAt: null,
        },
      ]),
    },
    at: '/queue',
  },
  { name: 'popup-queue-empty', page: 'popup', answers: two, at: '/queue' },
  {
    name: 'popup-settings-more',
    page: 'popup',
    answers: {
      ...open,
      getState: ok({
        ...f.wallet,
        settings: { ...f.wallet.settings, notifications: true, ipfsGateway: 'https://ipfs.example.org/ipfs/' },
      }),
    },
    at: '/settings',
    steps: [{ scroll: '.menu' }],
  },
  {
    name: 'popup-advanced',
    page: 'popup',
    answers: {
      ...two,
      getDiagnostics: ok({
        cursors: [
          { tokenId: 0, symbol: 'ETH', parity: 'order', next: 18 },
          { tokenId: 1, symbol: 'LRC', parity: 'order', next: 246 },
          { tokenId: 1, symbol: 'LRC', parity: 'offchain', next: 4_294_967_295 },
          { tokenId: 32_770, symbol: null, parity: 'offchain', next: 3 },
        ],
        states: [
          { status: 'processed', count: 131 },
          { status: 'cancelled', count: 12 },
          { status: 'unknown', count: 1 },
        ],
      }),
      getFailures: ok([
        {
          at: 1_790_000_000_000,
          count: 3,
          where: 'attention: ask the relayer',
          name: 'RelayerClientError',
          code: null,
          stack: [],
        },
        {
          at: 1_789_999_000_000,
          count: 1,
          where: 'settings: second copy',
          name: 'VaultError',
          code: 'storage-full',
          stack: [],
        },
      ]),
      getRelayerHealth: ok({ baseUrl: f.network.baseUrl, milliseconds: 42, clockAhead: 180, problem: null }),
    },
    at: '/advanced',
    steps: [{ click: '.card .button-small' }],
  },
  {
    name: 'popup-advanced-down',
    page: 'popup',
    answers: {
      ...two,
      getDiagnostics: ok({ cursors: [], states: [] }),
      getFailures: ok([]),
      getRelayerHealth: ok({
        baseUrl: f.network.baseUrl,
        milliseconds: null,
        clockAhead: null,
        problem: { key: 'error_relayerUnreachable', values: { host: { kind: 'text', text: '127.0.0.1:4510' } } },
      }),
    },
    at: '/advanced',
    steps: [{ click: '.card .button-small' }],
  },
  ...(
    [
      ['popup-proofs', f.proofs],
      ['popup-proofs-wrong', f.wrongProofs],
      [
        'popup-proofs-none',
        { ...f.proofs, offered: 'no', proofs: f.proofs.proofs.map((proof) => ({ ...proof, ...f.unproven })) },
      ],
      ['popup-proofs-before', { offered: 'not-yet', proofs: [] }],
    ] as const
  ).map(([name, view]) => ({
    name,
    page: 'popup' as const,
    answers: { ...two, getBalanceProofs: ok(view) },
    at: `/proofs/${f.account.id}`,
  })),
  {
    name: 'popup-home-no-proofs',
    page: 'popup',
    answers: {
      ...open,
      getHome: ok({ ...f.home, balancesAt: f.now - 47 * 60_000, noProofs: true }),
    },
  },
  { name: 'popup-about', page: 'popup', answers: two, at: '/about' },
  { name: 'popup-accounts-es', page: 'popup', answers: two, at: '/accounts', language: 'es' },
  { name: 'popup-settings-fr', page: 'popup', answers: open, at: '/settings', language: 'fr' },
  { name: 'popup-settings-zh', page: 'popup', answers: open, at: '/settings', language: 'zh' },
  { name: 'popup-settings-de', page: 'popup', answers: open, at: '/settings', language: 'de' },
];
