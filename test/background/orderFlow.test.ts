import { setMany } from 'idb-keyval';
import { describe, expect, test, vi } from 'vitest';
import { requestKey, type StoredRequest } from '../../src/background/approvals/store/requests.ts';
import type { WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveOrder,
  approveRequest,
  buyLrc,
  finalStatus,
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

test('the window opens while the relayer is asked, once, and no window for what is wrong without it', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = false;
  const { wallet, account } = await setUp(
    relayer,
    {
      fetch: async (input, init) => {
        if (isHeld) await held;
        return fetch(input, init);
      },
    },
    ['transfers'],
  );
  const later = globalThis.setTimeout;
  // Without the time after which a window opens in any case.
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms?: number, ...given: []) =>
    ms === 600 ? undefined : later(work, ms, ...given)) as typeof setTimeout);
  try {
    const toOneself = { payeeAddr: account.owner, token: { tokenId: 1, volume: '1' } };
    expect(await wallet.page(SITE, 'relayer_transfer', [toOneself])).toMatchObject({ error: { code: -32602 } });
    expect(wallet.shown).toEqual([]);
    isHeld = true;
    void wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    await until(async () => wallet.shown.length > 0);
    const [open] = await wallet.ui('listApprovals', {});
    expect(wallet.shown).toEqual([open?.id]);
    expect(await wallet.ui('getApproval', { id: open?.id ?? '' })).toMatchObject({ stage: 'waiting', digest: null });
    release();
    expect((await question(wallet)).id).toBe(open?.id);
    expect(wallet.shown).toHaveLength(1);
    expect(setTimeout).toHaveBeenCalledWith(expect.anything(), 600, undefined);
  } finally {
    vi.restoreAllMocks();
  }
});

test('an approval request reads the API key once, before its window opens; no longer than a second, and not beyond a lock', async () => {
  const events: string[] = [];
  const { wallet, accountView } = await setUp(relayer, {
    showApproval: async () => void events.push('window'),
  });
  const { vault, accountKeys, config } = wallet.background().wallet;
  const { account, network } = await config.place(accountView);
  if (!account || !network) throw new Error('the account is gone');
  const { withSecret } = vault;
  const later = globalThis.setTimeout;
  // The second after which a key that was read ahead is forgotten ends when this test says so.
  const forget: (() => void)[] = [];
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms?: number, ...given: []) =>
    ms === 1_000 ? forget.push(work) : later(work, ms, ...given)) as typeof setTimeout);
  vi.spyOn(vault, 'withSecret').mockImplementation((id, use) => {
    events.push(id);
    return withSecret(id, use);
  });
  try {
    const isKey = (event: string) => event === `api-key:${accountView}`;
    const keyed = () => accountKeys.withApiKey(account, network, async (apiKey) => apiKey);
    const apiKey = await keyed();
    events.length = 0;
    const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const asked = await question(wallet);
    expect(events).toEqual([`api-key:${accountView}`, 'window']);
    await wallet.ui('reject', { id: asked.id, block: false });
    await answer;

    events.length = 0;
    accountKeys.readApiKeyAhead(accountView);
    expect([await keyed(), await keyed()]).toEqual([apiKey, apiKey]);
    expect(events.filter(isKey)).toHaveLength(1);
    for (const work of forget) work();
    await keyed();
    expect(events.filter(isKey)).toHaveLength(2);

    accountKeys.readApiKeyAhead(accountView);
    await keyed();
    await wallet.ui('lock', {});
    await expect(keyed()).rejects.toMatchObject({ code: 'locked' });
    // What a locked wallet was asked ahead does not stand in the way of what follows an unlock.
    accountKeys.readApiKeyAhead(accountView);
    await wallet.ui('unlock', { password: PASSWORD });
    expect(await keyed()).toBe(apiKey);
  } finally {
    vi.restoreAllMocks();
  }
});

