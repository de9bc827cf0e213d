import type { Hex } from 'viem';
import type { Sql } from '../db/port.ts';
import type { FeesConfig } from '../market.ts';
import { loadFees } from './feeSchedule.ts';
import { currentOperator } from './operatorAccount.ts';

export interface Token {
  readonly tokenId: number;
  readonly type: string;
  readonly symbol: string;
  readonly name: string;
  readonly address: Hex;
  readonly decimals: number;
  readonly precision: number;
  readonly minimum: bigint;
  readonly maximum: bigint;
  readonly dust: bigint;
  /** Base units of fast withdrawals whose blocks are not confirmed; 0: none are offered. */
  readonly fastWithdrawLimit: bigint;
  readonly priceMicroUsd: bigint;
  readonly paysFees: boolean;
  readonly enabled: boolean;
}

/** Limits of an order as answers have them. */
export const orderAmountsOf = ({ minimum, maximum, dust }: Token) => ({
  minimum: minimum.toString(),
  maximum: maximum.toString(),
  dust: dust.toString(),
});

export interface Market {
  readonly market: string;
  readonly base: Token;
  readonly quote: Token;
  readonly precisionForPrice: number;
  readonly enabled: boolean;
  readonly createdAt: number;
}

export interface Pool {
  readonly address: Hex;
  readonly name: string;
  readonly market: string;
  readonly version: string;
  readonly accountId: number;
  readonly tokens: readonly [Token, Token];
  readonly lp: Token;
  readonly feeBips: number;
  readonly enabled: boolean;
  readonly createdAt: number;
}

/**
 * Tokens, markets and pools that the operator lists; replaced as a whole when they change. Changing
 * amounts of a pool are in its account's balances.
 */
export interface Catalog {
  readonly tokens: readonly Token[];
  readonly markets: readonly Market[];
  readonly pools: readonly Pool[];
  /** Owners who pay other fees than the settings say. */
  readonly fees: FeesConfig;
  /** Account that collects fees. */
  readonly operatorAccountId: number;
  token(tokenId: number): Token | undefined;
  tokenBySymbol(symbol: string): Token | undefined;
  market(name: string): Market | undefined;
  /** The market in which one token is sold for the other. */
  marketOf(tokenA: number, tokenB: number): Market | undefined;
  /** Digits of a price in the market of a pool. */
  priceDigits(pool: Pool): number;
  pool(address: string): Pool | undefined;
  /**
   * The pool while it is enabled and takes no more than the order allows: its fee may have been
   * raised since. A closed one fills no order.
   */
  openPool(order: { readonly pool_address: string; readonly max_fee_bips: number }): Pool | undefined;
  /** The pool that stands for a pair: the one that is open, or the last of those that were. */
  poolOf(tokenA: number, tokenB: number): Pool | undefined;
  /** Whether it is the pool that stands for its pair. */
  isStanding(pool: Pool): boolean;
}

/** Account of the first operator. */
export const FIRST_OPERATOR_ACCOUNT_ID = 1;
/** Operators and pools have the ids below those of users, which start at 10001. */
export const FIRST_USER_ACCOUNT_ID = 10_001;
/** Reads tokens, markets and pools; `deployment.ts` writes them. */
export async function loadCatalog(db: Sql): Promise<Catalog> {
  const tokens = await db.query<Token>(
    `SELECT token_id AS "tokenId", type, symbol, name, address, decimals, precision, minimum, maximum, dust,
       fast_withdraw_limit AS "fastWithdrawLimit", price_micro_usd AS "priceMicroUsd", pays_fees AS "paysFees", enabled
     FROM tokens ORDER BY token_id`,
  );
  const byId = new Map(tokens.map((token) => [token.tokenId, token]));
  const need = (tokenId: number): Token => {
    const token = byId.get(tokenId);
    if (!token) throw new Error(`token ${tokenId} of a market or pool is missing in the database`);
    return token;
  };
  const markets = (
    await db.query<Omit<Market, 'base' | 'quote'> & Record<'base' | 'quote', number>>(
      `SELECT market, base_token_id AS base, quote_token_id AS quote, precision_for_price AS "precisionForPrice", enabled,
         created_at AS "createdAt"
       FROM markets ORDER BY market`,
    )
  ).map(({ base, quote, ...row }): Market => ({ ...row, base: need(base), quote: need(quote) }));
  const pools = (
    await db.query<Omit<Pool, 'tokens' | 'lp'> & Record<'token0' | 'token1' | 'lp', number>>(
      `SELECT address, name, market, version, account_id AS "accountId", token_0 AS token0, token_1 AS token1,
         lp_token AS lp, fee_bips AS "feeBips", enabled, created_at AS "createdAt"
       FROM amm_pools ORDER BY account_id`,
    )
  ).map(({ token0, token1, lp, ...row }): Pool => ({ ...row, tokens: [need(token0), need(token1)], lp: need(lp) }));
  const bySymbol = new Map(tokens.map((token) => [token.symbol, token]));
  const byMarket = new Map(markets.map((market) => [market.market, market]));
  const pair = (a: number, b: number) => (a < b ? `${a}-${b}` : `${b}-${a}`);
  const byPair = standing(markets, ({ base, quote }) => pair(base.tokenId, quote.tokenId));
  const byPool = new Map(pools.map((pool) => [pool.address.toLowerCase(), pool]));
  const poolByPair = standing(pools, ({ tokens: [a, b] }) => pair(a.tokenId, b.tokenId));
  const findPool = (address: string) => byPool.get(address.toLowerCase());
  return {
    tokens,
    markets,
    pools,
    fees: await loadFees(db),
    operatorAccountId: (await currentOperator(db)).accountId,
    token: (tokenId) => byId.get(tokenId),
    tokenBySymbol: (symbol) => bySymbol.get(symbol),
    market: (name) => byMarket.get(name.replace(/^AMM-/, '')),
    marketOf: (a, b) => byPair.get(pair(a, b)),
    priceDigits: ({ tokens: [a, b] }) => byPair.get(pair(a.tokenId, b.tokenId))?.precisionForPrice ?? 0,
    pool: findPool,
    openPool: ({ pool_address, max_fee_bips }) => {
      const pool = findPool(pool_address);
      return pool?.enabled && pool.feeBips <= max_fee_bips ? pool : undefined;
    },
    poolOf: (a, b) => poolByPair.get(pair(a, b)),
    isStanding: (pool) => poolByPair.get(pair(pool.tokens[0].tokenId, pool.tokens[1].tokenId)) === pool,
  };
}

/**
 * Rows that are switched off stay in the database: one that is on stands for its key, whatever was
 * listed for it before or after.
 */
function standing<Row extends { readonly enabled: boolean }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Map<string, Row> {
  const [on, off] = [rows.filter(({ enabled }) => enabled), rows.filter(({ enabled }) => !enabled)];
  return new Map([...off, ...on].map((row) => [keyOf(row), row]));
}
