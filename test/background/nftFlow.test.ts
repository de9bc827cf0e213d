import { describe, expect, test } from 'vitest';
import { getPublicKey, parseSignature, verify } from '../../src/crypto/index.ts';
import { nftDataHash, nftOrderHash } from '../../src/protocol/index.ts';
import { CID, nftFactory } from '../support/nfts.ts';
import { relayerOfFile } from './relayerOfFile.ts';
import {
  approveRequest,
  finalStatus,
  lyingFetch,
  movableClock,
  openOther,
  question,
  resultOf,
  type SetUp,
  SITE,
  seal,
  setUp,
  submitTrade,
  until,
} from './support.ts';

const relayer = await relayerOfFile({ deployAfterMs: 300 });

const ETHER = 10n ** 18n;

async function stage(fetchWith?: typeof fetch) {
  const clock = movableClock();
  const made = await setUp(relayer, { now: clock.now, ...(fetchWith ? { fetch: fetchWith } : {}) }, ['nfts']);
  return { ...made, clock };
}
type Stage = Awaited<ReturnType<typeof stage>>;

interface MintResult {
  readonly hash: string;
  readonly status: string;
  readonly requestId: string;
  readonly nftData: string;
  readonly nftTokenId: number;
}

/** Mints five NFTs through the wallet and waits for them. */
async function mint({ wallet, clock }: Stage, changes: object = {}) {
  const intent = { cid: CID, amount: '5', nftFactory, creatorFeeBips: 3, ...changes };
  const { nftData, nftTokenId } = resultOf<MintResult>(await approveRequest(wallet, 'relayer_mintNft', intent));
  expect(await finalStatus(wallet, clock)).toBe('processed');
  return { nftData, tokenId: nftTokenId };
}

/** What lies in the slots of an account: identifier to count. */
async function nftsOf({ client }: Pick<SetUp, 'client'>, { accountId, apiKey }: { accountId: number; apiKey: string }) {
  const { data } = await client.getNftBalances({ query: { accountId }, apiKey });
  return Object.fromEntries(data.map(({ nftData, total }) => [nftData, total]));
}

test('a mint ends in the account’s slot, with the identifier that the wallet computed', async () => {
  const made = await stage();
  const nft = await mint(made);
  expect(await nftsOf(made, made.account)).toEqual({ [nft.nftData]: '5' });
  const { data } = await made.client.getNftBalances({
    query: { accountId: made.account.accountId },
    apiKey: made.account.apiKey,
  });
  const [slot] = data;
  const parts = { minterAddress: made.account.owner, nftType: 0, tokenAddress: slot?.tokenAddress ?? '' };
  expect(slot?.tokenId).toBe(nft.tokenId);
  expect(nftDataHash({ ...parts, nftId: slot?.nftId ?? '', creatorFeeBips: 3 })).toBe(BigInt(nft.nftData));
});

test('a transfer changes the owner of the NFT', async () => {
  const made = await stage();
  const { wallet, clock, account } = made;
  const nft = await mint(made);
  const friend = await openOther(relayer);
  const intent = { token: { ...nft, amount: '2' }, toAddress: friend.owner };
  const answer = wallet.page(SITE, 'relayer_transferNft', [intent]);
  const view = await question(wallet);
  expect(view.review?.warnings.map(({ rule }) => rule)).toEqual(['recipient-new']);
  await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
  resultOf(await answer);
  expect(await finalStatus(wallet, clock)).toBe('processed');
  expect(await nftsOf(made, friend)).toEqual({ [nft.nftData]: '2' });
  expect(await nftsOf(made, account)).toEqual({ [nft.nftData]: '3' });
});

