import type { Ports } from '../../src/background/ports.ts';

/** A clock that runs so many times as fast: the wallet waits as it does, and a test does not. */
export const quickTimer = (times: number): Ports['timer'] => ({
  now: () => performance.now() * times,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms / times)),
});
