import type { Db } from '../db/port.ts';

/**
 * Counts what a client took from every process on one database. Each request makes a client busy
 * for a share of the window; a client that is busy for the whole window has to wait. The processes
 * add up their shares in one statement for all clients ten times a second, so a request costs no
 * statement of its own. What two processes allowed at the same moment is a debt that both let
 * expire before they allow more: over time a client gets the limit once, not once for each process.
 */
export interface SharedRates {
  /**
   * Whether the client has room for one more request of `stepMs` in the window, as far as this
   * process knows.
   */
  has(client: string, stepMs: number, windowMs: number): boolean;
  take(client: string, stepMs: number): void;
  stop(): void;
}

interface Busy {
  /** Monotonic ms; what was taken here is counted at once. */
  until: number;
  untold: Untold;
}

/** What was taken here and not yet told to the others. */
interface Untold {
  readonly ms: number;
  /** Until when the client would be busy with this alone, monotonic ms. */
  readonly until: number;
}

const NOTHING: Untold = { ms: 0, until: 0 };

const TELL_EVERY_MS = 100;
/** For so long what was taken counts in full while it is not told; telling takes less. */
const TOLD_WITHIN_MS = 2 * TELL_EVERY_MS;
const FORGET_EVERY_MS = 30_000;
/**
 * Twenty processes that allowed a full window at the same moment stay below. A client that is busy
 * for longer was told so before the database's clock was set back.
 */
const MOST_DEBT_S = 30;

/**
 * The share of the window that is still to be told. What waits for longer than telling takes, in an
 * outage or for a slow database, has passed meanwhile like the time of any busy client: told in
 * full it would make a client wait that kept to its limit.
 */
const toTell = ({ ms, until }: Untold, now: number): number => Math.min(ms, Math.max(until - now, 0) + TOLD_WITHIN_MS);

const joined = (first: Untold, then: Untold): Untold => ({
  ms: first.ms + then.ms,
  until: Math.max(first.until + then.ms, then.until),
});

export function sharedRates(db: Db): SharedRates {
  const clients = new Map<string, Busy>();
  let taken = new Set<string>();
  let inProgress = false;
  let forgotten = performance.now();

  /** @returns Whether the others know. */
  const tellTaken = async (): Promise<boolean> => {
    const told = [...taken].flatMap((client) => {
      const busy = clients.get(client);
      return busy ? [{ client, busy, untold: busy.untold }] : [];
    });
    taken = new Set();
    for (const { busy } of told) busy.untold = NOTHING;
    const began = performance.now();
    try {
      const rows = await db.query<{ client: string; remaining: number }>(
        `INSERT INTO client_rates AS held (client, busy_until)
         SELECT client, now() + ms * interval '1 millisecond' FROM unnest($1::text[], $2::float8[]) AS taken (client, ms)
         ORDER BY client
         ON CONFLICT (client) DO UPDATE
         SET busy_until = CASE WHEN held.busy_until BETWEEN now() AND now() + interval '${MOST_DEBT_S} seconds'
           THEN held.busy_until ELSE now() END + (excluded.busy_until - now())
         RETURNING client, (extract(epoch FROM busy_until - clock_timestamp()) * 1000)::float8 AS remaining`,
        [told.map(({ client }) => client), told.map(({ untold }) => toTell(untold, began))],
      );
      const now = performance.now();
      for (const { client, remaining } of rows) {
        const busy = clients.get(client);
        if (busy) busy.until = now + Math.max(remaining, 0) + toTell(busy.untold, now);
      }
      return true;
    } catch {
      // What was not told is told the next time.
      for (const { client, busy, untold } of told) {
        busy.untold = joined(untold, busy.untold);
        taken.add(client);
      }
      return false;
    }
  };

  const forget = async (isTold: boolean) => {
    const now = performance.now();
    if (now - forgotten <= FORGET_EVERY_MS) return;
    forgotten = now;
    // What nobody could be told for so long has passed: an outage must not gather clients.
    for (const [client, { until, untold }] of clients)
      if (until < now && untold.until < now - FORGET_EVERY_MS) clients.delete(client);
    if (!isTold) return;
    // What stays now is deleted the next time.
    await db.query(`DELETE FROM client_rates WHERE busy_until < now() - interval '30 seconds'`).catch(() => {});
  };

  const tell = async () => {
    if (inProgress || taken.size === 0) return;
    inProgress = true;
    try {
      await forget(await tellTaken());
    } finally {
      inProgress = false;
    }
  };
  const timer = setInterval(() => void tell(), TELL_EVERY_MS);
  timer.unref();

  return {
    has: (client, stepMs, windowMs) => {
      const now = performance.now();
      return Math.max(clients.get(client)?.until ?? 0, now) + stepMs <= now + windowMs + stepMs / 2;
    },
    take: (client, stepMs) => {
      const busy = clients.get(client) ?? { until: 0, untold: NOTHING };
      clients.set(client, busy);
      const now = performance.now();
      busy.until = Math.max(busy.until, now) + stepMs;
      busy.untold = joined(busy.untold, { ms: stepMs, until: now + stepMs });
      taken.add(client);
    },
    stop: () => clearInterval(timer),
  };
}
