import { expect, test } from 'vitest';
import { relayerOfFile } from './relayerOfFile.ts';
import { movableClock, ORDER, ordersOf, PASSWORD, question, resultOf, SITE, setUp } from './support.ts';

const MINUTE = 60_000;

const relayer = await relayerOfFile();

/** Rates that hold for an hour: the development relayer's end at each quarter of an hour. */
async function lasting(answer: Response): Promise<Response> {
  const rates = (await answer.json()) as { cacheOverdueAt: number };
  return Response.json({ ...rates, cacheOverdueAt: Date.now() + 60 * MINUTE });
}

/** The pool of the relayer with twice the bought token, so that the price is another. */
async function dearer(answer: Response): Promise<Response> {
  const pools = (await answer.json()) as { pooled: { tokenId: number; volume: string }[] }[];
  for (const { pooled } of pools)
    for (const held of pooled) if (held.tokenId === 0) held.volume = String(BigInt(held.volume) * 1_000n);
  return Response.json(pools);
}

async function asked() {
  const clock = movableClock();
  const facts = { arePriced: false };
  const stage = await setUp(relayer, {
    now: clock.now,
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      if (String(input).includes('orderUserRateAmount')) return lasting(answer);
      return facts.arePriced && String(input).includes('amm/balances') ? dearer(answer) : answer;
    },
  });
  const answer = stage.wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
  const view = await question(stage.wallet);
  const click = (digest: string | null) =>
    stage.wallet.ui('approve', {
      id: view.id,
      digest: digest ?? '',
      account: view.account?.id ?? null,
      // The price that it is prepared again with makes it a stop.
      password: PASSWORD,
    });
  return { ...stage, clock, facts, answer, view, click };
}

test.each([
  ['older than a minute', MINUTE + 2_000],
  ['made after now, by a clock that was set back', -2 * MINUTE],
])('a review %s is prepared again by the click, which signs nothing; what changed is marked', async (_age, moved) => {
  const { wallet, clock, facts, answer, view, click, ...stage } = await asked();
  expect(view).toMatchObject({ changes: null });
  expect(view.review?.warnings.map(({ rule }) => rule)).not.toContain('price-far');
  clock.advance(moved);
  facts.arePriced = true;
  // A clock that was set back locks the wallet too.
  await wallet.ui('unlock', { password: PASSWORD });
  const renewed = await click(view.digest);
  expect(renewed).toMatchObject({
    stage: 'ready',
    changes: { newWarnings: ['price-far'], sentence: null },
  });
  expect(renewed.digest).not.toBe(view.digest);
  const pool = renewed.review?.rows.findIndex(({ label }) => label.key === 'review_poolPrice');
  const before = view.review?.rows.find(({ label }) => label.key === 'review_poolPrice');
  expect(renewed.changes?.rows).toEqual([{ row: pool, label: before?.label, before: before?.value }]);
  expect(await wallet.background().wallet.journal.list()).toEqual([]);
  expect(
    await wallet.uiAnswer('approve', {
      id: view.id,
      digest: view.digest ?? '',
      account: view.account?.id ?? null,
      password: PASSWORD,
    }),
  ).toMatchObject({
    ok: false,
    error: { code: 'digest-mismatch' },
  });
  expect(await ordersOf({ ...stage })).toEqual([]);
  await click(renewed.digest);
  expect(resultOf(await answer)).toMatchObject({ requestId: view.id });
});

test('a review of a minute or less is approved as it is, and prepared again by nobody', async () => {
  const { wallet, clock, answer, view, click } = await asked();
  clock.advance(MINUTE - 5_000);
  expect((await wallet.ui('retryApproval', { id: view.id })).digest).toBe(view.digest);
  await click(view.digest);
  expect(resultOf(await answer)).toMatchObject({ requestId: view.id });
});

test('on display it is prepared again; an expiry that moves with the clock is no change', async () => {
  const { wallet, clock, view } = await asked();
  clock.advance(5 * MINUTE);
  const renewed = await wallet.ui('retryApproval', { id: view.id });
  expect(renewed.digest).not.toBe(view.digest);
  expect(renewed.changes).toMatchObject({ sentence: null, rows: [], goneWarnings: [] });
});

test('one whose facts cannot be read any more cannot be approved, and can be tried again', async () => {
  const clock = movableClock();
  let isAway = false;
  const { wallet } = await setUp(
    relayer,
    {
      now: clock.now,
      fetch: (input, init) => (isAway ? Promise.reject(new TypeError('away')) : fetch(input, init)),
    },
    ['transfers'],
  );
  const payeeAddr = '0x4a17b2b5a9b1f4b8d1b9f7c4b6e5d4c3b2a19081';
  void wallet.page(SITE, 'relayer_transfer', [{ payeeAddr, token: { tokenId: 1, volume: '1000' }, feeTokenId: 0 }]);
  const view = await question(wallet);
  clock.advance(2 * MINUTE);
  isAway = true;
  const click = { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null };
  expect(await wallet.ui('approve', click)).toMatchObject({ stage: 'unavailable', digest: null });
  expect(await wallet.uiAnswer('approve', click)).toMatchObject({ ok: false, error: { code: 'approval-gone' } });
  isAway = false;
  expect(await wallet.ui('retryApproval', { id: view.id })).toMatchObject({ stage: 'ready', changes: { rows: [] } });
});

test('facts that were read before the machine slept are too old for a click right after it', async () => {
  const clock = movableClock();
  let sleeps = 0;
  const { wallet } = await setUp(relayer, {
    now: clock.now,
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      if (!String(input).includes('orderUserRateAmount')) return answer;
      // Only a review asks for it.
      if (sleeps > 0) {
        sleeps--;
        clock.advance(2 * MINUTE);
      }
      return lasting(answer);
    },
  });
  sleeps = 1;
  void wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
  const view = await question(wallet);
  expect(sleeps).toBe(0);
  const click = { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null };
  const renewed = await wallet.ui('approve', click);
  expect(renewed).toMatchObject({ stage: 'ready' });
  expect(renewed.reviewedAt).toBeGreaterThan((view.reviewedAt ?? 0) + 60);
  expect(await wallet.background().wallet.journal.list()).toEqual([]);
});

test('tighter limits make the facts beside them no newer', async () => {
  const clock = movableClock();
  const { wallet } = await setUp(relayer, { now: clock.now });
  const limits = {
    sellTokenId: 1,
    buyTokenId: 0,
    minPrice: '0.0004',
    orderVolume: '1000000000000000000',
    totalVolume: '2000000000000000000',
    rate: { requests: 10, seconds: 60 },
    validUntil: Math.floor(Date.now() / 1000) + 3_600,
  };
  void wallet.page(SITE, 'relayer_requestStandingApproval', [limits]);
  const view = await question(wallet);
  clock.advance(MINUTE - 10_000);
  const tightened = await wallet.ui('tightenStanding', {
    id: view.id,
    digest: view.digest ?? '',
    limits: { totalVolume: limits.orderVolume },
  });
  clock.advance(20_000);
  const click = { id: view.id, digest: tightened.digest ?? '', account: view.account?.id ?? null };
  const renewed = await wallet.ui('approve', { ...click, password: PASSWORD });
  expect(renewed).toMatchObject({ stage: 'ready', standing: { terms: { totalVolume: limits.orderVolume } } });
  expect(await wallet.ui('listStanding', {})).toEqual([]);
});
