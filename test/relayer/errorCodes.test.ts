import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointName } from '../../src/protocol/endpointTable.ts';
import { accountUpdateTypedData } from '../../src/protocol/typedData.ts';
import { developmentMarket } from '../../src/relayer/market.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import type { TestRelayer } from './support/startRelayer.ts';
import { LRC_ETH_POOL, type PoolPlace, type Reply, randomSecretKey, TestAccount } from './support/testAccount.ts';
import { buildWorld, ether, send, validCalls, type World } from './support/validCalls.ts';

const ETH = 0;
const LRC = 1;
const SMALL_FEE = '1';

/** The table "Codes per endpoint" of the interface document. */
const documentCodes: Partial<Record<EndpointName, readonly number[]>> = {
  submitOrder: [
    100000, 100001, 102001, 102002, 102003, 102004, 102005, 102006, 102007, 102008, 102010, 102011, 102012, 102014,
    102020, 102021, 102027, 102120, 104001, 104002, 104003, 104004, 104005,
  ],
  exitAmmPool: [100000, 100001, 102001, 102021, 102022, 102023, 102024, 102025],
  submitWithdrawal: [100000, 100001, 102001, 102021, 102022, 102023, 102024, 102025],
  updateAccount: [100000, 100001, 102001, 102021, 102022, 102023, 102024, 102025],
  validateOrder: [100000, 100001, 102001, 102021, 102022, 102023, 102024, 102025],
  cancelOrder: [100000, 102117, 102118, 104001, 104002, 104003],
  getBlock: [100000],
  getOrderUserRateAmount: [100000],
  getNftOrderUserRateAmount: [100000],
  getNftOrderFee: [100000],
  getAmmBalance: [100000],
  getNftData: [100000, 104001, 104002],
  getNftDeposits: [100000, 104001, 104002, 104003],
  getNftTransfers: [100000, 104001, 104002, 104003],
  getBalances: [100000, 104001, 104002, 104003],
  getStorageId: [100000, 104001, 104002, 104003],
  getTransfers: [100000, 107001, 104001, 104002, 104003],
  getAmmTransactions: [100000, 107001, 104001, 104002, 104003],
};

/** Codes that every endpoint meets in `everyEndpoint.test.ts`. */
const generalCodes = [100000, 100001, 104001, 104002, 104003];

/** A second market in which pools are closed or paid in a token without fees. */
const CLOSED_POOL: PoolPlace = {
  name: 'AMM-ETH-WBTC',
  address: '0x00000000000000000000000000000000000ABCde',
  tokens: [0, 5],
  lp: 102,
};
const UNPAID_POOL: PoolPlace = {
  name: 'AMM-LRC-WBTC',
  address: '0x0000000000000000000000000000000000012345',
  tokens: [1, 5],
  lp: 103,
};
const lpToken = (tokenId: number, symbol: string) => ({
  tokenId,
  type: 'LP' as const,
  symbol,
  name: symbol,
  address: `0x${tokenId.toString(16).padStart(40, '0')}`,
  decimals: 18,
  minimum: '1',
  maximum: '1000000000000000000000000',
  dust: '0',
  priceMicroUsd: '0',
});
const market = {
  ...developmentMarket,
  tokens: [...developmentMarket.tokens, lpToken(102, 'LP-ETH-WBTC'), lpToken(103, 'LP-LRC-WBTC')],
  pools: [
    ...developmentMarket.pools,
    { address: CLOSED_POOL.address, base: 'ETH', quote: 'WBTC', lp: 'LP-ETH-WBTC', feeBips: 20, enabled: false },
    { address: UNPAID_POOL.address, base: 'LRC', quote: 'WBTC', lp: 'LP-LRC-WBTC', feeBips: 20 },
  ],
};

type Case = readonly [code: number, when: string, make: (world: World) => Promise<Reply>];

const order =
  (change: Record<string, unknown>, after: Record<string, unknown> = {}) =>
  async ({ alice }: World) =>
    alice.submit({ ...(await alice.order([LRC, 10n * ether], [ETH, ether], change)), ...after });
const fail = (test: TestRelayer, step: string) => test.call('POST', '/dev/failNext', { body: { step } });

