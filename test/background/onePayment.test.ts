import { expect, test } from 'vitest';
import { type AnyOperation, isOperation, operations } from '../../src/operations/index.ts';
import { joinLrcEth, LP, lrcEthPool } from '../support/dev.ts';
import { CID, nftFactory } from '../support/nfts.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveOrder,
  approveRequest,
  balanceOf,
  buyLrc,
  finalStatus,
  movableClock,
  ORDER,
  openOther,
  ordersOf,
  PASSWORD,
  question,
  refusal,
  resultOf,
  SITE,
  setUp,
  submitTrade,
} from './support.ts';

/**
 * A relayer that keeps every request that moves funds and says that its number is used: whatever
 * the operation, it holds one signature for each click, also after restarts, and when it carries
 * out what it kept, the account pays once.
 */
const relayer = await relayerOfFile({ deployAfterMs: 300 });

const ETHER = 10n ** 18n;
const kinds = ['orders', 'transfers', 'withdrawals', 'nfts', 'pools'] as const;
const settle = async () => {
  for (let round = 0; round < 5; round++) await relayer.engine.run();
};

async function stage() {
  const clock = movableClock();
  const held = new Map<string, () => Promise<unknown>>();
  const state = { on: false };
  const fetchLying: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    // Signed requests; the others that are posted only read.
    if (state.on && init?.method === 'POST' && /signature/i.test(String(init.body))) {
      // The time limit of the call runs while it is held.
      held.set(String(init.body), () => fetch(input, { ...init, signal: null }));
      return refusal(102021);
    }
    if (state.on && pathname === '/api/v3/storageId')
      return Response.json({ orderId: 1000 + 2 * held.size, offchainId: 1001 + 2 * held.size });
    return fetch(input, init);
  };
  return { ...(await setUp(relayer, { now: clock.now, fetch: fetchLying }, kinds)), clock, held, state };
}
type Stage = Awaited<ReturnType<typeof stage>>;

const newNft = { cid: CID, amount: '5', nftFactory, creatorFeeBips: 3 };

async function minted({ wallet, clock }: Stage) {
  const { nftData, nftTokenId: tokenId } = resultOf<{ nftData: string; nftTokenId: number }>(
    await approveRequest(wallet, 'relayer_mintNft', newNft),
  );
  expect(await finalStatus(wallet, clock)).toBe('processed');
  return { nftData, tokenId };
}

async function contractOf({ client, account }: Stage): Promise<string> {
  const { data } = await client.getNftBalances({ query: { accountId: account.accountId }, apiKey: account.apiKey });
  return data[0]?.tokenAddress ?? '';
}

/** All that the account owns, base units by token number and by NFT. */
async function owned({ client, account }: Stage): Promise<Readonly<Record<string, bigint>>> {
  const [tokens, nfts] = await Promise.all([
    client.getBalances({ query: { accountId: account.accountId }, apiKey: account.apiKey }),
    client.getNftBalances({ query: { accountId: account.accountId }, apiKey: account.apiKey }),
  ]);
  return Object.fromEntries([
    ...tokens.map(({ tokenId, total }) => [String(tokenId), BigInt(total)] as const),
    ...nfts.data.map(({ nftData, total }) => [nftData, BigInt(total)] as const),
  ]);
}

/**
 * What an approval takes from the account besides the fee; an NFT that is minted, and a deployment,
 * take the fee alone.
 */
function movedBy(intent: object): Readonly<Record<string, bigint>> {
  const { token, exitTokens, joinTokens } = intent as {
    token?: { tokenId?: number; nftData?: string; volume?: string; amount?: string };
    exitTokens?: { burned: string };
    joinTokens?: { pooled: readonly { tokenId: number; volume: string }[] };
  };
  if (joinTokens)
    return Object.fromEntries(joinTokens.pooled.map(({ tokenId, volume }) => [String(tokenId), BigInt(volume)]));
  if (exitTokens) return { [LP]: BigInt(exitTokens.burned) };
  if (token === undefined) return {};
  return { [token.nftData ?? String(token.tokenId)]: BigInt(token.volume ?? token.amount ?? 0) };
}

