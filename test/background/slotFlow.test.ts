import { describe, expect, test } from 'vitest';
import { formatHash, orderHash } from '../../src/protocol/index.ts';
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
  type SetUp,
  SITE,
  setUp,
  until,
} from './support.ts';

const relayer = await relayerOfFile();

const SLOTS = 16_384;
const LRC = 10n ** 18n;

/** Somebody else buys what an order sells, if it can be filled, and pays so much ETH at most. */
const buy = async (eth: bigint, lrc: bigint) => buyLrc(relayer, await openOther(relayer), eth, lrc, 'TAKER_ONLY');

const stateOf = async (stage: SetUp, hash: string) => {
  const order = (await ordersOf(stage)).find((one) => one.hash === hash);
  return (
    order && { status: order.status, filled: BigInt(order.volumes.baseFilled), slot: order.storageInfo?.storageId }
  );
};

/** The state of an order that has ended. */
const endOf = (stage: SetUp, hash: string) =>
  until(async () => {
    const state = await stateOf(stage, hash);
    return state?.status !== 'processing' && state;
  });

describe('replacing an order', () => {
  test('the new order takes the slot with a larger id; a matching counter-order fills it and never the old one', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    // 100 LRC at 0.0003 ETH, then at 0.0002: both within reach of one buyer.
    const old = resultOf(await approveOrder(wallet, { buyToken: { tokenId: 0, volume: '30000000000000000' } }));
    const asked = { ...ORDER, replaces: old.hash, buyToken: { tokenId: 0, volume: '20000000000000000' } };
    const next = resultOf(await approveRequest(wallet, 'relayer_replaceOrder', asked));
    expect(next.storageId).toBe((old.storageId ?? 0) + SLOTS);
    expect(await stateOf(stage, old.hash)).toMatchObject({ status: 'cancelled', filled: 0n });
    // Somebody pays enough for both, twice as much as the new one sells.
    await buy(60_000_000_000_000_000n, 200n * LRC);
    expect(await endOf(stage, next.hash)).toMatchObject({ status: 'processed', filled: 100n * LRC });
    expect(await stateOf(stage, old.hash)).toMatchObject({ status: 'cancelled', filled: 0n });
    // The wallet knows the end of both.
    await until(async () => (await wallet.ui('getActivity', { limit: 2 })).at(1)?.status === 'cancelled');
  });

  test('an order that was filled between the approval request and the click is not replaced, and nothing is signed', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    const old = resultOf(await approveOrder(wallet, { buyToken: { tokenId: 0, volume: '25000000000000000' } }));
    const answer = wallet.page(SITE, 'relayer_replaceOrder', [{ ...ORDER, replaces: old.hash }]);
    const view = await question(wallet);
    await buy(25_000_000_000_000_000n, 100n * LRC);
    expect(await endOf(stage, old.hash)).toMatchObject({ status: 'processed', filled: 100n * LRC });
    await wallet.ui('approve', {
      id: view.id,
      digest: view.digest ?? '',
      account: view.account?.id ?? null,
      password: PASSWORD,
    });
    expect(await answer).toMatchObject({ error: { code: 4900, data: { status: 'not-signed' } } });
    expect(await ordersOf(stage)).toHaveLength(1);
  });

  test('a replacement can be replaced; only the last of the slot stays', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    let { hash } = resultOf(await approveOrder(wallet));
    for (const price of ['60000000000000000', '70000000000000000']) {
      const asked = { ...ORDER, replaces: hash, buyToken: { tokenId: 0, volume: price } };
      ({ hash } = resultOf(await approveRequest(wallet, 'relayer_replaceOrder', asked)));
    }
    const open = (await ordersOf(stage)).filter(({ status }) => status === 'processing');
    expect(open.map((order) => order.hash)).toEqual([hash]);
    expect(new Set((await ordersOf(stage)).map(({ storageInfo }) => (storageInfo?.storageId ?? 0) % SLOTS)).size).toBe(
      1,
    );
  });

  test('an order of another wallet, another token and a filled one are refused by name', async () => {
    const { wallet } = await setUp(relayer);
    const { hash } = resultOf(await approveOrder(wallet));
    const refused = async (intent: object) =>
      (await wallet.page(SITE, 'relayer_replaceOrder', [intent])) as { error: { message: string } };
    expect((await refused({ ...ORDER, replaces: `0x${'ab'.repeat(32)}` })).error.message).toBe(
      'replaces: was not signed by this wallet, so its slot is not known for certain',
    );
    const other = { sellToken: ORDER.buyToken, buyToken: ORDER.sellToken };
    expect((await refused({ ...other, replaces: hash })).error.message).toBe(
      'sellToken.tokenId: is another token than the replaced order sells; slots belong to a token',
    );
    await approveRequest(wallet, 'relayer_cancelOrder', { orderHash: hash });
    expect((await refused({ ...ORDER, replaces: hash })).error.message).toBe(
      'replaces: the order is not open any more (cancelled)',
    );
  });

  test('a worker that stops after signing sends the same bytes, and one that stops before signs one replacement', async () => {
    for (const method of ['reserve', 'markSigned'] as const) {
      const stage = await setUp(relayer);
      const { wallet } = stage;
      const old = resultOf(await approveOrder(wallet));
      const answer = wallet.page(SITE, 'relayer_replaceOrder', [
        { ...ORDER, replaces: old.hash, clientOrderId: 'new' },
      ]);
      const view = await question(wallet);
      const { journal } = wallet.background().wallet as unknown as {
        journal: Record<string, (...given: unknown[]) => Promise<unknown>>;
      };
      const real = journal[method] as (...given: unknown[]) => Promise<unknown>;
      const died = new Promise<void>((dead) => {
        journal[method] = async (...given) => {
          await real(...given);
          dead();
          return new Promise(() => {});
        };
      });
      await wallet.ui('approve', {
        id: view.id,
        digest: view.digest ?? '',
        account: view.account?.id ?? null,
        password: PASSWORD,
      });
      await died;
      wallet.restart();
      expect(await answer).toHaveProperty('result');
      const orders = await ordersOf(stage);
      expect(orders.map(({ clientOrderId, status }) => `${clientOrderId} ${status}`).sort()).toEqual([
        ' cancelled',
        'new processing',
      ]);
    }
  });
});

