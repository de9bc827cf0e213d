import { hexToBytes } from '@noble/hashes/utils.js';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { StoredApproval } from '../../src/background/approvals.ts';
import { openAccount } from '../../src/demo/openAccount.ts';
import type { PermissionKind } from '../../src/messaging/views.ts';
import type { OperationName } from '../../src/operations/index.ts';
import {
  accountUpdateIdentifier,
  formatHash,
  keySeedText,
  nftFactories,
  secretKeyFromSignature,
} from '../../src/protocol/index.ts';
import { deliver, openTab, PASSWORD, type PageRequest, type Step } from './people.ts';
import { type Secret, secretBytes } from './secrets.ts';
import { SITE, type Stage } from './stage.ts';

export interface Ask {
  /** Index of the browser; the first when absent. */
  readonly browser?: number;
  /** Tab of the site; 1 when absent. */
  readonly tab?: number;
  readonly method: string;
  readonly params?: unknown;
}

/** One thing that people do with the wallet while something breaks. */
export interface Scenario {
  readonly name: string;
  /** What the pages ask for; all requests of a scenario ask for the same. */
  readonly operation: OperationName | 'connect';
  readonly kinds: readonly PermissionKind[];
  readonly browsers: number;
  /** Made in peace, before anything fails. */
  before?(stage: Stage): Promise<void>;
  ask(stage: Stage): readonly Ask[];
  steps(approval: StoredApproval): readonly Step[];
  /** Hashes of what the relayer has done of this operation for the account. */
  atRelayer(stage: Stage): Promise<readonly string[]>;
  /** Operations whose submissions stay open for good, such as an order that rests. */
  readonly mayStayOpen: boolean;
  /** Amounts at the relayer that must fit what happened. @returns What is wrong. */
  audit?(stage: Stage, happened: number): Promise<readonly string[]>;
}

const LRC = 1;
const LP = 100;
const ETHER = 10n ** 18n;
/** What every account of a stage begins with. */
const FUNDS = 100_000n * ETHER;
const CID = 'QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR';
const nftFactory = nftFactories[0]?.nftFactory ?? '';
/** Sell 100 LRC for 0.05 ETH: far above the pool's price, so it rests. */
const order = {
  sellToken: { tokenId: LRC, volume: '100000000000000000000' },
  buyToken: { tokenId: 0, volume: '50000000000000000' },
  tradeChannel: 'ORDER_BOOK',
};

const approve = (): readonly Step[] => ['approve'];

async function ordersOf({ client, account }: Stage) {
  const { orders } = await client.getOrders({
    query: { accountId: account.accountId, limit: 50 },
    apiKey: account.apiKey,
  });
  return orders;
}

async function auditOrders(stage: Stage): Promise<string[]> {
  const { client, account } = stage;
  const open = (await ordersOf(stage)).filter(({ status }) => status === 'processing');
  const query = { accountId: account.accountId, tokens: String(LRC) };
  const [balance] = await client.getBalances({ query, apiKey: account.apiKey });
  const locked = BigInt(balance?.locked ?? 0);
  const due = BigInt(open.length) * BigInt(order.sellToken.volume);
  return locked === due ? [] : [`${locked} LRC are locked for ${open.length} open orders`];
}

const orders = {
  operation: 'submitOrder',
  kinds: ['read', 'orders'],
  browsers: 1,
  mayStayOpen: true,
  steps: approve,
  atRelayer: async (stage: Stage) => (await ordersOf(stage)).map(({ hash }) => hash),
  audit: auditOrders,
} as const;

const submit = (changes: object = {}): Ask => ({ method: 'relayer_submitOrder', params: [{ ...order, ...changes }] });