const cases: Partial<Record<EndpointName, readonly Case[]>> = {
  submitOrder: [
    [102001, 'the exchange is another', order({ exchange: `0x${'12'.repeat(20)}` })],
    [102002, 'the sold token is not listed', order({ sellToken: { tokenId: 77, volume: String(ether) } })],
    [102002, 'the bought token is a pool share', order({ buyToken: { tokenId: 100, volume: String(ether) } })],
    [102002, 'the token id is no ERC-20 id', order({}, { sellToken: { tokenId: 40_000, volume: '1' } })],
    [102003, 'the account does not exist', order({ accountId: 999_999 })],
    [102004, 'the storage id is odd', order({ storageId: 7 })],
    [102005, 'the market is switched off', order({ sellToken: { tokenId: 5, volume: '20000' } })],
    [102005, 'no market trades the pair', order({ buyToken: { tokenId: 3, volume: String(ether) } })],
    [102006, 'the allowed fee is above 63', order({}, { maxFeeBips: 64 })],
    [102006, 'the allowed fee is below the rate', order({ maxFeeBips: 19 })],
    [
      102007,
      'the storage id carries another order',
      async ({ alice }) => {
        const first = await alice.order([LRC, 10n * ether], [ETH, ether]);
        await alice.submit(first);
        return alice.submit(await alice.order([LRC, 11n * ether], [ETH, ether], { storageId: first.storageId }));
      },
    ],
    [
      102007,
      'an unsigned field of a held order changed',
      async ({ alice }) => {
        const first = await alice.order([LRC, 10n * ether], [ETH, ether]);
        await alice.submit(first);
        return alice.submit({ ...first, affiliate: '10001' });
      },
    ],
    [
      102007,
      'the client order id names another order',
      async ({ alice }) => {
        await alice.submit(await alice.order([LRC, 10n * ether], [ETH, ether], { clientOrderId: 'twice' }));
        return alice.submit(await alice.order([LRC, 10n * ether], [ETH, ether], { clientOrderId: 'twice' }));
      },
    ],
    [102008, 'the deadline passed', order({ validUntil: 1_700_000_000 })],
    [102010, 'the signature is missing', order({}, { eddsaSignature: undefined })],
    [102011, 'the balance is too small', order({ sellToken: { tokenId: LRC, volume: String(1_000_000n * ether) } })],
    [102012, 'the sold amount is below the minimum', order({ sellToken: { tokenId: LRC, volume: '1000' } })],
    [102012, 'no rate covers the trade cost', order({ buyToken: { tokenId: ETH, volume: '1000' } })],
    [
      102014,
      'the amount cannot be frozen',
      async (world) => {
        await fail(world.test, 'freeze');
        return order({})(world);
      },
    ],
    [
      102014,
      'a key update is under way',
      async ({ test }) => {
        const carol = await test.account();
        const body = await carol.updateBody(randomSecretKey());
        const ecdsaSignature = await carol.typedSignature(accountUpdateTypedData(carol.place.chainId, body));
        await carol.call('POST', '/api/v3/account', { body, headers: { 'x-api-sig': ecdsaSignature } });
        return carol.submit(await carol.order([LRC, 10n * ether], [ETH, ether]));
      },
    ],
    [
      102020,
      'the sold amount is above the maximum',
      order({ sellToken: { tokenId: LRC, volume: String(10n ** 27n) } }),
    ],
    [
      102021,
      'a larger storage id holds the slot',
      async (world) => {
        await order({ storageId: 16_384 + 8_000 })(world);
        return order({ storageId: 8_000 })(world);
      },
    ],
    [
      102027,
      'the record cannot be written',
      async (world) => {
        await fail(world.test, 'record');
        return order({})(world);
      },
    ],
    [
      102120,
      'an AMM order fills by its buy amount',
      order({ orderType: 'AMM', tradeChannel: 'AMM_POOL', fillAmountBOrS: true }),
    ],
    [102120, 'all-or-none is asked for', order({}, { allOrNone: true })],
    [102120, 'the pool is not the market’s', order({ poolAddress: `0x${'34'.repeat(20)}` })],
    [102120, 'the taker is the owner', async (world) => order({ taker: world.alice.owner })(world)],
    [104004, 'the signature is empty', order({}, { eddsaSignature: '' })],
    [104005, 'the signature is another', async (world) => order({}, { eddsaSignature: world.bob.eddsa(5n) })(world)],
    [104005, 'a signed field changed', order({}, { maxFeeBips: 61 })],
  ],
  cancelOrder: [
    [102117, 'there is no such order', ({ alice }) => alice.cancel({ orderHash: `0x${'77'.repeat(32)}` })],
    [
      102117,
      'the order is another account’s',
      async ({ alice, bob }) => {
        const reply = await bob.submit(await bob.order([LRC, 10n * ether], [ETH, ether]));
        return alice.cancel({ orderHash: reply.body.hash });
      },
    ],
    [
      102118,
      'the database is in trouble',
      async (world) => {
        const reply = await order({})(world);
        await fail(world.test, 'cancel');
        return world.alice.cancel({ orderHash: reply.body.hash });
      },
    ],
  ],
  cancelOrdersByHash: [
    [
      102117,
      'none is open',
      ({ alice }) =>
        alice.signed('DELETE', '/api/v3/orders/byHash', {
          query: { accountId: alice.accountId, orderHash: `0x${'77'.repeat(32)}` },
        }),
    ],
    [
      104209,
      'only some are open',
      async (world) => {
        const reply = await order({})(world);
        return world.alice.signed('DELETE', '/api/v3/orders/byHash', {
          query: { accountId: world.alice.accountId, orderHash: `${reply.body.hash},0x${'77'.repeat(32)}` },
        });
      },
    ],
  ],
  submitWithdrawal: withdrawalCases(),
  submitTransfer: [
    ...transferCases(),
    [
      100001,
      'an activation is paid for an owner who has a key',
      async ({ alice, bob }) =>
        alice.post('/api/v3/transfer', await alice.transfer(bob.owner, [LRC, ether], { payPayeeUpdateAccount: true })),
    ],
    [
      102032,
      'the receiver is a pool',
      async ({ alice }) => alice.post('/api/v3/transfer', await alice.transfer(LRC_ETH_POOL.address, [LRC, ether])),
    ],
  ],
  updateAccount: updateCases(),
  exitAmmPool: [
    [102001, 'the pool is of no exchange here', exit({ poolAddress: `0x${'34'.repeat(20)}` })],
    [102001, 'the domain separator is another', exit({ domainSeparator: `0x${'34'.repeat(32)}` })],
    [
      102002,
      'the burned token is not the LP token',
      exit({ exitTokens: { unPooled: zeros(1, 0), burned: { tokenId: 101, volume: '5' } } }),
    ],
    [
      102011,
      'the account has fewer LP tokens',
      exit({ exitTokens: { unPooled: zeros(1, 0), burned: String(10n ** 28n) } }),
    ],
    [
      102021,
      'the storage id carries another request',
      async (world) => {
        const body = await world.alice.exit(LRC_ETH_POOL, ether);
        await world.alice.post('/api/v3/amm/exit', body);
        return exit({ storageId: body.storageId, exitTokens: { unPooled: zeros(1, 0), burned: '77' } })(world);
      },
    ],
    [102022, 'the owner is another', async (world) => exit({ owner: world.bob.owner })(world)],
    [102023, 'the pool is closed', exit({}, CLOSED_POOL)],
    [102024, 'the last token of the pool pays no fees', exit({}, UNPAID_POOL)],
    [
      102025,
      'the tokens are not the pool’s in its order',
      exit({ exitTokens: { unPooled: zeros(0, 1), burned: '5' } }),
    ],
    [104004, 'the signature is missing', exit({}, LRC_ETH_POOL, { eddsaSignature: undefined })],
    [104005, 'the least amounts changed', exit({}, LRC_ETH_POOL, { maxFee: '7' })],
    [114002, 'the fee ceiling is too low', exit({ maxFee: SMALL_FEE })],
  ],
  joinAmmPool: [
    [102001, 'the pool is of no exchange here', join({ poolAddress: `0x${'34'.repeat(20)}` })],
    [102022, 'the owner is another', async (world) => join({ owner: world.bob.owner })(world)],
    [102023, 'the pool is closed', join({}, CLOSED_POOL)],
    [102024, 'the last token of the pool pays no fees', join({}, UNPAID_POOL)],
    [102030, 'the storage ids are even', join({ storageIds: [2, 4] })],
    [104005, 'the fee changed', join({}, LRC_ETH_POOL, { fee: '7' })],
    [114002, 'the fee ceiling is too low', join({ fee: SMALL_FEE })],
  ],
  mintNft: [
    [102001, 'the exchange is another', mint({ exchange: `0x${'12'.repeat(20)}` })],
    [102022, 'the minter is another', async (world) => mint({ minterAddress: world.bob.owner })(world)],
    [102023, 'the receiver is not the minter', async (world) => mint({ toAddress: world.bob.owner })(world)],
    [102024, 'the fee token pays no fees', mint({ maxFee: { tokenId: 5, amount: '100000' } })],
    [102040, 'the NFT exists', mint({ nftId: `0x${'11'.repeat(32)}` })],
    [104004, 'the signature is missing', mint({}, { eddsaSignature: undefined })],
    [104005, 'the royalty changed', mint({}, { creatorFeeBips: 6 })],
    [108003, 'the contract is another', mint({ tokenAddress: `0x${'34'.repeat(20)}` })],
    [
      108003,
      'the factory is a third party’s',
      async (world) =>
        mint({
          counterFactualNftInfo: { nftFactory: `0x${'34'.repeat(20)}`, nftOwner: world.alice.owner, nftBaseUri: '' },
        })(world),
    ],
    [114002, 'the fee ceiling is too low', mint({ maxFee: { tokenId: 0, amount: SMALL_FEE } })],
  ],
  transferNft: [
    [102001, 'the exchange is another', nftTransfer({ exchange: `0x${'12'.repeat(20)}` })],
    [102002, 'the slot holds another NFT', nftTransfer({}, { nftData: `0x${'01'.repeat(32)}` })],
    [102011, 'the account has fewer', nftTransfer({}, {}, 1_000_000n)],
    [102022, 'the sender is another', async (world) => nftTransfer({ fromAddress: world.bob.owner })(world)],
    [102023, 'the receiver’s id and address differ', nftTransfer({ toAccountId: 1 })],
    [114002, 'the fee ceiling is too low', nftTransfer({ maxFee: { tokenId: 0, amount: SMALL_FEE } })],
  ],
  withdrawNft: [
    [102001, 'the exchange is another', nftWithdrawal({ exchange: `0x${'12'.repeat(20)}` })],
    [102022, 'the owner is another', async (world) => nftWithdrawal({ owner: world.bob.owner })(world)],
    [102024, 'the fee token pays no fees', nftWithdrawal({ maxFee: { tokenId: 5, amount: '100000' } })],
    [
      100001,
      'the contract is not deployed',
      async ({ test }) => {
        const carol = await test.account();
        const { body } = await carol.post('/api/v3/nft/mint', await carol.mint(`0x${'44'.repeat(32)}`, 1n));
        await test.block();
        const held = { tokenId: body.nftTokenId, nftData: body.nftData };
        return carol.post('/api/v3/nft/withdrawal', await carol.nftWithdrawal(held, 1n));
      },
    ],
  ],
  deployTokenAddress: [
    [
      100001,
      'the contract is deployed already',
      async (world) => deploy(world, await world.alice.deployment(world.nft.nftData)),
    ],
    [
      100001,
      'the NFT is of another contract',
      async (world) =>
        deploy(world, { ...(await world.alice.deployment(world.nft.nftData)), tokenAddress: LRC_ETH_POOL.address }),
    ],
    [
      102025,
      'the fee’s token is another',
      async (world) => {
        const body = await world.alice.deployment(world.nft.nftData, { maxFee: { tokenId: 1, volume: '0' } });
        return deploy(world, body);
      },
    ],
    [
      102023,
      'the receiver is not the broker',
      async ({ test }) => {
        const { carol, nftData } = await freshMinter(test);
        const body = await carol.deployment(nftData, { payeeAddr: carol.place.exchange });
        return carol.signed('POST', '/api/v3/nft/deployTokenAddress', { body });
      },
    ],
    [
      114002,
      'the fee is too low',
      async ({ test }) => {
        const { carol, nftData } = await freshMinter(test);
        const body = await carol.deployment(nftData, { token: { tokenId: 0, volume: '5' } });
        return carol.signed('POST', '/api/v3/nft/deployTokenAddress', { body });
      },
    ],
  ],
  validateOrder: [
    [102001, 'the exchange is another', nftOrder({ exchange: `0x${'12'.repeat(20)}` })],
    [102002, 'the bought NFT does not exist', nftPurchase({ nftData: `0x${'01'.repeat(32)}` })],
    [102004, 'the storage id is odd', nftOrder({ storageId: 7 })],
    [102006, 'the allowed fee is below the rate', nftOrder({ maxFeeBips: 49 })],
    [102008, 'the deadline passed', nftOrder({ validUntil: 1_700_000_000 })],
    [102010, 'the signature is missing', nftOrder({}, { eddsaSignature: undefined })],
    [102011, 'fewer are held than sold', nftOrder({ sellToken: { tokenId: 32_768, amount: '1000000' } })],
    [102012, 'the quote amount is below the market’s minimum', nftOrder({ buyToken: { tokenId: 0, amount: '5' } })],
    [
      102020,
      'the quote amount is above the market’s maximum',
      nftOrder({ buyToken: { tokenId: 0, amount: String(10n ** 27n) } }),
    ],
    [
      102021,
      'the storage id carries another order',
      async (world) => {
        await nftOrder({ storageId: 9_000 })(world);
        return nftOrder({ storageId: 9_000, buyToken: { tokenId: 0, amount: String(2n * ether) } })(world);
      },
    ],
    [102022, 'the sold slot holds nothing', nftOrder({ sellToken: { tokenId: 40_000, amount: '1' } })],
    [102023, 'the taker has no account', nftOrder({ taker: `0x${'56'.repeat(20)}` })],
    [102024, 'the quote token pays no fees', nftOrder({ buyToken: { tokenId: 5, amount: '20000' } })],
    [
      102025,
      'neither side is an NFT',
      nftOrder({}, { buyToken: { tokenId: 0, amount: '1' }, sellToken: { tokenId: 1, amount: '1' } }),
    ],
    [102120, 'the taker is the owner', async (world) => nftOrder({ taker: world.alice.owner })(world)],
    [104005, 'a signed field changed', nftOrder({}, { maxFeeBips: 61 })],
  ],
  getTransfers: [
    [
      107001,
      'no account is named',
      ({ test, alice }) => test.call('GET', '/api/v3/user/transfers', { headers: alice.keyHeader }),
    ],
  ],
  getAmmTransactions: [
    [
      107001,
      'no account is named',
      ({ test, alice }) => test.call('GET', '/api/v3/amm/user/transactions', { headers: alice.keyHeader }),
    ],
  ],
  getOrder: [
    [107002, 'no hash is named', ({ alice }) => alice.get('/api/v3/order')],
    [
      107003,
      'there is no such order',
      ({ alice }) => alice.get('/api/v3/order', { orderHash: `0x${'77'.repeat(32)}` }),
    ],
  ],
  getAccount: [
    [
      101002,
      'there is no such account',
      ({ test }) => test.call('GET', '/api/v3/account', { query: { owner: `0x${'99'.repeat(20)}` } }),
    ],
  ],
  getCounterFactualInfo: [
    [
      101001,
      'the owner is no counterfactual wallet',
      ({ test, alice }) => test.call('GET', '/api/v3/counterFactualInfo', { query: { accountId: alice.accountId } }),
    ],
    [
      101002,
      'there is no such account',
      ({ test }) => test.call('GET', '/api/v3/counterFactualInfo', { query: { accountId: 999_999 } }),
    ],
  ],
  getStorageId: [
    [102002, 'the token is not listed', ({ alice }) => alice.get('/api/v3/storageId', { sellTokenId: 77 })],
  ],
  getOrderUserRateAmount: [
    [
      102005,
      'the market is not traded',
      ({ alice }) => alice.get('/api/v3/user/orderUserRateAmount', { market: 'ETH-LRC' }),
    ],
  ],
  getOffchainFee: [
    [100001, 'the kind has no fee', ({ alice }) => alice.get('/api/v3/user/offchainFee', { requestType: 12 })],
    [
      114001,
      'the token is not listed',
      ({ alice }) => alice.get('/api/v3/user/offchainFee', { requestType: 1, tokenSymbol: 'NONE' }),
    ],
  ],
  getApiKey: [
    [
      101002,
      'there is no such account',
      ({ alice }) => alice.signed('GET', '/api/v3/apiKey', { query: { accountId: 999_999 } }),
    ],
    [
      104005,
      'the account has no key yet',
      async ({ test }) => {
        const carol = await new TestAccount(test.place).faucet();
        return carol.signed('GET', '/api/v3/apiKey', { query: { accountId: carol.accountId } });
      },
    ],
  ],
};

