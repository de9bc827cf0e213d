/** Runs works one after another, each whatever became of the one before. */
export function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}

/**
 * Runs works of one key one after another, each whatever became of the one before. Where so many
 * wait already, there is no turn for one more.
 */
export function createTurns<Key>(mostWaiting: number): <T>(key: Key, work: () => Promise<T>) => Promise<T> | undefined {
  const lines = new Map<Key, { readonly inLine: ReturnType<typeof createMutex>; works: number }>();
  return (key, work) => {
    const line = lines.get(key) ?? { inLine: createMutex(), works: 0 };
    // One of them runs.
    if (line.works > mostWaiting) return undefined;
    lines.set(key, line);
    line.works += 1;
    return line.inLine(work).finally(() => {
      line.works -= 1;
      if (line.works === 0) lines.delete(key);
    });
  };
}
