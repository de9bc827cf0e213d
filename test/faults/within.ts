/**
 * Waits for work of the harness itself, which no schedule disturbs. What stands still is told with
 * its place; a run that only waits tells nobody.
 * @param what - Asked for when the time is up.
 * @throws {Error} The work did not end within `ms`, by the wall.
 */
export async function within<T>(ms: number, what: () => string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what()} takes more than ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
