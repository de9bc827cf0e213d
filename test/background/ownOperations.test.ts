import { expect, test } from 'vitest';
import { tidyUp } from '../../src/background/lifecycle/resume.ts';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';
import type { OperationName } from '../../src/operations/index.ts';
import { nftFactories } from '../../src/protocol/index.ts';
import { joinLrcEth, LP } from '../support/dev.ts';
import { CID } from '../support/nfts.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveOrder,
  balanceOf,
  finalStatus,
  movableClock,
  ORDER,
  openOther,
  PASSWORD,
  question,
  resultOf,
  SITE,
  setUp,
  until,
} from './support.ts';

const relayer = await relayerOfFile();

const LRC = 1;
const ETHER = 10n ** 18n;

async function stage() {
  const clock = movableClock();
  const made = await setUp(relayer, { now: clock.now });
  const { wallet, accountView: account } = made;
  wallet.pushed.length = 0;
  const start = (operation: OperationName, intent: Record<string, unknown>) =>
    wallet.ui('startOperation', { operation, account, intent });
  /** Approves the open question as it is shown. */
  const approveShown = async () => {
    const view = await question(wallet);
    await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
    return view;
  };
  return { ...made, clock, start, approveShown };
}

const transferTo = (payeeAddr: string, volume: bigint) => ({
  token: { tokenId: LRC, volume: String(volume) },
  payeeAddr,
  feeTokenId: 0,
});

test('a transfer that the wallet asks itself goes the way of every request, down to the balances', async () => {
  const { wallet, start, approveShown, clock, client } = await stage();
  const friend = await openOther(relayer);
  const { id, problem } = await start('transfer', transferTo(friend.owner, 7n * ETHER));
  expect(problem).toBe(null);
  // The screen that asked shows it: no window opens.
  expect(wallet.shown).toEqual([]);
  const view = await approveShown();
  expect(view).toMatchObject({ id, origin: OWN_ORIGIN, operation: 'transfer', kind: 'operation' });
  expect(await finalStatus(wallet, clock)).toBe('processed');
  expect(await balanceOf(client, friend, LRC)).toBe(7n * ETHER);
  expect(await wallet.ui('getActivity', { limit: 1 })).toMatchObject([{ origin: OWN_ORIGIN, status: 'processed' }]);
  // No site hears of it.
  expect(wallet.pushed).toEqual([]);
});

test('nothing is signed before the approval, and a no leaves everything as it was', async () => {
  const { wallet, start, client } = await stage();
  const friend = await openOther(relayer);
  for (let attempt = 0; attempt < 4; attempt++) {
    const { id } = await start('transfer', transferTo(friend.owner, ETHER));
    expect(await wallet.ui('getActivity', { limit: 1 })).toEqual([]);
    // Whoever refuses their own question may ask again at once, and "block this site" blocks
    // nothing.
    await wallet.ui('reject', { id, block: true });
  }
  expect(await wallet.ui('listSites', {})).not.toContainEqual(expect.objectContaining({ origin: OWN_ORIGIN }));
  expect(await balanceOf(client, friend, LRC)).toBe(0n);
});

test('what is asked for an account ends with it, and the badge does not count it any more', async () => {
  const { wallet, start, accountView } = await stage();
  await start('transfer', transferTo((await openOther(relayer)).owner, ETHER));
  await until(async () => wallet.badge() === 1);
  await wallet.ui('removeAccount', { account: accountView, password: PASSWORD });
  await until(async () => wallet.badge() === 0);
});

test("closing a site's window is a no to the site, not to an approval request of the popup", async () => {
  const { wallet, start, approveShown } = await stage();
  const friend = await openOther(relayer);
  const asked = wallet.page(SITE, 'relayer_submitOrder', [ORDER]);
  const ofSite = await question(wallet);
  const { id } = await start('transfer', transferTo(friend.owner, ETHER));
  await wallet.ui('getApproval', { id });
  // Neither is counted beside the other.
  expect((await wallet.ui('getApproval', { id })).waiting).toBe(0);
  expect(wallet.shown).toEqual([ofSite.id]);
  await wallet.background().onApprovalWindowClosed();
  expect(await asked).toMatchObject({ error: { code: 4001 } });
  expect(wallet.shown).toEqual([ofSite.id]);
  expect(await approveShown()).toMatchObject({ id, origin: OWN_ORIGIN });
});

