import { createHash } from 'node:crypto';
import { Float24, roundToFloat } from '../../protocol/floats.ts';
import { POOL_VERSION } from '../../protocol/typedData.ts';
import type { RelayerConfig } from '../config.ts';
import type { Db, Sql } from '../db/port.ts';
import { findAccountByOwner } from './accounts.ts';
import { databaseSecret, storedSecret } from './apiKeys.ts';
import { applyMovements, OUTSIDE } from './balances.ts';
import { depositEntry, OpenBlock } from './blocks.ts';
import { FIRST_OPERATOR_ACCOUNT_ID, FIRST_USER_ACCOUNT_ID, loadCatalog } from './catalog.ts';
import { changeCatalog } from './catalogVersion.ts';
import { lockEngine } from './engineLock.ts';
import { FEES_SETTING, feesText } from './feeSchedule.ts';
import { insertRow } from './insertRow.ts';
import { openState } from './openState.ts';
import { currentOperator, findOperator, writeOperator } from './operatorAccount.ts';
import { changeMixed, followPools } from './orders/bookLevels.ts';
import { LP_TOKENS, takePoolStorageIds } from './pools/poolState.ts';
import { publishPool } from './pools/publishPool.ts';
import { transferEntry } from './transferEntry.ts';

/**
 * Settings that a database belongs to: chain, contracts, operator, broker, secret, fees and market.
 * The first start writes them; a later start or migration with other settings is refused, and
 * `config apply` is the only way to change them.
 */

/** One setting that the database has otherwise than it is given. */
export interface Difference {
  readonly setting: string;
  readonly database: string;
  readonly given: string;
  /** Orders, balances or signatures hang on it: it can never change. */
  readonly fixed: boolean;
}

/** The settings of this process are not those of the database. */
const settingsDiffer = (differences: readonly Difference[]) =>
  new Error(
    `the database belongs to other settings:\n${differences.map(describeDifference).join('\n')}\n` +
      'See them with "config diff"; "config apply" changes what can be changed. An older schema has to be ' +
      'migrated first, with the settings of the database.',
  );

export function describeDifference({ setting, database, given, fixed }: Difference): string {
  return `  ${setting}: ${database} in the database, ${given} given${fixed ? ' (cannot be changed)' : ''}`;
}

const DEPLOYMENT_LOCK = 727_002;

/**
 * Writes the settings into a new database, or sees that they are the same.
 * @throws {Error} They are not.
 */
export async function openDeployment(db: Db, config: RelayerConfig, now: number): Promise<void> {
  await locked(db, async (tx) => {
    if (await expectSettings(tx, config)) return openState(tx, now);
    await rememberIdentity(tx, config, await secretOf(tx, config));
    await writeMarket(tx, config, now);
  });
}

/**
 * Sees that the database belongs to these settings, and stores those that an older version did not.
 * @returns false for a new database, which belongs to none.
 * @throws {Error} They differ.
 */
export async function expectSettings(tx: Sql, config: RelayerConfig): Promise<boolean> {
  const [made] = await tx.query('SELECT 1 FROM tokens LIMIT 1');
  if (!made) return false;
  const secret = await secretOf(tx, config);
  await rememberIdentity(tx, config, secret);
  const differences = await compare(tx, config, secret);
  if (differences.length > 0) throw settingsDiffer(differences);
  return true;
}

export async function differencesOf(db: Db, config: RelayerConfig): Promise<Difference[]> {
  const secret = config.apiKeySecret ?? (await storedSecret(db));
  return locked(db, (tx) => compare(tx, config, secret));
}

/**
 * Changes the database to the given settings.
 * @throws {Error} Something differs that cannot be changed; nothing was changed then.
 */
export async function applySettings(db: Db, config: RelayerConfig, now: number): Promise<Difference[]> {
  const secret = await secretOf(db, config);
  return locked(db, async (tx) => {
    await openState(tx, now);
    const differences = await compare(tx, config, secret);
    const fixed = differences.filter((difference) => difference.fixed);
    if (fixed.length > 0) throw settingsDiffer(fixed);
    const operator = differences.some(({ setting }) => setting === 'operatorAddress');
    if (operator) await replaceOperator(tx, config.operatorAddress.toLowerCase(), now);
    // A database of an older version lacks what became a setting since.
    for (const [key, , value, fixed] of identityOf(config, secret))
      if (!fixed)
        await tx.query(
          'INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
          [key, value],
        );
    await writeMarket(tx, config, now);
    await closeUnlisted(tx, config);
    await changeCatalog(tx);
    await followPools(tx, await loadCatalog(tx), now);
    return differences;
  });
}

