import { describe, expect, test } from 'vitest';
import { comparePins, isSameToken, withPools } from '../../src/background/relayers/tokenPins.ts';
import { exchangeId } from '../../src/background/settings/exchangeId.ts';
import { endpoints } from '../../src/protocol/index.ts';
import type { WalletHarness } from '../support/wallet.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import { approveOrder, movableClock, ORDER, openOther, PASSWORD, question, resultOf, SITE, setUp } from './support.ts';

const relayer = await relayerOfFile();

interface Token {
  readonly tokenId: number;
  readonly symbol: string;
  readonly name: string;
  readonly address: string;
  readonly decimals: number;
}
const LISTING_AGE_MS = 16 * 60_000;

/**
 * A wallet that has pinned the honest list of tokens, which is too old by now, behind a wire that
 * tells another one.
 * @param symbol - The token that the wire lies about.
 */
async function lied(symbol: string, lie: Partial<Token>) {
  const clock = movableClock();
  const wire = { change: {} as Partial<Token>, exchange: false };
  const send: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const { pathname } = new URL(String(input));
    if (wire.exchange && pathname === '/api/v3/exchange/info')
      return Response.json({ ...((await answer.json()) as object), exchangeAddress: `0x${'3'.repeat(40)}` });
    if (pathname !== '/api/v3/exchange/tokens') return answer;
    const tokens = (await answer.json()) as Token[];
    return Response.json(tokens.map((token) => (token.symbol === symbol ? { ...token, ...wire.change } : token)));
  };
  const stage = await setUp(relayer, { now: clock.now, fetch: send }, ['transfers']);
  const honest = (await stage.client.getTokens({})).find((token) => token.symbol === symbol) as Token;
  const { tokenId, name, address, decimals } = honest;
  const before = { tokenId, symbol, name, address, decimals };
  await stage.wallet.ui('getHome', { refresh: true });
  const to = (await openOther(relayer)).owner;
  const age = async () => {
    await stage.wallet.ui('touch', {});
    clock.advance(LISTING_AGE_MS);
    await stage.wallet.ui('unlock', { password: PASSWORD });
  };
  await age();
  wire.change = lie;
  const now = { ...before, ...lie };
  const transfer = (token: number, changes: object = {}) => ({
    operation: 'transfer' as const,
    account: stage.accountView,
    intent: { token: { tokenId: token, volume: '1000' }, payeeAddr: to, ...changes },
  });
  return { ...stage, wire, before, now, transfer, age };
}

const kinds = async (wallet: WalletHarness, refresh: boolean) =>
  (await wallet.ui('getAttention', { refresh })).map(({ kind, network, actions }) => [kind, network, ...actions]);

const LIES = [
  ['symbol', { symbol: 'USDS' }],
  ['name', { name: 'Another name' }],
  ['decimals', { decimals: 6 }],
  ['address', { address: `0x${'2'.repeat(40)}` }],
] as const satisfies [string, Partial<Token>][];

test.each(LIES)('another %s of a token: nothing is signed with it, everything else goes on', async (_what, lie) => {
  const { wallet, transfer, before, now, network, accountView } = await lied('DAI', lie);
  resultOf(await approveOrder(wallet));
  const refusal = {
    error: {
      code: 'token-changed',
      key: 'error_tokenChanged',
      values: {
        token: `#${before.tokenId} DAI`,
        before: [before.symbol, before.name, before.decimals, before.address].join(' · '),
        now: [now.symbol, now.name, now.decimals, now.address].join(' · '),
      },
    },
  };
  expect(await wallet.uiAnswer('previewOperation', transfer(before.tokenId))).toMatchObject(refusal);
  expect(await wallet.uiAnswer('previewOperation', transfer(1, { feeTokenId: before.tokenId }))).toMatchObject(refusal);
  expect(await wallet.uiAnswer('previewOperation', transfer(1))).toMatchObject({ ok: true, result: { refused: null } });
  const fees = await wallet.ui('getFees', { operation: 'transfer', account: accountView });
  expect(fees.map(({ token }) => token.tokenId)).toContain(0);
  expect(fees.map(({ token }) => token.tokenId)).not.toContain(before.tokenId);
  wallet.page(SITE, 'relayer_submitOrder', [{ ...ORDER, buyToken: { tokenId: before.tokenId, volume: '1' } }]);
  const { id, problem } = await question(wallet, 'unavailable');
  expect(problem).toMatchObject({ key: 'error_tokenChanged', values: { token: { text: `#${before.tokenId} DAI` } } });
  await wallet.ui('reject', { id, block: false });
  expect((await wallet.background().wallet.journal.list()).map(({ operation }) => operation)).toEqual(['submitOrder']);
  expect(await kinds(wallet, false)).toEqual([['token-changed', network.id, 'compare']]);
});

