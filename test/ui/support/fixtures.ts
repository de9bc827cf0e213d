import type {
  AccountView,
  ActivityItem,
  ApprovalView,
  BalanceView,
  ContactView,
  HistoryEvent,
  HistoryView,
  HomeView,
  MarketDataView,
  MarketView,
  NetworkView,
  NftMetadataView,
  NftView,
  OrderView,
  PoolsView,
  PricesView,
  ProofsView,
  ReceiptCheck,
  ReceiptFinding,
  RecentRecipient,
  SiteView,
  StandingView,
  SubmissionView,
  TokenChange,
  WalletState,
} from '../../../src/messaging/views.ts';
import type { Review, TokenFacts, Value } from '../../../src/operations/review.ts';
import { pool as poolAddress } from '../../../src/protocol/examples.ts';

/** Fixed moment of all fixtures, milliseconds. */
export const now = Date.UTC(2026, 10, 21, 14, 30);
const minute = 60_000;
const day = 86_400_000;

export const eth: TokenFacts = {
  tokenId: 0,
  symbol: 'ETH',
  name: 'Ether',
  address: '0x0000000000000000000000000000000000000000',
  decimals: 18,
};
export const lrc: TokenFacts = {
  tokenId: 1,
  symbol: 'LRC',
  name: 'Loopring',
  address: '0xBBbbCA6A901c926F240b89EacB641d8Aec7AEafD',
  decimals: 18,
};
export const usdt: TokenFacts = {
  tokenId: 2,
  symbol: 'USDT',
  name: 'Tether USD',
  address: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  decimals: 6,
};
export const points: TokenFacts = {
  tokenId: 40,
  symbol: 'PTS',
  name: 'Whole points',
  address: '0x00000000219ab540356cBB839Cbe05303d7705Fa',
  decimals: 0,
};
export const dust: TokenFacts = {
  tokenId: 41,
  symbol: 'DUST',
  name: 'Seventy-eight decimals',
  address: '0x1111111111111111111111111111111111111111',
  decimals: 78,
};
/** A symbol with a direction override, a zero-width joiner and a Cyrillic letter. */
export const hostileToken: TokenFacts = {
  tokenId: 66,
  symbol: 'US\u202eDС\u200d',
  name: 'Not what\u0000it seems \u2066at all',
  address: '0x2222222222222222222222222222222222222222',
  decimals: 6,
};

/** One token that is called something else, and one whose contract and decimals are others. */
export const tokenChanges: readonly TokenChange[] = [
  { before: points, now: { ...points, symbol: 'PNT', name: 'Points' } },
  { before: usdt, now: { ...usdt, address: hostileToken.address, decimals: 18 } },
];

const nftProof = {
  token: { tokenId: 32768, symbol: 'NFT', name: 'NFT', address: points.address, decimals: 0 },
  nft: { cid: 'QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR', nftId: `0x${'3b1f7a90c2d4e586'.repeat(4)}` },
  total: '5',
  failure: null,
} as const;
/** A balance of each state. */
export const proofs: ProofsView = {
  offered: 'yes',
  proofs: [
    {
      token: eth,
      nft: null,
      total: '12345678900000000000',
      state: 'proven',
      blockId: 4711,
      proven: '12345678900000000000',
      failure: null,
    },
    {
      token: lrc,
      nft: null,
      total: '1500000000000000000000',
      state: 'changed',
      blockId: 4711,
      proven: '1499000000000000000000',
      failure: null,
    },
    {
      token: usdt,
      nft: null,
      total: '250000000',
      state: 'other-key',
      blockId: 4711,
      proven: '250000000',
      failure: null,
    },
    { token: points, nft: null, total: '42', state: 'none', blockId: null, proven: null, failure: null },
    { ...nftProof, state: 'proven', blockId: 4711, proven: '5' },
    { ...nftProof, token: { ...nftProof.token, tokenId: 32770 }, state: 'other-nft', blockId: 4711, proven: '1' },
  ],
};
export const unproven = { state: 'none', blockId: null, proven: null } as const;
/** The same with a wrong proof of one balance, and two states of the block for another. */
export const wrongProofs: ProofsView = {
  offered: 'yes',
  proofs: proofs.proofs.map((proof, index) =>
    index < 2 ? { ...proof, failure: { rule: index ? 'two-roots' : 'root', blockId: 4712, at: now } } : proof,
  ),
};

export const network: NetworkView = {
  id: 'dev',
  name: 'Development',
  baseUrl: 'http://127.0.0.1:4510',
  chainId: 31337,
  exchangeAddress: '0x0BABA1Ad5bE3a5C0a66E7ac838a129Bf948f1eA4',
};

export const account: AccountView = {
  id: 'dev:10007',
  networkId: 'dev',
  accountId: 10007,
  owner: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  label: 'Main account',
  publicKey: {
    x: '0x1fde1f6fb5a2b9a7e90b5c8ef2ac8d5f4d0a6a1e6be18b0c6dd6f9ae40a3b51c',
    y: '0x0a2c4e5d8b91f7036cb0d3a1e9f0426a8d4bb07cf15e62f4aa39cb8810de7742',
  },
};
export const secondAccount: AccountView = {
  ...account,
  id: 'dev:10042',
  accountId: 10042,
  owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  label: 'Savings, do not touch before the end of the year',
};

