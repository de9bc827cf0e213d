import type { Hex } from 'viem';
import type { RelayerConfig } from '../config.ts';
import type { Db, Sql } from '../db/port.ts';
import { creditFromOutside } from './balances.ts';

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
  readonly priceMicroUsd: bigint;
  readonly paysFees: boolean;
  readonly enabled: boolean;
}

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

/** What the operator lists. Fixed while a process runs; changing amounts of a pool are in its account's balances. */
export interface Catalog {
  readonly tokens: readonly Token[];
  readonly markets: readonly Market[];
  readonly pools: readonly Pool[];
  token(tokenId: number): Token | undefined;
  tokenBySymbol(symbol: string): Token | undefined;
  market(name: string): Market | undefined;
  /** The market in which one token is sold for the other. */
  marketOf(tokenA: number, tokenB: number): Market | undefined;
  pool(address: string): Pool | undefined;
  poolOf(tokenA: number, tokenB: number): Pool | undefined;
}

/** Account that collects fees. */
export const OPERATOR_ACCOUNT_ID = 1;
/** Pools have the ids from here on; users start at 10001. */
const FIRST_POOL_ACCOUNT_ID = 2;
/** EIP-712 domain version of pools. */
const POOL_VERSION = '1.0.0';

/** Writes the configured tokens, markets and pools into the database and reads them back. */
export async function loadCatalog(db: Db, config: RelayerConfig, now: number): Promise<Catalog> {
  await db.transaction((tx) => seed(tx, config, now), 'maintenance');
  const tokens = (
    await db.query<Omit<Token, 'tokenId' | 'priceMicroUsd' | 'paysFees'> & Record<string, never>>(
      'SELECT * FROM tokens ORDER BY token_id',
    )
  ).map(
    (row): Token => ({
      ...row,
      tokenId: row.token_id as unknown as number,
      priceMicroUsd: row.price_micro_usd as unknown as bigint,
      paysFees: row.pays_fees as unknown as boolean,
    }),
  );
  const byId = new Map(tokens.map((token) => [token.tokenId, token]));
  const need = (tokenId: number): Token => {
    const token = byId.get(tokenId);
    if (!token) throw new Error(`token ${tokenId} of a market or pool is missing in the database`);
    return token;
  };
  const markets = (
    await db.query<{
      market: string;
      base_token_id: number;
      quote_token_id: number;
      precision_for_price: number;
      enabled: boolean;
      created_at: number;
    }>('SELECT * FROM markets ORDER BY market')
  ).map(
    (row): Market => ({
      market: row.market,
      base: need(row.base_token_id),
      quote: need(row.quote_token_id),
      precisionForPrice: row.precision_for_price,
      enabled: row.enabled,
      createdAt: row.created_at,
    }),
  );
  const pools = (
    await db.query<{
      address: Hex;
      name: string;
      market: string;
      version: string;
      account_id: number;
      token_0: number;
      token_1: number;
      lp_token: number;
      fee_bips: number;
      enabled: boolean;
      created_at: number;
    }>('SELECT * FROM amm_pools ORDER BY account_id')
  ).map(
    (row): Pool => ({
      address: row.address,
      name: row.name,
      market: row.market,
      version: row.version,
      accountId: row.account_id,
      tokens: [need(row.token_0), need(row.token_1)],
      lp: need(row.lp_token),
      feeBips: row.fee_bips,
      enabled: row.enabled,
      createdAt: row.created_at,
    }),
  );
  const bySymbol = new Map(tokens.map((token) => [token.symbol, token]));
  const byMarket = new Map(markets.map((market) => [market.market, market]));
  const pair = (a: number, b: number) => (a < b ? `${a}-${b}` : `${b}-${a}`);
  const byPair = new Map(markets.map((market) => [pair(market.base.tokenId, market.quote.tokenId), market]));
  const byPool = new Map(pools.map((pool) => [pool.address.toLowerCase(), pool]));
  const poolByPair = new Map(pools.map((pool) => [pair(pool.tokens[0].tokenId, pool.tokens[1].tokenId), pool]));
  return {
    tokens,
    markets,
    pools,
    token: (tokenId) => byId.get(tokenId),
    tokenBySymbol: (symbol) => bySymbol.get(symbol),
    market: (name) => byMarket.get(name.replace(/^AMM-/, '')),
    marketOf: (a, b) => byPair.get(pair(a, b)),
    pool: (address) => byPool.get(address.toLowerCase()),
    poolOf: (a, b) => poolByPair.get(pair(a, b)),
  };
}