test('an approved order reaches the relayer, is answered and listed', async () => {
  const stage = await setUp(relayer);
  const outcome = await approveOrder(stage.wallet, { clientOrderId: 'one' });
  expect(outcome).toMatchObject({
    result: { clientOrderId: 'one', status: 'acknowledged', relayerStatus: 'processing', isIdempotent: false },
  });
  const { hash } = (outcome as { result: { hash: string } }).result;
  expect(await ordersOf(stage)).toMatchObject([{ hash, clientOrderId: 'one' }]);
  expect(await stage.wallet.ui('getActivity', { limit: 5 })).toMatchObject([
    { operation: 'submitOrder', origin: SITE, status: 'acknowledged', hash, sentence: { key: 'review_submitOrder' } },
  ]);
  // The status follows the answer.
  await expect
    .poll(() => stage.wallet.pushed)
    .toContainEqual(expect.objectContaining({ origin: SITE, message: expect.objectContaining({ event: 'message' }) }));
});

test('what is not settled is listed however many requests are newer, and once', async () => {
  const { wallet, accountView: account } = await setUp(relayer);
  const older = resultOf(await approveOrder(wallet, { clientOrderId: 'older' }));
  const newer = resultOf(await approveOrder(wallet, { clientOrderId: 'newer' }));
  const listed = async (limit: number) =>
    (await wallet.ui('getActivity', { limit, account })).map(({ requestId }) => requestId);
  expect(await listed(1)).toEqual([newer.requestId, older.requestId]);
  expect(await listed(2)).toEqual([newer.requestId, older.requestId]);
  await wallet
    .background()
    .wallet.journal.markFinal((await wallet.ui('getActivity', { limit: 2 }))[1]?.id ?? '', 'expired');
  expect(await listed(1)).toEqual([newer.requestId]);
});

test('all open orders of a site are cancelled at once, those of another site stay', async () => {
  const clock = movableClock();
  const stage = await setUp(relayer, { now: clock.now });
  const { wallet, accountView } = stage;
  await approveOrder(wallet, { clientOrderId: 'a' });
  await approveOrder(wallet, { clientOrderId: 'b' });
  const other = 'https://other.example';
  await wallet.background().wallet.grants.grant(other, [accountView], ['orders']);
  const foreign = wallet.page(other, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'theirs' }]);
  const asked = await question(wallet);
  await wallet.ui('approve', { id: asked.id, digest: asked.digest ?? '', account: asked.account?.id ?? null });
  await foreign;
  const result = resultOf(await approveRequest(wallet, 'relayer_cancelAllOrders', {}));
  expect(result.hash).toMatch(/^0x/);
  expect(await finalStatus(wallet, clock)).toBe('processed');
  const states = (await ordersOf(stage)).map(({ clientOrderId, status }) => `${clientOrderId} ${status}`).sort();
  expect(states).toEqual(['a cancelled', 'b cancelled', 'theirs processing']);
});

