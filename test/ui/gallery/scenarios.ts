import type { UiError, UiMethod, UiResults } from '../../../src/messaging/uiMethods.ts';
import type { Severity } from '../../../src/operations/severity.ts';
import { pool } from '../../../src/protocol/examples.ts';
import * as f from '../support/fixtures.ts';

/** Answers of the background for one screen; `wait` never answers. */
export type Answers = {
  [M in UiMethod]?: { ok: true; result: UiResults[M] } | { ok: false; error: UiError } | 'wait';
};

export interface Scenario {
  readonly name: string;
  readonly page: 'popup' | 'approval' | 'onboarding' | 'keyUpdate' | 'receipt';
  readonly answers: Answers;
  /** Place inside the popup, e.g. `/orders`. */
  readonly at?: string;
  /** `tab`: drawn as in a full tab. */
  readonly view?: 'tab';
  /** What is done on the page before the picture, in order. */
  readonly steps?: readonly (
    | { readonly click: string }
    | { readonly fill: string; readonly text: string }
    | { readonly file: string; readonly name: string }
    | { readonly answers: Answers }
    | { readonly scroll: string }
    /** The browser has no network from here on. */
    | { readonly offline: true }
    /** Milliseconds. */
    | { readonly wait: number }
  )[];
  readonly language?: string;
  /** Drawn with forced colours too: a screen whose states could get lost in them. */
  readonly forced?: true;
  /** The severity of its gravest warning, which tells what has to stand above the fold. */
  readonly fold?: Severity;
  readonly size?: { readonly width: number; readonly height: number };
}

export const ok = <T>(result: T) => ({ ok: true, result }) as const;
export const failed = (code: string, key: string, values: Record<string, string> = {}) =>
  ({ ok: false, error: { code, key, values } }) as const;

export const open: Answers = {
  getState: ok(f.wallet),
  touch: ok(null),
  getBalances: ok(f.home.balances),
  getHome: ok(f.home),
  getActivity: ok(f.activity),
  getHistory: ok(f.fresh(f.history)),
  getHistoryPage: 'wait',
  getSubmission: ok(f.submission),
  checkSubmission: ok(f.submission.item),
  listSigners: ok([]),
  listSites: ok(f.sites),
  listStanding: ok([]),
  listApprovals: ok([]),
  getTokenChanges: ok([]),
  listContacts: ok(f.contacts),
  getLookalike: ok(null),
  listRecentRecipients: ok(f.recents),
  getFees: ok(f.fees),
  getOrders: ok(f.fresh(f.orders)),
  getNfts: ok(f.fresh(f.nfts)),
  getPools: ok(f.fresh(f.pools)),
  getMarkets: ok(f.markets),
  getMarketData: ok(f.marketData),
  getPrices: ok(f.fresh(f.prices)),
  getCurrencies: ok(['USD', 'ETH', 'USDT']),
  getNftMetadata: ok(f.noMetadata),
  previewOperation: ok({ review: f.transferReview, refused: null }),
  startOperation: ok({ id: 'a1', problem: null }),
  getApproval: ok(f.ownApproval()),
};
const unreachable = {
  key: 'error_relayerUnreachable',
  values: { host: { kind: 'text', text: '127.0.0.1:4510' } },
} as const;
const setUp: Answers = { getState: ok(f.absentWallet), touch: ok(null) };
const withPassword: Answers = { ...setUp, getState: ok(f.emptyWallet), createVault: ok(f.emptyWallet) };
const probed: Answers = {
  ...withPassword,
  probeNetwork: ok({ chainId: f.network.chainId, exchangeAddress: f.network.exchangeAddress }),
  addNetwork: ok(f.network),
  importSigner: ok({ signer: 'k1', address: f.account.owner }),
  generateSigner: ok({ signer: 'k1', address: f.account.owner }),
  exportSigner: ok({
    privateKey: '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318',
    phrase: 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
  }),
  findAccount: ok({
    status: 'registered',
    smart: null,
    owner: f.account.owner,
    accountId: 10007,
    nonce: 1,
    publicKey: f.account.publicKey,
  }),
  deriveKey: ok({
    accountId: 10007,
    kind: 'derived' as const,
    keySeed: `Sign this message to access Loopring Exchange: ${f.network.exchangeAddress} with key nonce: 0`,
    derived: f.account.publicKey,
    registered: f.account.publicKey,
    matches: true,
  }),
  addAccount: ok(f.account),
};
const privateKey = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';

