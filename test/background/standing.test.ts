import { describe, expect, test } from 'vitest';
import { grantsChanged } from '../../src/background/approvals/siteRights.ts';
import type { WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveRequest,
  movableClock,
  ORDER,
  openOther,
  ordersOf,
  PASSWORD,
  question,
  resultOf,
  SITE,
  setUp,
  until,
} from './support.ts';

const relayer = await relayerOfFile();

const LRC = 10n ** 18n;
const seconds = (ms: number) => Math.floor(ms / 1000);

/** Sell up to 300 LRC, 100 in one order, for at least 0.0004 ETH each. */
const limits = (changes: object = {}) => ({
  sellTokenId: 1,
  buyTokenId: 0,
  minPrice: '0.0004',
  orderVolume: `${100n * LRC}`,
  totalVolume: `${300n * LRC}`,
  rate: { requests: 100, seconds: 60 },
  validUntil: seconds(Date.now()) + 3_600,
  ...changes,
});

const allow = async (wallet: WalletHarness, changes: object = {}) =>
  resultOf<{ id: string }>(await approveRequest(wallet, 'relayer_requestStandingApproval', limits(changes))).id;

const order = (changes: object = {}) => ({ ...ORDER, ...changes });
const place = (wallet: WalletHarness, changes: object = {}) =>
  wallet.page(SITE, 'relayer_submitOrder', [order(changes)]);

/** Id and reason of each end that the site was told. */
const endsTold = ({ pushed }: WalletHarness) =>
  pushed.flatMap(({ message }) => {
    const { type, data } = ('event' in message ? message.data : {}) as { type?: string; data?: Record<string, string> };
    return type === 'relayer_standingApproval' ? [[data?.id, data?.reason]] : [];
  });

/** Asks, and expects that a window opens for it; rejects it. */
async function expectWindow(wallet: WalletHarness, changes: object = {}) {
  const shown = wallet.shown.length;
  const answer = place(wallet, changes);
  const view = await question(wallet);
  await until(async () => wallet.shown.length > shown);
  await wallet.ui('reject', { id: view.id, block: false });
  expect(await answer).toMatchObject({ error: { code: 4001 } });
}

/** Keeps the next request from being signed; resolves when one has come that far. */
const heldAtReservation = (wallet: WalletHarness) =>
  new Promise<void>((resolve) => {
    Object.assign(wallet.background().wallet.journal, {
      reserve() {
        resolve();
        return new Promise(() => {});
      },
    });
  });

test('a request that ends before anybody is asked opens no window for another one that is answered without', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let slow: string | undefined;
  let isHeld = false;
  const { wallet } = await setUp(relayer, {
    fetch: async (input, init) => {
      if (slow !== undefined && String(input).includes(slow)) {
        isHeld = true;
        await held;
      }
      return fetch(input, init);
    },
  });
  await allow(wallet, { operations: ['submitOrder', 'cancelOrder'] });
  const [gone, open] = [resultOf(await place(wallet)).hash, resultOf(await place(wallet)).hash];
  const cancel = (orderHash: string) => wallet.page(SITE, 'relayer_cancelOrder', [{ orderHash }]);
  resultOf(await cancel(gone));
  const windows = wallet.shown.length;
  slow = open;
  const answer = cancel(open);
  await until(async () => isHeld);
  expect(await cancel(gone)).toMatchObject({ error: { code: -32602 } });
  release();
  resultOf(await answer);
  expect(wallet.shown).toHaveLength(windows);
});

test('a window that is closed while a standing approval answers opens none for its approval request', async () => {
  let release = () => {};
  let held = Promise.resolve();
  const { wallet } = await setUp(relayer, {
    fetch: async (input, init) => {
      await held;
      return fetch(input, init);
    },
  });
  await allow(wallet);
  const windows = wallet.shown.length;
  held = new Promise((resolve) => {
    release = resolve;
  });
  const answer = place(wallet);
  await until(async () => (await wallet.ui('listApprovals', {})).length > 0);
  await wallet.background().onApprovalWindowClosed();
  expect(wallet.shown).toHaveLength(windows);
  release();
  resultOf(await answer);
  expect(wallet.shown).toHaveLength(windows);
});

describe('an order that was drawn for the user is not answered without', () => {
  const signedBy = async (wallet: WalletHarness) =>
    (await wallet.background().wallet.journal.list()).map(({ rule }) => rule ?? null);

  test('when it could not be prepared again, also once the rate allows it', async () => {
    const clock = movableClock();
    let isAway = false;
    const { wallet } = await setUp(relayer, {
      now: clock.now,
      fetch: (input, init) => (isAway ? Promise.reject(new TypeError('away')) : fetch(input, init)),
    });
    await wallet.ui('setSettings', { lockAfterMinutes: 480 });
    await wallet.ui('touch', {});
    const id = await allow(wallet, { rate: { requests: 1, seconds: 60 } });
    resultOf(await place(wallet));
    const answer = place(wallet, { clientOrderId: 'over the rate' });
    const view = await question(wallet);
    // What the wallet has read of the exchange is too old by then.
    clock.advance(20 * 60_000);
    isAway = true;
    expect(await wallet.ui('retryApproval', { id: view.id })).toMatchObject({ stage: 'unavailable' });
    isAway = false;
    const again = await wallet.ui('retryApproval', { id: view.id });
    expect(again).toMatchObject({ stage: 'ready' });
    await wallet.ui('approve', { id: view.id, digest: again.digest ?? '', account: view.account?.id ?? null });
    resultOf(await answer);
    expect(await signedBy(wallet)).toEqual([null, id]);
  });

  test('when it was put back after a click that came too late', async () => {
    const clock = movableClock();
    const { wallet } = await setUp(relayer, { now: clock.now });
    const id = await allow(wallet, { rate: { requests: 1, seconds: 60 } });
    resultOf(await place(wallet));
    void place(wallet, { clientOrderId: 'over the rate' });
    const view = await question(wallet);
    const reached = heldAtReservation(wallet);
    void wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
    await reached;
    wallet.stop();
    clock.advance(3 * 60_000);
    wallet.restart();
    await wallet.background().onWake();
    expect((await question(wallet)).again?.key).toBe('again_late');
    expect(await signedBy(wallet)).toEqual([id]);
  });
});