test('an order whose answer was lost is cancelled with the others', async () => {
  let isLost = false;
  const stage = await setUp(relayer, {
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      const isLook = String(input).includes('orderHash=') && init?.method !== 'DELETE';
      if (isLost && (init?.method === 'POST' || isLook)) throw new TypeError('fetch failed');
      return answer;
    },
  });
  const { wallet } = stage;
  const { hash } = resultOf(await approveOrder(wallet, { clientOrderId: 'answered' }));
  isLost = true;
  const lost = await approveOrder(wallet, { clientOrderId: 'lost' });
  expect(lost).toMatchObject({ error: { data: { status: 'unknown' } } });
  const { orders } = resultOf<{ orders: object[] }>(await approveRequest(wallet, 'relayer_cancelAllOrders', {}));
  const { data } = (lost as { error: { data: { hash: string } } }).error;
  expect(orders).toEqual([hash, data.hash].map((orderHash) => ({ orderHash, cancelled: true })));
  expect((await ordersOf(stage)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
});

test('orders that a site names are cancelled in one window, each with an outcome of its own', async () => {
  const stage = await setUp(relayer);
  const { wallet } = stage;
  const placed = [];
  // The last is the best offer of the market.
  for (const [clientOrderId, volume] of Object.entries({
    a: '50000000000000000',
    b: '50000000000000000',
    c: '39000000000000000',
  }))
    placed.push(resultOf(await approveOrder(wallet, { clientOrderId, buyToken: { tokenId: 0, volume } })).hash);
  const [first, , third] = placed;
  const asked = wallet.page(SITE, 'relayer_cancelAllOrders', [{ orderHashes: [first, third, `0x${'77'.repeat(32)}`] }]);
  const view = await question(wallet);
  // One of them is filled while the user reads.
  await buyLrc(relayer, await openOther(relayer), 39n * 10n ** 15n, 100n * 10n ** 18n);
  await until(async () => (await ordersOf(stage)).some(({ status }) => status === 'processed'));
  await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
  expect(resultOf<{ orders: unknown }>(await asked).orders).toEqual([
    { orderHash: first, cancelled: true },
    { orderHash: third, cancelled: false, code: 102117, name: 'NO_ORDER_TO_CANCEL' },
  ]);
  const states = (await ordersOf(stage)).map(({ clientOrderId, status }) => `${clientOrderId} ${status}`).sort();
  expect(states).toEqual(['a cancelled', 'b processing', 'c processed']);
});

describe('a cancellation whose order is filled before the click', () => {
  const place = async (wallet: WalletHarness, volume: bigint) =>
    resultOf(await approveOrder(wallet, { buyToken: { tokenId: 0, volume: String(volume) } })).hash;
  const short = (hash: string) => `${hash.slice(0, 8)}…${hash.slice(-6)}`;

  test.each([
    ['of one order', 'relayer_cancelOrder', false, 'failed'],
    ['of all orders, where one is left', 'relayer_cancelAllOrders', true, 'processed'],
    ['of all orders, where none is left', 'relayer_cancelAllOrders', false, 'processed'],
  ])('%s names it, and the order itself is looked up at once', async (_what, method, hasOther, status) => {
    const clock = movableClock();
    const stage = await setUp(relayer, { now: clock.now });
    const { wallet } = stage;
    // The best offer of the market.
    const filled = await place(wallet, 38n * 10n ** 15n);
    if (hasOther) await place(wallet, 90n * 10n ** 15n);
    void wallet.page(SITE, method, method === 'relayer_cancelOrder' ? [{ orderHash: filled }] : []);
    const view = await question(wallet);
    await buyLrc(relayer, await openOther(relayer), 38n * 10n ** 15n, 100n * 10n ** 18n);
    await until(async () => (await ordersOf(stage)).find((one) => one.hash === filled)?.status === 'processed');
    await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
    const find = async (operation: string) =>
      (await wallet.ui('getActivity', { limit: 5 })).find(
        (item) => item.operation === operation && (operation !== 'submitOrder' || item.hash === filled),
      );
    // Nothing makes its own check due.
    await until(async () => (await find('submitOrder'))?.status === 'processed');
    const name = view.operation ?? '';
    expect(await finalStatus(wallet, clock, name)).toBe(status);
    expect((await find(name))?.problem).toEqual({
      key: 'problem_tooLate',
      values: { orders: { kind: 'text', text: short(filled) } },
    });
  });
});

describe('one approval request', () => {
  test('a request that is repeated by its id stays one approval request and one order', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    const id = crypto.randomUUID();
    const answers = [1, 2, 3].map(() => wallet.page(SITE, 'relayer_submitOrder', [ORDER], id));
    const view = await question(wallet);
    expect(await wallet.ui('listApprovals', {})).toHaveLength(1);
    await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
    const [first, ...others] = await Promise.all(answers);
    expect(others).toEqual([first, first]);
    expect(await wallet.page(SITE, 'relayer_submitOrder', [ORDER], id)).toEqual(first);
    expect(await ordersOf(stage)).toHaveLength(1);
  });

  test('an equal request of the same site joins the open approval request, and both are answered', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    const first = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const view = await question(wallet);
    const second = wallet.page(SITE, 'relayer_submitOrder', [structuredClone(ORDER)]);
    await until(async () => (await wallet.background().wallet.approvals.get(view.id))?.requestIds.length === 2);
    await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
    expect(await second).toEqual(await first);
    expect(await ordersOf(stage)).toHaveLength(1);
  });

  test('two clicks sign once', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const view = await question(wallet);
    const click = { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null };
    const clicks = await Promise.all([wallet.uiAnswer('approve', click), wallet.uiAnswer('approve', click)]);
    expect(clicks.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await answer).toHaveProperty('result');
    expect(await ordersOf(stage)).toHaveLength(1);
  });
});