test('a token that takes the symbol of one that the list leaves out is shown with its number', async () => {
  const { wallet, transfer, accountView } = await lied('DAI', { tokenId: 777, address: `0x${'2'.repeat(40)}` });
  const { review } = await wallet.ui('previewOperation', transfer(777));
  expect(review?.sentence.values).toMatchObject({ amount: { token: { tokenId: 777, symbol: '#777 DAI' } } });
  const fees = await wallet.ui('getFees', { operation: 'transfer', account: accountView });
  expect(fees.find(({ token }) => token.tokenId === 777)?.token.symbol).toBe('#777 DAI');
});

test('balances of a changed token are shown as the token was pinned', async () => {
  const { wallet } = await lied('LRC', { decimals: 6, symbol: 'XRC' });
  const { balances } = await wallet.ui('getHome', { refresh: true });
  expect(balances.map(({ token }) => [token.symbol, token.decimals])).toContainEqual(['LRC', 18]);
  expect(balances.map(({ token }) => token.symbol)).not.toContain('XRC');
});

test('an order in a changed token can be cancelled, and no amount of it is shown', async () => {
  const { wallet, wire, age } = await lied('LRC', {});
  const { hash } = resultOf(await approveOrder(wallet));
  await age();
  wire.change = { decimals: 6 };
  const answer = wallet.page(SITE, 'relayer_cancelOrder', [{ orderHash: hash }]);
  const view = await question(wallet);
  expect(view.review?.rows.map(({ value }) => value.kind)).not.toContain('amount');
  await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
  expect(resultOf(await answer)).toMatchObject({ hash: expect.any(String) });
});

test('after one lie the honest list is enough: the token works again, and nothing is listed', async () => {
  const { wallet, wire, transfer, before, network } = await lied('DAI', { decimals: 6 });
  expect(await wallet.uiAnswer('previewOperation', transfer(before.tokenId))).toMatchObject({ ok: false });
  wallet.page(SITE, 'relayer_transfer', [transfer(before.tokenId).intent]);
  const { id } = await question(wallet, 'unavailable');
  expect(await kinds(wallet, true)).toEqual([['token-changed', network.id, 'compare']]);
  wire.change = {};
  // At once, though the list is not old.
  expect((await wallet.ui('retryApproval', { id })).stage).toBe('ready');
  expect(await wallet.uiAnswer('previewOperation', transfer(before.tokenId))).toMatchObject({ ok: true });
  expect(await kinds(wallet, false)).toEqual([]);
  wire.change = { decimals: 6 };
  expect(await wallet.ui('getTokenChanges', { networkId: network.id })).toEqual([]);
});

test('the list of what needs attention asks again by itself while a token is changed', async () => {
  const { wallet, wire, network } = await lied('DAI', { symbol: 'USDS' });
  expect(await kinds(wallet, true)).toEqual([['token-changed', network.id, 'compare']]);
  wire.change = {};
  expect(await kinds(wallet, true)).toEqual([]);
});

test('a change is accepted with the password, exactly as it was shown, and stays accepted', async () => {
  const { wallet, wire, transfer, before, now, network, age } = await lied('DAI', { symbol: 'USDS', name: 'USDS' });
  const networkId = network.id;
  expect(await wallet.ui('getTokenChanges', { networkId })).toEqual([{ before, now }]);
  const accept = (shown: Token, password = PASSWORD) => wallet.uiAnswer('acceptToken', { networkId, shown, password });
  expect(await accept(now, 'not it')).toMatchObject({ error: { code: 'wrong-password' } });
  // What was not shown is not accepted: neither another lie meanwhile, nor anything that the
  // relayer does not say.
  wire.change = { symbol: 'USDS', name: 'USDS', decimals: 6 };
  expect(await accept(now)).toMatchObject({ error: { code: 'token-other' } });
  wire.change = {};
  expect(await accept(now)).toMatchObject({ error: { code: 'token-other' } });
  wire.change = { symbol: 'USDS', name: 'USDS' };
  wire.exchange = true;
  expect(await accept(now)).toMatchObject({ error: { code: 'exchange-changed' } });
  wire.exchange = false;
  expect(await accept({ ...now, tokenId: 4_000 })).toMatchObject({ error: { code: 'token-other' } });
  expect(await wallet.ui('getTokenChanges', { networkId })).toEqual([{ before, now }]);
  expect(await accept(now)).toMatchObject({ ok: true, result: [] });
  expect(await wallet.uiAnswer('previewOperation', transfer(before.tokenId))).toMatchObject({ ok: true });
  wallet.restart();
  await age();
  expect(await wallet.uiAnswer('previewOperation', transfer(before.tokenId))).toMatchObject({ ok: true });
  expect(await wallet.ui('getTokenChanges', { networkId })).toEqual([]);
  // The earlier facts are the changed ones from now on.
  wire.change = {};
  await age();
  expect(await wallet.uiAnswer('previewOperation', transfer(before.tokenId))).toMatchObject({
    error: { code: 'token-changed' },
  });
});

