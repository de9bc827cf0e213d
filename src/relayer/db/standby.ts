import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../within.ts';
import type { Sql } from './port.ts';
import { openPostgres } from './postgres.ts';

/** How long the reads of a round wait for the standby before the primary answers them. */
const WAIT_MS = 50;
const STEP_MS = 5;
/** How long a standby that was behind, or gave no answer, is left alone. */
const REST_MS = 1_000;

/**
 * Everything that the primary shows is written up to here: a commit is visible once it is flushed,
 * unless it need not be.
 */
const POSITION = `SELECT at::text, (pg_control_system()).system_identifier::text AS system, left(pg_walfile_name(at), 8) AS timeline
  FROM (SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
    ELSE pg_current_wal_flush_lsn() END AS at) AS position`;

/**
 * A copy of the same database, on the timeline of its primary, that has replayed so much. The
 * timeline is that of its last restart point: after a promotion some minutes old.
 */
const IS_THERE = `SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= $1::text::pg_lsn
    AND (pg_control_system()).system_identifier::text = $2
    AND lpad(upper(to_hex((pg_control_checkpoint()).timeline_id)), 8, '0') = $3 AS there`;

interface Position {
  readonly at: string;
  readonly system: string;
  readonly timeline: string;
}

export interface StandbyReads extends Sql {
  close(): Promise<void>;
}

/**
 * Reads from a standby what the primary would answer: each read asks the primary for its position
 * first, and the standby only once it has replayed as much. Reads that arrive meanwhile share the
 * next position. A standby that is away, behind, promoted or of another database costs its reads
 * {@link WAIT_MS} once in {@link REST_MS}; the primary answers them.
 * @param standby - its `postgres://` URL, of one server.
 * @param read - told of each read which server answered it.
 * @param trouble - told why the standby did not.
 */
export function standbyReads(
  primary: Sql,
  standby: { readonly url: string; readonly connections: number; readonly pooled: boolean },
  read: (server: 'primary' | 'standby') => void,
  trouble: (error: unknown) => void,
): StandbyReads {
  const { connections, pooled } = standby;
  let opened: ReturnType<typeof openPostgres> | undefined;
  const open = () => {
    opened ??= openPostgres(standby.url, connections, pooled, connections);
    // Whoever waits for it is told; the next one tries again.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };

  let restsUntil = 0;
  const rest = (error: unknown) => {
    restsUntil = performance.now() + REST_MS;
    trouble(error);
  };

  const caughtUpBy = async ({ at, system, timeline }: Position, until: number): Promise<Sql | undefined> => {
    const db = await open();
    while (performance.now() < until) {
      const [row] = await db.query<{ there: boolean }>(IS_THERE, [at, system, timeline]);
      if (row?.there) return db;
      await sleep(STEP_MS);
    }
    return undefined;
  };

  const chooseStandby = async (): Promise<Sql | undefined> => {
    if (performance.now() < restsUntil) return undefined;
    try {
      const [position] = await primary.query<Position>(POSITION);
      if (position === undefined) return undefined;
      const until = performance.now() + WAIT_MS;
      // One that is silent, or slow to be opened, is not waited for any longer either.
      const db = await within(caughtUpBy(position, until), WAIT_MS);
      if (db !== undefined) return db;
      throw new Error(`the standby has not replayed ${position.at} of timeline ${position.timeline}`);
    } catch (error) {
      rest(error);
      return undefined;
    }
  };

  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<Sql | undefined> | undefined;
  /** The standby once it has replayed what is visible now. */
  const caughtUp = (): Promise<Sql | undefined> => {
    if (next === undefined) {
      next = last.then(() => {
        next = undefined;
        return chooseStandby();
      });
      last = next;
    }
    return next;
  };

  return {
    query: async (text, values) => {
      const db = await caughtUp();
      if (db !== undefined)
        try {
          const rows = await db.query<never>(text, values);
          read('standby');
          return rows;
        } catch (error) {
          rest(error);
        }
      read('primary');
      return primary.query(text, values);
    },
    close: async () => {
      // What could not be opened was told when it was asked for.
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}