function zeros(...tokenIds: number[]) {
  return tokenIds.map((tokenId) => ({ tokenId, volume: '0' }));
}

function exit(change: Record<string, unknown>, pool: PoolPlace = LRC_ETH_POOL, after: Record<string, unknown> = {}) {
  return async ({ alice }: World) =>
    alice.post('/api/v3/amm/exit', { ...(await alice.exit(pool, ether, change)), ...after });
}

function join(change: Record<string, unknown>, pool: PoolPlace = LRC_ETH_POOL, after: Record<string, unknown> = {}) {
  return async ({ alice }: World) =>
    alice.post('/api/v3/amm/join', { ...(await alice.join(pool, [ether, ether], change)), ...after });
}

function mint(change: Record<string, unknown>, after: Record<string, unknown> = {}) {
  return async ({ alice }: World) =>
    alice.post('/api/v3/nft/mint', { ...(await alice.mint(`0x${'33'.repeat(32)}`, 1n, change)), ...after });
}

function nftTransfer(change: Record<string, unknown>, token: object = {}, amount = 1n) {
  return async ({ alice, bob, nft }: World) =>
    alice.post('/api/v3/nft/transfer', await alice.nftTransfer(bob.owner, { ...nft, ...token }, amount, change));
}

function nftWithdrawal(change: Record<string, unknown>) {
  return async ({ alice, nft }: World) =>
    alice.post('/api/v3/nft/withdrawal', await alice.nftWithdrawal(nft, 1n, change));
}

