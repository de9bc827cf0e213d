import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Db, Sql } from '../db/port.ts';
import { ACCOUNT, type Account, type AccountRow, accountFromRow } from './accounts.ts';
import { grouped } from './grouped.ts';

/**
 * API keys are derived from a server secret and not stored; the table holds their hashes only. A
 * key update of the account removes the row, and the number of its key updates enters the
 * derivation, so that an old key never comes back. Its nonce does not: each sealed block raises
 * that of the operator.
 */
function deriveApiKey(secret: string, account: Pick<Account, 'accountId' | 'keyNonce'>, generation: number): string {
  return createHmac('sha512', secret)
    .update(`api-key/${account.accountId}/${account.keyNonce}/${generation}`)
    .digest('base64url')
    .slice(0, 64);
}

export function hashApiKey(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex');
}

/**
 * The current key of an account, made on first use. When the server's secret was changed since, the
 * stored key cannot be derived any more, and the account gets one of the new secret; until it asks,
 * the old one works.
 */
export async function currentApiKey(tx: Sql, secret: string, account: Account, now: number): Promise<string> {
  const [row] = await tx.query<{ generation: number; key_hash: string }>(
    'SELECT generation, key_hash FROM api_keys WHERE account_id = $1',
    [account.accountId],
  );
  const apiKey = row && deriveApiKey(secret, account, row.generation);
  return apiKey !== undefined && hashApiKey(apiKey) === row?.key_hash
    ? apiKey
    : replaceApiKey(tx, secret, account, now);
}

/** Replaces the key of an account; the old one stops working with the commit. */
export async function replaceApiKey(tx: Sql, secret: string, account: Account, now: number): Promise<string> {
  const [row] = await tx.query<{ generation: number }>('SELECT generation FROM api_keys WHERE account_id = $1', [
    account.accountId,
  ]);
  const generation = (row?.generation ?? 0) + 1;
  const apiKey = deriveApiKey(secret, account, generation);
  await tx.query(
    `INSERT INTO api_keys (account_id, generation, key_hash, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (account_id) DO UPDATE
     SET generation = excluded.generation, key_hash = excluded.key_hash, created_at = excluded.created_at`,
    [account.accountId, generation, hashApiKey(apiKey), now],
  );
  return apiKey;
}

/** Lookups in one query. */
const MOST_LOOKUPS = 256;

/**
 * Finds the account whose current key this is; requests that come together are looked up together.
 */
export function apiKeyLookup(db: Db): (apiKey: string) => Promise<Account | undefined> {
  return grouped(async (apiKeys: readonly string[]) => {
    const hashes = apiKeys.map(hashApiKey);
    const rows = await db.query<AccountRow & { key_hash: string }>(
      `SELECT ${ACCOUNT}, key_hash FROM api_keys JOIN accounts USING (account_id) WHERE key_hash = ANY($1::text[])`,
      [[...new Set(hashes)]],
    );
    const found = new Map(rows.map(({ key_hash, ...row }) => [key_hash, accountFromRow(row)]));
    return hashes.map((hash) => found.get(hash));
  }, MOST_LOOKUPS);
}

/** The secret of the database, made once, for relayers that were given none. */
export async function databaseSecret(sql: Sql): Promise<string> {
  await sql.query(`INSERT INTO settings (key, value) VALUES ('api_key_secret', $1) ON CONFLICT (key) DO NOTHING`, [
    randomBytes(32).toString('base64url'),
  ]);
  const secret = await storedSecret(sql);
  if (secret === undefined) throw new Error('the API key secret is missing in the database');
  return secret;
}

/** The secret of the database, when one was made. */
export async function storedSecret(sql: Sql): Promise<string | undefined> {
  const [row] = await sql.query<{ value: string }>(`SELECT value FROM settings WHERE key = 'api_key_secret'`);
  return row?.value;
}
