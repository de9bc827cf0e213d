import type { Hex } from 'viem';
import { type EndpointName, endpoints } from '../../../src/protocol/endpointTable.ts';
import type { TestRelayer } from './startRelayer.ts';
import {
  LRC_ETH_POOL,
  NFT_FACTORY,
  type NftPlace,
  type Reply,
  randomSecretKey,
  type TestAccount,
} from './testAccount.ts';
import { ether } from './tokens.ts';

/** One call as it goes over the wire. */
export interface Sent {
  query?: Record<string, string | number | boolean>;
  body?: object;
  headers?: Record<string, string>;
}

/**
 * Accounts and things that a relayer must hold so that every endpoint has something to succeed
 * with.
 */
export interface World {
  readonly test: TestRelayer;
  /** Holds tokens, LP tokens and a deployed NFT. */
  readonly alice: TestAccount;
  readonly bob: TestAccount;
  readonly nft: NftPlace;
  readonly nftContract: Hex;
}

export async function buildWorld(test: TestRelayer): Promise<World> {
  const alice = await test.account();
  const bob = await test.account();
  await test.call('POST', '/dev/ammJoin', {
    body: { owner: alice.owner, poolAddress: LRC_ETH_POOL.address, amounts: [String(15_000n * ether), String(ether)] },
  });
  const mint = await alice.post('/api/v3/nft/mint', await alice.mint(`0x${'11'.repeat(32)}`, 50n));
  await test.block();
  const nft = { tokenId: mint.body.nftTokenId, nftData: mint.body.nftData };
  await alice.signed('POST', '/api/v3/nft/deployTokenAddress', { body: await alice.deployment(nft.nftData) });
  await test.block();
  await test.advance(60_000);
  await test.block();
  return { test, alice, bob, nft, nftContract: await alice.nftContract() };
}

let counter = 0;