describe('one of several orders', () => {
  /** Take 100 LRC at once for a price that nobody pays; else offer them. */
  const oneOf = (first: object, second: object = {}) => ({
    orders: [
      { ...ORDER, clientOrderId: 'first', ...first },
      { ...ORDER, clientOrderId: 'second', ...second },
    ],
  });

  test('the first that the exchange keeps is the only one that is signed', async () => {
    const stage = await setUp(relayer);
    const result = resultOf(await approveRequest(stage.wallet, 'relayer_submitOneOf', oneOf({})));
    expect(result).toMatchObject({ status: 'acknowledged', clientOrderId: 'first' });
    expect(await ordersOf(stage)).toHaveLength(1);
  });

  test('an order that takes nothing gives way to the next in its slot, and exactly one fills', async () => {
    const stage = await setUp(relayer);
    const sold = { buyToken: { tokenId: 0, volume: '22000000000000000' } };
    const asked = oneOf({ ...sold, orderType: 'TAKER_ONLY' }, sold);
    const result = resultOf(await approveRequest(stage.wallet, 'relayer_submitOneOf', asked));
    expect(result).toMatchObject({ status: 'acknowledged', clientOrderId: 'second' });
    const { requestId, hash } = result as { requestId: string; hash: string };
    const known = { requestId, hash, status: 'acknowledged' };
    expect(await stage.wallet.page(SITE, 'relayer_getRequest', [{ requestId }])).toMatchObject({ result: known });
    const listed = resultOf<{ operation: string }[]>(await stage.wallet.page(SITE, 'relayer_getRequests'));
    expect(listed.filter(({ operation }) => operation === 'submitOneOf')).toMatchObject([known]);
    const orders = await ordersOf(stage);
    const ids = Object.fromEntries(
      orders.map(({ clientOrderId, storageInfo }) => [clientOrderId, storageInfo?.storageId]),
    );
    expect(ids.second).toBe((ids.first ?? 0) + SLOTS);
    await buy(44_000_000_000_000_000n, 200n * LRC);
    await endOf(stage, hash);
    const filled = (await ordersOf(stage)).map(({ clientOrderId, status, volumes }) => [
      clientOrderId,
      status,
      volumes.baseFilled,
    ]);
    expect(filled.sort()).toEqual([
      ['first', 'cancelled', '0'],
      ['second', 'processed', `${100n * LRC}`],
    ]);
  });

  test('an order that takes something is the one; the others are never signed', async () => {
    const stage = await setUp(relayer);
    const maker = await setUp(relayer);
    // Somebody offers ETH for 40 LRC at this price.
    await approveRequest(maker.wallet, 'relayer_submitOrder', {
      sellToken: { tokenId: 0, volume: '11200000000000000' },
      buyToken: { tokenId: 1, volume: `${40n * LRC}` },
      tradeChannel: 'ORDER_BOOK',
    });
    const asked = oneOf({ buyToken: { tokenId: 0, volume: '28000000000000000' }, orderType: 'TAKER_ONLY' });
    await approveRequest(stage.wallet, 'relayer_submitOneOf', asked);
    const orders = await ordersOf(stage);
    expect(orders.map(({ clientOrderId }) => clientOrderId)).toEqual(['first']);
    expect(BigInt(orders[0]?.volumes.baseFilled ?? 0)).toBe(40n * LRC);
  });

  test('a refused order gives way too; when all are refused, the page gets the last refusal', async () => {
    const stage = await setUp(relayer);
    await approveOrder(stage.wallet, { clientOrderId: 'taken' });
    const first = { clientOrderId: 'taken' };
    resultOf(await approveRequest(stage.wallet, 'relayer_submitOneOf', oneOf(first)));
    const open = (await ordersOf(stage)).map(({ clientOrderId }) => clientOrderId).sort();
    expect(open).toEqual(['second', 'taken']);
    const refused = await approveRequest(
      stage.wallet,
      'relayer_submitOneOf',
      oneOf(first, { clientOrderId: 'second' }),
    );
    expect(refused).toMatchObject({ error: { code: -32003, data: { code: 102007 } } });
  });

  test('a worker that stops between two of them never signs an earlier one again', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    const sold = { buyToken: { tokenId: 0, volume: '23000000000000000' } };
    const answer = wallet.page(SITE, 'relayer_submitOneOf', [oneOf({ ...sold, orderType: 'TAKER_ONLY' }, sold)]);
    const view = await question(wallet);
    const { journal } = wallet.background().wallet as unknown as {
      journal: Record<string, (...given: { requestId?: string }[]) => Promise<unknown>>;
    };
    const real = journal.reserve as (...given: unknown[]) => Promise<unknown>;
    const died = new Promise<void>((dead) => {
      journal.reserve = async (draft, ...given) => {
        const record = await real(draft, ...given);
        if (!draft?.requestId?.includes('/')) return record;
        dead();
        return new Promise(() => {});
      };
    });
    await wallet.ui('approve', {
      id: view.id,
      digest: view.digest ?? '',
      account: view.account?.id ?? null,
      password: PASSWORD,
    });
    await died;
    wallet.restart();
    const { hash } = resultOf(await answer);
    const orders = (await ordersOf(stage)).toSorted((one, two) => (one.clientOrderId < two.clientOrderId ? -1 : 1));
    expect(orders).toMatchObject([{ clientOrderId: 'first' }, { hash, clientOrderId: 'second' }]);
    // It is cheaper than what later tests sell.
    resultOf(await approveRequest(wallet, 'relayer_cancelOrder', { orderHash: hash }));
  });

  test('all of them sell the same token', async () => {
    const { wallet } = await setUp(relayer);
    const other = { sellToken: ORDER.buyToken, buyToken: ORDER.sellToken };
    expect(await wallet.page(SITE, 'relayer_submitOneOf', [oneOf({}, other)])).toMatchObject({
      error: { code: -32602, message: 'orders.1.sellToken.tokenId: is another token than the first order sells' },
    });
  });
});