/** Lets a page of the first browser ask for something that is approved in peace. */
async function inPeace(stage: Stage, ask: Ask): Promise<unknown> {
  const [browser] = stage.browsers;
  if (!browser) throw new Error('a stage has a browser');
  const requests: PageRequest[] = [];
  const tab = openTab(browser, 99, SITE, requests);
  const request: PageRequest = {
    browser,
    tab,
    id: crypto.randomUUID(),
    method: ask.method,
    params: ask.params,
    answers: [],
    inFlight: false,
  };
  requests.push(request);
  for (let i = 0; i < 400 && request.answers.length === 0; i++) {
    await deliver(request);
    for (const { id } of await browser.ui('listApprovals', {})) {
      const view = await browser.ui('getApproval', { id });
      if (view.stage === 'locked') await browser.ui('unlock', { password: PASSWORD });
      if (view.stage === 'ready')
        await browser.ui('approve', { id, digest: view.digest ?? '', account: view.account?.id ?? null });
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  browser.tabs.delete(99);
  const [answer] = request.answers;
  if (!answer || 'error' in answer) throw new Error(`${ask.method} in peace: ${JSON.stringify(answer)}`);
  return answer.result;
}

async function openFriend(stage: Stage): Promise<void> {
  const friend = await openAccount({
    client: stage.client,
    baseUrl: stage.relayer.url,
    privateKey: generatePrivateKey(),
    funds: { ETH: '1' },
  });
  Object.assign(stage.memory, { friend: friend.owner, friendId: String(friend.accountId), friendKey: friend.apiKey });
}

/** A share of the pool LRC-ETH. */
async function joinPool({ client, relayer, account, memory }: Stage): Promise<void> {
  const { pools } = await client.getAmmPools({});
  const poolAddress = pools.find(({ tokens }) => tokens.lp === LP)?.address ?? '';
  const amounts = [150n * ETHER, ETHER / 100n].map(String);
  const joined = await fetch(`${relayer.url}/dev/ammJoin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ owner: account.owner, poolAddress, amounts }),
  });
  if (!joined.ok) throw new Error(`the pool was not joined: ${await joined.text()}`);
  await relayer.engine.run();
  const query = { accountId: account.accountId, tokens: String(LP) };
  const [balance] = await client.getBalances({ query, apiKey: account.apiKey });
  Object.assign(memory, { poolAddress, burned: balance?.total ?? '0' });
}

type KeyUpdateBody = Parameters<typeof accountUpdateIdentifier>[0];

const keyUpdatesThatLeft = ({ browsers }: Stage): KeyUpdateBody[] =>
  browsers
    .flatMap(({ network }) => network.left)
    .filter(({ method, path }) => method === 'POST' && path === '/api/v3/account')
    .map(({ body }) => JSON.parse(body) as KeyUpdateBody);

/** Each key update that counts raises the account's nonce, which is 1 after the first key. */
async function keyUpdatesAtRelayer(stage: Stage): Promise<string[]> {
  const { nonce, publicKey } = await stage.client.getAccount({ query: { accountId: stage.account.accountId } });
  const last = keyUpdatesThatLeft(stage).find((body) => BigInt(body.publicKey.x) === BigInt(publicKey.x));
  return [
    ...(nonce > 1 && last ? [formatHash(accountUpdateIdentifier(last))] : []),
    ...Array.from({ length: nonce - 2 }, (_, index) => `0x${index + 1}`),
  ];
}

/** Whatever happened, the wallet holds the key that the relayer has registered, no other, and the next order is taken. */
async function auditKeys(stage: Stage, happened: number): Promise<string[]> {
  const [browser] = stage.browsers;
  const { publicKey } = await stage.client.getAccount({ query: { accountId: stage.account.accountId } });
  const problems: string[] = [];
  const made = (await inPeace(stage, submit({ clientOrderId: 'after' }))) as { status?: string };
  if (made.status !== 'processing') problems.push(`an order after it is ${made.status}`);
  const held = JSON.parse(browser?.local.get('config') ?? '{}') as { accounts: { publicKey: typeof publicKey }[] };
  if (BigInt(held.accounts[0]?.publicKey.x ?? 0) !== BigInt(publicKey.x))
    problems.push(`the wallet has ${held.accounts[0]?.publicKey.x}, the relayer ${publicKey.x}`);
  if (!browser) return problems;
  const { life, background } = browser.worker();
  const kinds = await life.run(() => background.wallet.vault.listSecrets());
  const left = kinds.filter(({ kind }) => kind === 'pending-eddsa-key').length;
  if (left > (happened > 0 ? 0 : 1)) problems.push(`${left} pending keys are left after ${happened} key updates`);
  return problems;
}

const SENT = 123_000_000_000_000_000_000n;

export const scenarios: readonly Scenario[] = [
  { ...orders, name: 'order', ask: () => [submit({ clientOrderId: 'one' })] },
  { ...orders, name: 'order-rejected', ask: () => [submit()], steps: () => ['reject'] },
  {
    ...orders,
    name: 'order-locked-between',
    ask: () => [submit()],
    steps: () => ['lock', 'approve', 'lock'],
  },
  {
    ...orders,
    name: 'order-two-tabs',
    ask: () => [submit(), { ...submit({ clientOrderId: 'other' }), tab: 2 }, { ...submit(), tab: 2 }],
    steps: ({ intent }) =>
      (intent as { clientOrderId?: string }).clientOrderId === 'other' ? ['reject'] : ['approve'],
  },
  {
    ...orders,
    name: 'order-two-browsers',
    browsers: 2,
    ask: () => [submit({ clientOrderId: 'a' }), { ...submit({ clientOrderId: 'b', maxFeeBips: 30 }), browser: 1 }],
  },
  {
    name: 'cancel',
    operation: 'cancelOrder',
    kinds: ['read', 'orders'],
    browsers: 1,
    mayStayOpen: false,
    async before(stage) {
      const made = (await inPeace(stage, submit())) as { hash: string };
      stage.memory.hash = made.hash;
    },
    ask: ({ memory }) => [{ method: 'relayer_cancelOrder', params: [{ orderHash: memory.hash }] }],
    steps: approve,
    atRelayer: async (stage) =>
      (await ordersOf(stage)).filter(({ status }) => status === 'cancelled').map(({ hash }) => hash),
    audit: auditOrders,
  },
  {
    name: 'transfer',
    operation: 'transfer',
    kinds: ['read', 'transfers'],
    browsers: 1,
    mayStayOpen: false,
    before: openFriend,
    ask: ({ memory }) => [
      {
        method: 'relayer_transfer',
        params: [{ token: { tokenId: LRC, volume: String(SENT) }, payeeAddr: memory.friend, feeTokenId: 0 }],
      },
    ],
    steps: approve,
    atRelayer: async ({ client, account }) => {
      const query = { accountId: account.accountId, limit: 50 };
      return (await client.getTransfers({ query, apiKey: account.apiKey })).transactions.map(({ hash }) => hash);
    },
    async audit({ client, memory }, happened) {
      const query = { accountId: Number(memory.friendId), tokens: String(LRC) };
      const [balance] = await client.getBalances({ query, apiKey: memory.friendKey });
      const got = BigInt(balance?.total ?? 0);
      return got === BigInt(happened) * SENT ? [] : [`the receiver of ${happened} transfers has ${got}`];
    },
  },
  {
    name: 'withdraw',
    operation: 'withdraw',
    kinds: ['read', 'withdrawals'],
    browsers: 1,
    mayStayOpen: false,
    ask: () => [
      { method: 'relayer_withdraw', params: [{ token: { tokenId: LRC, volume: String(SENT) }, feeTokenId: 0 }] },
    ],
    steps: approve,
    async atRelayer({ client, account }) {
      const query = { accountId: account.accountId, limit: 50 };
      return (await client.getWithdrawals({ query, apiKey: account.apiKey })).transactions.map(({ hash }) => hash);
    },
    async audit({ client, account }, happened) {
      const query = { accountId: account.accountId, tokens: String(LRC) };
      const [balance] = await client.getBalances({ query, apiKey: account.apiKey });
      const left = BigInt(balance?.total ?? 0);
      return left === FUNDS - BigInt(happened) * SENT ? [] : [`${left} LRC are left after ${happened} withdrawals`];
    },
  },
  {
    name: 'mint',
    operation: 'mintNft',
    kinds: ['read', 'nfts'],
    browsers: 1,
    mayStayOpen: false,
    ask: () => [{ method: 'relayer_mintNft', params: [{ cid: CID, amount: '5', nftFactory, creatorFeeBips: 3 }] }],
    steps: approve,
    async atRelayer({ client, account }) {
      const query = { accountId: account.accountId, limit: 50 };
      return (await client.getNftMints({ query, apiKey: account.apiKey })).transfers.map(({ hash }) => hash);
    },
    async audit({ client, account }, happened) {
      const { data } = await client.getNftBalances({
        query: { accountId: account.accountId },
        apiKey: account.apiKey,
      });
      const held = data.reduce((sum, { total }) => sum + Number(total), 0);
      return held === 5 * happened ? [] : [`${held} NFTs are held after ${happened} mints of five`];
    },
  },
  {
    name: 'pool-exit',
    operation: 'exitAmmPool',
    kinds: ['read', 'pools'],
    browsers: 1,
    mayStayOpen: false,
    before: joinPool,
    ask: ({ memory: { poolAddress, burned } }) => {
      const unPooled = [1, 0].map((tokenId) => ({ tokenId, volume: '1' }));
      return [{ method: 'relayer_exitAmmPool', params: [{ poolAddress, exitTokens: { burned, unPooled } }] }];
    },
    steps: approve,
    async atRelayer({ client, account }) {
      const query = { accountId: account.accountId, limit: 50, txTypes: 'exit' };
      return (await client.getAmmTransactions({ query, apiKey: account.apiKey })).transactions.map(({ hash }) => hash);
    },
    async audit({ client, account, memory }, happened) {
      const query = { accountId: account.accountId, tokens: String(LP) };
      const [balance] = await client.getBalances({ query, apiKey: account.apiKey });
      const left = BigInt(balance?.total ?? 0);
      return left === (happened === 0 ? BigInt(memory.burned ?? 0) : 0n) ? [] : [`${left} pool shares are left`];
    },
  },
  {
    name: 'key-update',
    operation: 'updateAccountKey',
    kinds: ['read', 'orders', 'key'],
    browsers: 1,
    mayStayOpen: false,
    async before(stage) {
      const { account, secrets } = stage;
      const seed = keySeedText(account.exchange, 1);
      const signature = hexToBytes(
        (await privateKeyToAccount(account.privateKey).signMessage({ message: seed })).slice(2),
      );
      (secrets as Secret[]).push(secretBytes('new EdDSA key', secretKeyFromSignature(signature)));
    },
    ask: () => [{ method: 'relayer_updateAccountKey' }],
    // What failed before its signature is asked again.
    steps: () => ['approve', 'approve', 'approve', 'approve'],
    atRelayer: keyUpdatesAtRelayer,
    audit: auditKeys,
  },
  {
    name: 'connect',
    operation: 'connect',
    kinds: [],
    browsers: 1,
    mayStayOpen: false,
    ask: () => [{ method: 'eth_requestAccounts' }, { method: 'eth_requestAccounts', tab: 2 }],
    steps: approve,
    atRelayer: async () => [],
  },
  {
    name: 'connect-rejected',
    operation: 'connect',
    kinds: [],
    browsers: 1,
    mayStayOpen: false,
    ask: () => [{ method: 'eth_requestAccounts' }],
    steps: () => ['reject'],
    atRelayer: async () => [],
  },
];

export function scenarioNamed(name: string): Scenario {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (!found) throw new Error(`no scenario is named ${name}`);
  return found;
}
