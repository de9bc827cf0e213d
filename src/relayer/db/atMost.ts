import type { Sql } from './port.ts';

/** Carries out so many statements at once; the others wait in the order in which they came. */
export function atMost(most: number, sql: Sql): Sql {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    query: async (text, values) => {
      if (running < most) running += 1;
      else await new Promise<void>((go) => waiting.push(go));
      try {
        return await sql.query(text, values);
      } finally {
        // The place goes on to the next one.
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