describe('cancelling for good', () => {
  test('the least trade in the slot is settled, the old order is void at the relayer and its bytes are refused for ever', async () => {
    const clock = movableClock();
    const stage = await setUp(relayer, { now: clock.now });
    const { wallet, client, account } = stage;
    const old = resultOf(await approveOrder(wallet));
    const [signed] = await wallet.background().wallet.journal.list();
    const burned = resultOf(await approveRequest(wallet, 'relayer_hardCancel', { orderHash: old.hash }));
    expect(burned.storageId).toBe((old.storageId ?? 0) + SLOTS);
    expect(await finalStatus(wallet, clock)).toBe('processed');
    const state = await stateOf(stage, burned.hash);
    expect(state?.filled).toBeGreaterThan(0n);
    expect(await stateOf(stage, old.hash)).toMatchObject({ status: 'cancelled', filled: 0n });
    // That all this happened is the relayer's word, so the end of the old signature stays in sight.
    expect((await wallet.ui('getActivity', { limit: 2 })).at(1)).toMatchObject({
      status: 'cancelled',
      problem: { key: 'problem_endedUntil', values: { until: { seconds: signed?.validUntil } } },
    });
    // Whoever has the old order's bytes, with another unsigned field so that they are not
    // recognised, gets nothing for them.
    const body = JSON.parse(signed?.wire?.bodyText ?? '{}');
    const bodyText = JSON.stringify({ ...body, clientOrderId: 'again' });
    await expect(client.submitOrder({ bodyText, apiKey: account.apiKey })).rejects.toMatchObject({
      relayerCode: 102021,
    });
  });

  test('by a relayer that only says so leaves the end of the old signature in sight', async () => {
    const clock = movableClock();
    const wire = { lies: false };
    const { wallet } = await setUp(relayer, {
      now: clock.now,
      async fetch(input, init) {
        if (!wire.lies || new URL(String(input)).pathname !== '/api/v3/order' || init?.method !== 'POST')
          return fetch(input, init);
        const hash = formatHash(orderHash(JSON.parse(String(init.body))));
        return Response.json({ hash, clientOrderId: '', status: 'processed', isIdempotent: false });
      },
    });
    const { hash } = resultOf(await approveOrder(wallet));
    resultOf(await approveRequest(wallet, 'relayer_cancelOrder', { orderHash: hash }));
    expect(await finalStatus(wallet, clock)).toBe('processed');
    wire.lies = true;
    resultOf(await approveRequest(wallet, 'relayer_hardCancel', { orderHash: hash }));
    expect(await finalStatus(wallet, clock)).toBe('processed');
    const order = await until(async () =>
      (await wallet.ui('getActivity', { limit: 3 })).find(
        ({ operation, status }) => operation === 'submitOrder' && status === 'cancelled',
      ),
    );
    expect(order).toMatchObject({ problem: { key: 'problem_endedUntil' } });
  });

  test('of an order whose slot has a newer one is refused with its hash, because both would end', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    const old = resultOf(await approveOrder(wallet));
    const asked = { ...ORDER, replaces: old.hash, buyToken: { tokenId: 0, volume: '60000000000000000' } };
    const next = resultOf(await approveRequest(wallet, 'relayer_replaceOrder', asked));
    const { error } = (await wallet.page(SITE, 'relayer_hardCancel', [{ orderHash: old.hash }])) as {
      error: { message: string };
    };
    expect(error.message).toBe(
      `orderHash: the newer order ${next.hash} is open in its slot and would end too; name that one, which ends both, or wait for its end`,
    );
    expect(await stateOf(stage, next.hash)).toMatchObject({ status: 'processing' });
    // The newest of a slot ends it whole, and once that one has ended the slot is anybody's.
    resultOf(await approveRequest(wallet, 'relayer_hardCancel', { orderHash: next.hash }));
    expect(await stateOf(stage, next.hash)).toMatchObject({ status: 'cancelled', filled: 0n });
  });

  test('signs nothing when a newer order took the slot between the review and the click', async () => {
    const stage = await setUp(relayer);
    const { wallet } = stage;
    const old = resultOf(await approveOrder(wallet));
    const answer = wallet.page(SITE, 'relayer_hardCancel', [{ orderHash: old.hash }]);
    const view = await question(wallet);
    const asked = { ...ORDER, replaces: old.hash, buyToken: { tokenId: 0, volume: '60000000000000000' } };
    const newer = wallet.page(SITE, 'relayer_replaceOrder', [asked]);
    const other = await until(async () => {
      const second = (await wallet.ui('listApprovals', {})).find(({ id }) => id !== view.id);
      const shown = second && (await wallet.ui('getApproval', { id: second.id }));
      return shown?.stage === 'ready' && shown;
    });
    for (const { id, digest, account } of [other, view]) {
      await wallet.ui('approve', { id, digest: digest ?? '', account: account?.id ?? null, password: PASSWORD });
      if (id === other.id) await newer;
    }
    expect(await answer).toMatchObject({ error: { code: 4900, data: { status: 'not-signed' } } });
    expect(await stateOf(stage, resultOf(await newer).hash)).toMatchObject({ status: 'processing' });
  });

  test('works for an order that is cancelled already, and says when nothing could be traded', async () => {
    const clock = movableClock();
    const stage = await setUp(relayer, { now: clock.now });
    const { wallet } = stage;
    const old = resultOf(await approveOrder(wallet));
    await approveRequest(wallet, 'relayer_cancelOrder', { orderHash: old.hash });
    // A price that the pool does not give.
    const asked = { orderHash: old.hash, sellVolume: `${100n * LRC}`, buyVolume: '90000000000000000' };
    resultOf(await approveRequest(wallet, 'relayer_hardCancel', asked));
    expect(await finalStatus(wallet, clock)).toBe('failed');
    const [record] = await wallet.background().wallet.journal.list({ limit: 1 });
    expect(record?.history.at(-1)?.note).toContain('its slot is not burned');
    const listed = await wallet.ui('getActivity', { limit: 3 });
    const order = listed.find(({ operation }) => operation === 'submitOrder');
    const [signed] = await wallet.background().wallet.journal.list({ operations: ['submitOrder'] });
    const values = { until: { kind: 'time', seconds: signed?.validUntil } };
    expect(order).toMatchObject({ status: 'cancelled', problem: { key: 'problem_endedUntil', values } });
    expect(listed[0]).toMatchObject({ status: 'failed', problem: { key: 'problem_onlyCancelled', values } });
  });

  test('a cancelled order that is filled all the same is shown as filled, once the user has it looked up', async () => {
    const clock = movableClock();
    let filled: string | undefined;
    const { wallet } = await setUp(relayer, {
      now: clock.now,
      async fetch(input, init) {
        const answer = await fetch(input, init);
        const isAbout =
          filled !== undefined && String(input).includes(`/api/v3/order?`) && String(input).includes(filled);
        return isAbout ? Response.json({ ...((await answer.json()) as object), status: 'processed' }) : answer;
      },
    });
    const { hash } = resultOf(await approveOrder(wallet));
    await approveRequest(wallet, 'relayer_cancelOrder', { orderHash: hash });
    const { journal } = wallet.background().wallet;
    const { id = '' } = (await journal.list({ operations: ['submitOrder'] }))[0] ?? {};
    await until(async () => {
      await wallet.ui('touch', {});
      clock.advance(20_000);
      await wallet.background().onWake();
      return (await journal.get(id))?.state === 'cancelled';
    });
    filled = hash;
    expect(await wallet.ui('checkSubmission', { id })).toMatchObject({ status: 'processed', problem: null });
  });
});