test('pressing twice asks once', async () => {
  const { wallet, start } = await stage();
  const friend = await openOther(relayer);
  const [first, second] = await Promise.all([
    start('transfer', transferTo(friend.owner, ETHER)),
    start('transfer', transferTo(friend.owner, ETHER)),
  ]);
  expect(first.id).toBe(second.id);
  expect(await wallet.ui('listApprovals', {})).toHaveLength(1);
});

test('an intent that no operation takes is refused with the field, and asks nobody', async () => {
  const { wallet, start, accountView } = await stage();
  await expect(start('transfer', { ...transferTo('0x12', 1n) })).rejects.toThrow(/"field":"payeeAddr"/);
  await expect(start('transfer', { ...transferTo(`0x${'1'.repeat(40)}`, 1n), exchange: '0x00' })).rejects.toThrow(
    /"field":"exchange"/,
  );
  const other = { operation: 'submitOrder', account: accountView, intent: {} };
  expect(await wallet.uiAnswer('startOperation', other as never)).toMatchObject({ ok: false });
  expect(wallet.shown).toEqual([]);
});

test('the screens of the wallet start and price only what says that they may', async () => {
  const { wallet, accountView: account } = await stage();
  const refused = /"code":"invalid-input".*"field":"operation"/;
  await expect(wallet.ui('startOperation', { operation: 'cancelAllOrders', account, intent: {} })).rejects.toThrow(
    refused,
  );
  await expect(wallet.ui('getFees', { operation: 'cancelOrder', account })).rejects.toThrow(refused);
  await expect(wallet.ui('getFees', { operation: 'toString' as 'transfer', account })).rejects.toThrow(refused);
  expect(wallet.shown).toEqual([]);
});

test('what cannot be is said at once: the approval request closes with its reason', async () => {
  const { start, account, wallet } = await stage();
  const { problem } = await start('transfer', transferTo(account.owner, ETHER));
  expect(problem).toMatchObject({ key: 'problem_ownIntent' });
  expect(await wallet.ui('listApprovals', {})).toEqual([]);
});

test('the fast way out has its own fee, paid by the token that leaves; the form and the approval request name the same', async () => {
  const { wallet, accountView } = await stage();
  const fees = (fast: boolean) =>
    wallet.ui('getFees', { operation: 'withdraw', account: accountView, tokenId: LRC, fast });
  const [usual, [quick, ...others]] = [await fees(false), await fees(true)];
  expect(others).toEqual([]);
  expect(quick?.token.tokenId).toBe(LRC);
  expect(BigInt(quick?.volume ?? 0)).toBeGreaterThan(
    BigInt(usual.find(({ token }) => token.tokenId === LRC)?.volume ?? 0),
  );
  const intent = { token: { tokenId: LRC, volume: String(ETHER) }, feeTokenId: LRC, fastWithdrawalMode: true };
  const { review } = await wallet.ui('previewOperation', { operation: 'withdraw', account: accountView, intent });
  // The relayer's gas price changes every quarter of an hour, also between two questions.
  const volumes = [quick, (await fees(true))[0]].map((fee) => fee?.volume);
  const shown = review?.rows.find(({ label }) => label.key === 'review_fee')?.value;
  expect(volumes).toContain(shown?.kind === 'amount' ? shown.volume : undefined);
  expect(review?.rows.map(({ label }) => label.key)).toContain('review_speed');
});