function nftOrder(change: Record<string, unknown>, after: Record<string, unknown> = {}) {
  return async ({ alice, nft }: World) =>
    alice.post('/api/v3/nft/validateOrder', {
      ...(await alice.nftOrder({ tokenId: nft.tokenId, amount: '1' }, { tokenId: 0, amount: String(ether) }, change)),
      ...after,
    });
}

function nftPurchase(change: Record<string, unknown>) {
  return async ({ alice }: World) => {
    const bought = { tokenId: 32_768, amount: '1', ...change } as { tokenId: number; amount: string };
    return alice.post('/api/v3/nft/validateOrder', await alice.nftOrder({ tokenId: 0, amount: String(ether) }, bought));
  };
}

function deploy({ alice }: World, body: object) {
  return alice.signed('POST', '/api/v3/nft/deployTokenAddress', { body });
}

async function freshMinter(test: TestRelayer) {
  const carol = await test.account();
  const { body } = await carol.post('/api/v3/nft/mint', await carol.mint(`0x${'44'.repeat(32)}`, 1n));
  return { carol, nftData: body.nftData };
}

function withdrawalCases(): Case[] {
  const path = '/api/v3/user/withdrawals';
  const withdrawal =
    (change: Record<string, unknown>, after: Record<string, unknown> = {}) =>
    async ({ alice }: World) =>
      alice.post(path, { ...(await alice.withdrawal([LRC, ether], change)), ...after });
  return [
    [100001, 'the amount is zero', withdrawal({ token: { tokenId: LRC, volume: '0' } })],
    [100001, 'the deadline passed', withdrawal({ validUntil: 1_700_000_000 })],
    [102001, 'the exchange is another', withdrawal({ exchange: `0x${'12'.repeat(20)}` })],
    [102002, 'the token is not listed', withdrawal({ token: { tokenId: 77, volume: '1' } })],
    [102011, 'the balance is too small', withdrawal({ token: { tokenId: LRC, volume: String(10n ** 28n) } })],
    [
      102014,
      'the amount cannot be frozen',
      async (world) => {
        await fail(world.test, 'freeze');
        return withdrawal({})(world);
      },
    ],
    [
      102021,
      'the storage id carries another request',
      async (world) => {
        const body = await world.alice.withdrawal([LRC, ether]);
        await world.alice.post(path, body);
        return withdrawal({ storageId: body.storageId, token: { tokenId: LRC, volume: '5' } })(world);
      },
    ],
    [
      102021,
      'an unsigned field of a held request changed',
      async (world) => {
        const body = await world.alice.withdrawal([LRC, ether]);
        await world.alice.post(path, body);
        return world.alice.post(path, { ...body, extraData: '0x' } as typeof body);
      },
    ],
    [102022, 'the owner is another', async (world) => withdrawal({ owner: world.bob.owner })(world)],
    [102023, 'the receiver is nobody', withdrawal({}, { to: `0x${'00'.repeat(20)}` })],
    [102024, 'the fee token pays no fees', withdrawal({ maxFee: { tokenId: 5, volume: '100000' } })],
    [102025, 'a fast withdrawal is paid in another token', withdrawal({ fastWithdrawalMode: true })],
    [102030, 'the storage id is even', withdrawal({ storageId: 8 })],
    [
      102030,
      'a larger storage id holds the slot',
      async (world) => {
        await withdrawal({ storageId: 16_384 + 8_001 })(world);
        return withdrawal({ storageId: 8_001 })(world);
      },
    ],
    [104004, 'the EdDSA signature is missing', withdrawal({}, { eddsaSignature: undefined })],
    [
      104005,
      'the EdDSA signature is another',
      async (world) => withdrawal({}, { eddsaSignature: world.bob.eddsa(5n) })(world),
    ],
    [104005, 'the approved hash is not approved', withdrawal({}, { hashApproved: `0x${'12'.repeat(32)}` })],
    [114002, 'the fee ceiling is too low', withdrawal({ maxFee: { tokenId: 0, volume: SMALL_FEE } })],
  ];
}