const POOLS = '/amm/balances';
const TRADES = '/user/trades';

/** A real relayer, some of whose answers come only when they are released. */
function lateRelayer(...paths: string[]) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isLate = (url: string) => paths.some((path) => new URL(url).pathname.endsWith(path));
  const late: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (isLate(String(input instanceof Request ? input.url : input))) await released;
    return answer;
  };
  return { fetch: late, release };
}

describe('made tighter before the yes', () => {
  const asked = async (wallet: WalletHarness) => {
    const answer = wallet.page(SITE, 'relayer_requestStandingApproval', [limits()]);
    return { answer, view: await question(wallet) };
  };

  test('is shown again and counted with the limits of the user', async () => {
    const { wallet } = await setUp(relayer);
    const { answer, view } = await asked(wallet);
    const tighter = await wallet.ui('tightenStanding', {
      id: view.id,
      digest: view.digest ?? '',
      limits: { totalVolume: `${150n * LRC}`, minPrice: '0.0005', requests: 1 },
    });
    expect(tighter.digest).not.toBe(view.digest);
    expect(tighter.review?.rows[0]?.value).toMatchObject({ volume: `${150n * LRC}` });
    // What the window showed before is not approved any more.
    const old = { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null };
    await expect(wallet.ui('approve', old)).rejects.toThrow(/digest/i);
    await wallet.ui('approve', { ...old, digest: tighter.digest ?? '' });
    resultOf(await answer);
    const [counted] = resultOf<object[]>(await wallet.page(SITE, 'relayer_getStandingApprovals'));
    expect(counted).toMatchObject({
      totalVolume: `${150n * LRC}`,
      orderVolume: `${100n * LRC}`,
      minPrice: '0.0005',
      rate: { requests: 1, seconds: 60 },
    });
    const windows = wallet.shown.length;
    resultOf(await place(wallet));
    expect(wallet.shown).toHaveLength(windows);
    await expectWindow(wallet, { clientOrderId: 'over the rate' });
  });

  test('refuses what is looser, impossible or no limit, by its field', async () => {
    const { wallet } = await setUp(relayer);
    const { view } = await asked(wallet);
    for (const [field, given] of [
      ['totalVolume', { totalVolume: `${301n * LRC}` }],
      ['orderVolume', { orderVolume: `${101n * LRC}` }],
      ['minPrice', { minPrice: '0.00039' }],
      ['requests', { requests: 101 }],
      ['validUntil', { validUntil: seconds(Date.now()) + 7_200 }],
      ['validUntil', { validUntil: seconds(Date.now()) - 1 }],
      ['minPrice', { maxPrice: '0.0003' }],
      ['sellTokenId', { sellTokenId: 2 }],
    ] as const) {
      const call = wallet.ui('tightenStanding', { id: view.id, digest: view.digest ?? '', limits: given });
      await expect(call).rejects.toThrow(`"field":"${field}"`);
      expect((await question(wallet)).digest).toBe(view.digest);
    }
  });
});