export const wallet: WalletState = {
  vault: 'unlocked',
  networks: [network],
  accounts: [account],
  selectedAccount: account.id,
  openApprovals: 0,
  settings: {
    lockAfterMinutes: 15,
    theme: 'system',
    contrast: 'system',
    language: 'system',
    ipfsGateway: '',
    notifications: false,
    currency: 'USD',
  },
};
export const twoAccounts: WalletState = { ...wallet, accounts: [account, secondAccount] };
export const lockedWallet: WalletState = { ...wallet, vault: 'locked' };
export const absentWallet: WalletState = {
  ...wallet,
  vault: 'absent',
  networks: [],
  accounts: [],
  selectedAccount: null,
};
export const emptyWallet: WalletState = { ...wallet, networks: [], accounts: [], selectedAccount: null };

export const orderHash = '0x2a4f1c9d5e8b7a6034f2d1c0b9a8e7f6d5c4b3a29180f7e6d5c4b3a29180f7e6';
export const digest = `0x${'9c'.repeat(32)}`;

const pay = { kind: 'amount', volume: '150000000000000000000', token: lrc } as const;
const receive = { kind: 'amount', volume: '31500000000000000', token: eth } as const;
const highestFee = { kind: 'amount', volume: '200000000000000', token: eth } as const;
const afterFee = {
  key: 'review_afterFee',
  values: { gross: { kind: 'amount', volume: '31700000000000000', token: eth }, fee: highestFee },
} as const;

export const orderReview: Review = {
  sentence: { key: 'review_submitOrder', values: { pay, receive } },
  rows: [
    { label: { key: 'review_pay' }, value: pay, emphasis: 'pay', note: { key: 'review_allOfIt' } },
    { label: { key: 'review_receive' }, value: receive, emphasis: 'receive', note: afterFee },
    {
      label: { key: 'review_price' },
      value: { kind: 'price', value: '0.00021', exact: true, quote: 'ETH', base: 'LRC' },
    },
    {
      label: { key: 'review_worstFee' },
      value: highestFee,
      note: { key: 'review_worstFeeNote', values: { rate: { kind: 'bips', bips: 63 } } },
    },
    { label: { key: 'review_expires' }, value: { kind: 'time', seconds: Math.floor((now + 30 * day) / 1000) } },
  ],
  warnings: [],
  bound: [
    { path: 'exchange', value: network.exchangeAddress },
    { path: 'accountId', value: '10007' },
    { path: 'sellToken.tokenId', value: '1' },
    { path: 'sellToken.volume', value: '150000000000000000000' },
    { path: 'buyToken.tokenId', value: '0' },
    { path: 'buyToken.volume', value: '31500000000000000' },
    { path: 'validUntil', value: String(Math.floor((now + 30 * day) / 1000)) },
    { path: 'maxFeeBips', value: '63' },
    { path: 'fillAmountBOrS', value: 'false' },
    { path: 'taker', value: eth.address },
  ],
  unbound: [
    { path: 'orderType', value: 'LIMIT_ORDER' },
    { path: 'tradeChannel', value: 'MIXED' },
    { path: 'clientOrderId', value: 'demo-4711' },
  ],
};

/** With what leaves the account marked as such. */
export const leavingReview: Review = {
  ...orderReview,
  rows: orderReview.rows.map((row) => (row.emphasis === 'pay' ? { ...row, leaves: true } : row)),
};

/** A price far below the market's to somebody new, with a plain fact beside it. */
export const stoppedReview: Review = {
  ...orderReview,
  warnings: [
    {
      rule: 'price-far',
      severity: 'stop',
      password: true,
      text: {
        key: 'warning_priceFar',
        values: {
          share: { kind: 'bips', bips: 5050 },
          loss: { kind: 'amount', volume: '32100000000000000', token: eth },
        },
      },
    },
    { rule: 'recipient-new', severity: 'notice', text: { key: 'warning_recipientNew' } },
    { rule: 'data-overdue', severity: 'notice', text: { key: 'warning_dataOverdue' } },
    { rule: 'pool-unbound', severity: 'note', text: { key: 'warning_poolUnbound' } },
  ],
};

const hostileText =
  'Refund\u202e 0001 TEU\u2066 \u0007 free\u200bmoney Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f '.repeat(6);
const enormous = `${'7'.repeat(58)}12345678901234567890`;

export const hostileReview: Review = {
  sentence: {
    key: 'review_submitOrder',
    values: {
      pay: { kind: 'amount', volume: enormous, token: hostileToken },
      receive: { kind: 'amount', volume: '1', token: dust },
    },
  },
  rows: [
    {
      label: { key: 'review_pay' },
      value: { kind: 'amount', volume: enormous, token: hostileToken },
      emphasis: 'pay',
      note: { key: 'review_atMost' },
    },
    {
      label: { key: 'review_receive' },
      value: { kind: 'amount', volume: '1', token: dust },
      emphasis: 'receive',
      note: afterFee,
    },
    {
      label: { key: 'review_price' },
      value: {
        kind: 'price',
        value: '0.000000000000000000000000000000000000123456789',
        exact: false,
        quote: dust.symbol,
        base: hostileToken.symbol,
      },
    },
    { label: { key: 'review_taker' }, value: { kind: 'address', address: secondAccount.owner.toLowerCase() } },
    { label: { key: 'review_clientOrderId' }, value: { kind: 'text', text: hostileText } },
    { label: { key: 'review_orderHash' }, value: { kind: 'hex', hex: orderHash } },
    { label: { key: 'review_orderType' }, value: { kind: 'message', key: 'orderType_AMM' } },
  ],
  warnings: [
    {
      rule: 'price-far',
      severity: 'danger',
      text: { key: 'warning_priceFar', values: { share: { kind: 'bips', bips: 1230 }, loss: highestFee } },
    },
    { rule: 'pool-unbound', severity: 'note', text: { key: 'warning_poolUnbound' } },
  ],
  bound: [{ path: 'sellToken.volume', value: enormous }],
  unbound: [{ path: 'clientOrderId', value: hostileText }],
};

