import { expect, test } from 'vitest';
import { createFollow } from '../../src/background/lifecycle/followAccounts.ts';
import { keptBalances } from '../../src/background/rpc/ui/storedFacts.ts';
import { keepNewest, storedRead } from '../../src/background/rpc/ui/storedRead.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveRequest, movableClock, openOther, PASSWORD, resultOf, setUp } from './support.ts';

const relayer = await relayerOfFile();

test('the approval window reads a balance at most once in half a minute, and none while the wallet is locked', async () => {
  const clock = movableClock();
  let asked = 0;
  const send: typeof fetch = (input, init) => {
    if (new URL(String(input)).pathname === '/api/v3/user/balances') asked++;
    return fetch(input, init);
  };
  const { wallet } = await setUp(relayer, { now: clock.now, fetch: send }, ['transfers']);
  const account = (await wallet.ui('getState', {})).accounts[0]?.id ?? '';
  const before = asked;
  const first = await wallet.ui('getBalances', { account });
  expect(first?.map(({ token, total }) => [token.symbol, total])).toContainEqual([
    'LRC',
    expect.stringMatching(/^\d+$/),
  ]);
  expect(await wallet.ui('getBalances', { account })).toEqual(first);
  expect(asked).toBe(before + 1);
  clock.advance(31_000);
  await wallet.ui('getBalances', { account });
  expect(asked).toBe(before + 2);
  clock.advance(-10_000);
  await wallet.ui('unlock', { password: PASSWORD });
  await wallet.ui('getBalances', { account });
  // What was read by a clock that was ahead says nothing of its age.
  expect(asked).toBe(before + 3);
  clock.advance(10_000);
  await wallet.ui('lock', {});
  clock.advance(31_000);
  expect(await wallet.ui('getBalances', { account })).toEqual(first);
  expect(asked).toBe(before + 3);
});

test('a token that the relayer lists thousands of times is one balance, with its first row', async () => {
  let first = {};
  const { wallet } = await setUp(relayer, {
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      if (new URL(String(input)).pathname !== '/api/v3/user/balances') return answer;
      const rows = (await answer.json()) as { tokenId: number }[];
      first = rows.find(({ tokenId }) => tokenId === 1) ?? {};
      return Response.json([...rows, ...Array(20_000).fill({ ...first, total: '7', locked: '0' })]);
    },
  });
  const { balances } = await wallet.ui('getHome', { refresh: true });
  const ids = balances?.map(({ token }) => token.tokenId);
  expect(ids).toEqual([...new Set(ids)]);
  expect(balances?.find(({ token }) => token.tokenId === 1)).toMatchObject({
    total: (first as { total: string }).total,
  });
});

test('a token that the relayer offers twice is one balance', async () => {
  const { wallet } = await setUp(relayer, {
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      if (new URL(String(input)).pathname !== '/api/v3/exchange/tokens') return answer;
      const tokens = (await answer.json()) as { tokenId: number }[];
      return Response.json([...tokens, ...tokens.filter(({ tokenId }) => tokenId === 1)]);
    },
  });
  const { balances } = await wallet.ui('getHome', { refresh: true });
  expect(balances?.filter(({ token }) => token.tokenId === 1)).toHaveLength(1);
});

test('balances are read anew after a request of the account, and after a push about it', async () => {
  const clock = movableClock();
  const { wallet, accountView: account } = await setUp(relayer, { now: clock.now }, ['transfers']);
  const other = await openOther(relayer);
  const volumeOf = async () => {
    const balances = await wallet.ui('getBalances', { account });
    const lrc = balances?.find(({ token }) => token.symbol === 'LRC');
    return BigInt(lrc?.total ?? 0) - BigInt(lrc?.locked ?? 0);
  };
  const before = await volumeOf();
  clock.advance(3_000);
  const token = { tokenId: 1, volume: '900000000000000000' };
  resultOf(await approveRequest(wallet, 'relayer_transfer', { payeeAddr: other.owner, token }));
  clock.advance(7_000);
  expect(await volumeOf()).toBeLessThanOrEqual(before - BigInt(token.volume));

  const parts = wallet.background().wallet;
  clock.advance(3_000);
  await keptBalances(parts.ports).write({ at: clock.now(), balances: [] }, account);
  clock.advance(1);
  expect(await volumeOf()).toBe(0n);
  let tell = () => {};
  const push = {
    subscribe: (to: { topic: string }, { told }: { told: () => void }) => {
      if (to.topic === 'account') tell = told;
    },
    close() {},
  };
  const follow = createFollow({ ...parts, connect: () => push as never });
  Object.assign(parts, { follow });
  await follow.stay();
  tell();
  follow.stop();
  expect(await volumeOf()).toBeGreaterThan(0n);
  // A push that a clock dated which was set back since says nothing of what was read by now.
  clock.advance(-2_000);
  await wallet.ui('unlock', { password: PASSWORD });
  await keptBalances(parts.ports).write({ at: clock.now(), balances: [] }, account);
  clock.advance(1);
  expect(await volumeOf()).toBe(0n);
});

