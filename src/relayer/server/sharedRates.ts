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
  /** Monotonic ms. */
  until: number;
  /** Taken here and not yet told to the others, ms. */
  untold: number;
}

const TELL_EVERY_MS = 100;
const FORGET_EVERY_MS = 30_000;

export function sharedRates(db: Db): SharedRates {
  const clients = new Map<string, Busy>();
  let taken = new Set<string>();
  let inProgress = false;
  let forgotten = performance.now();

  const tell = async () => {
    if (inProgress || taken.size === 0) return;
    inProgress = true;
    const told = [...taken].map((client) => ({
      client,
      busy: clients.get(client),
      ms: clients.get(client)?.untold ?? 0,
    }));
    taken = new Set();
    try {
      const rows = await db.query<{ client: string; remaining: number }>(
        `INSERT INTO client_rates AS held (client, busy_until)
         SELECT client, now() + ms * interval '1 millisecond' FROM unnest($1::text[], $2::float8[]) AS taken (client, ms)
         ORDER BY client
         ON CONFLICT (client) DO UPDATE
         SET busy_until = greatest(held.busy_until, now()) + (excluded.busy_until - now())
         RETURNING client, (extract(epoch FROM busy_until - now()) * 1000)::float8 AS remaining`,
        [told.map(({ client }) => client), told.map(({ ms }) => ms)],
      );
      const now = performance.now();
      for (const { busy, ms } of told) if (busy) busy.untold -= ms;
      for (const { client, remaining } of rows) {
        const busy = clients.get(client);
        if (busy) busy.until = now + remaining;
      }
      if (now - forgotten > FORGET_EVERY_MS) {
        forgotten = now;
        for (const [client, { until, untold }] of clients) if (until < now && untold === 0) clients.delete(client);
        await db.query(`DELETE FROM client_rates WHERE busy_until < now() - interval '30 seconds'`);
      }
    } catch {
      // Without the database no request is served anyway; what was not told is told the next time.
      for (const { client } of told) taken.add(client);
    } finally {
      inProgress = false;
    }
  };
  const timer = setInterval(() => void tell(), TELL_EVERY_MS);
  timer.unref();

  return {
    has: (client, stepMs, windowMs) => {
      const busy = clients.get(client);
      if (!busy) return true;
      const now = performance.now();
      return Math.max(busy.until, now) + busy.untold + stepMs <= now + windowMs + stepMs / 2;
    },
    take: (client, stepMs) => {
      const busy = clients.get(client) ?? { until: 0, untold: 0 };
      clients.set(client, busy);
      busy.untold += stepMs;
      taken.add(client);
    },
    stop: () => clearInterval(timer),
  };
}
