import type { Db } from '../db/port.ts';

/**
 * The relayer's time in ms: the database's, so that all processes agree whatever their own clocks
 * say, plus an offset that /dev/clock moves and the database keeps.
 */
export interface Clock {
  now(): number;
  /** The last measured distance of this machine's clock from the database's, ms. */
  skew(): number;
  /** Moves the clock forward. Time never goes back: deadlines and block ages hang on it. */
  advance(ms: number): Promise<void>;
  /** Measures the distance again, and reads the offset that another process may have moved. */
  reload(): Promise<void>;
}

/** A slower answer says too little about the time at which it was given. */
const SLOW_MS = 1_000;

/**
 * SQL of this time, for what has to hold however long ago a process measured it: on Linux and macOS
 * its monotonic clock stands still while the machine sleeps.
 */
export const DATABASE_TIME = `(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
  + coalesce((SELECT value::bigint FROM settings WHERE key = 'clock_offset_ms'), 0))`;

export async function openClock(db: Db): Promise<Clock> {
  let offset = 0;
  /**
   * The database's time at the zero of the monotonic clock. The machine's own clock may be set
   * between two measurements, and would take every deadline with it.
   */
  let zero: number | undefined;
  let skew = 0;
  const clock: Clock = {
    now: () => Math.floor((zero ?? performance.timeOrigin) + performance.now()) + offset,
    skew: () => skew,
    advance: async (ms) => {
      const [row] = await db.query<{ value: string }>(
        `INSERT INTO settings (key, value) VALUES ('clock_offset_ms', $1)
         ON CONFLICT (key) DO UPDATE SET value = (settings.value::bigint + excluded.value::bigint)::text RETURNING value`,
        [String(ms)],
      );
      offset = Math.max(offset, Number(row?.value ?? 0));
    },
    reload: async () => {
      const asked = performance.now();
      const [row] = await db.query<{ time: number; offset: string | null }>(
        `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS time,
                (SELECT value FROM settings WHERE key = 'clock_offset_ms') AS offset`,
      );
      const answered = performance.now();
      // It may have been moved since it was read.
      offset = Math.max(offset, Number(row?.offset ?? 0));
      if (!row || (zero !== undefined && answered - asked > SLOW_MS)) return;
      zero = row.time - (asked + answered) / 2;
      skew = Math.round(Date.now() - (zero + answered));
    },
  };
  await clock.reload();
  return clock;
}