describe('the worst price beside the market', () => {
  const ask = async (wallet: WalletHarness, changes: object = {}) => {
    wallet.page(SITE, 'relayer_requestStandingApproval', [limits(changes)]);
    return question(wallet);
  };
  const rulesOf = ({ review }: Awaited<ReturnType<typeof ask>>) => review?.warnings.map(({ rule }) => rule);

  /** What a price must be, in hundredths of the pool's: quote tokens for one base token. */
  async function ofPool({ client }: Awaited<ReturnType<typeof setUp>>, hundredths: bigint): Promise<string> {
    const volumes = (await client.getAmmBalances({})).map(({ pooled }) =>
      [1, 0].map((tokenId) => BigInt(pooled.find((one) => one.tokenId === tokenId)?.volume ?? 0)),
    );
    const [base = 0n, quote = 0n] = volumes.find((pair) => pair.every((volume) => volume > 0n)) ?? [];
    const scaled = (quote * 10n ** 24n * hundredths) / (base * 100n);
    return `0.${scaled.toString().padStart(24, '0')}`;
  }

  test('beyond 5 % it is a danger with both prices, within 2 % it is not mentioned', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    const far = await ask(wallet, { minPrice: await ofPool(stage, 94n) });
    expect(rulesOf(far)).toEqual(['standing-price-far', 'standing-unasked']);
    expect(far.review?.warnings[0]?.text.values).toMatchObject({ loss: { kind: 'bips', bips: 600 } });
    const pool = far.review?.rows.find(({ label }) => label.key === 'review_poolPrice');
    expect(pool?.note).toMatchObject({ key: 'review_standingPoolWorse', values: { distance: { bips: 600 } } });
    // In the direction of the limit that stands beside it.
    expect(far.review?.warnings[0]?.text.values?.market).toEqual({ ...pool?.value, keep: true });
    // Made tighter, it is compared anew.
    const near = await wallet.ui('tightenStanding', {
      id: far.id,
      digest: far.digest ?? '',
      limits: { minPrice: await ofPool(stage, 98n) },
    });
    expect(near.review?.warnings.map(({ rule }) => rule)).toEqual(['standing-unasked']);
  });

  test('of a purchase it is the highest one', async () => {
    const stage = await setUp(relayer);
    const buys = { sellTokenId: 0, buyTokenId: 1, minPrice: undefined };
    const far = await ask(stage.wallet, { ...buys, maxPrice: await ofPool(stage, 106n) });
    expect(rulesOf(far)).toEqual(['standing-price-far', 'standing-unasked']);
    await stage.wallet.ui('reject', { id: far.id, block: false });
    const near = await ask(stage.wallet, { ...buys, maxPrice: await ofPool(stage, 102n) });
    expect(rulesOf(near)).toEqual(['standing-unasked']);
  });

  test('without a market price the approval request says so', async () => {
    const { wallet } = await setUp(relayer, { fetch: lateRelayer(POOLS, TRADES).fetch });
    expect(rulesOf(await ask(wallet, { minPrice: '0.000000001' }))).toEqual(['standing-no-price', 'standing-unasked']);
  });
});

describe('within its limits', () => {
  test('orders and cancellations of the site are answered without a window, counted and listed with their rule', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    const id = await allow(wallet);
    const windows = wallet.shown.length;
    const first = resultOf(await place(wallet));
    const second = resultOf(await place(wallet, { clientOrderId: 'second' }));
    expect(second).toMatchObject({ status: 'acknowledged', clientOrderId: 'second' });
    expect(await wallet.page(SITE, 'relayer_cancelOrder', [{ orderHash: first.hash }])).toHaveProperty('result');
    expect(wallet.shown).toHaveLength(windows);
    expect(await ordersOf(stage)).toHaveLength(2);
    const [counted] = resultOf<{ id: string; soldVolume: string; recent: number }[]>(
      await wallet.page(SITE, 'relayer_getStandingApprovals'),
    );
    // What was cancelled stays counted: it was signed.
    expect(counted).toMatchObject({ id, soldVolume: `${200n * LRC}`, recent: 3, totalVolume: `${300n * LRC}` });
    const records = await wallet.background().wallet.journal.list();
    expect(records.map(({ operation, rule }) => [operation, rule])).toEqual([
      ['cancelOrder', id],
      ['submitOrder', id],
      ['submitOrder', id],
    ]);
    expect(wallet.pushed).toContainEqual(
      expect.objectContaining({ message: expect.objectContaining({ event: 'message' }) }),
    );
  });

  test('an order that names no expiry lives no longer than the standing approval', async () => {
    const stage = await setUp(relayer);
    const validUntil = seconds(Date.now()) + 1_000;
    await allow(stage.wallet, { validUntil });
    resultOf(await place(stage.wallet));
    expect(await ordersOf(stage)).toMatchObject([{ validity: { end: validUntil } }]);
  });

  test('the edge of the price band is inside, one base unit less is not', async () => {
    const { wallet } = await setUp(relayer);
    await allow(wallet);
    const windows = wallet.shown.length;
    resultOf(await place(wallet, { buyToken: { tokenId: 0, volume: '40000000000000000' } }));
    expect(wallet.shown).toHaveLength(windows);
    await expectWindow(wallet, { buyToken: { tokenId: 0, volume: '39999999999999999' } });
  });

  test('a purchase is limited by the highest price', async () => {
    const { wallet } = await setUp(relayer);
    const spend = {
      sellTokenId: 0,
      buyTokenId: 1,
      minPrice: undefined,
      maxPrice: '0.00001',
      orderVolume: '10000000000000000',
    };
    await allow(wallet, { ...spend, totalVolume: '20000000000000000' });
    const windows = wallet.shown.length;
    const buy = { sellToken: { tokenId: 0, volume: '10000000000000000' } };
    resultOf(await place(wallet, { ...buy, buyToken: { tokenId: 1, volume: `${1000n * LRC}` } }));
    expect(wallet.shown).toHaveLength(windows);
    await expectWindow(wallet, { ...buy, buyToken: { tokenId: 1, volume: `${1000n * LRC - 1n}` } });
  });

  test('a price within the band and far from the pool’s still asks', async () => {
    const { wallet } = await setUp(relayer);
    await allow(wallet, { minPrice: '0.000000001' });
    await expectWindow(wallet, { buyToken: { tokenId: 0, volume: '1000000000000' } });
  });
});