/** A call of every endpoint that succeeds, freshly made each time. */
export function validCalls({ test, alice, bob, nft, nftContract }: World): Record<EndpointName, () => Promise<Sent>> {
  const accountId = alice.accountId;
  const key = alice.keyHeader;
  const read =
    (query: Sent['query'] = {}) =>
    async (): Promise<Sent> => ({ query: { accountId, ...query }, headers: key });
  const open =
    (query: Sent['query'] = {}) =>
    async (): Promise<Sent> => ({ query });
  const posted = (body: object & { ecdsaSignature?: string }): Sent => ({
    body,
    headers: { ...key, ...(body.ecdsaSignature !== undefined && { 'x-api-sig': body.ecdsaSignature }) },
  });
  const signed = (name: EndpointName, sent: Sent, account = alice): Sent => {
    const { method, path } = endpoints[name];
    const { headers } = account.signatureOf(method, path, sent as { query?: Record<string, string | number> });
    return { ...sent, headers: { ...account.keyHeader, ...headers } };
  };
  const restingOrder = async (): Promise<{ hash: string; clientOrderId: string }> => {
    counter += 1;
    const clientOrderId = `order-${counter}`;
    const reply = await alice.submit(await alice.order([1, 10n * ether], [0, ether], { clientOrderId }));
    return { hash: reply.body.hash, clientOrderId };
  };
  return {
    getTimestamp: open(),
    getSocketKey: open(),
    getExchangeInfo: open(),
    getTokens: open(),
    getMarkets: open(),
    getMixMarkets: open(),
    getAmmPools: open(),
    getAmmBalances: open(),
    getAmmBalance: async () => ({ query: { poolAddress: LRC_ETH_POOL.address }, headers: key }),
    getAmmTransactions: read(),
    getAccount: open({ owner: alice.owner }),
    getApiKey: async () => signed('getApiKey', { query: { accountId } }),
    resetApiKey: async () => {
      // The key that is replaced must not be the one that the other calls use.
      const carol = await test.account();
      return signed('resetApiKey', { body: { accountId: carol.accountId } }, carol);
    },
    getStorageId: read({ sellTokenId: 1, maxNext: true }),
    getBalances: read(),
    getOffchainFee: read({ requestType: 1, tokenSymbol: 'LRC' }),
    getNftOffchainFee: read({ requestType: 10, tokenAddress: nftContract, deployInWithdraw: true }),
    getCounterFactualInfo: async () => {
      counter += 1;
      const body = { walletOwner: alice.owner, walletSalt: String(counter) };
      const { body: wallet } = await test.call('POST', '/dev/wallet', { body });
      return { query: { address: wallet.wallet } };
    },
    getOrders: read(),
    getOrder: async () => read({ orderHash: (await restingOrder()).hash })(),
    submitOrder: async () => posted(await alice.order([1, 10n * ether], [0, ether])),
    submitOrders: async () => {
      const { orderId } = await alice.storageId(1);
      const of = (n: number) => alice.order([1, 10n * ether], [0, ether], { storageId: orderId + 2 * n });
      return { body: { accountId, orders: [await of(0), await of(1)] }, headers: key };
    },
    cancelOrder: async () =>
      signed('cancelOrder', { query: { accountId, clientOrderId: (await restingOrder()).clientOrderId } }),
    cancelOrdersByHash: async () =>
      signed('cancelOrdersByHash', {
        query: { accountId, orderHash: `${(await restingOrder()).hash},${(await restingOrder()).hash}` },
      }),
    cancelOrdersByClientOrderId: async () =>
      signed('cancelOrdersByClientOrderId', {
        query: {
          accountId,
          clientOrderId: `${(await restingOrder()).clientOrderId},${(await restingOrder()).clientOrderId}`,
        },
      }),
    getOrderUserRateAmount: read({ market: 'LRC-ETH' }),
    getUserTransactions: read(),
    getCandlestick: open({ market: 'LRC-ETH', interval: '1hr' }),
    getMixCandlestick: open({ market: 'AMM-LRC-ETH', interval: '1min' }),
    getTrades: open({ market: 'lrc-eth', fillTypes: 'dex,amm' }),
    getAmmTrades: open({ ammPoolAddress: LRC_ETH_POOL.address }),
    getDepth: open({ market: 'LRC-ETH', level: 1 }),
    getMixDepth: open({ market: 'LRC-ETH', showOverlap: true }),
    getTicker: open({ market: 'LRC-ETH,ETH-USDT' }),
    getMixTicker: open({ market: 'LRC-ETH,AMM-LRC-ETH' }),
    getPrice: open({ legal: 'USD' }),
    getLatestTokenPrices: open({ currency: 'USD' }),
    getAmmPoolsStats: open({ ammPoolMarkets: 'AMM-LRC-ETH' }),
    getFeeInfo: open(),
    getUserFeeRates: read({ markets: 'LRC-ETH' }),
    getUserOrderFee: read({ market: 'LRC-ETH', tokenB: 0, amountB: String(ether) }),
    getWithdrawalAgents: open({ tokenId: 1 }),
    getUserTrades: read(),
    getDeposits: read(),
    getWithdrawals: read(),
    getTransfers: read(),
    getNftTransactions: read(),
    getNftMints: read(),
    getNftWithdrawals: read(),
    getNftDeposits: read(),
    getNftTransfers: read(),
    getNftBalances: read(),
    getNfts: open({ nftDatas: nft.nftData }),
    getNftData: async () => ({
      query: { minter: alice.owner, tokenAddress: nftContract, nftId: `0x${'11'.repeat(32)}` },
      headers: key,
    }),
    getNftOrderUserRateAmount: read({ nftTokenAddress: nftContract, feeTokenSymbol: 'ETH' }),
    getNftOrderFee: read({ nftTokenAddress: nftContract, quoteToken: 0, quoteAmount: String(ether) }),
    computeTokenAddress: open({ nftFactory: NFT_FACTORY, nftOwner: alice.owner, nftBaseUri: '' }),
    getCode: async () => ({ body: { address: nftContract } }),
    getAvailableBroker: open({ type: 0 }),
    getBlockBytes: open(),
    getBalanceProof: open({ accountId: 1, tokenId: 0 }),
    getBlock: async () => ({ query: { id: 1 }, headers: key }),
    submitTransfer: async () => posted(await alice.transfer(bob.owner, [1, ether])),
    submitWithdrawal: async () => posted(await alice.withdrawal([1, ether])),
    updateAccount: async () => {
      const carol = await test.account();
      return carol.keyUpdate(randomSecretKey());
    },
    joinAmmPool: async () => posted(await alice.join(LRC_ETH_POOL, [1_500n * ether, ether / 10n])),
    exitAmmPool: async () => posted(await alice.exit(LRC_ETH_POOL, ether)),
    mintNft: async () => {
      counter += 1;
      return posted(await alice.mint(`0x${counter.toString(16).padStart(64, '0')}`, 5n));
    },
    transferNft: async () => posted(await alice.nftTransfer(bob.owner, nft, 1n)),
    withdrawNft: async () => posted(await alice.nftWithdrawal(nft, 1n)),
    deployTokenAddress: async () => {
      const carol = await test.account();
      const mint = await carol.post('/api/v3/nft/mint', await carol.mint(`0x${'22'.repeat(32)}`, 1n));
      return signed('deployTokenAddress', { body: await carol.deployment(mint.body.nftData) }, carol);
    },
    validateOrder: async () =>
      posted(await alice.nftOrder({ ...nft, amount: '1' }, { tokenId: 0, amount: String(ether) })),
    getNftTrades: read(),
    tradeNft: async () => {
      const price = { tokenId: 0, amount: String(ether / 10n) };
      const maker = await alice.nftOrder({ ...nft, amount: '1' }, price);
      const taker = await bob.nftOrder(price, { ...nft, amount: '1' }, { fillAmountBOrS: true });
      return signed('tradeNft', { body: { maker, makerFeeBips: 60, taker, takerFeeBips: 60 } });
    },
  };
}

export function send(test: TestRelayer, name: EndpointName, sent: Sent): Promise<Reply> {
  const { method, path } = endpoints[name];
  return test.call(method, path, {
    ...(sent.query && { query: sent.query }),
    ...(sent.body && { body: bodyOf(name, sent.body) }),
    ...(sent.headers && { headers: sent.headers }),
  });
}

/** Bodies under an EdDSA header are signed as text with sorted members. */
function bodyOf(name: EndpointName, body: object): unknown {
  if (endpoints[name].signature !== 'eddsa') return body;
  return JSON.stringify(Object.fromEntries(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1))));
}