function transferCases(): Case[] {
  const path = '/api/v3/transfer';
  const transfer =
    (change: Record<string, unknown>, after: Record<string, unknown> = {}) =>
    async ({ alice, bob }: World) =>
      alice.post(path, { ...(await alice.transfer(bob.owner, [LRC, ether], change)), ...after });
  return [
    [100001, 'the amount is zero', transfer({ token: { tokenId: LRC, volume: '0' } })],
    [102001, 'the exchange is another', transfer({ exchange: `0x${'12'.repeat(20)}` })],
    [102002, 'the token is not listed', transfer({ token: { tokenId: 77, volume: '1' } })],
    [102011, 'the balance is too small', transfer({ token: { tokenId: LRC, volume: String(10n ** 28n) } })],
    [102022, 'the sender is another', async (world) => transfer({ payerAddr: world.bob.owner })(world)],
    [102023, 'the receiver’s id and address differ', transfer({ payeeId: 1 })],
    [102023, 'the receiver is the sender', async (world) => transfer({ payeeAddr: world.alice.owner })(world)],
    [102024, 'the fee token pays no fees', transfer({ maxFee: { tokenId: 5, volume: '100000' } })],
    [102030, 'the storage id is even', transfer({ storageId: 8 })],
    [104005, 'the receiver changed after signing', transfer({}, { payeeAddr: `0x${'56'.repeat(20)}` })],
    [114002, 'the fee ceiling is too low', transfer({ maxFee: { tokenId: 0, volume: SMALL_FEE } })],
  ];
}