test('a withdrawal waits for the deployment: refused before, taken after it', async () => {
  const made = await stage();
  const { wallet, clock, account, client } = made;
  const nft = await mint(made);
  const intent = { token: { ...nft, amount: '4' } };
  expect(await wallet.page(SITE, 'relayer_withdrawNft', [intent])).toMatchObject({
    error: { code: -32602, message: expect.stringContaining('ask for relayer_deployNft first') },
  });
  const [asking] = (await wallet.ui('getState', {})).accounts;
  const previewed = { operation: 'withdrawNft', account: asking?.id ?? '', intent } as const;
  expect(await wallet.ui('previewOperation', previewed)).toMatchObject({
    refused: { field: 'token.nftData', problem: { key: 'nftDeployMeaning' } },
  });
  const { data } = await client.getNftBalances({ query: { accountId: account.accountId }, apiKey: account.apiKey });
  const tokenAddress = data[0]?.tokenAddress ?? '';
  const deployment = { nftData: nft.nftData, tokenAddress, feeTokenId: 0 };
  const deployed = resultOf<{ txHash: string }>(await approveRequest(wallet, 'relayer_deployNft', deployment));
  expect(deployed.txHash).toMatch(/^0x[0-9a-f]{64}$/);
  expect(await finalStatus(wallet, clock)).toBe('processed');
  expect((await client.getCode({ body: { address: tokenAddress } })).result).not.toBe('0x');
  expect(await wallet.page(SITE, 'relayer_deployNft', [deployment])).toMatchObject({
    error: { code: -32602, message: 'tokenAddress: is deployed already' },
  });
  resultOf(await approveRequest(wallet, 'relayer_withdrawNft', intent));
  expect(await finalStatus(wallet, clock)).toBe('processed');
  expect(await nftsOf(made, account)).toEqual({ [nft.nftData]: '1' });
});