const locked = <T>(db: Db, work: (tx: Sql) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.query(`SELECT pg_advisory_xact_lock(${DEPLOYMENT_LOCK})`);
    // Opening a pool or a state writes into the open block.
    await lockEngine(tx);
    return work(tx);
  }, 'maintenance');

const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Tells two secrets apart and says nothing about either. */
const secretId = (secret: string | undefined): string =>
  secret === undefined ? 'nothing' : fingerprint(`api key secret ${secret}`);

const secretOf = async (sql: Sql, config: RelayerConfig): Promise<string> => config.apiKeySecret ?? databaseSecret(sql);

const identityOf = (config: RelayerConfig, secret: string | undefined) =>
  [
    ['chain_id', 'chainId', String(config.chainId), true],
    ['exchange_address', 'exchangeAddress', config.exchangeAddress, true],
    ['api_key_secret_id', 'apiKeySecret (fingerprint)', secretId(secret), false],
    ['confirm_blocks', 'confirmBlocks', config.confirmBlocks, false],
    ['deposit_address', 'depositAddress', config.depositAddress, false],
    ['broker_address', 'brokerAddress', config.brokerAddress, false],
    ['nft_factory', 'nftFactory', config.nftFactory, false],
    ['nft_implementation', 'nftImplementation', config.nftImplementation, false],
    ['wallet_factory', 'walletFactory', config.walletFactory, false],
    ['wallet_proxy_code_id', 'walletProxyCode (fingerprint)', fingerprint(config.walletProxyCode.toLowerCase()), false],
    ['key_updates_by_old_key', 'keyUpdatesByOldKey', String(config.keyUpdatesByOldKey), false],
    ['maker_bips', 'makerBips', String(config.makerBips), false],
    ['taker_bips', 'takerBips', String(config.takerBips), false],
    ['nft_bips', 'nftBips', String(config.nftBips), false],
    [FEES_SETTING, 'market: fees', feesText(config.market.fees), false],
  ] as const;

