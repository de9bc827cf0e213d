import { DatabaseUnavailable, type Sql } from './port.ts';

/** As long as the pool of connections lets a statement wait for one. */
const WAIT_MS = 5_000;

/**
 * Carries out so many statements at once; the others wait in the order in which they came, for
 * `waitMs` at most.
 * @throws {DatabaseUnavailable} It has waited for so long.
 */
export function atMost(most: number, sql: Sql, waitMs = WAIT_MS): Sql {
  const waiting = new Set<() => void>();
  let running = 0;
  const place = () =>
    new Promise<void>((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(go);
        reject(new DatabaseUnavailable(new Error(`${most} slow reads take their connections`)));
      }, waitMs);
      waiting.add(go);
    });
  return {
    query: async (text, values) => {
      if (running < most) running += 1;
      else await place();
      try {
        return await sql.query(text, values);
      } finally {
        // The place goes on to the next one.
        const [next] = waiting;
        if (next) {
          waiting.delete(next);
          next();
        } else running -= 1;
      }
    },
  };
}