test.each([
  ['closed', { status: 9 }, {}],
  ['risky', { status: 31 }, { risky: true }],
])('an order at the price of a %s pool, which is listed before the other one, still asks', async (_, status, risky) => {
  const poolAddress = `0x${'dE'.repeat(20)}`;
  const held = (volume: bigint) => [
    { tokenId: 1, volume: `${1_000n * LRC}` },
    { tokenId: 0, volume: `${volume}` },
  ];
  const { wallet } = await setUp(relayer, {
    fetch: async (input, init) => {
      const { pathname } = new URL(String(input instanceof Request ? input.url : input));
      const answer = await fetch(input, init);
      if (pathname.endsWith(POOLS)) {
        const [pool] = (await answer.json()) as object[];
        // 0.005 ETH for 1,000 LRC, and for as many 0.01 ETH.
        const unusable = { ...pool, poolAddress, pooled: held(LRC / 200n), ...risky };
        return Response.json([unusable, { ...pool, pooled: held(LRC / 100n) }]);
      }
      if (!pathname.endsWith('/amm/pools')) return answer;
      const { pools } = (await answer.json()) as { pools: object[] };
      const tokens = { pooled: [1, 0], lp: 32_000 };
      return Response.json({ pools: [{ ...pools[0], address: poolAddress, tokens, ...status }, ...pools] });
    },
  });
  await allow(wallet, { minPrice: '0.000000001', orderVolume: `${1_000n * LRC}`, totalVolume: `${3_000n * LRC}` });
  const sale = { sellToken: { tokenId: 1, volume: `${1_000n * LRC}` } };
  const windows = wallet.shown.length;
  resultOf(await place(wallet, { ...sale, buyToken: { tokenId: 0, volume: `${LRC / 100n}` } }));
  expect(wallet.shown).toHaveLength(windows);
  await expectWindow(wallet, { ...sale, buyToken: { tokenId: 0, volume: `${LRC / 200n}` } });
});

test('an order at the pool’s price is answered while the list of pools cannot be had', async () => {
  const refusal = { resultInfo: { code: 100_000, message: 'not now' } };
  const { wallet } = await setUp(relayer, {
    fetch: async (input, init) =>
      new URL(String(input instanceof Request ? input.url : input)).pathname.endsWith('/amm/pools')
        ? Response.json(refusal, { status: 400 })
        : fetch(input, init),
  });
  await allow(wallet);
  const windows = wallet.shown.length;
  resultOf(await place(wallet));
  expect(wallet.shown).toHaveLength(windows);
});

describe('without a market price', () => {
  /** 100 LRC for a thousandth of what the pool gives. */
  const FAR = { buyToken: { tokenId: 0, volume: '1000000000000' } };

  test.each([
    ['the pools and the trades', [POOLS, TRADES]],
    ['the pools', [POOLS]],
  ])('an order is asked about while %s do not come, however bad its price', async (_name, paths) => {
    const stage = await setUp(relayer, { fetch: lateRelayer(...paths).fetch });
    const { wallet } = stage;
    await allow(wallet, { minPrice: '0.000000001' });
    await expectWindow(wallet, FAR);
    await expectWindow(wallet, { clientOrderId: 'a good price' });
    expect(await ordersOf(stage)).toEqual([]);
  });

  test('an order is asked about while they are late, and answered again when they have come', async () => {
    const late = lateRelayer(POOLS, TRADES);
    const stage = await setUp(relayer, { fetch: late.fetch });
    const { wallet } = stage;
    await allow(wallet);
    await expectWindow(wallet);
    late.release();
    const windows = wallet.shown.length;
    // What was late is an answer now; the far price is a danger, the good one is not.
    resultOf(await place(wallet, { clientOrderId: 'second' }));
    expect(wallet.shown).toHaveLength(windows);
    expect(await ordersOf(stage)).toHaveLength(1);
  });

  test('an old trade of the account does not stand in for a pool that is late', async () => {
    const late = lateRelayer(POOLS);
    let trades = 0;
    const traded: typeof fetch = async (input, init) => {
      const url = String(input instanceof Request ? input.url : input);
      if (!new URL(url).pathname.endsWith(TRADES)) return late.fetch(input, init);
      trades += 1;
      const row = [String(Date.now() - 86_400_000), '1', 'SELL', '1000000000000000000', '0.0005', 'LRC-ETH', '0'];
      return Response.json({ totalNum: 1, trades: [row] });
    };
    const { wallet } = await setUp(relayer, { fetch: traded });
    await allow(wallet);
    await expectWindow(wallet);
    expect(trades).toBeGreaterThan(0);
  });

  test('a cancellation needs none', async () => {
    const stage = await setUp(relayer, { fetch: lateRelayer(POOLS, TRADES).fetch });
    const { wallet } = stage;
    const { hash } = resultOf(await approveRequest(wallet, 'relayer_submitOrder', ORDER));
    await allow(wallet);
    const windows = wallet.shown.length;
    expect(await wallet.page(SITE, 'relayer_cancelOrder', [{ orderHash: hash }])).toHaveProperty('result');
    expect(wallet.shown).toHaveLength(windows);
  });
});