describe('what was shown is what is signed', () => {
  test.each([
    [
      'draft',
      (stored: { draft: { body: { buyToken: { volume: string } } } }) => {
        stored.draft.body.buyToken.volume = '1';
      },
    ],
    [
      'review',
      (stored: { review: { rows: unknown[] } }) => {
        stored.review.rows.pop();
      },
    ],
    [
      'origin',
      (stored: { origin: string }) => {
        stored.origin = 'https://other.example';
      },
    ],
    [
      'account',
      (stored: { account: string }) => {
        stored.account = 'another';
      },
    ],
    [
      'digest',
      (stored: { digest: string }) => {
        stored.digest = `0x${'0'.repeat(64)}`;
      },
    ],
  ] as [string, (stored: never) => void][])(
    'a stored %s that changed between the screen and the click is refused',
    async (_part, change) => {
      const stage = await setUp(relayer);
      const { wallet } = stage;
      wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
      const view = await question(wallet);
      await wallet.background().wallet.approvals.update(view.id, (current) => {
        const changed = structuredClone(current);
        change(changed as never);
        return changed;
      });
      const answer = await wallet.uiAnswer('approve', {
        id: view.id,
        digest: view.digest ?? '',
        account: view.account?.id ?? null,
      });
      expect(answer).toMatchObject({ ok: false, error: { code: expect.stringMatching(/digest-mismatch|not-found/) } });
      expect(await wallet.background().wallet.journal.list()).toEqual([]);
      expect(await ordersOf(stage)).toEqual([]);
    },
  );

  test('a click for another account is refused', async () => {
    const { wallet } = await setUp(relayer);
    wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const view = await question(wallet);
    expect(await wallet.uiAnswer('approve', { id: view.id, digest: view.digest ?? '', account: 'x:1' })).toMatchObject({
      ok: false,
      error: { code: 'digest-mismatch' },
    });
  });
});

describe('lock', () => {
  test('a locked wallet keeps the approval request, and completes it after the password', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    await wallet.ui('lock', {});
    const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const locked = await question(wallet, 'locked');
    expect(locked).toMatchObject({ review: null, digest: null });
    expect(await wallet.uiAnswer('unlock', { password: 'wrong' })).toMatchObject({
      ok: false,
      error: { code: 'wrong-password', key: 'error_wrongPassword' },
    });
    await wallet.ui('unlock', { password: PASSWORD });
    const view = await question(wallet);
    await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
    expect(await answer).toHaveProperty('result');
  });

  test('a lock between the screen and the click signs nothing', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const view = await question(wallet);
    await wallet.ui('lock', {});
    expect(
      await wallet.uiAnswer('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null }),
    ).toMatchObject({ ok: false, error: { code: 'locked' } });
    expect(await wallet.background().wallet.journal.list()).toEqual([]);
  });
});

