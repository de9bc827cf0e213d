/** Runs works one after another, each whatever became of the one before. */
export function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}

/** Runs works of one key one after another, each whatever became of the one before. */
export function createTurns<Key>(): <T>(key: Key, work: () => Promise<T>) => Promise<T> {
  const lasts = new Map<Key, Promise<unknown>>();
  return (key, work) => {
    const mine = (lasts.get(key) ?? Promise.resolve()).then(work);
    const settled = mine
      .catch(() => {})
      .then(() => {
        if (lasts.get(key) === settled) lasts.delete(key);
      });
    lasts.set(key, settled);
    return mine;
  };
}