test('a preview shows fee and warnings of the approval request and asks nobody', async () => {
  const { wallet, accountView, account } = await stage();
  const friend = await openOther(relayer);
  const preview = (intent: Record<string, unknown>) =>
    wallet.ui('previewOperation', { operation: 'transfer', account: accountView, intent });
  const feeOf = async () => (await wallet.ui('getFees', { operation: 'transfer', account: accountView }))[0];
  const before = await feeOf();
  // The relayer's gas price changes every quarter of an hour, also between two questions: enough
  // that each fee is small beside it.
  const { review } = await preview(transferTo(friend.owner, 20n * ETHER));
  const fees = [before, await feeOf()];
  expect(review?.warnings.map(({ rule }) => rule)).toEqual(['recipient-new']);
  expect(fees.map((fee) => fee?.token.symbol)).toEqual(['ETH', 'ETH']);
  const shown = review?.rows.find(({ label }) => label.key === 'review_fee')?.value;
  expect(fees.map((fee) => fee?.volume)).toContain(shown?.kind === 'amount' ? shown.volume : undefined);
  expect(await preview(transferTo(account.owner, ETHER))).toMatchObject({
    review: null,
    refused: { field: 'payeeAddr', problem: { key: 'problem_ownIntent' } },
  });
  expect(wallet.shown).toEqual([]);
});

test('orders are known from the last reading, and cancelled from there', async () => {
  const { wallet, accountView: account, start, approveShown, clock } = await stage();
  expect(await wallet.ui('getOrders', { account, refresh: false })).toEqual({ data: null, at: null, problem: null });
  const { hash } = resultOf(await approveOrder(wallet, { maxFeeBips: 40, orderType: 'MAKER_ONLY' }));
  const terms = { fillAmountBOrS: false, maxFeeBips: 40, orderType: 'MAKER_ONLY', tradeChannel: 'ORDER_BOOK' };
  const fresh = await wallet.ui('getOrders', { account, refresh: true });
  expect(fresh.data).toMatchObject({
    open: [{ hash, market: 'LRC-ETH', side: 'SELL', baseAmount: String(100n * ETHER), base: { symbol: 'LRC' }, terms }],
    over: [],
    moreOpen: false,
    moreOver: false,
  });
  expect(await wallet.ui('getOrders', { account, refresh: false })).toEqual(fresh);
  await start('cancelOrder', { orderHash: hash });
  await approveShown();
  expect(await finalStatus(wallet, clock)).toBe('processed');
  const after = await wallet.ui('getOrders', { account, refresh: true });
  expect(after.data).toMatchObject({ open: [], over: [{ hash, status: 'cancelled', terms }] });
});

test('a relayer that is away leaves what was read, with the reason', async () => {
  let away = false;
  const made = await setUp(relayer, {
    fetch: (input, init) => (away ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init)),
  });
  const { wallet, accountView: account } = made;
  const known = await wallet.ui('getNfts', { account, refresh: true });
  expect(known).toMatchObject({ data: [], problem: null });
  away = true;
  expect(await wallet.ui('getNfts', { account, refresh: true })).toMatchObject({
    data: [],
    at: known.at,
    problem: { key: 'error_relayerUnreachable' },
  });
});

test('a pool that takes no joins is shown as such, one without a status is not', async () => {
  const statuses = [13, 2, undefined];
  const { wallet, accountView: account } = await setUp(relayer, {
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      if (new URL(String(input)).pathname !== '/api/v3/amm/pools') return answer;
      const { pools } = (await answer.json()) as { pools: object[] };
      return Response.json({ pools: pools.map((pool, index) => ({ ...pool, status: statuses[index] })) });
    },
  });
  const { data } = await wallet.ui('getPools', { account, refresh: true });
  const shown = [...(data?.positions ?? []), ...(data?.others ?? [])];
  expect(shown.map(({ noJoins }) => noJoins)).toEqual([true, ...shown.slice(1).map(() => undefined)]);
  expect(shown.length).toBeGreaterThan(1);
});

test('a share of a pool is shown with its worth, and left', async () => {
  const { wallet, accountView: account, client, start, approveShown, clock, ...made } = await stage();
  const poolAddress = await joinLrcEth(relayer, made.account.owner);
  const { data } = await wallet.ui('getPools', { account, refresh: true });
  const [position] = data?.positions ?? [];
  expect(position).toMatchObject({
    address: poolAddress,
    parts: [{ token: { symbol: 'LRC' } }, { token: { symbol: 'ETH' } }],
  });
  const [lrc, eth] = (position?.parts ?? []).map(({ share }) => BigInt(share));
  expect(lrc).toBeGreaterThan(14_999n * ETHER);
  expect(data?.moves).toMatchObject([{ type: 'join', poolAddress }]);
  // Nobody traded since, and this join paid no fee.
  expect(position?.result).toEqual(['0', '0']);
  await start('exitAmmPool', {
    poolAddress,
    exitTokens: {
      burned: position?.total,
      unPooled: [
        { tokenId: 1, volume: String(((lrc ?? 0n) * 99n) / 100n) },
        { tokenId: 0, volume: String(((eth ?? 0n) * 99n) / 100n) },
      ],
    },
  });
  await approveShown();
  expect(await finalStatus(wallet, clock)).toBe('processed');
  expect((await wallet.ui('getPools', { account, refresh: true })).data).toMatchObject({
    positions: [],
    moves: [{ type: 'exit', status: 'processed' }, { type: 'join' }],
  });
});