test('balances that were read slowly go over none that were asked for later', async () => {
  const clock = movableClock();
  let hold: Promise<void> | undefined;
  let isHeld = false;
  const send: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (new URL(String(input)).pathname !== '/api/v3/user/balances' || hold === undefined) return answer;
    isHeld = true;
    await hold;
    return answer;
  };
  const { wallet, accountView: account } = await setUp(relayer, { now: clock.now, fetch: send });
  let answer = () => {};
  hold = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const slow = wallet.ui('getHome', { refresh: true });
  await expect.poll(() => isHeld).toBe(true);
  clock.advance(1_000);
  const { ports } = wallet.background().wallet;
  const later = { at: clock.now(), balances: [] };
  await keptBalances(ports).write(later, account);
  answer();
  expect(await slow).toMatchObject({ balances: [], balancesAt: later.at });
  expect(await keptBalances(ports).read(account)).toEqual(later);
});

test('a slow answer goes over none that was asked for later, whatever the clock said', async () => {
  const clock = movableClock();
  const { wallet } = await setUp(relayer, { now: clock.now });
  const parts = wallet.background().wallet;
  const [account] = (await parts.config.read()).accounts;
  if (!account) throw new Error('no account');
  const of = (name: string) => ({ events: [], name }) as never;
  const readNow = (name: string) => storedRead(parts, account, 'history', true, async () => of(name));
  let answer: (() => void) | undefined;
  const slow = storedRead(parts, account, 'history', true, async () => {
    await new Promise<void>((resolve) => (answer = resolve));
    return of('slow');
  });
  await expect.poll(() => answer).toBeDefined();
  clock.advance(1_000);
  const later = await readNow('later');
  answer?.();
  expect(await slow).toEqual(later);
  clock.advance(-60_000);
  await wallet.ui('unlock', { password: PASSWORD });
  expect(await readNow('set back')).toMatchObject({ data: { name: 'set back' } });
});

test('of two answers that come at once, the one that was asked for later is stored', async () => {
  const { wallet, accountView: account } = await setUp(relayer);
  const { ports } = wallet.background().wallet;
  const store = keptBalances(ports);
  const at = ports.now();
  const [earlier, later] = [
    { at: at - 2, balances: [] },
    { at: at - 1, balances: [] },
  ];
  const shown = [later, earlier].map((found) => keepNewest(ports, store, account, found));
  expect(await Promise.all(shown)).toEqual([later, later]);
  expect(await store.read(account)).toEqual(later);
});

test('a read that fails shows what was stored while it failed', async () => {
  const clock = movableClock();
  let fail = false;
  const send: typeof fetch = (input, init) =>
    fail && String(input).includes('/balances') ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init);
  const { wallet, accountView: account } = await setUp(relayer, { now: clock.now, fetch: send });
  const parts = wallet.background().wallet;
  const [stored] = (await parts.config.read()).accounts;
  if (!stored) throw new Error('no account');
  const events = { events: [], name: 'meanwhile' } as never;
  const failed = await storedRead(parts, stored, 'history', true, async () => {
    await storedRead(parts, stored, 'history', true, async () => events);
    throw new Error('no answer');
  });
  expect(failed).toMatchObject({ data: events, problem: expect.anything() });

  const later = { at: clock.now(), balances: [] };
  const { readBalances } = parts;
  Object.assign(parts, {
    readBalances: async (...of: Parameters<typeof readBalances>) => {
      await keptBalances(parts.ports).write(later, account);
      fail = true;
      return readBalances(...of);
    },
  });
  const home = await wallet.ui('getHome', { refresh: true });
  expect(home).toMatchObject({ balances: [], balancesAt: later.at, problem: expect.anything() });
});