export const cancelReview: Review = {
  sentence: { key: 'review_cancelOrder' },
  rows: [
    { label: { key: 'review_orderPays' }, value: pay, emphasis: 'pay' },
    { label: { key: 'review_orderReceives' }, value: receive, emphasis: 'receive' },
    { label: { key: 'review_market' }, value: { kind: 'text', text: 'LRC-ETH' } },
    {
      label: { key: 'review_filledSoFar' },
      value: { kind: 'amount', volume: '12500000000000000000', token: lrc },
    },
    { label: { key: 'review_clientOrderId' }, value: { kind: 'text', text: 'demo-4711' } },
    { label: { key: 'review_orderHash' }, value: { kind: 'hex', hex: orderHash } },
  ],
  warnings: [],
  bound: [
    { path: 'accountId', value: '10007' },
    { path: 'orderHash', value: orderHash },
  ],
  unbound: [{ path: 'clientOrderId', value: 'demo-4711' }],
};

const nfts3 = {
  kind: 'amount',
  volume: '3',
  token: { tokenId: 32768, symbol: 'NFT', name: 'NFT', address: points.address, decimals: 0 },
} as const;

export const nftSaleReview: Review = {
  sentence: { key: 'review_sellNft', values: { pay: nfts3, receive } },
  rows: [
    { label: { key: 'review_pay' }, value: nfts3, emphasis: 'pay' },
    { label: { key: 'review_receive' }, value: receive, emphasis: 'receive', note: afterFee },
    { label: { key: 'review_nftContract' }, value: { kind: 'address', address: points.address } },
    {
      label: { key: 'review_nftData' },
      value: { kind: 'hex', hex: digest },
      note: { key: 'review_slotNote', values: { slot: { kind: 'integer', value: 32768 } } },
    },
  ],
  nft: { nftId: orderHash, slot: 32768 },
  warnings: [],
  bound: [],
  unbound: [],
};

const historyOther: Value = { kind: 'address', address: '0x8ba1f109551bD432803012645Ac136ddd64DBA72' };

export function historyEvent(change: Partial<HistoryEvent> = {}): HistoryEvent {
  const kind = change.kind ?? 'received';
  return {
    id: 'request:1',
    kind,
    sentence: { key: `history_${kind}`, values: { other: historyOther } },
    hash: `0x${'7e'.repeat(32)}`,
    status: 'processed',
    amount: { token: eth, volume: '1250000000000000000' },
    fee: null,
    memo: '',
    at: now - 50 * minute,
    block: 44,
    ...change,
  };
}

export function activityItem(change: Partial<ActivityItem> = {}): ActivityItem {
  return {
    id: 's1',
    requestId: 'a1',
    operation: 'submitOrder',
    group: 'orders',
    origin: 'https://trade.example.org',
    account: account.id,
    sentence: orderReview.sentence,
    status: 'acknowledged',
    hash: orderHash,
    approveHash: null,
    storageId: 246,
    createdAt: now - 2 * minute,
    problem: null,
    ...change,
  };
}

export function approval(change: Partial<ApprovalView> = {}): ApprovalView {
  return {
    id: 'a1',
    kind: 'operation',
    stage: 'ready',
    needsPassword: false,
    origin: 'https://trade.example.org',
    createdAt: now - 5_000,
    waiting: 0,
    account,
    network,
    digest,
    operation: 'submitOrder',
    shownBy: 'window',
    review: orderReview,
    approvesOnL1: false,
    asksOtherWallet: false,
    connect: null,
    connectedFirst: false,
    standing: null,
    again: null,
    signedBefore: null,
    reviewedAt: null,
    changes: null,
    problem: null,
    result: null,
    ...change,
  };
}

/** A transfer that a screen of the wallet asks. */
export const ownApproval = (change: Partial<ApprovalView> = {}): ApprovalView =>
  approval({ origin: 'countersign', operation: 'transfer', review: transferReview, ...change });

export const connectApproval: ApprovalView = approval({
  id: 'c1',
  kind: 'connect',
  account: null,
  operation: null,
  review: null,
  connect: {
    kinds: ['read', 'orders'],
    accounts: [account, secondAccount],
    granted: [],
    isSwitch: false,
    isMore: false,
    hasNext: false,
  },
});

/** Asked by a site that asked for an order before it was connected. */
export const connectBeforeOrder: ApprovalView = {
  ...connectApproval,
  connect: {
    kinds: ['orders'],
    accounts: [account, secondAccount],
    granted: [],
    isSwitch: false,
    isMore: false,
    hasNext: true,
  },
};