describe('beyond its limits', () => {
  test.each([
    ['more in one order', { sellToken: { tokenId: 1, volume: `${100n * LRC + 1n}` } }],
    ['an expiry after its own', { validUntil: seconds(Date.now()) + 90_000 }],
    ['an order for one taker', { taker: `0x${'12'.repeat(20)}` }],
    ['the other side', { sellToken: { tokenId: 0, volume: '100' }, buyToken: { tokenId: 1, volume: `${LRC}` } }],
  ])('%s asks the user', async (_name, changes) => {
    const { wallet } = await setUp(relayer);
    await allow(wallet);
    await expectWindow(wallet, changes);
  });

  test('the total and the rate are each the last that is signed without an approval request', async () => {
    const { wallet } = await setUp(relayer);
    await allow(wallet, { rate: { requests: 2, seconds: 60 } });
    resultOf(await place(wallet));
    resultOf(await place(wallet, { clientOrderId: 'b' }));
    await expectWindow(wallet, { sellToken: { tokenId: 1, volume: `${LRC}` } });
    const other = await setUp(relayer);
    await allow(other.wallet);
    for (const clientOrderId of ['a', 'b', 'c']) resultOf(await place(other.wallet, { clientOrderId }));
    await expectWindow(other.wallet, { clientOrderId: 'd' });
  });

  test('what was answered by hand counts nothing', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    await allow(wallet);
    resultOf(
      await approveRequest(
        wallet,
        'relayer_submitOrder',
        order({ sellToken: { tokenId: 1, volume: `${101n * LRC}` } }),
      ),
    );
    expect(resultOf(await wallet.page(SITE, 'relayer_getStandingApprovals'))).toMatchObject([{ soldVolume: '0' }]);
  });

  test('another site has nothing of it', async () => {
    const { wallet, accountView } = await setUp(relayer);
    const id = await allow(wallet);
    const other = 'https://other.example';
    await wallet.background().wallet.grants.grant(other, [accountView], ['orders']);
    wallet.page(other, 'relayer_submitOrder', [order()]);
    expect(await question(wallet)).toMatchObject({ origin: other });
    expect(await wallet.page(other, 'relayer_revokeStandingApproval', [{ id }])).toMatchObject({
      error: { code: -32602 },
    });
    expect(await wallet.page(other, 'relayer_getStandingApprovals')).toEqual({ result: [] });
  });

  test('it ends when the user unticks the permission for orders', async () => {
    const { wallet, accountView } = await setUp(relayer);
    await allow(wallet);
    const { standing } = wallet.background().wallet;
    expect(await standing.active({ origin: SITE })).toHaveLength(1);
    const asked = wallet.page(SITE, 'wallet_requestPermissions', [{ relayer_read: {}, relayer_orders: {} }]);
    const { id, digest } = await question(wallet);
    await wallet.ui('approve', { id, digest: digest ?? '', account: null, accounts: [accountView], kinds: ['read'] });
    await asked;
    await until(async () => (await standing.active({ origin: SITE })).length === 0);
  });

  test('a site is told of those on the exchange that it sees', async () => {
    const { wallet, network, accountView } = await setUp(relayer);
    await allow(wallet);
    const [first] = (await wallet.ui('getState', {})).accounts;
    const list = (params: object[] = []) => wallet.page(SITE, 'relayer_getStandingApprovals', params);
    await wallet.background().wallet.config.update((data) => ({
      ...data,
      networks: [...data.networks, { ...network, id: 'twin' }],
      accounts: data.accounts.flatMap((one) => [one, { ...one, id: 'twin:1', networkId: 'twin' }]),
    }));
    for (const params of [[], [{ account: first?.owner }]]) expect(resultOf(await list(params))).toHaveLength(1);
    await wallet.background().wallet.grants.prefer(SITE, ['twin:1'], ['orders']);
    for (const params of [[], [{ account: first?.owner }]]) expect(resultOf(await list(params))).toEqual([]);
    expect(accountView).toBe(first?.id);
  });

  test('another account of the wallet that the site sees has nothing of it', async () => {
    const { wallet, network, accountView } = await setUp(relayer);
    await allow(wallet);
    const other = await openOther(relayer, { ETH: '1', LRC: '1000' });
    const { signer } = await wallet.ui('importSigner', { privateKey: other.privateKey });
    const { id } = await wallet.ui('addAccount', { networkId: network.id, signer, label: 'Other' });
    await wallet.background().wallet.grants.grant(SITE, [accountView, id], ['read', 'orders']);
    await grantsChanged(wallet.background().wallet, SITE);
    await expectWindow(wallet, { account: other.owner });
    // Also when the first account that it sees has no such permission.
    await wallet.background().wallet.grants.grant(SITE, [id], ['read'], ['orders']);
    await wallet.background().wallet.grants.prefer(SITE, [id, accountView], ['read']);
    const list = (params: object[]) => wallet.page(SITE, 'relayer_getStandingApprovals', params);
    const [own] = (await wallet.ui('getState', {})).accounts;
    expect(resultOf(await list([]))).toMatchObject([{ account: own?.owner }]);
    expect(await list([{ account: other.owner }])).toMatchObject({ error: { code: 4100 } });
  });

  test('the cancellation of an order that another site placed asks the user', async () => {
    const { wallet, accountView } = await setUp(relayer);
    const other = 'https://other.example';
    await wallet.background().wallet.grants.grant(other, [accountView], ['orders']);
    const placed = wallet.page(other, 'relayer_submitOrder', [order()]);
    const view = await question(wallet);
    await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: accountView });
    const { hash } = resultOf(await placed);
    await allow(wallet);
    const windows = wallet.shown.length;
    const answer = wallet.page(SITE, 'relayer_cancelOrder', [{ orderHash: hash }]);
    const asked = await question(wallet);
    expect(asked).toMatchObject({ origin: SITE, operation: 'cancelOrder' });
    await until(async () => wallet.shown.length > windows);
    await wallet.ui('reject', { id: asked.id, block: false });
    expect(await answer).toMatchObject({ error: { code: 4001 } });
  });
});