const toPassword = [{ click: '.step-buttons .button-primary' }] as const;
const toSigner = [
  { click: '.step-buttons .button-primary' },
  { click: '.facts' },
  { answers: { getState: ok({ ...f.emptyWallet, networks: [f.network] }) } },
  { click: '.step-buttons .button-primary' },
] as const;
const restore = [
  { click: '.step-buttons .button-quiet' },
  { file: '.file-box input', name: 'countersign-backup-2026-11-20.json' },
  { fill: 'input[type=password]', text: 'copper anvil 7 lanterns' },
  { click: '.step-buttons .button-primary' },
] as const;
const toAccount = [
  ...toSigner,
  { click: '[data-testid=way-import]' },
  { fill: 'input', text: privateKey },
  { click: '.step-buttons .button-primary' },
] as const;

const unregistered: Answers = {
  ...probed,
  findAccount: ok({ status: 'unregistered', smart: null, owner: f.account.owner, accountId: 10007, nonce: 0 }),
  claimAccount: ok(f.firstKey.account),
  getKeyUpdateFacts: ok(f.firstKeyFacts),
};

const approval = (view: ReturnType<typeof f.approval>, more: Answers = {}): Answers => ({
  ...open,
  getState: ok(f.twoAccounts),
  getApproval: ok(view),
  approve: 'wait',
  ...more,
});

const standing = {
  kind: 'standing',
  operation: 'standingApproval',
  review: f.standingReview,
  standing: f.standingAsked,
} as const;