export const balances: readonly BalanceView[] = [
  { token: eth, total: '2503150000000000000', locked: '31500000000000000', pendingDeposit: '0', pendingWithdraw: '0' },
  {
    token: lrc,
    total: '184250500000000000000000',
    locked: '150000000000000000000',
    pendingDeposit: '1000000000000000000000',
    pendingWithdraw: '0',
  },
  { token: usdt, total: '12499990000', locked: '0', pendingDeposit: '0', pendingWithdraw: '500000000' },
];

/** Parts of 10^-30. */
const rate = (price: number): string => `${Math.round(price * 1e9)}${'0'.repeat(21)}`;
export const prices: PricesView = {
  currency: 'USD',
  rates: [
    { tokenId: eth.tokenId, now: rate(3012.4), before: rate(2954.25) },
    { tokenId: lrc.tokenId, now: rate(0.2008), before: rate(0.2051) },
    { tokenId: usdt.tokenId, now: rate(1), before: rate(1) },
  ],
};
/** Without LRC. */
export const fewPrices: PricesView = {
  ...prices,
  rates: prices.rates.filter(({ tokenId }) => tokenId !== lrc.tokenId),
};
export const noPrices: PricesView = { ...prices, rates: [] };
/** What a relayer that lies could say. */
export const absurdPrices: PricesView = {
  ...prices,
  rates: [dust, hostileToken, points].map(({ tokenId }) => ({
    tokenId,
    now: `999999999999${'9'.repeat(30)}`,
    before: '1',
  })),
};
/** Last read three hours ago. */
export const oldPrices = { data: prices, at: now - 180 * minute, problem: null };

export const bigBalances: readonly BalanceView[] = [
  { token: dust, total: enormous, locked: '1', pendingDeposit: '0', pendingWithdraw: '0' },
  { token: hostileToken, total: enormous, locked: enormous, pendingDeposit: '0', pendingWithdraw: '0' },
  { token: points, total: '1234567', locked: '0', pendingDeposit: '0', pendingWithdraw: '0' },
];

export const activity: readonly ActivityItem[] = [
  activityItem({ id: 's5', status: 'unknown', createdAt: now - minute }),
  activityItem({ id: 's4' }),
  activityItem({
    id: 's3',
    operation: 'cancelOrder',
    picture: 'cross',
    sentence: cancelReview.sentence,
    status: 'processed',
    createdAt: now - 3 * 60 * minute,
  }),
  activityItem({
    id: 's2',
    status: 'refused',
    createdAt: now - 2 * day,
    hash: null,
    problem: {
      key: 'problem_refusedUntil',
      values: {
        until: { kind: 'time', seconds: now / 1000 + 86_400 },
        code: { kind: 'text', text: '102012' },
        name: { kind: 'text', text: 'ORDER_TOO_SMALL' },
        action: { kind: 'text', text: 'Raise the amount.' },
      },
    },
  }),
  activityItem({ id: 's1', status: 'processed', createdAt: now - 9 * day, origin: 'http://localhost:4520' }),
  activityItem({ id: 's0', status: 'expired', createdAt: now - 40 * day }),
];

/**
 * What happened to the account without this wallet: an incoming transfer, a deposit on its way, two
 * fills, a failed withdrawal.
 */
export const history: HistoryView = {
  events: [
    historyEvent({ id: 'request:9', kind: 'deposited', status: 'processing', at: now - 4 * minute, block: null }),
    historyEvent({ id: 'request:8', memo: 'Thank you for lunch', at: now - 50 * minute }),
    historyEvent({
      id: 'fill:3:SELL',
      kind: 'sold',
      hash: orderHash,
      sentence: {
        key: 'history_sold',
        values: { price: { kind: 'price', value: '0.00021', exact: false, quote: 'ETH', base: 'LRC' } },
      },
      amount: { token: lrc, volume: '100000000000000000000' },
      fee: { token: eth, volume: '21000000000000' },
      at: now - 5 * 60 * minute,
      block: 41,
    }),
    historyEvent({
      id: 'fill:2:BUY',
      kind: 'bought',
      sentence: {
        key: 'history_bought',
        values: { price: { kind: 'price', value: '0.00019', exact: false, quote: 'ETH', base: 'LRC' } },
      },
      amount: { token: lrc, volume: '2500000000000000000000' },
      at: now - 2 * day - minute,
      block: 37,
    }),
    historyEvent({
      id: 'nft:6',
      amount: { token: null, volume: '2' },
      nftData: `0x${'1d'.repeat(32)}`,
      at: now - 2 * day - 2 * minute,
    }),
    historyEvent({ id: 'request:4', kind: 'withdrew', status: 'failed', at: now - 3 * day, block: null }),
  ],
  reached: {
    request: { next: 50, oldest: now - 3 * day },
    fill: { next: null, oldest: now - 2 * day - minute },
    nft: { next: null, oldest: now - 2 * day - 2 * minute },
  },
};
export const noHistory: HistoryView = {
  events: [],
  reached: {
    request: { next: null, oldest: null },
    fill: { next: null, oldest: null },
    nft: { next: null, oldest: null },
  },
};

