/** A clock that moves only by `advance`, with the sleepers of code under test. */
export function createFakeClock() {
  let time = 0;
  let sleepers: { until: number; wake: () => void }[] = [];
  /** Lets promise callbacks that are due run. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    now: () => time,
    sleep: (ms: number) => new Promise<void>((wake) => sleepers.push({ until: time + ms, wake })),
    /** Moves the time on, stopping at each sleeper that is due. */
    async advance(ms: number): Promise<void> {
      const end = time + ms;
      await settle();
      for (;;) {
        const due = sleepers.filter(({ until }) => until <= end).sort((a, b) => a.until - b.until)[0];
        if (!due) break;
        sleepers = sleepers.filter((sleeper) => sleeper !== due);
        time = Math.max(time, due.until);
        due.wake();
        await settle();
      }
      time = end;
    },
    sleeperCount: () => sleepers.length,
  };
}