export const scenarios: readonly Scenario[] = [
  // Popup
  { name: 'popup-first-use', page: 'popup', answers: { ...open, getState: ok(f.absentWallet) } },
  { name: 'popup-unfinished', page: 'popup', answers: { ...open, getState: ok(f.emptyWallet) } },
  { name: 'popup-locked', page: 'popup', answers: { ...open, getState: ok(f.lockedWallet) } },
  {
    name: 'popup-locked-wrong',
    page: 'popup',
    answers: { ...open, getState: ok(f.lockedWallet), unlock: failed('wrong-password', 'error_wrongPassword') },
    steps: [{ fill: 'input', text: 'not it' }, { click: '.button-primary' }],
  },
  { name: 'popup-home', page: 'popup', answers: open, forced: true },
  {
    name: 'popup-home-attention',
    page: 'popup',
    answers: {
      ...open,
      getState: ok({ ...f.twoAccounts, openApprovals: 2 }),
      getHome: ok({
        ...f.home,
        problem: { key: 'error_relayerUnreachable', values: { host: { kind: 'text', text: '127.0.0.1:4510' } } },
      }),
    },
  },
  {
    name: 'popup-home-empty',
    page: 'popup',
    answers: {
      ...open,
      getHome: ok({ ...f.home, balances: [], activity: [] }),
      getActivity: ok([]),
    },
  },
  {
    name: 'popup-home-big',
    page: 'popup',
    answers: {
      ...open,
      getHome: ok({ ...f.home, balances: f.bigBalances }),
      getActivity: ok([]),
      getPrices: ok(f.fresh(f.absurdPrices)),
    },
  },
  {
    name: 'popup-home-exact',
    page: 'popup',
    answers: open,
    steps: [{ click: '.balance:nth-child(2) .amount-toggle' }],
  },
  { name: 'popup-home-few-prices', page: 'popup', answers: { ...open, getPrices: ok(f.fresh(f.fewPrices)) } },
  { name: 'popup-home-no-prices', page: 'popup', answers: { ...open, getPrices: ok(f.fresh(f.noPrices)) } },
  { name: 'popup-home-old-prices', page: 'popup', answers: { ...open, getPrices: ok(f.oldPrices) } },
  { name: 'popup-home-prices-wait', page: 'popup', answers: { ...open, getPrices: 'wait' } },
  {
    name: 'popup-home-no-values',
    page: 'popup',
    answers: { ...open, getState: ok({ ...f.wallet, settings: { ...f.wallet.settings, currency: '' } }) },
  },
  { name: 'popup-loading', page: 'popup', answers: { ...open, getHome: 'wait', getActivity: 'wait' } },
  {
    name: 'popup-activity',
    page: 'popup',
    answers: open,
    at: '/activity',
    steps: [{ click: '.entry:first-child .entry-head' }],
  },
  {
    name: 'popup-activity-open-order',
    page: 'popup',
    answers: { ...open, getActivity: ok([f.openOrderItem]) },
    at: '/activity',
    steps: [{ click: '.entry-head' }, { scroll: '.order-end .button' }],
  },
  { name: 'popup-sites', page: 'popup', answers: open, at: '/sites' },
  {
    name: 'popup-sites-empty',
    page: 'popup',
    answers: { ...open, listSites: ok([]) },
    at: '/sites',
  },
  {
    name: 'popup-sites-standing',
    page: 'popup',
    answers: { ...open, listStanding: ok(f.standing) },
    at: '/sites',
    forced: true,
  },
  {
    name: 'popup-standing-new',
    page: 'popup',
    answers: open,
    at: `/standing/${encodeURIComponent(f.sites[0]?.origin ?? '')}`,
    steps: [{ fill: '.tab .field:nth-of-type(5) input', text: '0.0004' }],
  },
  { name: 'popup-settings', page: 'popup', answers: open, at: '/settings', forced: true },
  {
    name: 'popup-security',
    page: 'popup',
    answers: {
      ...open,
      listPasskeys: ok([{ credentialId: 'YQ', prfSalt: `${'A'.repeat(43)}=`, createdAt: f.now }]),
    },
    at: '/security',
    steps: [{ click: 'details:nth-of-type(3) summary' }],
  },
  {
    name: 'popup-recovery',
    page: 'popup',
    answers: {
      ...open,
      recoverSecrets: ok([
        { id: 'k1', account: f.account.owner, kind: 'mnemonic', text: `${'abandon '.repeat(11)}about` },
        { id: 'k2', account: f.account.id, kind: 'eddsa-key', text: `0x${'4c0883a69102937d'.repeat(4)}` },
      ]),
    },
    at: '/security',
    steps: [
      { click: 'details:nth-of-type(4) summary' },
      { fill: 'details[open] input', text: 'copper anvil 7 lanterns' },
      { click: 'details[open] .button-primary' },
      { scroll: '.backup-digits' },
    ],
  },
  { name: 'popup-send', page: 'popup', answers: { ...open, getState: ok(f.twoAccounts) }, at: '/send' },
  {
    name: 'popup-send-filled',
    page: 'popup',
    answers: open,
    at: '/send/1',
    steps: [{ fill: '.amount-input', text: '1250.5' }, { click: '.suggestion' }],
  },
  {
    name: 'popup-send-warned',
    page: 'popup',
    answers: open,
    at: '/send/1/0x976EA74026E726554dB657fA54763abd0C3a0aa9',
    steps: [{ click: '.amount-box .button' }, { wait: 400 }, { scroll: '.form-foot' }],
  },
  {
    name: 'popup-send-wrong',
    page: 'popup',
    answers: open,
    at: '/send/2',
    steps: [
      { fill: '.amount-input', text: '12.3456789' },
      { fill: 'input:not(.amount-input)', text: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293Bc' },
    ],
  },
  {
    name: 'popup-send-asked',
    page: 'popup',
    answers: open,
    at: `/send/1/${f.recents[0]?.address}`,
    steps: [{ fill: '.amount-input', text: '5' }, { click: '.form-foot .button' }, { wait: 900 }],
  },
  {
    name: 'popup-send-approved',
    page: 'popup',
    answers: {
      ...open,
      getApproval: ok(
        f.ownApproval({ stage: 'done', result: f.activityItem({ sentence: f.transferReview.sentence }) }),
      ),
    },
    at: `/send/1/${f.recents[0]?.address}`,
    steps: [{ fill: '.amount-input', text: '5' }, { click: '.form-foot .button' }],
  },
  {
    name: 'popup-send-big',
    page: 'popup',
    answers: { ...open, getHome: ok({ ...f.home, balances: f.bigBalances }) },
    at: '/send/41',
    steps: [{ click: '.amount-box .button' }],
  },
  { name: 'popup-send-loading', page: 'popup', answers: { ...open, getHome: 'wait' }, at: '/send' },
  { name: 'popup-withdraw', page: 'popup', answers: open, at: '/withdraw', steps: [{ scroll: '.form-foot' }] },
  {
    name: 'popup-withdraw-fast',
    page: 'popup',
    answers: open,
    at: '/withdraw/1',
    steps: [{ fill: '.amount-input', text: '200' }, { click: '.segment:last-child' }, { scroll: '.form-foot' }],
  },
  { name: 'popup-receive', page: 'popup', answers: open, at: '/receive' },
  { name: 'popup-contacts', page: 'popup', answers: open, at: '/contacts' },
  {
    name: 'popup-contacts-empty',
    page: 'popup',
    answers: { ...open, listContacts: ok([]), listRecentRecipients: ok([]) },
    at: '/contacts',
  },
  {
    name: 'popup-contacts-add',
    page: 'popup',
    answers: open,
    at: '/contacts',
    steps: [{ click: '.contact-recent .button' }],
  },
  {
    name: 'tab-send',
    page: 'popup',
    view: 'tab',
    answers: { ...open, getState: ok(f.twoAccounts) },
    at: '/send',
    size: { width: 1100, height: 760 },
  },
  {
    name: 'popup-activity-received',
    page: 'popup',
    answers: open,
    at: '/activity',
    steps: [{ click: '.entries .history-in' }, { scroll: '.entry-body' }],
  },
  {
    name: 'popup-activity-away',
    page: 'popup',
    answers: { ...open, getHistory: ok({ ...f.fresh(f.history), problem: unreachable }) },
    at: '/activity',
  },
  {
    name: 'popup-activity-none',
    page: 'popup',
    answers: open,
    at: '/activity',
    steps: [{ fill: 'input[type=search]', text: 'no such thing' }],
  },
  {
    name: 'popup-activity-empty',
    page: 'popup',
    answers: { ...open, getActivity: ok([]), getHistory: ok(f.fresh(f.noHistory)) },
    at: '/activity',
  },
  {
    name: 'popup-activity-export',
    page: 'popup',
    answers: open,
    at: '/activity',
    steps: [{ click: '.disclosure summary' }, { scroll: '.disclosure-body .button' }],
  },
  { name: 'popup-activity-detail', page: 'popup', answers: open, at: '/activity/s4' },
  {
    name: 'popup-activity-refused',
    page: 'popup',
    answers: {
      ...open,
      getSubmission: ok({
        ...f.submission,
        item: f.activity[3] ?? f.submission.item,
        steps: [...f.submission.steps.slice(0, 4), { state: 'refused', at: f.now }],
        rows: null,
      }),
    },
    at: '/activity/s2',
  },
  { name: 'popup-orders', page: 'popup', answers: open, at: '/orders', forced: true },
  {
    name: 'popup-orders-detail',
    page: 'popup',
    answers: open,
    at: '/orders',
    steps: [{ click: '.entry:first-child .entry-head' }],
  },
  {
    name: 'popup-orders-tools',
    page: 'popup',
    answers: open,
    at: '/orders',
    steps: [{ click: '.entry:first-child .entry-head' }, { scroll: '.order-end .button' }],
  },
  {
    name: 'popup-orders-replace',
    page: 'popup',
    answers: {
      ...open,
      previewOperation: ok({ review: { ...f.transferReview, warnings: [] }, refused: null }),
    },
    at: `/orders/replace/${f.orderHash}`,
  },
  { name: 'popup-orders-over', page: 'popup', answers: open, at: '/orders/over' },
  {
    name: 'popup-orders-empty',
    page: 'popup',
    answers: { ...open, getOrders: ok(f.fresh({ open: [], over: [], moreOpen: false, moreOver: false })) },
    at: '/orders',
  },
  {
    name: 'popup-orders-offline',
    page: 'popup',
    answers: { ...open, getOrders: ok({ ...f.fresh(f.orders), problem: unreachable }) },
    at: '/orders',
  },
  { name: 'popup-orders-loading', page: 'popup', answers: { ...open, getOrders: 'wait' }, at: '/orders' },
  { name: 'popup-nfts', page: 'popup', answers: open, at: '/nfts' },
  {
    name: 'popup-nfts-pictures',
    page: 'popup',
    answers: { ...open, getNftMetadata: ok(f.nftMetadata) },
    at: '/nfts',
  },
  { name: 'popup-nfts-empty', page: 'popup', answers: { ...open, getNfts: ok(f.fresh([])) }, at: '/nfts' },
  {
    name: 'popup-nft',
    page: 'popup',
    answers: { ...open, getNftMetadata: ok(f.nftMetadata) },
    at: '/nfts/32768',
  },
  { name: 'popup-nft-undeployed', page: 'popup', answers: open, at: '/nfts/32769' },
  {
    name: 'popup-nft-send',
    page: 'popup',
    answers: { ...open, getNftMetadata: ok(f.nftMetadata) },
    at: '/nfts/32768/transfer',
  },
  {
    name: 'popup-nft-sell',
    page: 'popup',
    answers: {
      ...open,
      getNftMetadata: ok(f.nftMetadata),
      previewOperation: ok({ review: f.nftOfferReview, refused: null }),
    },
    at: '/nfts/32768/sell',
    steps: [{ fill: '.amount-input', text: '0.25' }, { wait: 400 }],
  },
  {
    name: 'popup-nft-mint-wrong',
    page: 'popup',
    answers: open,
    at: '/nfts/mint',
    steps: [
      {
        fill: '.form .field:nth-of-type(1) input',
        text: 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi',
      },
    ],
  },
  {
    name: 'popup-nft-mint',
    page: 'popup',
    answers: {
      ...open,
      previewOperation: ok({
        review: null,
        refused: {
          field: 'nftFactory',
          problem: {
            key: 'problem_ownIntent',
            values: {
              reason: {
                kind: 'text',
                text: 'nftFactory: chain 31337 has no official factory, so it has to be named',
              },
            },
          },
        },
      }),
    },
    at: '/nfts/mint',
    steps: [
      { fill: '.form .field:nth-of-type(1) input', text: 'QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR' },
      { wait: 400 },
    ],
  },
  {
    name: 'popup-offline',
    page: 'popup',
    answers: {
      ...open,
      getState: ok({
        ...f.wallet,
        networks: f.wallet.networks.map((network) => ({ ...network, baseUrl: 'https://relayer.example.org' })),
      }),
    },
    steps: [{ offline: true }],
  },
  {
    name: 'popup-silent',
    page: 'popup',
    answers: { ...open, stay: 'wait' },
    // Longer than the page waits for an answer.
    steps: [{ wait: 11_000 }],
  },
  { name: 'popup-pools', page: 'popup', answers: open, at: '/pools' },
  {
    name: 'popup-pools-empty',
    page: 'popup',
    answers: { ...open, getPools: ok(f.fresh({ positions: [], moves: [] })) },
    at: '/pools',
  },
  {
    name: 'popup-pool-exit',
    page: 'popup',
    answers: {
      ...open,
      previewOperation: ok({
        review: {
          ...f.transferReview,
          rows: [{ label: { key: 'review_fee' }, value: { kind: 'amount', volume: '900000000000000', token: f.eth } }],
          warnings: [],
        },
        refused: null,
      }),
    },
    at: `/pools/${pool}`,
    steps: [{ click: '.segment:first-child' }, { wait: 400 }],
  },
  {
    name: 'popup-pool-join',
    page: 'popup',
    answers: {
      ...open,
      getBalances: ok(f.balances),
      previewOperation: ok({ review: { ...f.transferReview, warnings: [] }, refused: null }),
    },
    at: `/pools/${pool}/join`,
    steps: [{ fill: '.form .field:nth-of-type(1) .amount-input', text: '1500' }, { wait: 400 }],
  },
  { name: 'popup-more', page: 'popup', answers: open, at: '/more' },
  {
    name: 'tab-home',
    page: 'popup',
    view: 'tab',
    answers: { ...open, getState: ok(f.twoAccounts) },
    size: { width: 1100, height: 760 },
  },
  { name: 'popup-home-de', page: 'popup', answers: open, language: 'de' },
  { name: 'popup-home-fr', page: 'popup', answers: open, language: 'fr' },
  { name: 'popup-home-zh', page: 'popup', answers: open, language: 'zh' },

  // Approval
  { name: 'approval-order', page: 'approval', answers: approval(f.approval()), forced: true },
  { name: 'approval-order-queue', page: 'approval', answers: approval(f.approval({ waiting: 2 })) },
  {
    name: 'approval-order-details',
    page: 'approval',
    answers: approval(f.approval()),
    steps: [{ click: '.disclosure:nth-child(2) summary' }, { scroll: '.disclosure:nth-child(2)' }],
  },
  {
    name: 'approval-order-worth',
    page: 'approval',
    answers: approval(f.approval({ review: f.leavingReview })),
    steps: [{ click: '.disclosure:nth-child(1) summary' }, { scroll: '.disclosure:nth-child(2)' }],
  },
  {
    name: 'approval-order-no-price',
    page: 'approval',
    answers: approval(f.approval({ review: f.leavingReview }), { getPrices: ok(f.oldPrices) }),
    steps: [{ click: '.disclosure:nth-child(1) summary' }, { scroll: '.disclosure:nth-child(2)' }],
  },
  {
    name: 'approval-order-exact',
    page: 'approval',
    answers: approval(f.approval()),
    steps: [{ click: '.ticket-pay .amount-toggle' }],
  },
  {
    name: 'approval-order-stop',
    page: 'approval',
    answers: approval(f.approval({ review: f.stoppedReview })),
    forced: true,
  },
  {
    name: 'approval-hostile',
    page: 'approval',
    answers: approval(
      f.approval({
        origin: `http://${'very-long-name.'.repeat(8)}xn--80ak6aa92e.example:8443`,
        review: f.hostileReview,
        account: f.secondAccount,
        waiting: 11,
      }),
    ),
  },
  {
    name: 'approval-cancel',
    page: 'approval',
    answers: approval(f.approval({ operation: 'cancelOrder', review: f.cancelReview })),
  },
  {
    name: 'approval-standing',
    page: 'approval',
    answers: approval(f.approval(standing)),
  },
  {
    name: 'approval-standing-less',
    page: 'approval',
    answers: approval(f.approval(standing)),
    steps: [
      { click: '.tighten summary' },
      { fill: '.tighten .field:nth-of-type(1) input', text: '150' },
      { scroll: '.tighten' },
    ],
  },
  {
    name: 'approval-nft',
    page: 'approval',
    answers: approval(f.approval({ operation: 'signNftOrder', review: f.nftSaleReview }), {
      getNftMetadata: ok(f.nftMetadata),
    }),
  },
  {
    name: 'approval-nft-waiting',
    page: 'approval',
    answers: approval(f.approval({ operation: 'signNftOrder', review: f.nftSaleReview }), { getNftMetadata: 'wait' }),
  },
  {
    name: 'approval-nft-no-gateway',
    page: 'approval',
    answers: approval(f.approval({ operation: 'signNftOrder', review: f.nftSaleReview })),
    language: 'de',
  },
  { name: 'approval-connect', page: 'approval', answers: approval(f.connectApproval), forced: true },
  { name: 'approval-connect-before-order', page: 'approval', answers: approval(f.connectBeforeOrder) },
  {
    name: 'approval-after-connect',
    page: 'approval',
    answers: approval(f.approval({ connectedFirst: true })),
    language: 'de',
  },
  {
    name: 'approval-locked',
    page: 'approval',
    answers: approval(f.approval({ needsPassword: true, review: null, digest: null, account: null })),
  },
  {
    name: 'approval-preparing',
    page: 'approval',
    answers: approval(f.approval({ stage: 'waiting', review: null, digest: null })),
  },
  {
    name: 'approval-unavailable',
    page: 'approval',
    answers: approval(
      f.approval({
        stage: 'unavailable',
        review: null,
        digest: null,
        problem: { key: 'error_relayerUnreachable', values: { host: { kind: 'text', text: '127.0.0.1:4510' } } },
      }),
    ),
  },
  { name: 'approval-executing', page: 'approval', answers: approval(f.approval({ stage: 'approved' })) },
  {
    name: 'approval-refused-click',
    page: 'approval',
    answers: approval(f.approval(), { approve: failed('digest-mismatch', 'error_digestMismatch') }),
    steps: [{ scroll: '.details' }, { click: '[data-testid=approve]' }, { scroll: '.banner-danger' }],
  },
  {
    name: 'approval-done',
    page: 'approval',
    answers: approval(f.approval({ stage: 'done', waiting: 1, result: f.activityItem() })),
  },
  {
    name: 'approval-unknown',
    page: 'approval',
    answers: approval(
      f.approval({
        stage: 'done',
        result: f.activityItem({ status: 'unknown' }),
      }),
    ),
  },
  {
    name: 'approval-refused',
    page: 'approval',
    answers: approval(f.approval({ stage: 'done', result: f.activity[3] ?? null })),
  },
  { name: 'approval-closed', page: 'approval', answers: approval(f.approval({ stage: 'closed' })) },
  { name: 'approval-order-de', page: 'approval', answers: approval(f.approval({ waiting: 1 })), language: 'de' },
  { name: 'approval-order-fr', page: 'approval', answers: approval(f.approval({ waiting: 1 })), language: 'fr' },
  { name: 'approval-connect-fr', page: 'approval', answers: approval(f.connectApproval), language: 'fr' },
  { name: 'approval-order-zh', page: 'approval', answers: approval(f.approval({ waiting: 1 })), language: 'zh' },
  { name: 'approval-connect-zh', page: 'approval', answers: approval(f.connectApproval), language: 'zh' },
  { name: 'approval-connect-es', page: 'approval', answers: approval(f.connectApproval), language: 'es' },

  // Onboarding
  { name: 'onboarding-welcome', page: 'onboarding', answers: setUp },
  { name: 'onboarding-welcome-fr', page: 'onboarding', answers: setUp, language: 'fr' },
  { name: 'onboarding-welcome-zh', page: 'onboarding', answers: setUp, language: 'zh' },
  {
    name: 'onboarding-password',
    page: 'onboarding',
    answers: setUp,
    steps: [...toPassword, { fill: 'input', text: 'copper anvil 7 lanterns' }],
  },
  {
    name: 'onboarding-password-weak',
    page: 'onboarding',
    answers: setUp,
    steps: [...toPassword, { fill: 'input', text: 'Password2026' }],
    forced: true,
  },
  {
    name: 'onboarding-network',
    page: 'onboarding',
    answers: probed,
    steps: [{ click: '.step-buttons .button-primary' }],
  },
  {
    name: 'onboarding-network-down',
    page: 'onboarding',
    answers: {
      ...withPassword,
      probeNetwork: failed('relayer-unreachable', 'error_relayerUnreachable', { host: '127.0.0.1:4510' }),
    },
    steps: [{ click: '.step-buttons .button-primary' }],
  },
  { name: 'onboarding-signer', page: 'onboarding', answers: probed, steps: toSigner },
  {
    name: 'onboarding-import',
    page: 'onboarding',
    answers: probed,
    steps: [...toSigner, { click: '[data-testid=way-import]' }, { fill: 'input', text: `${privateKey}00` }],
  },
  {
    name: 'onboarding-backup',
    page: 'onboarding',
    answers: probed,
    steps: [
      ...toSigner,
      { click: '[data-testid=way-generate]' },
      { fill: 'input', text: 'copper anvil 7 lanterns' },
      { click: '.step-buttons .button-primary' },
    ],
  },
  {
    name: 'onboarding-extension',
    page: 'onboarding',
    answers: { ...probed, connectExtension: ok({ addresses: [f.account.owner, f.secondAccount.owner] }) },
    steps: [...toSigner, { click: '[data-testid=way-metamask]' }, { click: '.step-buttons .button-primary' }],
  },
  {
    name: 'onboarding-phrase-seen',
    page: 'onboarding',
    answers: probed,
    steps: [
      ...toSigner,
      { click: '[data-testid=way-phrase]' },
      { fill: 'input', text: `${'abandon '.repeat(11)}about` },
      { click: '.field .icon-button' },
    ],
  },
  {
    name: 'onboarding-phrase',
    page: 'onboarding',
    answers: {
      ...probed,
      listPhraseAccounts: ok([
        { index: 0, address: f.secondAccount.owner, status: 'absent', accountId: null },
        { index: 1, address: f.account.owner, status: 'registered', accountId: 10007 },
        { index: 2, address: f.account.owner, status: 'unregistered', accountId: 10042 },
      ]),
    },
    steps: [
      ...toSigner,
      { click: '[data-testid=way-phrase]' },
      { fill: 'input', text: `${'abandon '.repeat(11)}about` },
      { click: '.step-buttons .button-primary' },
    ],
  },
  {
    name: 'onboarding-restore',
    page: 'onboarding',
    answers: { ...setUp, restoreBackup: failed('corrupt', 'error_backupUnreadable') },
    steps: [{ click: '.step-buttons .button-quiet' }],
    forced: true,
  },
  {
    name: 'onboarding-restore-file',
    page: 'onboarding',
    answers: { ...setUp, restoreBackup: failed('corrupt', 'error_backupUnreadable') },
    steps: restore,
  },
  {
    name: 'onboarding-restore-hosts',
    page: 'onboarding',
    answers: {
      ...setUp,
      restoreBackup: ok({ ...f.wallet, networks: [{ ...f.network, baseUrl: 'https://relayer.example' }] }),
    },
    steps: restore,
  },
  {
    name: 'onboarding-absent',
    page: 'onboarding',
    answers: { ...probed, findAccount: ok({ status: 'absent', owner: f.account.owner }) },
    steps: toAccount,
  },
  { name: 'onboarding-activate', page: 'onboarding', answers: unregistered, steps: toAccount },
  {
    name: 'onboarding-first-key',
    page: 'onboarding',
    answers: { ...unregistered, getKeyUpdate: ok({ ...f.firstKey, approval: null, newKey: null }) },
    steps: [...toAccount, { click: '.step-buttons .button-primary' }],
  },
  {
    name: 'onboarding-first-key-confirm',
    page: 'onboarding',
    answers: { ...unregistered, getKeyUpdate: ok(f.firstKey) },
    steps: [...toAccount, { click: '.step-buttons .button-primary' }],
    size: { width: 1100, height: 1200 },
  },
  {
    name: 'onboarding-first-key-progress',
    page: 'onboarding',
    answers: {
      ...unregistered,
      getKeyUpdate: ok({ ...f.firstKey, approval: { ...f.firstKey.approval, stage: 'approved' } }),
    },
    steps: [...toAccount, { click: '.step-buttons .button-primary' }],
  },
  {
    name: 'onboarding-contract',
    page: 'onboarding',
    answers: {
      ...probed,
      findAccount: ok({
        status: 'registered',
        smart: 'contract',
        owner: f.secondAccount.owner,
        accountId: 10007,
        nonce: 1,
        publicKey: f.account.publicKey,
      }),
    },
    steps: toAccount,
  },
  {
    name: 'onboarding-unsteady',
    page: 'onboarding',
    answers: { ...probed, deriveKey: failed('signer-not-deterministic', 'error_signerNotDeterministic') },
    steps: toAccount,
  },
  { name: 'onboarding-keys', page: 'onboarding', answers: probed, steps: [...toAccount, { click: 'summary' }] },
  {
    name: 'onboarding-keys-differ',
    page: 'onboarding',
    answers: {
      ...probed,
      deriveKey: ok({
        accountId: 10007,
        kind: 'derived' as const,
        keySeed: 'Sign this message to access Loopring Exchange',
        derived: f.account.publicKey,
        registered: { x: f.orderHash, y: f.digest },
        matches: false,
      }),
    },
    steps: [...toAccount, { click: '.keys' }],
  },
  {
    name: 'onboarding-name',
    page: 'onboarding',
    answers: probed,
    steps: [...toAccount, { click: 'summary' }, { click: '.step-buttons .button-primary' }],
  },
  {
    name: 'onboarding-done',
    page: 'onboarding',
    answers: probed,
    steps: [
      ...toAccount,
      { click: 'summary' },
      { click: '.step-buttons .button-primary' },
      { click: '.step-buttons .button-primary' },
      { click: '.next' },
    ],
  },
  {
    name: 'onboarding-narrow',
    page: 'onboarding',
    answers: probed,
    steps: [...toAccount, { click: 'summary' }],
    size: { width: 420, height: 900 },
  },
  { name: 'receipt-choose', page: 'receipt', answers: open },
  ...(['valid', 'unsigned', 'invalid', 'none'] as const).map((which) => ({
    name: `receipt-${which}`,
    page: 'receipt' as const,
    answers: { ...open, verifyReceipt: ok(f.receiptFindings[which]) },
    steps: [{ file: '[data-testid=receipt-file]', name: 'receipt.json' }],
  })),
];