/** An open order that a standing approval has signed. */
export const openOrderItem = activityItem({
  id: 's6',
  status: 'acknowledged',
  standing: {
    key: 'standing_phrase',
    values: {
      total: { kind: 'amount', volume: '5000000000000000000000', token: lrc },
      symbol: { kind: 'text', text: 'ETH' },
    },
  },
  isOpenOrder: true,
});

export const submission: SubmissionView = {
  item: activityItem({ id: 's4' }),
  steps: [
    { state: 'approved', at: now - 2 * minute },
    { state: 'reserved', at: now - 2 * minute },
    { state: 'signed', at: now - 2 * minute },
    { state: 'sent', at: now - 2 * minute },
    { state: 'acknowledged', at: now - minute },
  ],
  rows: orderReview.rows,
  accountId: account.accountId,
  network,
};

export const home: HomeView = { account, balances, activity, balancesAt: now - 20_000, problem: null };

export const contacts: readonly ContactView[] = [
  { address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', name: 'Ana', createdAt: now - 9 * day },
  {
    address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    name: 'Treasury of the housing cooperative',
    createdAt: now - day,
  },
];
export const recents: readonly RecentRecipient[] = [{ address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' }];
export const fees = [
  { token: eth, volume: '110000000000000' },
  { token: lrc, volume: '2500000000000000000' },
  { token: usdt, volume: '310000' },
];

export const transferReview: Review = {
  sentence: {
    key: 'review_transfer',
    values: { amount: pay, recipient: { kind: 'address', address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' } },
  },
  rows: [
    { label: { key: 'review_send' }, value: pay, emphasis: 'pay' },
    {
      label: { key: 'review_recipient' },
      value: { kind: 'address', address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' },
      note: { key: 'review_recipientFirst' },
    },
    {
      label: { key: 'review_fee' },
      value: { kind: 'amount', volume: '2500000000000000000', token: lrc },
    },
    { label: { key: 'review_expires' }, value: { kind: 'time', seconds: now / 1000 + 30 * 86_400 } },
  ],
  warnings: [{ rule: 'recipient-new', severity: 'notice', text: { key: 'warning_recipientNew' } }],
  bound: [],
  unbound: [],
};

export const keySeed = `Sign this message to access Loopring Exchange: ${network.exchangeAddress} with key nonce: 1`;

export const keyReview: Review = {
  sentence: { key: 'review_updateAccountKey', values: { account: { kind: 'integer', value: account.accountId } } },
  rows: [
    { label: { key: 'review_newKey' }, value: { kind: 'hex', hex: orderHash }, note: { key: 'newKeyNote_derived' } },
    { label: { key: 'review_oldKey' }, value: { kind: 'hex', hex: account.publicKey.x } },
    { label: { key: 'review_ordersThatEnd' }, value: { kind: 'integer', value: 3 } },
    { label: { key: 'review_fee' }, value: { kind: 'amount', volume: '1200000000000000', token: eth } },
    { label: { key: 'review_expires' }, value: { kind: 'time', seconds: now / 1000 + 3_600 } },
    { label: { key: 'review_nonce' }, value: { kind: 'integer', value: 1 } },
  ],
  warnings: [
    { rule: 'key-change', severity: 'danger', text: { key: 'warning_keyChange' } },
    {
      rule: 'orders-end',
      severity: 'notice',
      text: { key: 'warning_ordersEndCount', values: { count: { kind: 'integer', value: 3 } } },
    },
  ],
  bound: [{ path: 'publicKey.x', value: orderHash }],
  unbound: [{ path: 'keySeed', value: '' }],
};

/** What the relayer reports of an account without a key. */
const noKey = { x: `0x${'0'.repeat(64)}`, y: `0x${'0'.repeat(64)}` };

/** The registration of a first key, ready to be approved. */
export const firstKey = {
  account: { ...account, publicKey: noKey },
  network,
  key: { account: account.id, publicKey: noKey, kind: 'derived' as const, since: null, signatures: 0 },
  inUse: false,
  askedFeeTokenId: null,
  approval: approval({
    origin: 'countersign',
    operation: 'updateAccountKey',
    account: { ...account, publicKey: noKey },
    review: {
      ...keyReview,
      sentence: { key: 'review_firstKey', values: { account: { kind: 'integer', value: account.accountId } } },
      rows: keyReview.rows
        .filter(({ label }) => !['review_oldKey', 'review_ordersThatEnd'].includes(label.key))
        .map((row) => (row.label.key === 'review_nonce' ? { ...row, value: { kind: 'integer', value: 0 } } : row)),
      warnings: keyReview.warnings.filter(({ rule }) => rule !== 'orders-end'),
    },
  }),
  newKey: {
    publicKey: { x: orderHash, y: digest },
    kind: 'derived' as const,
    backedUp: false,
    keySeed: keySeed.replace(/1$/, '0'),
    inPlace: false,
  },
};

export const firstKeyFacts = {
  openOrders: null,
  standingApprovals: 0,
  hasApiKey: false,
  keyIsRegistered: false,
  nonce: 0,
  fees: [
    { token: eth, volume: '1200000000000000', balance: null },
    { token: lrc, volume: '15000000000000000000', balance: null },
  ],
};

export function order(change: Partial<OrderView> = {}): OrderView {
  return {
    hash: orderHash,
    clientOrderId: 'demo-4711',
    market: 'LRC-ETH',
    side: 'SELL',
    status: 'processing',
    price: '0.00021',
    nftData: null,
    base: lrc,
    quote: eth,
    baseAmount: '150000000000000000000',
    quoteAmount: '31500000000000000',
    baseFilled: '37500000000000000000',
    quoteFilled: '7875000000000000',
    fee: '0',
    validUntil: now + 29 * day,
    storageId: 246,
    terms: { fillAmountBOrS: false, maxFeeBips: 63 },
    ...change,
  };
}
export const markets: readonly MarketView[] = [
  { market: 'LRC-ETH', base: lrc, quote: eth },
  { market: 'ETH-USDT', base: eth, quote: usdt },
];

/**
 * Prices of two days in steps of an hour, the same at each run: a slow wave with ripples. Two hours
 * are without a trade.
 */
const hour = 60 * minute;
const priceAt = (step: number): string =>
  ((2_000 + Math.round(140 * Math.sin(step / 7) + 45 * Math.sin(step * 1.9) + step)) / 10_000_000).toFixed(7);
const level = (price: string, lrcs: number) => ({ price, size: `${lrcs}000000000000000000` });

export const marketData: MarketDataView = {
  at: now,
  ticker: { open: priceAt(24), close: priceAt(48) },
  book: {
    bids: ['0.0002092', '0.0002090', '0.0002085', '0.000208', '0.0002071', '0.000206', '0.0002'].map((price, index) =>
      level(price, 700 + 2_311 * index),
    ),
    asks: ['0.0002095', '0.0002101', '0.000211', '0.0002122', '0.0002135', '0.00022', '0.00023'].map((price, index) =>
      level(price, 12_400 - 1_657 * index),
    ),
  },
  candles: Array.from({ length: 48 }, (_, index) => index + 1)
    .filter((step) => step !== 13 && step !== 30)
    .map((step) => {
      const [open, close] = [priceAt(step - 1), priceAt(step)];
      const [low = open, high = open] = [open, close].sort();
      const wick = (price: string, by: number) => (Number(price) + by / 10_000_000).toFixed(7);
      return { at: now - (48 - step) * hour, open, close, high: wick(high, 12), low: wick(low, -9) };
    }),
  trades: [
    { at: now - 20_000, side: 'BUY', price: '0.0002095', size: '1200000000000000000000' },
    { at: now - 4 * minute, side: 'SELL', price: '0.0002092', size: '87500000000000000000' },
    { at: now - 41 * minute, side: 'SELL', price: '0.000209', size: '23456789012345678901' },
    { at: now - 9 * hour, side: 'BUY', price: '0.0002101', size: '450000000000000000000000' },
  ],
};
/** An exchange that trades and tells nothing of it. */
export const silentMarket: MarketDataView = { at: now, ticker: null, book: null, candles: null, trades: null };
/** A market in which nobody traded or offers anything. */
export const emptyMarket: MarketDataView = {
  at: now,
  ticker: { open: null, close: null },
  book: { bids: [], asks: [] },
  candles: [],
  trades: [],
};

export const orders = {
  open: [
    order(),
    order({ hash: digest, side: 'BUY', baseFilled: '0', quoteFilled: '0', price: '0.00019', clientOrderId: '' }),
    order({
      hash: `0x${'7e'.repeat(32)}`,
      market: 'DUST-PTS',
      base: dust,
      quote: points,
      price: '0.000000000000000000000000000000000000123456789',
      baseAmount: enormous,
      quoteAmount: '1234567',
      baseFilled: enormous,
      quoteFilled: '1234567',
      status: 'cancelling',
      clientOrderId: hostileText.slice(0, 100),
    }),
  ],
  over: [
    order({
      hash: `0x${'5c'.repeat(32)}`,
      status: 'cancelled',
      market: 'NFT-ETH',
      nftData: digest,
      base: null,
      baseAmount: '10',
      baseFilled: '4',
      price: '0.1',
    }),
    order({ status: 'processed', baseFilled: '150000000000000000000', quoteFilled: '31500000000000000' }),
    order({ hash: digest, status: 'cancelled', side: 'BUY' }),
    order({ hash: `0x${'5a'.repeat(32)}`, status: 'expired', baseFilled: '0' }),
    order({ hash: `0x${'5b'.repeat(32)}`, status: 'failed', market: 'GONE-ETH', base: null, baseFilled: '0' }),
  ],
  moreOpen: false,
  moreOver: true,
};

function nft(change: Partial<NftView> = {}): NftView {
  return {
    slot: 32768,
    nftData: digest,
    tokenAddress: '0x1Be70ac7B0b7Ae3a1Fc1b3B1b1f8b2a9c0d4E5f6',
    nftId: orderHash,
    cid: 'QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR',
    total: '5',
    locked: '1',
    pendingDeposit: '0',
    pendingWithdraw: '0',
    deployment: 'DEPLOYED',
    minter: account.owner,
    ...change,
  };
}
export const nfts: readonly NftView[] = [
  nft(),
  nft({ slot: 32769, nftId: `0x${'3b1f7a90c2d4e586'.repeat(4)}`, total: '1', locked: '0', deployment: 'NOT_DEPLOYED' }),
  nft({ slot: 32770, nftId: `0x${'c07e5d21a9b84f36'.repeat(4)}`, total: '1234567890123', cid: null }),
  nft({ slot: 32771, nftId: `0x${'91d3f06b5c2ae784'.repeat(4)}`, total: '1', deployment: 'DEPLOYING' }),
];
/** A landscape of four bands, as a PNG of 8 × 8 points. */
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAKUlEQVR42mPQzlsCRzLt5+GIgSYSFx7ehyO4BBzRSOLD//9wRCM7ADa2k4nK6w1KAAAAAElFTkSuQmCC';
export const nftMetadata: NftMetadataView = {
  status: 'ready',
  name: 'Morning over the harbour, second state of five',
  description: 'Etching after a drawing from the pier.\nPrinted once for each holder.',
  collection: 'Views from the pier',
  image: picture,
  host: 'ipfs.example.org',
};
/** What the form of a sale shows of its review. */
export const nftOfferReview: Review = {
  ...transferReview,
  warnings: [],
  rows: [
    {
      label: { key: 'review_receive' },
      value: { kind: 'amount', volume: '248425000000000000', token: eth, least: true },
      emphasis: 'receive',
    },
    { label: { key: 'review_worstFee' }, value: { kind: 'amount', volume: '1575000000000000', token: eth } },
    { label: { key: 'review_expires' }, value: { kind: 'time', seconds: Math.floor(now / 1000) + 30 * 86_400 } },
  ],
};
export const noMetadata: NftMetadataView = {
  status: 'off',
  name: null,
  description: null,
  collection: null,
  image: null,
  host: null,
};

const lp: TokenFacts = { tokenId: 100, symbol: 'LP-LRCETH', name: 'AMM-LRC-ETH', address: points.address, decimals: 8 };
export const pools: PoolsView = {
  positions: [
    {
      name: 'AMM-LRC-ETH',
      market: 'AMM-LRC-ETH',
      address: poolAddress,
      feeBips: 20,
      lp,
      total: '1250000000000',
      locked: '0',
      supply: '98000000000000',
      risky: false,
      parts: [
        { token: lrc, pooled: '980000000000000000000000', share: '12500750000000000000000' },
        { token: eth, pooled: '205000000000000000000', share: '2614795000000000000' },
      ],
      yearBips: 843,
      result: ['-120000000000000000000', '31245000000000000'],
    },
    {
      name: 'AMM-DUST-PTS',
      market: 'AMM-DUST-PTS',
      address: secondAccount.owner,
      feeBips: 30,
      lp: { ...lp, tokenId: 101 },
      total: '1',
      locked: '0',
      supply: '98000000000000',
      risky: true,
      parts: [
        { token: dust, pooled: enormous, share: enormous },
        { token: points, pooled: '1234567', share: '0' },
      ],
    },
  ],
  others: [
    {
      name: 'AMM-ETH-USDT',
      market: 'AMM-ETH-USDT',
      address: account.owner,
      feeBips: 30,
      lp: { ...lp, tokenId: 102 },
      total: '0',
      locked: '0',
      supply: '4100000000000',
      risky: false,
      parts: [
        { token: eth, pooled: '205000000000000000000', share: '0' },
        { token: usdt, pooled: '617500000000', share: '0' },
      ],
      yearBips: 412,
    },
  ],
  moves: [
    {
      hash: orderHash,
      type: 'exit',
      status: 'processing',
      poolAddress,
      parts: [
        { token: lrc, volume: '500000000000000000000' },
        { token: eth, volume: '104000000000000000' },
      ],
      createdAt: now - 3 * minute,
    },
    {
      hash: digest,
      type: 'join',
      status: 'processed',
      poolAddress,
      parts: [
        { token: lrc, volume: '13000750000000000000000' },
        { token: eth, volume: '2718795000000000000' },
      ],
      createdAt: now - 12 * day,
    },
  ],
};

/** As it was read a moment ago. */
export const fresh = <T>(data: T) => ({ data, at: now - 4_000, problem: null });

export const sites: readonly SiteView[] = [
  {
    origin: 'https://trade.example.org',
    grants: [{ account: account.id, kinds: ['read', 'orders'] }],
    blocked: false,
  },
  {
    origin: 'http://xn--80ak6aa92e.example',
    grants: [{ account: secondAccount.id, kinds: ['read', 'orders', 'transfers', 'withdrawals'] }],
    blocked: false,
  },
  { origin: 'https://pushy.example.net', grants: [], blocked: true },
];

/** Two standing approvals: one hardly used, one nearly used up. */
export const standing: readonly StandingView[] = [
  {
    id: 'r1',
    origin: 'https://dex.example',
    account: account.id,
    orders: true,
    sell: lrc,
    buy: eth,
    market: 'LRC-ETH',
    side: 'SELL',
    minPrice: '0.00009',
    maxPrice: null,
    orderVolume: '100000000000000000000',
    totalVolume: '5000000000000000000000',
    soldVolume: '1200000000000000000000',
    rate: { requests: 10, seconds: 60 },
    recent: 3,
    count: 14,
    validUntil: (now + 3 * 3_600_000) / 1000,
    endsWithLock: true,
  },
  {
    id: 'r2',
    origin: 'https://dex.example',
    account: account.id,
    orders: true,
    sell: usdt,
    buy: eth,
    market: 'ETH-USDT',
    side: 'BUY',
    minPrice: '2500',
    maxPrice: '3100.5',
    orderVolume: '250000000',
    totalVolume: '1000000000',
    soldVolume: '950000000',
    rate: { requests: 1, seconds: 60 },
    recent: 1,
    count: 4,
    validUntil: (now + 26 * 3_600_000) / 1000,
    endsWithLock: false,
  },
];

const amountOf = (volume: string) => ({ kind: 'amount', volume, token: lrc }) as const;

export const standingReview: Review = {
  sentence: {
    key: 'review_standingApproval',
    values: { total: amountOf('300000000000000000000'), symbol: { kind: 'text', text: 'ETH' } },
  },
  rows: [
    {
      label: { key: 'review_standingTotal' },
      value: amountOf('300000000000000000000'),
      emphasis: 'pay',
      note: { key: 'review_standingTotalNote' },
    },
    { label: { key: 'review_standingOrder' }, value: amountOf('100000000000000000000') },
    {
      label: { key: 'review_standingMinPrice' },
      value: { kind: 'price', value: '0.0004', exact: true, quote: 'ETH', base: 'LRC', keep: true },
      note: { key: 'review_standingPriceNote', values: { rate: { kind: 'bips', bips: 63 } } },
    },
    {
      label: { key: 'review_standingRate' },
      value: { kind: 'integer', value: 10 },
      note: { key: 'review_standingRateNote', values: { seconds: { kind: 'integer', value: 60 } } },
    },
    {
      label: { key: 'review_standingUntil' },
      value: { kind: 'time', seconds: (now + 3 * 3_600_000) / 1000 },
      note: { key: 'review_standingUntilNote' },
    },
    { label: { key: 'review_standingCancel' }, value: { kind: 'text', text: 'LRC-ETH' } },
  ],
  warnings: [{ rule: 'standing-unasked', severity: 'note', text: { key: 'warning_standingUnasked' } }],
  bound: [],
  unbound: [],
};

export const standingAsked: ApprovalView['standing'] = {
  terms: {
    operations: ['submitOrder', 'cancelOrder'],
    sellTokenId: 1,
    buyTokenId: 0,
    minPrice: '0.0004',
    orderVolume: '100000000000000000000',
    totalVolume: '300000000000000000000',
    rate: { requests: 10, seconds: 60 },
    validUntil: (now + 30 * 3_600_000) / 1000,
  },
  shown: { sell: lrc, buy: eth, market: 'LRC-ETH', side: 'SELL' },
};

const receiptChecks = (outcomes: Readonly<Record<ReceiptCheck['name'], ReceiptCheck['outcome']>>): ReceiptCheck[] =>
  Object.entries(outcomes).map(([name, outcome]) => ({ name: name as ReceiptCheck['name'], outcome }));
const receiptWhat: NonNullable<ReceiptFinding['receipt']> = {
  operation: 'submitOrder',
  signedAs: 'submitOrder',
  origin: 'https://swap.example',
  publicKey: { x: `0x${'3e'.repeat(32)}`, y: `0x${'4f'.repeat(32)}` },
  covered: [
    { path: 'sellToken.tokenId', value: '1' },
    { path: 'sellToken.volume', value: '150000000000000000000' },
    { path: 'taker', value: `0x${'5d'.repeat(32)}` },
  ],
  sentence: { key: 'review_submitOrder', values: { pay, receive } },
  hash: orderHash,
  owner: account.owner,
  status: 'processed',
  createdAt: now - 86_400_000,
  blocks: [
    { blockId: 812, root: `0x${'1c'.repeat(32)}`, publicDataHash: `0x${'a7'.repeat(32)}` },
    { blockId: 813, root: `0x${'2d'.repeat(32)}`, publicDataHash: `0x${'b8'.repeat(32)}` },
  ],
};
const allHold = {
  form: 'holds',
  request: 'holds',
  hash: 'holds',
  eddsa: 'holds',
  ecdsa: 'none',
  review: 'holds',
  digest: 'holds',
  block: 'holds',
} as const;

export const receiptFindings: Readonly<Record<'valid' | 'unsigned' | 'invalid' | 'none', ReceiptFinding>> = {
  valid: {
    valid: true,
    signed: true,
    checks: receiptChecks(allHold),
    unproven: [
      'exportedAt',
      'origin',
      'shown',
      'review',
      'status',
      'answer',
      'history',
      'draft.clientOrderId',
      'account.owner',
      'inclusion',
    ],
    receipt: receiptWhat,
  },
  unsigned: {
    valid: true,
    signed: false,
    checks: receiptChecks({ ...allHold, eddsa: 'notKept' }).filter(({ name }) => name !== 'block'),
    unproven: ['exportedAt', 'origin', 'review', 'status', 'history', 'draft', 'request', 'hash', 'network.relayer'],
    receipt: { ...receiptWhat, operation: 'cancelOrder', sentence: { key: 'operation_cancelOrder' }, blocks: [] },
  },
  invalid: {
    valid: false,
    signed: false,
    checks: receiptChecks({ ...allHold, hash: 'fails', eddsa: 'fails', block: 'fails' }).map((check) =>
      check.name === 'block' ? { ...check, reason: 'root' } : check,
    ),
    unproven: [],
    receipt: receiptWhat,
  },
  none: { valid: false, signed: false, checks: [{ name: 'form', outcome: 'fails' }], unproven: [], receipt: null },
};