describe('it ends', () => {
  test('by the site, by the key, by lock, by revoking the site; the next order asks, and the page is told', async () => {
    const { wallet, accountView } = await setUp(relayer);
    const { endStandingApprovals } = await import('../../src/background/sites/standingApprovals.ts');
    const id = await allow(wallet);
    expect(await wallet.page(SITE, 'relayer_revokeStandingApproval', [{ id }])).toEqual({ result: null });
    await expectWindow(wallet);
    await allow(wallet);
    await endStandingApprovals(wallet.background().wallet, { account: accountView }, 'key');
    await expectWindow(wallet);
    await allow(wallet);
    await wallet.ui('lock', {});
    await wallet.ui('unlock', { password: PASSWORD });
    expect(resultOf(await wallet.page(SITE, 'relayer_getStandingApprovals'))).toEqual([]);
    await allow(wallet);
    await wallet.ui('revokeSite', { origin: SITE });
    await wallet.background().wallet.grants.grant(SITE, [accountView], ['read', 'orders']);
    await grantsChanged(wallet.background().wallet, SITE);
    expect(resultOf(await wallet.page(SITE, 'relayer_getStandingApprovals'))).toEqual([]);
    expect(endsTold(wallet).map(([, reason]) => reason)).toEqual(['site', 'key', 'lock', 'permission']);
  });

  test('at the next start, when the worker stopped as the site was disconnected, and with it what the site had asked', async () => {
    const { wallet, accountView } = await setUp(relayer);
    await allow(wallet);
    const answer = place(wallet, { sellToken: { tokenId: 1, volume: `${101n * LRC}` } });
    await question(wallet);
    await wallet.background().wallet.grants.revoke(SITE);
    wallet.restart();
    expect(await answer).toMatchObject({ error: { code: 4100 } });
    await wallet.background().wallet.grants.grant(SITE, [accountView], ['read', 'orders']);
    await grantsChanged(wallet.background().wallet, SITE);
    expect(await wallet.ui('listStanding', {})).toEqual([]);
    await expectWindow(wallet);
  });

  test('by the deadline of the lock, without anybody looking', async () => {
    const clock = movableClock();
    const { wallet } = await setUp(relayer, { now: clock.now });
    await allow(wallet, { validUntil: seconds(Date.now()) + 30 * 86_400 });
    const kept = await allow(wallet, { validUntil: seconds(Date.now()) + 30 * 86_400 });
    await wallet.ui('setStanding', { id: kept, endsWithLock: false });
    clock.advance(3_600_000);
    const listed = async () => resultOf(await wallet.page(SITE, 'relayer_getStandingApprovals'));
    expect(await listed()).toMatchObject([{ id: kept }]);
    expect((await wallet.ui('getState', {})).vault).toBe('locked');
    await wallet.ui('unlock', { password: PASSWORD });
    expect(await listed()).toMatchObject([{ id: kept }]);
  });

  test('by the deadline of the lock when a passkey opens the wallet again, which keeps the deadline that the user chose', async () => {
    const clock = movableClock();
    const { wallet } = await setUp(relayer, { now: clock.now });
    const [credentialId, prf] = ['Y3JlZA', Buffer.alloc(32, 3).toString('base64')];
    const prfSalt = Buffer.alloc(32, 4).toString('base64');
    await wallet.ui('addPasskey', { password: PASSWORD, credentialId, prfSalt, prf });
    await wallet.ui('setSettings', { lockAfterMinutes: 5 });
    const long = { validUntil: seconds(Date.now()) + 30 * 86_400 };
    await allow(wallet, long);
    const kept = await allow(wallet, { ...long, minPrice: '0.00045' });
    await wallet.ui('setStanding', { id: kept, endsWithLock: false });
    clock.advance(3_600_000);
    // The passkey says who is there, not that the time did not pass.
    expect((await wallet.ui('getState', {})).vault).toBe('locked');
    expect((await wallet.ui('unlockWithPasskey', { credentialId, prf })).vault).toBe('unlocked');
    expect(resultOf(await wallet.page(SITE, 'relayer_getStandingApprovals'))).toMatchObject([{ id: kept }]);
    clock.advance(5 * 60_000);
    expect((await wallet.ui('getState', {})).vault).toBe('locked');
  });

  test('by its expiry, and a clock that is set back does not bring it to life', async () => {
    const clock = movableClock();
    const { wallet } = await setUp(relayer, { now: clock.now });
    await wallet.ui('setSettings', { lockAfterMinutes: 480 });
    await wallet.ui('touch', {});
    await allow(wallet);
    clock.advance(3_600_000);
    await wallet.background().onWake();
    clock.advance(-3_600_000);
    // The lock notices that clock too.
    await wallet.ui('unlock', { password: PASSWORD });
    await expectWindow(wallet);
  });

  test('by its expiry, which wakes the worker and is told in time, or when its site asks', async () => {
    const clock = movableClock();
    const alarms: number[] = [];
    const { wallet, accountView } = await setUp(relayer, { now: clock.now, wakeAt: (at) => alarms.push(at) });
    const validUntil = seconds(Date.now()) + 300;
    const first = await allow(wallet, { validUntil });
    await until(async () => alarms.at(-1) === validUntil * 1000);
    await wallet.ui('addStanding', {
      ...{ id: 'own', origin: SITE, account: accountView, terms: limits({ validUntil: validUntil - 60 }) },
      password: PASSWORD,
    });
    expect(alarms.at(-1)).toBe((validUntil - 60) * 1000);
    clock.advance(240_000);
    await wallet.background().onWake();
    expect(endsTold(wallet)).toEqual([['own', 'expired']]);
    expect(alarms.at(-1)).toBe(validUntil * 1000);
    clock.advance(60_000);
    expect(resultOf(await wallet.page(SITE, 'relayer_getStandingApprovals'))).toEqual([]);
    expect(endsTold(wallet)).toEqual([
      ['own', 'expired'],
      [first, 'expired'],
    ]);
  });

  test('by the deadline of the lock, whatever is ticked afterwards on a page that is still open', async () => {
    const clock = movableClock();
    const { wallet } = await setUp(relayer, { now: clock.now });
    const id = await allow(wallet, { validUntil: seconds(Date.now()) + 30 * 86_400 });
    clock.advance(3_600_000);
    expect(await wallet.ui('setStanding', { id, endsWithLock: false })).toEqual([]);
    await wallet.ui('unlock', { password: PASSWORD });
    expect(await wallet.ui('listStanding', {})).toEqual([]);
  });

  test('by the deadline of the lock, which the alarm tells the site and the pages of the wallet', async () => {
    const clock = movableClock();
    let drawn = 0;
    const { wallet } = await setUp(relayer, { now: clock.now, toUi: () => drawn++ });
    const id = await allow(wallet, { validUntil: seconds(Date.now()) + 30 * 86_400 });
    clock.advance(3_600_000);
    await wallet.background().onWake();
    expect(endsTold(wallet)).toEqual([[id, 'lock']]);
    drawn = 0;
    await wallet.background().onWake();
    expect(drawn).toBeGreaterThan(0);
  });

  test('between the comparison and the counting: the order becomes an approval request', async () => {
    const { wallet } = await setUp(relayer);
    const id = await allow(wallet);
    const { journal } = wallet.background().wallet;
    // The state that is compared is older than the one that is counted.
    const before = await journal.getRule(id);
    await journal.closeRule(id);
    Object.assign(journal, { getRule: async () => before });
    await expectWindow(wallet);
  });
});