/** What a site asks for, when everything that it needs is there. */
const intents: Readonly<Record<string, (stage: Stage) => Promise<object>>> = {
  transfer: async () => ({
    token: { tokenId: 1, volume: '1000' },
    payeeAddr: (await openOther(relayer)).owner,
    feeTokenId: 0,
  }),
  withdraw: async () => ({ token: { tokenId: 1, volume: String(100n * ETHER) } }),
  async joinAmmPool() {
    const poolAddress = await lrcEthPool(relayer);
    const pooled = [
      { tokenId: 1, volume: String(15_000n * ETHER) },
      { tokenId: 0, volume: String(ETHER) },
    ];
    return { poolAddress, joinTokens: { pooled, minimumLp: { tokenId: LP, volume: '1' } } };
  },
  async exitAmmPool({ client, account }) {
    const poolAddress = await joinLrcEth(relayer, account.owner);
    const unPooled = [
      { tokenId: 1, volume: String(1_000n * ETHER) },
      { tokenId: 0, volume: String(ETHER / 20n) },
    ];
    return { poolAddress, exitTokens: { burned: String(await balanceOf(client, account, LP)), unPooled } };
  },
  mintNft: async () => newNft,
  transferNft: async (made) => ({
    token: { ...(await minted(made)), amount: '2' },
    toAddress: (await openOther(relayer)).owner,
  }),
  async withdrawNft(made) {
    const nft = await minted(made);
    const deployment = { nftData: nft.nftData, tokenAddress: await contractOf(made), feeTokenId: 0 };
    resultOf(await approveRequest(made.wallet, 'relayer_deployNft', deployment));
    expect(await finalStatus(made.wallet, made.clock)).toBe('processed');
    return { token: { ...nft, amount: '4' } };
  },
  async deployNft(made) {
    const { nftData } = await minted(made);
    return { nftData, tokenAddress: await contractOf(made), feeTokenId: 0 };
  },
};

const isMoving = ({ permission, name }: { permission: string; name: string }) =>
  permission !== 'orders' && (kinds as readonly string[]).includes(permission) && name !== 'signNftOrder';
const named = (which: (operation: AnyOperation) => boolean) =>
  Object.values(operations)
    .filter(which)
    .map(({ name, method }) => ({ name, method }));

/** The user clicks once; the worker is stopped twice after that. */
async function clickedOnce({ wallet, held, state }: Stage, method: string, intent: object): Promise<void> {
  state.on = true;
  void wallet.page(SITE, method, [intent], crypto.randomUUID());
  const view = await question(wallet);
  const signed = async () =>
    (await wallet.background().wallet.journal.list()).filter(
      (record) => record.requestId.split('/')[0] === view.id && record.wire,
    ).length;
  const click = { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null, password: PASSWORD };
  await wallet.ui('approve', click);
  await expect.poll(() => held.size).toBe(1);
  for (let life = 0; life < 2; life++) {
    wallet.restart();
    await wallet.ui('unlock', { password: PASSWORD });
    await wallet.background().onWake();
  }
  expect(held.size).toBe(1);
  expect(await signed()).toBe(1);
  state.on = false;
}

test.each(named(isMoving))(
  '$name: one click gives one signature, although the relayer calls its id used, over restarts',
  async ({ name, method }) => {
    const made = await stage();
    const { wallet, held } = made;
    const intent = await intents[name]?.(made);
    if (!intent) throw new Error(`no request is known for ${name}`);
    const before = await owned(made);
    await clickedOnce(made, method, intent);

    // Now it carries out what it kept, as often as it likes.
    for (const send of [...held.values(), ...held.values()]) await send();
    const [record] = await wallet.background().wallet.journal.list({ limit: 1 });
    const fee = isOperation(name) ? operations[name].fee?.(record?.draft as never) : undefined;
    const moved = movedBy(intent);
    const paid = async () => {
      const after = await owned(made);
      return Object.keys({ ...before, ...after }).map((asset) => ({
        asset,
        out: (before[asset] ?? 0n) - (after[asset] ?? 0n),
        approved: (moved[asset] ?? 0n) + (fee && asset === String(fee.tokenId) ? BigInt(fee.volume) : 0n),
      }));
    };
    // It is carried out indeed, once, and nothing is taken beyond what was approved.
    await expect
      .poll(async () => (await paid()).filter(({ asset, out }) => out !== 0n && out >= (moved[asset] ?? 0n)).length)
      .toBeGreaterThanOrEqual(Math.max(1, Object.keys(moved).length));
    await settle();
    expect((await paid()).filter(({ out, approved }) => out > approved)).toEqual([]);
  },
);

