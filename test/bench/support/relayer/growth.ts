import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveOld } from '../../../../src/relayer/archive/archive.ts';
import { archiveFolder } from '../../../../src/relayer/archive/archiveFolder.ts';
import type { Db } from '../../../../src/relayer/db/port.ts';
import { cancelAllOrders } from '../../../../src/relayer/engine/orders/orderRow.ts';
import type { BenchSigner } from './bulk.ts';

/** Bytes of each table with its indexes, and of the write-ahead log so far. */
export async function sizesOf(db: Db): Promise<Map<string, number>> {
  const rows = await db.query<{ name: string; bytes: number }>(
    `SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
     UNION ALL SELECT 'write-ahead log', (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/**
 * Ends every open order of the bench, as suspensions would, and waits until its books and blocks
 * are done with them.
 */
export async function endOrders(db: Db, signers: readonly BenchSigner[]): Promise<void> {
  for (const { accountId } of signers)
    await db.transaction((tx) => cancelAllOrders(tx, accountId, Date.now()), 'maintenance');
  for (let open = 1; open > 0; ) {
    await sleep(200);
    const [row] = await db.query<{ n: number }>(
      `SELECT (SELECT count(*) FROM closed_orders) + (SELECT count(*) FROM blocks WHERE status <> 'finalized' AND size > 0) AS n`,
    );
    open = row?.n ?? 0;
  }
}

/**
 * Archives everything that ended, as if it were a year later; what it took, and what the files
 * hold.
 */
export async function archiveAll(db: Db): Promise<{ orders: number; seconds: number; bytes: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-archive-'));
  try {
    const files = archiveFolder(folder, new Date());
    const started = performance.now();
    const { orders } = await archiveOld(db, Date.now() + 366 * 86_400_000, files);
    const seconds = (performance.now() - started) / 1000;
    files.close();
    const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    return { orders, seconds, bytes };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
