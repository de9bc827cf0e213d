import { createHash, randomBytes } from 'node:crypto';
import type { Sql } from '../db/port.ts';

/** How long a key that nobody used opens a connection. */
const LIFE = "interval '1 minute'";

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Makes a key for one connection, to whichever process on the database. */
export async function issueSocketKey(sql: Sql): Promise<string> {
  const key = randomBytes(18).toString('base64url');
  await sql.query(
    `WITH old AS (DELETE FROM socket_keys WHERE issued_at < now() - ${LIFE})
     INSERT INTO socket_keys (key_hash) VALUES ($1)`,
    [hashOf(key)],
  );
  return key;
}

/** Whether the key opens a connection now; it does so once. */
export async function takeSocketKey(sql: Sql, key: string): Promise<boolean> {
  const taken = await sql.query(
    `DELETE FROM socket_keys WHERE key_hash = $1 AND issued_at >= now() - ${LIFE} RETURNING key_hash`,
    [hashOf(key)],
  );
  return taken.length > 0;
}