async function seed(tx: Sql, config: RelayerConfig, now: number): Promise<void> {
  const { tokens, markets, pools } = config.market;
  // One process at a time: several may start on one database.
  await tx.query('SELECT pg_advisory_xact_lock(727002)');
  for (const token of tokens)
    await tx.query(
      `INSERT INTO tokens (token_id, type, symbol, name, address, decimals, precision, precision_for_order, minimum,
                           maximum, dust, price_micro_usd, pays_fees, enabled)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10, $11, $12, $13)
       ON CONFLICT (token_id) DO UPDATE SET minimum = excluded.minimum, maximum = excluded.maximum, dust = excluded.dust,
         price_micro_usd = excluded.price_micro_usd, pays_fees = excluded.pays_fees, enabled = excluded.enabled`,
      [
        token.tokenId,
        token.type,
        token.symbol,
        token.name,
        token.address,
        token.decimals,
        token.precision,
        token.minimum,
        token.maximum,
        token.dust,
        token.priceMicroUsd,
        token.paysFees,
        token.enabled,
      ],
    );
  const idOf = (symbol: string) => tokens.find((token) => token.symbol === symbol)?.tokenId ?? -1;
  for (const { base, quote, precisionForPrice, enabled } of markets)
    await tx.query(
      `INSERT INTO markets (market, base_token_id, quote_token_id, precision_for_price, enabled, created_at)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (market) DO UPDATE SET enabled = excluded.enabled`,
      [`${base}-${quote}`, idOf(base), idOf(quote), precisionForPrice, enabled, now],
    );
  await tx.query(
    'INSERT INTO accounts (account_id, owner, created_at) VALUES ($1, $2, $3) ON CONFLICT (account_id) DO NOTHING',
    [OPERATOR_ACCOUNT_ID, config.operatorAddress.toLowerCase(), now],
  );
  await tx.query(
    `INSERT INTO blocks (block_id, status, size, created_at, status_at) VALUES (0, 'finalized', 0, $1, $1)
     ON CONFLICT DO NOTHING`,
    [now],
  );
  for (const [index, pool] of pools.entries()) {
    const accountId = FIRST_POOL_ACCOUNT_ID + index;
    const [known] = await tx.query('SELECT 1 FROM amm_pools WHERE address = $1', [pool.address]);
    if (known) {
      await tx.query('UPDATE amm_pools SET enabled = $2 WHERE address = $1', [pool.address, pool.enabled]);
      continue;
    }
    await tx.query('INSERT INTO accounts (account_id, owner, created_at) VALUES ($1, $2, $3)', [
      accountId,
      pool.address.toLowerCase(),
      now,
    ]);
    await tx.query(
      `INSERT INTO amm_pools (address, name, market, version, account_id, token_0, token_1, lp_token, fee_bips, enabled,
                              created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        pool.address,
        `AMM-${pool.base}-${pool.quote}`,
        `AMM-${pool.base}-${pool.quote}`,
        POOL_VERSION,
        accountId,
        idOf(pool.base),
        idOf(pool.quote),
        idOf(pool.lp),
        pool.feeBips,
        pool.enabled,
        now,
      ],
    );
    if (pool.seed && config.dev) {
      const [base, quote] = pool.seed.map(BigInt) as [bigint, bigint];
      await creditFromOutside(tx, accountId, idOf(pool.base), base, 'poolSeed', pool.address, now);
      await creditFromOutside(tx, accountId, idOf(pool.quote), quote, 'poolSeed', pool.address, now);
      // The first shares go to the operator; a pool without shares has no price for the next join.
      await creditFromOutside(tx, OPERATOR_ACCOUNT_ID, idOf(pool.lp), base, 'poolSeed', pool.address, now);
      await tx.query('UPDATE amm_pools SET lp_supply = $2 WHERE address = $1', [pool.address, base]);
    }
  }
}
