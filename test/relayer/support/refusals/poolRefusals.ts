import { developmentMarket } from '../../../../src/relayer/market.ts';
import { LRC_ETH_POOL, type PoolPlace } from '../testAccount.ts';
import { ether } from '../tokens.ts';
import type { World } from '../validCalls.ts';
import { type RefusalCase, SMALL_FEE } from './refusalCase.ts';

/** A second market in which pools are closed or paid in a token without fees. */
const CLOSED_POOL: PoolPlace = {
  name: 'AMM-WBTC-ETH',
  address: '0x00000000000000000000000000000000000ABCde',
  tokens: [5, 0],
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
export const marketWithOddPools = {
  ...developmentMarket,
  tokens: [...developmentMarket.tokens, lpToken(102, 'LP-WBTC-ETH'), lpToken(103, 'LP-LRC-WBTC')],
  markets: [...developmentMarket.markets, { base: 'LRC', quote: 'WBTC', precisionForPrice: 4, enabled: false }],
  pools: [
    ...developmentMarket.pools,
    { address: CLOSED_POOL.address, base: 'WBTC', quote: 'ETH', lp: 'LP-WBTC-ETH', feeBips: 20, enabled: false },
    { address: UNPAID_POOL.address, base: 'LRC', quote: 'WBTC', lp: 'LP-LRC-WBTC', feeBips: 20 },
  ],
};

export const poolRefusals = {
  exitAmmPool: [
    [100001, 'the deadline passed', exit({ validUntil: 1_700_000_000 })],
    [102001, 'the pool is of no exchange here', exit({ poolAddress: `0x${'34'.repeat(20)}` })],
    [102001, 'the domain separator is another', exit({ domainSeparator: `0x${'34'.repeat(32)}` })],
    [100001, 'nothing is burned', exit({ exitTokens: { unPooled: zeros(1, 0), burned: '0' } })],
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
    [102011, 'the pool is closed, and the account has nothing in it', exit({}, CLOSED_POOL)],
    [102011, 'the last token of the pool pays no fees, and the account has nothing in it', exit({}, UNPAID_POOL)],
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
    [100001, 'the deadline passed', join({ validUntil: 1_700_000_000 })],
    [100001, 'nothing of one token is given', join({ joinTokens: joined(100, String(ether), '0') })],
    [102001, 'the pool is of no exchange here', join({ poolAddress: `0x${'34'.repeat(20)}` })],
    [102002, 'the least amount is of another token', join({ joinTokens: joined(101, String(ether), '5') })],
    [102022, 'the owner is another', async (world) => join({ owner: world.bob.owner })(world)],
    [102023, 'the pool is closed', join({}, CLOSED_POOL)],
    [102024, 'the last token of the pool pays no fees', join({}, UNPAID_POOL)],
    [102030, 'the storage ids are even', join({ storageIds: [2, 4] })],
    [104005, 'the fee changed', join({}, LRC_ETH_POOL, { fee: '7' })],
    [114002, 'the fee ceiling is too low', join({ fee: SMALL_FEE })],
  ],
} satisfies Record<string, readonly RefusalCase[]>;

function zeros(...tokenIds: number[]) {
  return tokenIds.map((tokenId) => ({ tokenId, volume: '0' }));
}

function joined(lp: number, ...volumes: readonly string[]) {
  const pooled = volumes.map((volume, index) => ({ tokenId: LRC_ETH_POOL.tokens[index], volume }));
  return { pooled, minimumLp: { tokenId: lp, volume: '0' } };
}

function exit(change: Record<string, unknown>, pool: PoolPlace = LRC_ETH_POOL, after: Record<string, unknown> = {}) {
  return async ({ alice }: World) =>
    alice.post('/api/v3/amm/exit', { ...(await alice.exit(pool, ether, change)), ...after });
}

function join(change: Record<string, unknown>, pool: PoolPlace = LRC_ETH_POOL, after: Record<string, unknown> = {}) {
  return async ({ alice }: World) =>
    alice.post('/api/v3/amm/join', { ...(await alice.join(pool, [ether, ether], change)), ...after });
}