test('a share of which a part was given away tells no result', async () => {
  const { wallet, accountView: account, start, approveShown, clock, ...made } = await stage();
  await joinLrcEth(relayer, made.account.owner);
  const result = async () => (await wallet.ui('getPools', { account, refresh: true })).data?.positions[0]?.result;
  expect(await result()).toHaveLength(2);
  const friend = await openOther(relayer);
  await start('transfer', { ...transferTo(friend.owner, 1n), token: { tokenId: LP, volume: String(ETHER) } });
  await approveShown();
  expect(await finalStatus(wallet, clock)).toBe('processed');
  expect(await result()).toBeUndefined();
});

test('NFTs are minted and offered for sale without a site', async () => {
  const { wallet, accountView: account, start, approveShown, clock } = await stage();
  await start('mintNft', { cid: CID, amount: '3', nftFactory: nftFactories[0]?.nftFactory });
  await approveShown();
  expect(await finalStatus(wallet, clock)).toBe('processed');
  const [nft] = (await wallet.ui('getNfts', { account, refresh: true })).data ?? [];
  expect(nft).toMatchObject({ cid: CID, total: '3' });

  const sellToken = { tokenId: nft?.slot, nftData: nft?.nftData, amount: '2' };
  const buyToken = { tokenId: 0, amount: String(ETHER / 10n) };
  await start('signNftOrder', { sellToken, buyToken, validate: true });
  const { review } = await question(wallet);
  expect(review?.rows.find(({ label }) => label.key === 'review_handedOver')?.value).toEqual({
    kind: 'message',
    key: 'review_handedOverOwn',
  });
  await approveShown();
  await expect
    .poll(async () => (await wallet.ui('getOrders', { account, refresh: true })).data?.open)
    .toMatchObject([{ nftData: nft?.nftData, side: 'SELL', baseAmount: '2' }]);
  const [item] = await wallet.ui('getActivity', { limit: 1 });
  // What the user can hand on: the order as it was signed.
  const { request } = JSON.parse((await wallet.ui('exportReceipt', { id: item?.id ?? '' })).text);
  expect(JSON.parse(request.bodyText)).toMatchObject({ sellToken, buyToken, eddsaSignature: expect.any(String) });
});

test('sentence and rows of an approval outlive it, with the way of its submission', async () => {
  const { wallet, start, approveShown, clock } = await stage();
  const friend = await openOther(relayer);
  await start('transfer', transferTo(friend.owner, 3n * ETHER));
  await approveShown();
  expect(await finalStatus(wallet, clock)).toBe('processed');
  const [before] = await wallet.ui('getActivity', { limit: 1 });
  const id = before?.id ?? '';
  const known = await wallet.ui('getSubmission', { id });
  expect(known.steps.map(({ state }) => state)).toEqual([
    'approved',
    'reserved',
    'signed',
    'sent',
    'acknowledged',
    'processed',
  ]);
  expect(known.rows?.length).toBeGreaterThan(2);
  for (let start = 0; start < 2; start++) {
    clock.advance(25 * 3_600_000);
    wallet.restart();
    await tidyUp(wallet.background().wallet);
  }
  expect(await wallet.background().wallet.approvals.get(before?.requestId ?? '')).toBeUndefined();
  expect((await wallet.ui('getSubmission', { id })).rows).toEqual(known.rows);
  const [after] = await wallet.ui('getActivity', { limit: 1 });
  expect(after?.sentence).toEqual(before?.sentence);
  expect(after?.sentence.key).toBe('review_transfer');
});
