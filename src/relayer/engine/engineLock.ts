import type { Sql } from '../db/port.ts';

/** Any fixed numbers; see `Engine`. */
const ENGINE_LOCK = 727_003;
const LEADER_LOCK = 727_005;

/**
 * Waits for the engine's lock and holds it until the transaction ends. Taken before any account is
 * locked: the engine locks accounts while it holds it.
 */
export async function lockEngine(tx: Sql): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(${ENGINE_LOCK})`);
}

/**
 * Waits for the engine's lock too, unless another engine works: `false`. Engines have a lock of
 * their own to tell, because whoever holds or awaits the engine's lock may be a submission that is
 * settled at once.
 */
export async function leadEngines(tx: Sql): Promise<boolean> {
  const [row] = await tx.query<{ leads: boolean }>(
    `SELECT CASE WHEN pg_try_advisory_xact_lock(${LEADER_LOCK})
       THEN pg_advisory_xact_lock(${ENGINE_LOCK})::text = '' ELSE false END AS leads`,
  );
  return row?.leads === true;
}