describe('sites that ask too much', () => {
  test('an eleventh open approval request of one site is refused, another site still asks', async () => {
    const { wallet, accountView } = await setUp(relayer);
    const asked = Array.from({ length: 11 }, (_, index) =>
      wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: `n${index}` }]),
    );
    expect(await Promise.race(asked)).toMatchObject({ error: { code: -32005 } });
    await until(async () => (await wallet.ui('listApprovals', {})).length === 10);
    expect(await wallet.page(SITE, 'relayer_submitOrder', [ORDER])).toMatchObject({ error: { code: -32005 } });
    await wallet.background().wallet.grants.grant('https://other.example', [accountView], ['orders']);
    wallet.page('https://other.example', 'relayer_submitOrder', [ORDER], undefined, 2);
    await until(async () => (await wallet.ui('listApprovals', {})).length === 11);
    await until(async () => wallet.badge() === 11);
  });

  test('a site that asks and takes back without end is refused after twenty, while another site still asks', async () => {
    let now = Date.now();
    const { wallet, accountView } = await setUp(relayer, { now: () => now });
    const askAndTakeBack = async (clientOrderId: string) => {
      const answer = wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, clientOrderId }]);
      const open = async () => (await wallet.ui('listApprovals', {}))[0];
      const asked = await Promise.race([until(open), answer]);
      if ('id' in asked) await wallet.page(SITE, 'relayer_withdrawRequest', [{ requestId: asked.id }]);
      return answer;
    };
    // What the user decided does not count.
    const decided = wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'decided' }]);
    await wallet.ui('reject', { id: (await question(wallet)).id, block: false });
    await decided;
    for (let i = 0; i < 20; i++) expect(await askAndTakeBack(`a${i}`)).toMatchObject({ error: { code: 4001 } });
    const windows = wallet.shown.length;
    expect(await askAndTakeBack('b')).toMatchObject({ error: { code: -32005 } });
    expect(wallet.shown).toHaveLength(windows);
    await wallet.background().wallet.grants.grant('https://other.example', [accountView], ['orders']);
    wallet.page('https://other.example', 'relayer_submitOrder', [ORDER]);
    expect((await question(wallet)).origin).toBe('https://other.example');
    now += 2_000;
    wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'c' }]);
    await until(async () => (await wallet.ui('listApprovals', {})).length === 2);
    expect(await wallet.page(SITE, 'relayer_submitOrder', [ORDER])).toMatchObject({ error: { code: -32005 } });
  });

  test('the answers of one site are not forgotten because another site has many', async () => {
    const { wallet } = await setUp(relayer);
    const id = crypto.randomUUID();
    const answer = wallet.page(SITE, 'relayer_submitOrder', [ORDER], id);
    await wallet.ui('reject', { id: (await question(wallet)).id, block: false });
    const first = await answer;
    const { requestStore } = wallet.ports;
    const daysAgo = Date.now() - 2 * 86_400_000;
    const flood = Array.from({ length: 501 }, (_, index): [string, StoredRequest] => {
      const request = { id: `${index}`, origin: 'https://flood.example', tabId: 1, approvalId: 'x' };
      return [
        requestKey(request.origin, request.id),
        { ...request, createdAt: daysAgo + index, answer: { result: null } },
      ];
    });
    await setMany(flood, requestStore);
    wallet.restart();
    expect(await wallet.page(SITE, 'relayer_submitOrder', [ORDER], id)).toEqual(first);
    const { requests } = wallet.background().wallet;
    await expect.poll(() => requests.find('https://flood.example', '0')).toBe(undefined);
    expect(await requests.find(SITE, id)).toMatchObject({ id });
  });

  test('three rejections within 30 s silence a site for a minute', async () => {
    let now = Date.now();
    const { wallet } = await setUp(relayer, { now: () => now });
    for (let i = 0; i < 3; i++) {
      const answer = wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: `r${i}` }]);
      await wallet.ui('reject', { id: (await question(wallet)).id, block: false });
      expect(await answer).toEqual({ error: { code: 4001, message: 'The user rejected the request.' } });
    }
    now += 59_000;
    expect(await wallet.page(SITE, 'relayer_submitOrder', [ORDER])).toMatchObject({ error: { code: -32005 } });
    now += 2_000;
    wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    await question(wallet);
  });

  test('blocking a site ends all it has open and refuses the next', async () => {
    const { wallet } = await setUp(relayer);
    const first = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    const second = wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, clientOrderId: 'second' }]);
    await until(async () => (await wallet.ui('listApprovals', {})).length === 2);
    const view = await question(wallet);
    await wallet.ui('reject', { id: view.id, block: true });
    expect([await first, await second]).toEqual([
      { error: expect.objectContaining({ code: 4001 }) },
      { error: expect.objectContaining({ code: 4001 }) },
    ]);
    expect(await wallet.page(SITE, 'relayer_submitOrder', [ORDER])).toMatchObject({ error: { code: 4100 } });
    await wallet.ui('unblockSite', { origin: SITE });
    wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
    await question(wallet);
  });
});