test('a locked wallet accepts nothing', async () => {
  const { wallet, now, network } = await lied('DAI', { symbol: 'USDS' });
  await wallet.ui('getTokenChanges', { networkId: network.id });
  await wallet.ui('lock', {});
  const answer = await wallet.uiAnswer('acceptToken', { networkId: network.id, shown: now, password: PASSWORD });
  expect(answer).toMatchObject({ error: { code: 'locked' } });
});

test('what an earlier version pinned is compared, and gets the name that it did not have', async () => {
  const { wallet, wire, before, now, network } = await lied('DAI', { name: 'First seen later' });
  const key = `pins:${exchangeId(network)}`;
  const pins = { ...((await wallet.ports.local.get(key)) as object) };
  const first = (decimals: number) => `${before.address.toLowerCase()} ${before.symbol} ${decimals}`;
  await wallet.ports.local.set({ [key]: { ...pins, [before.tokenId]: first(before.decimals) } });
  expect(await wallet.ui('getTokenChanges', { networkId: network.id })).toEqual([]);
  const changes = async () => {
    await wallet.ports.local.remove([`facts:${network.id}`]);
    return wallet.ui('getTokenChanges', { networkId: network.id });
  };
  wire.change = {};
  expect(await changes()).toEqual([{ before: now, now: before }]);
  await wallet.ports.local.set({ [key]: { ...pins, [before.tokenId]: first(2) } });
  const [change] = await changes();
  expect(change).toMatchObject({ before: { decimals: 2, symbol: 'DAI', name: '' }, now: before });
  expect(change && isSameToken(change.before, change.now)).toBe(false);
});

describe('a relayer that lists other tokens each time', () => {
  const listing = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      tokenId: from + n,
      symbol: `T${from + n}`,
      name: '',
      address: `0x${String(from + n).padStart(40, '0')}`,
      decimals: 18,
    }));

  test('gets no more than 4,096 of them pinned; changes of these are still found', () => {
    const { pins } = comparePins(comparePins(new Map(), listing(0, 4_095)).pins, listing(4_095, 1_000));
    expect(pins.size).toBe(4_096);
    const [first] = listing(0, 1);
    if (!first) throw new Error('no token');
    expect(comparePins(pins, [first]).pins.get(0)).toEqual(first);
    const { changes } = comparePins(pins, [{ ...first, decimals: 6 }]);
    expect(changes.map(({ now }) => now.tokenId)).toEqual([0]);
  });

  test('has those that are not pinned left out of what can be signed with', async () => {
    let listed = false;
    const { wallet, network } = await setUp(relayer, {
      fetch: async (input, init) => {
        const answer = await fetch(input, init);
        if (!listed || !new URL(String(input)).pathname.endsWith('/exchange/tokens')) return answer;
        const extra = listing(1_000, 4_200).map((token) => ({ ...token, type: 'ERC20' }));
        return Response.json([...((await answer.json()) as object[]), ...extra]);
      },
    });
    const { relayers, ports } = wallet.background().wallet;
    listed = true;
    await ports.local.remove([`facts:${network.id}`]);
    expect(await relayers.unchangedTokens(network)).toHaveLength(4_096);
    expect(await relayers.token(network, 0)).toMatchObject({ symbol: 'ETH' });
    expect(await relayers.token(network, 5_199)).toBeUndefined();
  });
});

test.each([
  ['symbol', 64],
  ['name', 256],
] as const)('a token whose %s has more than %i characters makes the list unreadable', (member, most) => {
  const token = { type: 'ERC20', tokenId: 1, symbol: 'LRC', name: 'LRC', address: `0x${'1'.repeat(40)}`, decimals: 18 };
  const reads = (length: number) =>
    endpoints.getTokens.answer.safeParse([{ ...token, [member]: 'a'.repeat(length) }]).success;
  expect([reads(most), reads(most + 1)]).toEqual([true, false]);
});

test('equal tokens and pools without end make no more rows than there are tokens, twice', () => {
  const token = { tokenId: 100, address: '0x1', symbol: 'LP-LRC-ETH', name: '', decimals: 18 };
  const pool = (index: number) => ({ address: `0x${index}`, name: '', tokens: { pooled: [1, 0], lp: 100 } }) as never;
  const tokens = Array.from({ length: 3_000 }, () => token);
  const rows = withPools(
    tokens,
    tokens.map((_, index) => pool(index)),
  );
  expect(rows).toHaveLength(6_000);
  expect(comparePins(new Map(), rows).changes).toHaveLength(1);
  expect(withPools([token], [pool(1), pool(1)])).toHaveLength(1);
});
