import { entries, set } from 'idb-keyval';
import { standingApproval } from '../../../src/operations/standingApproval.ts';
import {
  endpoints,
  formatHash,
  requestHash,
  requestMessage,
  STORAGE_SLOTS,
  storageSlot,
} from '../../../src/protocol/index.ts';
import { inPeace } from '../inPeace.ts';
import type { Ask, Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const LRC = 1;
/** Sell 100 LRC for 0.05 ETH: far above the pool's price, so it rests. */
const order = {
  sellToken: { tokenId: LRC, volume: '100000000000000000000' },
  buyToken: { tokenId: 0, volume: '50000000000000000' },
  tradeChannel: 'ORDER_BOOK',
};

const approve = () => ['approve'] as const;

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

export const submit = (changes: object = {}): Ask => ({
  method: 'relayer_submitOrder',
  params: [{ ...order, ...changes }],
});

/** An order that rests, and its hash in `memory.hash`. */
async function placeOrder(stage: Stage): Promise<void> {
  const made = (await inPeace(stage, submit({ clientOrderId: 'before' }))) as { hash: string };
  stage.memory.hash = made.hash;
}

/**
 * An order that rests in the first slot, and a counter whose next id is the last of this turn of
 * the slots.
 */
async function placeBeforeTheWrap(stage: Stage): Promise<void> {
  const made = (await inPeace(stage, submit({ clientOrderId: 'before' }))) as { hash: string };
  stage.memory.madeBefore = made.hash;
  for (const { raw } of stage.browsers)
    for (const [key, value] of await entries(raw.journal)) {
      const [kind, , , , parity] = key as string[];
      if (kind === 'cursor' && parity === 'order')
        await set(key, { ...(value as object), next: STORAGE_SLOTS - 2 }, raw.journal);
    }
}

/** Each open order has a slot of its own, over the wrap too, which the second order crosses. */
async function auditSlots(stage: Stage): Promise<string[]> {
  const open = new Set<string>(
    (await ordersOf(stage)).filter(({ status }) => status === 'processing').map(({ hash }) => hash),
  );
  const ids: number[] = [];
  for (const browser of stage.browsers)
    for (const [[kind], { hash, slot }] of (await browser.dump('journal')) as unknown as [
      string[],
      { readonly hash?: string; readonly slot?: { readonly storageId: number } },
    ][])
      if (kind === 'submission' && slot && hash !== undefined && open.has(hash)) ids.push(slot.storageId);
  const slots = new Set(ids.map(storageSlot));
  const isCrossed = ids.some((id) => id > STORAGE_SLOTS);
  return slots.size === open.size && (open.size < 3 || isCrossed) ? [] : [`open orders have the storage ids ${ids}`];
}

const afterTheFirst = async (stage: Stage) =>
  (await ordersOf(stage)).map(({ hash }) => hash).filter((hash) => BigInt(hash) !== BigInt(stage.memory.hash ?? 0));

/** The order that was there is cancelled exactly when another one took its slot. */
async function auditSlot(stage: Stage, happened: number): Promise<string[]> {
  const before = (await ordersOf(stage)).find(({ hash }) => BigInt(hash) === BigInt(stage.memory.hash ?? 0));
  const cancelled = before?.status === 'cancelled';
  return [
    ...(cancelled === happened > 0 ? [] : [`the order before is ${before?.status} after ${happened} in its slot`]),
    ...(await auditOrders(stage)),
  ];
}

/**
 * Hashes of the requests with which the wallet cancelled everything, when everything is cancelled.
 */
async function cancellations(stage: Stage): Promise<string[]> {
  const { method, path } = endpoints.cancelOrdersByHash;
  if ((await ordersOf(stage)).some(({ status }) => status !== 'cancelled')) return [];
  const queries = stage.browsers
    .flatMap(({ network }) => network.left)
    .filter((left) => left.method === method && left.path === path)
    .map(({ query }) => query);
  return [...new Set(queries)].map((text) => {
    const query = Object.fromEntries(new URLSearchParams(text));
    return formatHash(requestHash(requestMessage({ method, baseUrl: stage.relayer.url, path, query })));
  });
}

/** Limits that fit one order. */
const limits = () => ({
  sellTokenId: order.sellToken.tokenId,
  buyTokenId: order.buyToken.tokenId,
  minPrice: '0.0004',
  orderVolume: order.sellToken.volume,
  totalVolume: order.sellToken.volume,
  rate: { requests: 100, seconds: 60 },
  validUntil: Math.floor(Date.now() / 1000) + 3_600,
});
const askStanding = (): Ask => ({ method: standingApproval.method, params: [limits()] });

interface StoredRule {
  readonly amounts: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, string>>;
}

/** Counters of standing approvals by their id. */
async function rulesOf({ browsers }: Pick<Stage, 'browsers'>): Promise<Map<string, StoredRule>> {
  const stored = await Promise.all(browsers.map((browser) => browser.dump('journal')));
  const named = stored.flat().map(([key, value]) => [key as unknown as string[], value as StoredRule] as const);
  return new Map(named.filter(([[kind]]) => kind === 'rule').map(([[, id], rule]) => [id ?? '', rule]));
}

async function auditStanding(stage: Stage): Promise<string[]> {
  const over = [...(await rulesOf(stage)).values()].filter(({ amounts, limits: most }) =>
    Object.entries(amounts).some(([name, amount]) => BigInt(amount) > BigInt(most[name] ?? 0)),
  );
  const under: unknown[] = [];
  for (const browser of stage.browsers)
    for (const [[kind], value] of (await browser.dump('journal')) as unknown as [
      string[],
      { rule?: string; hash?: string },
    ][])
      if (kind === 'submission' && value.rule !== undefined && value.hash !== undefined) under.push(value.hash);
  return [
    ...over.map(({ amounts }) => `a standing approval counted ${JSON.stringify(amounts)}`),
    ...(under.length > 1 ? [`${under.length} orders were signed under limits for one`] : []),
    ...(await auditOrders(stage)),
  ];
}

export const orderScenarios: readonly Scenario[] = [
  { ...orders, name: 'order', ask: () => [submit({ clientOrderId: 'one' })] },
  {
    ...orders,
    name: 'order-wrap',
    before: placeBeforeTheWrap,
    ask: () => [submit({ clientOrderId: 'last' }), { ...submit({ clientOrderId: 'first' }), tab: 2 }],
    atRelayer: async (stage) =>
      (await ordersOf(stage)).map(({ hash }) => hash).filter((hash) => hash !== stage.memory.madeBefore),
    audit: async (stage) => [...(await auditOrders(stage)), ...(await auditSlots(stage))],
  },
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
      (intent as { clientOrderId?: string } | undefined)?.clientOrderId === 'other' ? ['reject'] : ['approve'],
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
    ...orders,
    name: 'cancel-all',
    operation: 'cancelAllOrders',
    mayStayOpen: false,
    async before(stage) {
      await placeOrder(stage);
      await inPeace(stage, submit({ clientOrderId: 'second' }));
    },
    ask: () => [{ method: 'relayer_cancelAllOrders' }],
    atRelayer: cancellations,
  },
  {
    ...orders,
    name: 'replace',
    operation: 'replaceOrder',
    before: placeOrder,
    ask: ({ memory: { hash } }) => [
      { method: 'relayer_replaceOrder', params: [{ ...order, clientOrderId: 'new', replaces: hash }] },
    ],
    atRelayer: afterTheFirst,
    audit: auditSlot,
  },
  {
    ...orders,
    name: 'one-of',
    operation: 'submitOneOf',
    alternatives: true,
    // The first finds nobody to trade with at its price and ends at once; the second rests.
    ask: () => [
      {
        method: 'relayer_submitOneOf',
        params: [
          {
            orders: [
              { ...order, clientOrderId: 'first', orderType: 'TAKER_ONLY' },
              { ...order, clientOrderId: 'second' },
            ],
          },
        ],
      },
    ],
    async audit(stage) {
      const filled = (await ordersOf(stage)).filter(({ status }) => status !== 'cancelled');
      return [...(filled.length > 1 ? [`${filled.length} of them can fill`] : []), ...(await auditOrders(stage))];
    },
  },
  {
    ...orders,
    name: 'hard-cancel',
    operation: 'hardCancel',
    mayStayOpen: false,
    before: placeOrder,
    ask: ({ memory: { hash } }) => [{ method: 'relayer_hardCancel', params: [{ orderHash: hash }] }],
    atRelayer: afterTheFirst,
    audit: auditSlot,
  },
  {
    ...orders,
    name: 'standing',
    operation: 'standingApproval',
    mayStayOpen: false,
    ask: () => [askStanding(), { ...askStanding(), tab: 2 }],
    atRelayer: async () => [],
    carriedOut: async (browser, question) =>
      question !== undefined && (await rulesOf({ browsers: [browser] })).has(question.id),
    audit: auditStanding,
  },
  {
    ...orders,
    name: 'order-standing',
    async before(stage) {
      await inPeace(stage, askStanding());
    },
    ask: () => [submit({ clientOrderId: 'within' }), { ...submit({ clientOrderId: 'beyond' }), tab: 2 }],
    audit: auditStanding,
  },
];
