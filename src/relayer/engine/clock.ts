import type { Db } from '../db/port.ts';

/** The relayer's time in ms: the system's, plus an offset that /dev/clock moves and the database keeps. */
export interface Clock {
  now(): number;
  /** Moves the clock forward. Time never goes back: deadlines and block ages hang on it. */
  advance(ms: number): Promise<void>;
  /** Reads the offset that another process may have moved. */
  reload(): Promise<void>;
}

export async function openClock(db: Db): Promise<Clock> {
  let offset = 0;
  const clock: Clock = {
    now: () => Date.now() + offset,
    advance: async (ms) => {
      const [row] = await db.query<{ value: string }>(
        `INSERT INTO settings (key, value) VALUES ('clock_offset_ms', $1)
         ON CONFLICT (key) DO UPDATE SET value = (settings.value::bigint + excluded.value::bigint)::text RETURNING value`,
        [String(ms)],
      );
      offset = Number(row?.value ?? 0);
    },
    reload: async () => {
      const [row] = await db.query<{ value: string }>(`SELECT value FROM settings WHERE key = 'clock_offset_ms'`);
      offset = Number(row?.value ?? 0);
    },
  };
  await clock.reload();
  return clock;
}
