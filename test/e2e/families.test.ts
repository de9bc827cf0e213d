import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount } from '../../scripts/demo/openAccount.ts';
import { nftFactories } from '../../src/protocol/index.ts';
import { joinLrcEth, LP, lrcEthPool } from '../support/dev.ts';
import { request } from './support/site.ts';
import { ORDER, type Stage, setStage, statusOf, totalOf } from './support/stage.ts';

/**
 * NFTs, pools, standing approvals and batches of orders in a real browser, down to what the relayer
 * holds afterwards.
 */
let stage: Stage;
let page: Awaited<ReturnType<Stage['connectedPage']>>;
beforeAll(async () => {
  stage = await setStage();
  page = await stage.connectedPage();
  await stage.approve(page, 'wallet_requestPermissions', [{ relayer_nfts: {}, relayer_pools: {} }]);
});
afterAll(() => stage?.close());

const ETHER = 10n ** 18n;
const patience = { timeout: 240_000, interval: 300 };

const total = (tokenId: number) => totalOf(stage, stage.account, tokenId);
const nftsOf = async ({ accountId, apiKey }: { accountId: number; apiKey: string }) =>
  (await stage.client.getNftBalances({ query: { accountId }, apiKey })).data;

type Result = Readonly<Record<string, unknown>> & { readonly requestId: string; readonly hash: `0x${string}` };

/** Asks, approves in the window, and gives what the page got. */
const approved = (method: string, intent: object) => stage.approve<Result>(page, `relayer_${method}`, [intent]);

const processed = (result: Result) => expect.poll(() => statusOf(page, result.requestId), patience).toBe('processed');

test('NFTs are minted, change their owner, are offered, deployed and paid out to layer 1', async () => {
  const { client, relayer } = stage;
  const friend = await openAccount({
    client,
    baseUrl: relayer.url,
    funds: { ETH: '1' },
  });
  const cid = 'QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR';
  const minted = await approved('mintNft', { cid, amount: '5', nftFactory: nftFactories[0]?.nftFactory });
  await processed(minted);
  const [slot] = await nftsOf(stage.account);
  expect(slot).toMatchObject({ nftData: minted.nftData, tokenId: minted.nftTokenId, total: '5' });
  const token = { tokenId: minted.nftTokenId, nftData: minted.nftData, amount: '2' };

  await processed(await approved('transferNft', { token, toAddress: friend.owner }));
  expect((await nftsOf(friend)).map(({ nftData, total: count }) => [nftData, count])).toEqual([[minted.nftData, '2']]);
  expect((await nftsOf(stage.account))[0]?.total).toBe('3');

  const price = { tokenId: 0, amount: String(ETHER / 10n) };
  const offer = await approved('signNftOrder', {
    sellToken: { ...token, amount: '1' },
    buyToken: price,
    validate: true,
  });
  expect((offer.order as { eddsaSignature: string }).eddsaSignature).toMatch(/^0x[0-9a-f]{192}$/);

  const tokenAddress = slot?.tokenAddress as `0x${string}`;
  await approved('deployNft', { nftData: minted.nftData, tokenAddress });
  const code = async () => (await client.getCode({ body: { address: tokenAddress } })).result;
  await expect.poll(code, patience).not.toBe('0x');
  await processed(await approved('withdrawNft', { token }));
  expect((await nftsOf(stage.account))[0]?.total).toBe('1');
});

test('a share of a pool is given back for its tokens', async () => {
  const poolAddress = await joinLrcEth(stage.relayer, stage.account.owner, [1_500n * ETHER, ETHER / 10n]);
  await expect.poll(() => total(LP), patience).toBeGreaterThan(0n);
  const [burned, before] = [await total(LP), await total(1)];
  const unPooled = [
    { tokenId: 1, volume: String(1_400n * ETHER) },
    { tokenId: 0, volume: String((9n * ETHER) / 100n) },
  ];
  await processed(await approved('exitAmmPool', { poolAddress, exitTokens: { burned: String(burned), unPooled } }));
  expect(await total(LP)).toBe(0n);
  expect((await total(1)) - before).toBeGreaterThanOrEqual(1_400n * ETHER);
});

test('a pool fills an AMM order, a maker-only order rests, and all open orders of the site are cancelled at once', async () => {
  const { client, account } = stage;
  const { accountId, apiKey } = account;
  const poolAddress = await lrcEthPool(stage.relayer);
  const before = await total(1);
  const buyToken = { tokenId: 0, volume: String((100n * ETHER * 33n) / 1_000_000n) };
  const filled = await approved('submitOrder', { ...ORDER, buyToken, orderType: 'AMM', poolAddress });
  await processed(filled);
  expect(before - (await total(1))).toBe(BigInt(ORDER.sellToken.volume));

  const open = () =>
    client.getOrders({ query: { accountId, market: 'LRC-ETH', status: 'processing,waiting' }, apiKey });
  for (const orderType of ['MAKER_ONLY', 'LIMIT_ORDER']) await approved('submitOrder', { ...ORDER, orderType });
  expect((await open()).totalNum).toBe(2);
  await processed(await approved('cancelAllOrders', {}));
  expect((await open()).totalNum).toBe(0);
});

test('a standing approval signs within its limits without a window, and beyond them the user is asked', async () => {
  const limits = {
    sellTokenId: 1,
    buyTokenId: 0,
    minPrice: '0.0001',
    orderVolume: ORDER.sellToken.volume,
    totalVolume: ORDER.sellToken.volume,
    rate: { requests: 5, seconds: 60 },
    validUntil: Math.floor(Date.now() / 1000) + 3600,
  };
  await approved('requestStandingApproval', limits);
  const windows = stage.extension.context.pages().length;
  const order = { ...ORDER, validUntil: limits.validUntil - 60 };
  expect(await request(page, 'relayer_submitOrder', [{ ...order, clientOrderId: 'within' }])).toMatchObject({
    result: { status: 'acknowledged', clientOrderId: 'within' },
  });
  expect(stage.extension.context.pages()).toHaveLength(windows);
  const { window, answer } = await stage.ask(page, 'relayer_submitOrder', [{ ...order, clientOrderId: 'beyond' }]);
  await window.getByText('beyond', { exact: true }).first().waitFor({ state: 'attached' });
  await window.close();
  expect(await answer).toMatchObject({ error: { code: 4001 } });
});

test('a locked wallet reads nothing', async () => {
  await stage.extension.ui('lock', {});
  expect(await request(page, 'relayer_getBalances')).toMatchObject({
    error: { code: 4100, message: 'The wallet is locked.' },
  });
});