describe('NFT orders', () => {
  interface Signed {
    readonly hash: string;
    readonly status: string;
    readonly order: Parameters<typeof nftOrderHash>[0] & { readonly eddsaSignature: string };
  }
  const publicKeyOf = ({ account }: Stage) => getPublicKey(account.secretKey);

  test.each([false, true])('a sale is signed and handed to the site (validated first: %s)', async (validate) => {
    const made = await stage();
    const nft = await mint(made);
    const intent = {
      sellToken: { ...nft, amount: '1' },
      buyToken: { tokenId: 0, amount: String(ETHER / 10n) },
      validate,
    };
    const { order, hash } = resultOf<Signed>(await approveRequest(made.wallet, 'relayer_signNftOrder', intent));
    expect(BigInt(hash)).toBe(nftOrderHash(order));
    expect(verify(parseSignature(order.eddsaSignature), nftOrderHash(order), publicKeyOf(made))).toBe(true);
    await expect
      .poll(() => made.wallet.ui('getActivity', { limit: 1 }))
      .toMatchObject([
        // What was only signed is over for the wallet; what the relayer holds is open.
        {
          operation: 'signNftOrder',
          status: validate ? 'acknowledged' : 'processed',
          handsOver: true,
          problem: validate ? null : { key: 'warning_validityLong', values: { until: { seconds: order.validUntil } } },
        },
      ]);
    // After a round of all slots a later order leaves the slot of this one to the site.
    const { journal } = made.wallet.background().wallet;
    const [{ networkId = '', accountId = 0 } = {}] = await journal.list({ operations: ['signNftOrder'] });
    const cursor = { networkId, accountId, tokenId: nft.tokenId, parity: 'order' as const };
    await journal.resyncCursor(cursor, order.storageId + 2 ** 14);
    const later = resultOf<Signed>(await approveRequest(made.wallet, 'relayer_signNftOrder', intent));
    expect(later.order.storageId).toBe(order.storageId + 2 ** 14 + 2);
    const checked = await made.client.validateOrder({ body: order as never, apiKey: made.account.apiKey });
    expect(checked.isIdempotent).toBe(validate);
  });

  test('a validated sale is listed, and cancelled in the wallet', async () => {
    const made = await stage();
    const { wallet, clock, accountView } = made;
    const nft = await mint(made);
    const intent = {
      sellToken: { ...nft, amount: '1' },
      buyToken: { tokenId: 0, amount: String(ETHER / 10n) },
      validate: true,
      fillAmountBOrS: true,
    };
    const { hash } = resultOf<Signed>(await approveRequest(wallet, 'relayer_signNftOrder', intent));
    const listed = resultOf<{ orders: object[] }>(
      await wallet.page(SITE, 'relayer_getOrders', [{ market: 'NFT-ETH' }]),
    );
    expect(listed.orders).toMatchObject([{ hash, nftData: nft.nftData, side: 'SELL', status: 'processing' }]);
    const { data } = await wallet.ui('getOrders', { account: accountView, refresh: true });
    expect(data?.open).toMatchObject([
      { hash, market: 'NFT-ETH', nftData: nft.nftData, base: null, quote: { symbol: 'ETH' } },
    ]);
    // Only the signed order tells by which of its amounts it fills.
    expect(data?.open).toMatchObject([{ terms: { fillAmountBOrS: true, maxFeeBips: expect.any(Number) } }]);
    expect(await wallet.page(SITE, 'relayer_hardCancel', [{ orderHash: hash }])).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('is an NFT order') },
    });
    const answer = wallet.page(SITE, 'relayer_cancelOrder', [{ orderHash: hash }]);
    const view = await question(wallet);
    const shown = Object.fromEntries((view.review?.rows ?? []).map(({ label, value }) => [label.key, value]));
    expect(shown).toMatchObject({
      review_orderPays: { kind: 'amount', volume: '1', token: { symbol: 'NFT', decimals: 0 } },
      review_orderReceives: { kind: 'amount', volume: String(ETHER / 10n), token: { symbol: 'ETH' } },
      review_nftData: { kind: 'hex', hex: nft.nftData },
    });
    await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
    resultOf(await answer);
    expect(await finalStatus(wallet, clock, 'signNftOrder')).toBe('cancelled');
  });

  test('a sale that somebody takes is done in the wallet', async () => {
    const made = await stage();
    const buyer = await stage();
    const nft = await mint(made);
    const price = { tokenId: 0, amount: String(ETHER / 10n) };
    const one = { ...nft, amount: '1' };
    const sale = { sellToken: one, buyToken: price, validate: true, maxFeeBips: 60 };
    const { order: maker } = resultOf<Signed>(await approveRequest(made.wallet, 'relayer_signNftOrder', sale));
    const purchase = { sellToken: price, buyToken: one, maxFeeBips: 60 };
    const { order: taker } = resultOf<Signed>(await approveRequest(buyer.wallet, 'relayer_signNftOrder', purchase));
    const body = { maker, makerFeeBips: 60, taker, takerFeeBips: 60 };
    await submitTrade(relayer, buyer, body);
    expect(await finalStatus(made.wallet, made.clock, 'signNftOrder')).toBe('processed');
    // Of an order that only its site had, the wallet hears by itself as well.
    await until(async () => {
      await finalStatus(buyer.wallet, buyer.clock);
      const [{ handsOver } = {}] = await buyer.wallet.ui('getActivity', { limit: 1 });
      return handsOver ? undefined : true;
    });
    const { trades } = resultOf<{ trades: string[][] }>(await buyer.wallet.page(SITE, 'relayer_getNftTrades', [{}]));
    expect(trades.map((row) => [row[5], row[6]])).toEqual([[nft.nftData, '1']]);
  });

  test('a purchase names the NFT by its identifier', async () => {
    const seller = await stage();
    const nft = await mint(seller);
    const made = await stage();
    const intent = {
      sellToken: { tokenId: 0, amount: String(ETHER / 10n) },
      buyToken: { ...nft, amount: '1' },
      validate: true,
    };
    const { order } = resultOf<Signed>(await approveRequest(made.wallet, 'relayer_signNftOrder', intent));
    expect(order.buyToken).toMatchObject({ nftData: nft.nftData, amount: '1' });
    expect(verify(parseSignature(order.eddsaSignature), nftOrderHash(order), publicKeyOf(made))).toBe(true);
  });
});