test('a worker that stops between counting and signing has counted; the order is counted again and signed once', async () => {
  const stage = await setUp(relayer);
  const { wallet } = stage;
  const id = await allow(wallet);
  const { journal } = wallet.background().wallet;
  const reserve = journal.reserve.bind(journal);
  let stopped: () => void = () => {};
  const stop = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  Object.assign(journal, {
    async reserve(...given: Parameters<typeof reserve>) {
      await reserve(...given);
      stopped();
      // This life never comes back from here.
      return new Promise(() => {});
    },
  });
  const answer = place(wallet);
  await stop;
  wallet.restart();
  expect(await answer).toHaveProperty('result');
  expect(await ordersOf(stage)).toHaveLength(1);
  const state = await wallet.background().wallet.journal.getRule(id);
  expect(state?.spent).toEqual({ sold: 200n * LRC });
});

test.each([
  ['is there', false, 1],
  ['is gone', true, 0],
])(
  'what was answered too late to be signed is answered anew while its page is there: it %s',
  async (_, isGone, count) => {
    const clock = movableClock();
    const stage = await setUp(relayer, { now: clock.now });
    const { wallet } = stage;
    await allow(wallet, { validUntil: seconds(Date.now()) + 36_000 });
    const reached = heldAtReservation(wallet);
    const answer = wallet.page(SITE, 'relayer_submitOrder', [order()], undefined, 7, 'document');
    await reached;
    wallet.stop();
    if (isGone) wallet.gone.add('document');
    clock.advance(3 * 60_000);
    wallet.restart();
    await wallet.background().onWake();
    if (isGone) expect(await answer).toMatchObject({ error: { code: 4001, data: { reason: 'pageLeft' } } });
    else resultOf(await answer);
    expect(await ordersOf(stage)).toHaveLength(count);
  },
);

test('what was answered too late is shown and counted when no standing approval is left after a lock', async () => {
  const clock = movableClock();
  const { wallet } = await setUp(relayer, { now: clock.now });
  await allow(wallet);
  const { journal } = wallet.background().wallet;
  const reserve = journal.reserve.bind(journal);
  Object.assign(journal, {
    async reserve(...given: Parameters<typeof reserve>) {
      const reserved = await reserve(...given);
      await wallet.ui('lock', {});
      return reserved;
    },
  });
  const windows = wallet.shown.length;
  const answer = place(wallet);
  // Else it may be found too late, and be put back, while the wallet is still locked.
  await until(async () => (await journal.list({})).some(({ state }) => state === 'abandoned'));
  clock.advance(3 * 60_000);
  await wallet.ui('unlock', { password: PASSWORD });
  const { id } = await question(wallet);
  await until(async () => wallet.shown.length > windows && wallet.badge() === 1);
  expect(wallet.shown.at(-1)).toBe(id);
  await wallet.ui('reject', { id, block: false });
  expect(await answer).toMatchObject({ error: { code: 4001 } });
});