async function rememberIdentity(tx: Sql, config: RelayerConfig, secret: string): Promise<void> {
  for (const [key, , value] of identityOf(config, secret))
    await tx.query('INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING', [key, value]);
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Columns of a token, and the settings of the market file that they hold. */
const TOKEN_COLUMNS = [
  ['type', 'type'],
  ['symbol', 'symbol'],
  ['address', 'address'],
  ['decimals', 'decimals'],
  ['name', 'name'],
  ['precision', 'precision'],
  ['minimum', 'minimum'],
  ['maximum', 'maximum'],
  ['dust', 'dust'],
  ['enabled', 'enabled'],
  ['price_micro_usd', 'priceMicroUsd'],
  ['pays_fees', 'paysFees'],
  ['fast_withdraw_limit', 'fastWithdrawLimit'],
] as const;
const FIXED_OF_TOKEN: readonly string[] = ['type', 'symbol', 'address', 'decimals'];

async function compare(tx: Sql, config: RelayerConfig, secret: string | undefined): Promise<Difference[]> {
  const differences: Difference[] = [];
  const see = (setting: string, database: unknown, given: unknown, fixed: boolean) => {
    if (String(database) !== String(given))
      differences.push({ setting, database: String(database), given: String(given), fixed });
  };
  for (const [key, setting, value, fixed] of identityOf(config, secret)) {
    const [row] = await tx.query<{ value: string }>('SELECT value FROM settings WHERE key = $1', [key]);
    see(setting, row?.value ?? 'nothing', value, fixed);
  }
  const operator = await findOperator(tx);
  see('operatorAddress', operator?.owner, config.operatorAddress.toLowerCase(), false);

  const { tokens, markets, pools } = config.market;
  const listed = new Map(
    (await tx.query<Record<string, unknown>>('SELECT * FROM tokens')).map((row) => [row.token_id as number, row]),
  );
  for (const token of tokens) {
    const row = listed.get(token.tokenId);
    const name = `market: token ${token.tokenId}`;
    if (!row) {
      see(`${name} (${token.symbol})`, 'missing', 'listed', false);
      continue;
    }
    for (const [column, field] of TOKEN_COLUMNS)
      see(`${name} ${field}`, row[column], token[field], FIXED_OF_TOKEN.includes(column));
  }
  const symbol = (tokenId: unknown) => listed.get(tokenId as number)?.symbol;
  const named = (base: string, quote: string) => `${base}-${quote}`;
  const traded = new Map(
    (await tx.query<Record<string, unknown>>('SELECT * FROM markets')).map((row) => [row.market as string, row]),
  );
  for (const { base, quote, precisionForPrice } of markets) {
    const row = traded.get(named(base, quote));
    const name = `market: pair ${named(base, quote)}`;
    if (!row) {
      see(name, 'missing', 'listed', false);
      continue;
    }
    // Symbols may contain "-": another pair may have had the name.
    see(`${name} base`, symbol(row.base_token_id), base, true);
    see(`${name} quote`, symbol(row.quote_token_id), quote, true);
    // Whether a pair is halted is kept in the database alone.
    see(`${name} precisionForPrice`, row.precision_for_price, precisionForPrice, false);
  }
  const pooled = await tx.query<Record<string, unknown> & { address: string }>('SELECT * FROM amm_pools');
  for (const pool of pools) {
    const row = pooled.find(({ address }) => isSame(address, pool.address));
    const name = `market: pool ${pool.address}`;
    if (!row) {
      see(name, 'missing', 'listed', false);
      const holder = pooled.find(({ lp_token: lp }) => symbol(lp) === pool.lp);
      if (holder) see(`${name} lp`, `${pool.lp} of pool ${holder.address}`, pool.lp, true);
      continue;
    }
    see(`${name} base`, symbol(row.token_0), pool.base, true);
    see(`${name} quote`, symbol(row.token_1), pool.quote, true);
    see(`${name} lp`, symbol(row.lp_token), pool.lp, true);
    see(`${name} feeBips`, row.fee_bips, pool.feeBips, false);
    see(`${name} enabled`, row.enabled, pool.enabled, false);
  }
  for (const [tokenId, row] of listed)
    if (row.enabled && !tokens.some((token) => token.tokenId === tokenId))
      see(`market: token ${tokenId} (${row.symbol})`, 'listed', 'missing', false);
  for (const [market, row] of traded)
    if (row.enabled && !markets.some(({ base, quote }) => named(base, quote) === market))
      see(`market: pair ${market}`, 'listed', 'missing', false);
  for (const { address, enabled } of pooled)
    if (enabled && !pools.some((pool) => isSame(pool.address, address)))
      see(`market: pool ${address}`, 'listed', 'missing', false);
  return differences;
}

/**
 * Fees go to the account of another owner from the next block on. An account never changes its
 * owner, so the one before keeps what it has, and the key to it.
 */
async function replaceOperator(tx: Sql, owner: string, now: number): Promise<void> {
  const known = await findAccountByOwner(tx, owner);
  if (known?.suspended)
    throw new Error(
      `operatorAddress: account ${known.accountId} of this address is suspended, and the account of the operator ` +
        'cannot be resumed; resume it first',
    );
  await writeOperator(tx, known?.accountId ?? (await openReserved(tx, owner, now)));
}

/** An account below those of users. */
async function openReserved(tx: Sql, owner: string, now: number): Promise<number> {
  const [row] = await tx.query<{ account_id: number }>(
    `INSERT INTO accounts (account_id, owner, created_at)
     SELECT coalesce(max(account_id) + 1, ${FIRST_OPERATOR_ACCOUNT_ID}), $1, $2::bigint FROM accounts
     WHERE account_id < ${FIRST_USER_ACCOUNT_ID} RETURNING account_id`,
    [owner.toLowerCase(), now],
  );
  if (!row) throw new Error(`no account could be opened for ${owner}`);
  return row.account_id;
}

/**
 * Switches off tokens, markets and pools that are no longer in the file; their orders and balances
 * stay.
 */
async function closeUnlisted(tx: Sql, { market: { tokens, markets, pools } }: RelayerConfig): Promise<void> {
  await tx.query('UPDATE tokens SET enabled = false WHERE token_id <> ALL($1::int[])', [
    tokens.map(({ tokenId }) => tokenId),
  ]);
  await tx.query('UPDATE markets SET enabled = false WHERE market <> ALL($1::text[])', [
    markets.map(({ base, quote }) => `${base}-${quote}`),
  ]);
  await tx.query('UPDATE amm_pools SET enabled = false WHERE lower(address) <> ALL($1::text[])', [
    pools.map(({ address }) => address.toLowerCase()),
  ]);
}

async function writeMarket(tx: Sql, config: RelayerConfig, now: number): Promise<void> {
  const { tokens, markets, pools } = config.market;
  const changes = TOKEN_COLUMNS.flatMap(([column]) =>
    FIXED_OF_TOKEN.includes(column) ? [] : `${column} = excluded.${column}`,
  );
  for (const token of tokens) {
    const columns = TOKEN_COLUMNS.map(([column, field]) => [column, token[field]] as const);
    await insertRow(
      tx,
      'tokens',
      { token_id: token.tokenId, precision_for_order: token.precision, ...Object.fromEntries(columns) },
      `ON CONFLICT (token_id) DO UPDATE SET ${changes.join(', ')}, precision_for_order = excluded.precision_for_order`,
    );
  }
  const idOf = (symbol: string) => tokens.find((token) => token.symbol === symbol)?.tokenId ?? -1;
  for (const { base, quote, precisionForPrice, enabled } of markets)
    await tx.query(
      `INSERT INTO markets (market, base_token_id, quote_token_id, precision_for_price, enabled, created_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (market) DO UPDATE SET precision_for_price = excluded.precision_for_price`,
      [`${base}-${quote}`, idOf(base), idOf(quote), precisionForPrice, enabled, now],
    );
  const [operator] = await tx.query('SELECT 1 FROM accounts WHERE account_id = $1', [FIRST_OPERATOR_ACCOUNT_ID]);
  if (!operator) await writeOperator(tx, await openReserved(tx, config.operatorAddress, now));
  await tx.query(
    `INSERT INTO blocks (block_id, status, size, created_at, status_at) VALUES (0, 'finalized', 0, $1, $1)
     ON CONFLICT DO NOTHING`,
    [now],
  );
  for (const pool of pools) {
    const [known] = await tx.query<{ address: string; fee_bips: number }>(
      'SELECT address, fee_bips FROM amm_pools WHERE lower(address) = lower($1) FOR UPDATE',
      [pool.address],
    );
    const changed = () => changeMixed(tx, [`${pool.base}-${pool.quote}`, `${pool.quote}-${pool.base}`], now);
    if (!known) {
      await openPool(tx, config, pool, idOf, now);
      await changed();
      continue;
    }
    await tx.query('UPDATE amm_pools SET enabled = $2, fee_bips = $3 WHERE address = $1', [
      known.address,
      pool.enabled,
      pool.feeBips,
    ]);
    if (known.fee_bips === pool.feeBips) continue;
    const block = await OpenBlock.take(tx, now);
    await publishPool(tx, block, known.address);
    await block.close();
    await changed();
  }
}

async function openPool(
  tx: Sql,
  config: RelayerConfig,
  pool: RelayerConfig['market']['pools'][number],
  idOf: (symbol: string) => number,
  now: number,
): Promise<void> {
  // Anybody can have an account opened for the address before the pool is listed, by a transfer to
  // it.
  const known = await findAccountByOwner(tx, pool.address);
  if (known?.publicKey)
    throw new Error(`market: pool ${pool.address}: account ${known.accountId} of this address has a key of its own`);
  const accountId = known?.accountId ?? (await openReserved(tx, pool.address, now));
  const account = { accountId, owner: pool.address.toLowerCase() };
  const [base, quote, lp] = [idOf(pool.base), idOf(pool.quote), idOf(pool.lp)];
  await insertRow(tx, 'amm_pools', {
    address: pool.address,
    name: `AMM-${pool.base}-${pool.quote}`,
    market: `AMM-${pool.base}-${pool.quote}`,
    version: POOL_VERSION,
    account_id: accountId,
    token_0: base,
    token_1: quote,
    lp_token: lp,
    fee_bips: pool.feeBips,
    enabled: pool.enabled,
    created_at: now,
  });
  const seed = config.dev && pool.seed ? pool.seed.map(BigInt) : [];
  const deposits = [LP_TOKENS, ...seed].map((amount, index) => ({
    tokenId: [lp, base, quote][index] as number,
    amount,
  }));
  const block = await OpenBlock.take(tx, now);
  const into = { from: OUTSIDE, to: account.accountId, frozen: false, kind: 'deposit', ref: pool.address };
  await applyMovements(
    tx,
    deposits.map(({ tokenId, amount }) => ({ ...into, tokenId, amount })),
    now,
  );
  await block.append(
    deposits.map(({ tokenId, amount }) => depositEntry(account.accountId, account.owner, tokenId, amount)),
  );
  await publishPool(tx, block, pool.address);
  // The first shares go to the operator; a pool without shares has no price for the next join.
  if (seed[0] !== undefined) {
    const shares = { tokenId: lp, amount: roundToFloat(seed[0], Float24) };
    const operator = await currentOperator(tx);
    await applyMovements(
      tx,
      [{ ...into, from: account.accountId, to: operator.accountId, ...shares, kind: 'ammJoin' }],
      now,
    );
    await block.append([
      transferEntry({
        from: account,
        to: operator,
        ...shares,
        feeTokenId: 0,
        fee: 0n,
        storageId: await takePoolStorageIds(tx, pool.address, 1),
        validUntil: 0,
        approvedOnL1: true,
      }),
    ]);
  }
  await block.close();
}