test('a revoked site sees no account and is refused', async () => {
  const { wallet } = await setUp(relayer);
  await wallet.ui('revokeSite', { origin: SITE });
  expect(await wallet.page(SITE, 'eth_accounts')).toEqual({ result: [] });
  expect(await wallet.page(SITE, 'relayer_getOrders')).toMatchObject({ error: { code: 4100 } });
  expect(wallet.pushed).toContainEqual({ origin: SITE, message: { event: 'accountsChanged', data: [] } });
});

test('permissions are listed and given back as EIP-2255 says', async () => {
  const { wallet, account } = await setUp(relayer);
  const caveats = [{ type: 'restrictReturnedAccounts', value: [account.owner] }];
  expect(await wallet.page(SITE, 'wallet_getPermissions')).toEqual({
    result: ['eth_accounts', 'relayer_read', 'relayer_orders'].map((parentCapability) => ({
      invoker: SITE,
      parentCapability,
      caveats,
    })),
  });
  expect(await wallet.page(SITE, 'wallet_revokePermissions', [{ eth_accounts: {} }])).toEqual({ result: null });
  expect(await wallet.page(SITE, 'wallet_getPermissions')).toEqual({ result: [] });
});

test('an order that does not allow its fee rate is shown as one that the relayer refuses, and is refused', async () => {
  const { wallet, client, account } = await setUp(relayer);
  const { accountId, apiKey } = account;
  const { amounts } = await client.getOrderUserRateAmount({ query: { accountId, market: 'LRC-ETH' }, apiKey });
  const least = BigInt(amounts?.find(({ tokenSymbol }) => tokenSymbol === 'ETH')?.userOrderInfo?.minAmount ?? 0);
  const bought = String((least * 2n) / 3n);
  const query = { accountId, market: 'LRC-ETH', tokenB: 0, amountB: bought };
  const { feeRate } = await client.getUserOrderFee({ query, apiKey });
  const needed = Math.max(feeRate.makerRate, feeRate.takerRate);
  const sale = { ...ORDER, sellToken: { tokenId: 1, volume: '10000000000000000000' } };
  const taken = { result: { status: 'acknowledged' } };
  for (const [maxFeeBips, tradeChannel, rules, ending] of [
    [needed - 1, 'MIXED', ['rate-refused'], { error: { data: { name: 'RATE_ILLEGAL' } } }],
    [needed, 'MIXED', ['amount-at-high-rate'], taken],
    [needed - 1, 'AMM_POOL', [], taken],
  ] as const) {
    const order = { ...sale, buyToken: { tokenId: 0, volume: bought }, maxFeeBips, tradeChannel };
    const answer = wallet.page(SITE, 'relayer_submitOrder', [order]);
    const { id, digest, account: shown, review } = await question(wallet);
    const said = review?.warnings.map(({ rule }) => rule).filter((rule) => /rate/.test(rule));
    expect(said).toEqual(rules);
    await wallet.ui('approve', { id, digest: digest ?? '', account: shown?.id ?? null, password: PASSWORD });
    expect(await answer).toMatchObject(ending);
  }
});
