import { generatePrivateKey } from 'viem/accounts';
import type { StoredApproval } from '../../src/background/approvals.ts';
import { openAccount } from '../../src/demo/openAccount.ts';
import type { PermissionKind } from '../../src/messaging/views.ts';
import type { OperationName } from '../../src/operations/index.ts';
import { deliver, openTab, PASSWORD, type PageRequest, type Step } from './people.ts';
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