describe('a relayer that lies', () => {
  test('about what lies in a slot, between the screen and the click: nothing is signed, and the reason is told', async () => {
    const { lies, send } = lyingFetch();
    const made = await stage(send);
    const { wallet } = made;
    const nft = await mint(made);
    const friend = await openOther(relayer);
    const intent = { token: { ...nft, amount: '1' }, toAddress: friend.owner };
    const answer = wallet.page(SITE, 'relayer_transferNft', [intent]);
    const view = await question(wallet);
    lies.set('/api/v3/user/nft/balances', ({ data, ...rest }: { data: object[] }) => ({
      ...rest,
      data: data.map((slot) => ({ ...slot, nftData: `0x${'9'.repeat(63)}` })),
    }));
    await wallet.ui('approve', { id: view.id, digest: view.digest ?? '', account: view.account?.id ?? null });
    expect(await answer).toMatchObject({
      error: { code: 4900, message: expect.stringMatching(/^Slot 32768 does not hold .* Nothing was signed\.$/) },
    });
    const records = await wallet.background().wallet.journal.list();
    expect(records[0]).toMatchObject({ operation: 'transferNft', state: 'abandoned' });
    expect(records[0]?.wire).toBeUndefined();
    const closed = await until(async () => {
      const seen = await wallet.ui('getApproval', { id: view.id });
      return seen.stage === 'done' ? seen : undefined;
    });
    expect(closed.problem).toMatchObject({ key: 'problem_slotChanged' });
  });

  test('about the parts of an NFT is shown as a danger', async () => {
    const { lies, send } = lyingFetch();
    const made = await stage(send);
    const nft = await mint(made);
    lies.set('/api/v3/nft/info/nfts', (nfts: object[]) => nfts.map((info) => ({ ...info, creatorFeeBips: 10 })));
    const friend = await openOther(relayer);
    made.wallet.page(SITE, 'relayer_transferNft', [{ token: { ...nft, amount: '1' }, toAddress: friend.owner }]);
    const { review } = await question(made.wallet);
    expect(review?.warnings).toContainEqual(expect.objectContaining({ rule: 'nft-differs', severity: 'danger' }));
  });

  test('about two slots, told the other way round, is a danger that names the block of the proof', async () => {
    // What lies in the slots; once there are two, each is told in the place of the other.
    let slots: readonly { readonly tokenId: number }[] = [];
    const made = await stage(async (input, init) => {
      const answer = await fetch(input, init);
      if (slots.length === 0 || !new URL(String(input)).pathname.endsWith('/nft/balances')) return answer;
      const body = (await answer.json()) as { data: { tokenId: number }[] };
      const data = body.data.map(({ tokenId }) => ({ ...slots.find((slot) => slot.tokenId !== tokenId), tokenId }));
      return Response.json({ ...body, data });
    });
    const { wallet, accountView, client, account } = made;
    const valuable = await mint(made);
    const cheap = await mint(made, { creatorFeeBips: 9 });
    const sale = (tokenId: number, { nftData }: { nftData: string }) => ({
      operation: 'signNftOrder' as const,
      account: accountView,
      intent: {
        sellToken: { tokenId, nftData, amount: '1' },
        buyToken: { tokenId: 0, amount: '1000000000000000' },
      },
    });
    // The wallet's clock is ahead of the relayer's here, which can make its rates look overdue.
    const warnings = async (tokenId: number, nft: { nftData: string }) =>
      (await wallet.ui('previewOperation', sale(tokenId, nft))).review?.warnings.filter(
        ({ rule }) => rule !== 'data-overdue',
      );
    // Nothing is proven yet, which is no contradiction.
    expect(await warnings(valuable.tokenId, valuable)).toEqual([]);
    await seal(relayer);
    const proof = await until(async () => {
      await wallet.ui('getNfts', { account: accountView, refresh: true });
      const { proofs } = await wallet.ui('getBalanceProofs', { account: accountView });
      const proven = proofs.filter(({ nft, state }) => nft && state === 'proven');
      return proven.length === 2 && proven.find(({ token }) => token.tokenId === valuable.tokenId);
    });
    expect(await warnings(valuable.tokenId, valuable)).toEqual([]);
    ({ data: slots } = await client.getNftBalances({
      query: { accountId: account.accountId },
      apiKey: account.apiKey,
    }));
    expect(await warnings(valuable.tokenId, cheap)).toMatchObject([
      {
        rule: 'nft-other-proven',
        severity: 'danger',
        password: true,
        text: { values: { block: { value: proof.blockId } } },
      },
    ]);
  });

  test('about the address of a contract gets no mint signed', async () => {
    const { lies, send } = lyingFetch();
    const made = await stage(send);
    lies.set('/api/v3/nft/info/computeTokenAddress', () => ({ tokenAddress: `0x${'5'.repeat(40)}` }));
    const outcome = await made.wallet.page(SITE, 'relayer_mintNft', [{ cid: CID, amount: '1', nftFactory }]);
    expect(outcome).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/^tokenAddress: the relayer says 0x5{40}, the factory/) },
    });
  });
});