function updateCases(): Case[] {
  const update =
    (change: Record<string, unknown>) =>
    async ({ test }: World) => {
      const carol = await test.account();
      const body = await carol.updateBody(randomSecretKey(), change);
      const ecdsaSignature = await carol.typedSignature(accountUpdateTypedData(carol.place.chainId, body));
      return carol.call('POST', '/api/v3/account', { body, headers: { 'x-api-sig': ecdsaSignature } });
    };
  return [
    [
      100001,
      'the public key is no point of the subgroup',
      async ({ alice }) => {
        const body = await alice.updateBody(randomSecretKey());
        return alice.call('POST', '/api/v3/account', {
          body: { ...body, publicKey: { x: '0x0', y: '0x1' } },
          headers: { 'x-api-sig': await alice.l1.signMessage({ message: '' }) },
        });
      },
    ],
    [100001, 'the deadline passed', update({ validUntil: 1_700_000_000 })],
    [102001, 'the exchange is another', update({ exchange: `0x${'12'.repeat(20)}` })],
    [
      102011,
      'the balance is too small',
      async ({ test }) => {
        const carol = await new TestAccount(test.place).faucet([{ symbol: 'LRC', amount: '5' }]);
        const body = await carol.updateBody(randomSecretKey());
        const ecdsaSignature = await carol.typedSignature(accountUpdateTypedData(carol.place.chainId, body));
        return carol.call('POST', '/api/v3/account', { body, headers: { 'x-api-sig': ecdsaSignature } });
      },
    ],
    [102021, 'the nonce is another', update({ nonce: 7 })],
    [102022, 'the owner is another', async (world) => update({ owner: world.bob.owner })(world)],
    [102023, 'the account does not exist', update({ accountId: 999_999 })],
    [102024, 'the fee token pays no fees', update({ maxFee: { tokenId: 5, volume: '100000' } })],
    [102025, 'the fee token is a pool share', update({ maxFee: { tokenId: 100, volume: '100000' } })],
    [114002, 'the fee ceiling is too low', update({ maxFee: { tokenId: 0, volume: SMALL_FEE } })],
  ];
}