test('what a site asks for is bound to what was shown', async () => {
  const { wallet } = await setUp(relayer);
  wallet.page(SITE, 'relayer_requestStandingApproval', [limits()]);
  const view = await question(wallet);
  expect(view).toMatchObject({ kind: 'standing', operation: 'standingApproval' });
  await wallet.background().wallet.approvals.update(view.id, (current) => ({
    ...current,
    draft: { ...current.draft, body: { ...(current.draft?.body as object), totalVolume: `${10n ** 30n}` } } as never,
  }));
  const click = { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null };
  expect(await wallet.uiAnswer('approve', click)).toMatchObject({ ok: false, error: { code: 'digest-mismatch' } });
});

let shared: Awaited<ReturnType<typeof setUp>> | undefined;
test.each([
  [{ minPrice: undefined }, 'minPrice: is missing: a sale needs its worst price'],
  [{ maxPrice: '0.0001' }, 'minPrice: is above maxPrice'],
  [{ minPrice: '-1' }, 'minPrice: is not a price as decimal text'],
  [{ minPrice: '0.0' }, 'minPrice: is zero'],
  [{ orderVolume: `${301n * LRC}` }, 'orderVolume: is more than totalVolume'],
  [{ validUntil: 1_000 }, 'validUntil: is not in the future'],
  [{ validUntil: seconds(Date.now()) + 91 * 86_400 }, 'validUntil: is more than 90 days away'],
  [{ operations: ['transfer'] }, 'operations.0: is not one of "submitOrder", "cancelOrder"'],
  [{ buyTokenId: 1 }, 'buyTokenId: is the token that is sold'],
  [{ amount: 1 }, 'amount: is not a field of this request'],
])('limits that make no sense are refused with the field and the rule: %j', async (changes, message) => {
  shared ??= await setUp(relayer);
  const { wallet } = shared;
  expect(await wallet.page(SITE, 'relayer_requestStandingApproval', [limits(changes)])).toMatchObject({
    error: { code: -32602, message },
  });
});

test('what the user allows ahead is reviewed against the market like what a site asks for, and stays unallowed', async () => {
  const { wallet, accountView: account } = await setUp(relayer);
  const preview = async (changes: object) => {
    const { warnings, rows } = await wallet.ui('previewStanding', { account, terms: limits(changes) });
    return { rules: warnings.map(({ rule }) => rule), labels: rows.map(({ label }) => label.key) };
  };
  const far = await preview({ minPrice: '0.0000004' });
  expect(far.rules).toContain('standing-price-far');
  expect(far.labels).toEqual(expect.arrayContaining(['review_standingMinPrice', 'review_standingTotal']));
  await expect(preview({ minPrice: undefined })).rejects.toThrow();
  await expect(preview({ amount: 1 })).rejects.toThrow('"field":"amount"');
  expect(await wallet.ui('listStanding', {})).toEqual([]);
});

test('a standing approval that the user makes far from the market needs the password', async () => {
  const { wallet, accountView: account } = await setUp(relayer);
  const add = (password: object) =>
    wallet.ui('addStanding', {
      ...{ id: 'own', origin: SITE, account, terms: limits({ minPrice: '0.0000004' }) },
      ...password,
    });
  await expect(add({})).rejects.toThrow('password-needed');
  await expect(add({ password: 'not it' })).rejects.toThrow('wrong-password');
  expect(await wallet.ui('listStanding', {})).toEqual([]);
  await add({ password: PASSWORD });
  expect(await wallet.ui('listStanding', {})).toMatchObject([{ origin: SITE }]);
});

test('a standing approval is made only for a site that may ask for orders of that account', async () => {
  const { wallet, accountView: account } = await setUp(relayer);
  const { grants } = wallet.background().wallet;
  await grants.grant('https://reads.example', [account], ['read']);
  await grants.grant('https://sees-another.example', ['another'], ['read', 'orders']);
  for (const origin of ['https://reads.example', 'https://sees-another.example', 'https://unknown.example'])
    expect(
      await wallet.uiAnswer('addStanding', { id: 'own', origin, account, terms: limits(), password: PASSWORD }),
    ).toMatchObject({ error: { code: 'invalid-input', values: { field: 'origin' } } });
  expect(await wallet.ui('listStanding', {})).toEqual([]);
});

test('a standing approval that the user makes is there once, also when the answer was lost', async () => {
  const { wallet, accountView: account } = await setUp(relayer);
  const asked = { id: 'own', origin: SITE, account, terms: limits(), password: PASSWORD };
  await wallet.ui('addStanding', asked);
  wallet.restart();
  await wallet.ui('addStanding', { ...asked, terms: limits({ validUntil: seconds(Date.now()) + 7_200 }) });
  expect(await wallet.ui('listStanding', {})).toMatchObject([{ id: 'own' }]);
});

test('a standing approval that the user makes ends with the permission that was taken back meanwhile', async () => {
  const { wallet, accountView: account } = await setUp(relayer);
  const { grants, standing } = wallet.background().wallet;
  const { open } = standing;
  Object.assign(standing, {
    open: async (...given: Parameters<typeof open>) => {
      await grants.revoke(SITE);
      await open(...given);
    },
  });
  await wallet.ui('addStanding', { id: 'own', origin: SITE, account, terms: limits(), password: PASSWORD });
  expect(await wallet.ui('listStanding', {})).toEqual([]);
});