/** An order that rests, and what ends or follows it. */
const orders: Readonly<Record<string, (stage: Stage) => Promise<object>>> = {
  submitOrder: async () => ORDER,
  async replaceOrder({ wallet }) {
    const { hash } = resultOf(await approveOrder(wallet));
    return { ...ORDER, replaces: hash, buyToken: { tokenId: 0, volume: '60000000000000000' } };
  },
  submitOneOf: async () => ({ orders: [ORDER, { ...ORDER, buyToken: { tokenId: 0, volume: '60000000000000000' } }] }),
  async hardCancel({ wallet }) {
    const { hash } = resultOf(await approveOrder(wallet));
    return { orderHash: hash };
  },
  async signNftOrder(made) {
    const buyToken = { tokenId: 0, amount: String(ETHER / 100n) };
    return { sellToken: { ...(await minted(made)), amount: '1' }, buyToken, validate: true };
  },
};

test('every operation that moves something is one of the two tables', () => {
  // A key update has tests of its own; a cancellation moves nothing, and a text or a document is no
  // request of the exchange.
  const others = ['cancelOrder', 'cancelAllOrders', 'updateAccountKey', 'signMessage', 'signTypedData'];
  const tested = [...Object.keys(intents), ...Object.keys(orders)];
  expect([...tested, ...others].toSorted()).toEqual(Object.keys(operations).toSorted());
});

/** Amounts of an order as they were signed. */
interface SignedOrder {
  readonly sellToken: {
    readonly tokenId: number;
    readonly volume?: string;
    readonly amount?: string;
    readonly nftData?: string;
  };
  readonly buyToken: { readonly volume?: string; readonly amount?: string };
  readonly maxFeeBips: number;
}

/** Somebody who takes whatever the account offers, and as much of it as the relayer gives. */
async function takeAll(made: Stage, name: string): Promise<void> {
  if (name !== 'signNftOrder') {
    const taker = await openOther(relayer, { ETH: '10' });
    return buyLrc(relayer, taker, 2n * ETHER, 2_000n * ETHER, 'TAKER_ONLY');
  }
  const [record] = await made.wallet.background().wallet.journal.list({ limit: 1 });
  const maker = JSON.parse(record?.wire?.bodyText ?? '{}');
  const buyer = await stage();
  const { sellToken, buyToken, maxFeeBips } = maker;
  const purchase = { sellToken: buyToken, buyToken: sellToken, maxFeeBips };
  const { order: taker } = resultOf<{ order: object }>(
    await approveRequest(buyer.wallet, 'relayer_signNftOrder', purchase),
  );
  const trade = { maker, makerFeeBips: maxFeeBips, taker, takerFeeBips: maxFeeBips };
  for (let time = 0; time < 2; time++) await submitTrade(relayer, buyer, trade);
}

test.each(named(({ name }) => name in orders))(
  '$name: one click gives one order, although the relayer calls its id used, over restarts',
  async ({ name, method }) => {
    const made = await stage();
    const intent = await orders[name]?.(made);
    if (!intent) throw new Error(`no request is known for ${name}`);
    const hashes = async () => new Set((await ordersOf(made)).map(({ hash }) => hash));
    const before = await hashes();
    const had = await owned(made);
    await clickedOnce(made, method, intent);
    for (const send of [...made.held.values(), ...made.held.values()]) await send();
    const after = [...(await hashes())].filter((hash) => !before.has(hash));
    expect(after).toHaveLength(1);

    // Somebody takes it: no more is paid than was approved, for no less than it asks for.
    await takeAll(made, name);
    const [record] = await made.wallet.background().wallet.journal.list({ limit: 1 });
    const order: SignedOrder = JSON.parse(record?.wire?.bodyText ?? '{}');
    const { nftData, tokenId, volume, amount } = order.sellToken;
    const changed = async (asset: string) => ((await owned(made))[asset] ?? 0n) - (had[asset] ?? 0n);
    const paid = async () => -(await changed(nftData ?? String(tokenId)));
    const approved = BigInt(volume ?? amount ?? 0);
    await expect.poll(paid).toBeGreaterThan(0n);
    await settle();
    expect(await paid()).toBeLessThanOrEqual(approved);
    const price = BigInt(order.buyToken.volume ?? order.buyToken.amount ?? 0);
    const asked = ((await paid()) * price * (10_000n - BigInt(order.maxFeeBips))) / approved / 10_000n;
    expect(await changed('0')).toBeGreaterThanOrEqual(asked);
  },
);