describe.each(databases)('the refusal codes on $name', ({ start }) => {
  let test: TestRelayer;
  let world: World;
  beforeAll(async () => {
    test = await start({ market });
    world = await buildWorld(test);
    await test.call('POST', '/dev/faucet', {
      body: { owner: world.alice.owner, tokens: [{ symbol: 'WBTC', amount: '100000000' }] },
    });
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  for (const [name, list] of Object.entries(cases))
    describe(name, () => {
      it.each(list.map(([code, when, make]) => ({ code, when, make })))(
        'answers $code when $when',
        async ({ code, make }) => {
          const reply = await make(world);
          expect(reply.body.resultInfo, JSON.stringify(reply.body)).toMatchObject({ code });
          expect(reply.status).toBe(400);
        },
      );
    });

  it(
    'answers 105001 from the fee queries and 104208 from getCode when L1 is silent',
    async () => {
      const silent = await start({ l1Url: 'http://127.0.0.1:9' });
      const fee = await silent.call('GET', '/api/v3/user/offchainFee', { query: { accountId: 1, requestType: 1 } });
      expect(fee.body.resultInfo.code).toBe(105001);
      const code = await silent.call('POST', '/api/v3/delegator/getCode', { body: { address: LRC_ETH_POOL.address } });
      expect(code.body.resultInfo.code).toBe(104208);
      await silent.close();
    },
    START_TIMEOUT_MS,
  );

  it('leaves nothing frozen and no slot taken by a refused submission', async () => {
    const carol = await test.account();
    const call = validCalls({ ...world, alice: carol }).submitOrder;
    for (const step of ['freeze', 'record']) {
      const sent = await call();
      await fail(test, step);
      expect((await send(test, 'submitOrder', sent)).status).toBe(400);
      expect((await carol.balance(LRC)).locked).toBe(0n);
      expect((await send(test, 'submitOrder', sent)).body).toMatchObject({ status: 'processing', isIdempotent: false });
      await carol.cancel({ orderHash: (await carol.get('/api/v3/orders')).body.orders[0].hash });
    }
  });
});

it("reaches every code of the document's tables", () => {
  const missing = Object.entries(documentCodes).flatMap(([name, codes]) => {
    const reached = new Set([...generalCodes, ...(cases[name as EndpointName] ?? []).map(([code]) => code)]);
    return codes.filter((code) => !reached.has(code)).map((code) => `${name} ${code}`);
  });
  expect(missing).toEqual([]);
});
