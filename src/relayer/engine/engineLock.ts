import type { Sql } from '../db/port.ts';

/** Any fixed number; see `Engine`. */
const ENGINE_LOCK = 727_003;

/**
 * Waits for the engine's lock and holds it until the transaction ends. Taken before any account is locked: the engine
 * locks accounts while it holds it.
 */
export async function lockEngine(tx: Sql): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(${ENGINE_LOCK})`);
}

/** Takes the engine's lock unless another transaction has it. */
export async function tryLockEngine(tx: Sql): Promise<boolean> {
  const [row] = await tx.query<{ taken: boolean }>(`SELECT pg_try_advisory_xact_lock(${ENGINE_LOCK}) AS taken`);
  return row?.taken === true;
}
