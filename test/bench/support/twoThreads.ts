import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { fastCore } from '../../../src/crypto/fast.ts';
import { secretKeyOf } from '../../support/secretKeys.ts';
import { median } from './rounds.ts';
import type { VerifyThreadData, VerifyThreadTask } from './verifyThread.ts';

const ROUNDS = 11;
const KEYS = 32;
/** Checks of one thread in a round: about 150 ms. */
const CHECKS = 1_000;
const COUNTS = 100_000_000;

/**
 * How much faster two threads are than one, medians of rounds, and the seconds of the round's
 * verifications.
 */
export interface TwoThreads {
  readonly verifying: number;
  /**
   * The same for a loop of integers that touches no memory: what the machine itself gives two
   * threads at the moment.
   */
  readonly counting: number;
  readonly oneMs: number;
  readonly twoMs: number;
}

/**
 * The same work by one thread, then by two with half of it each, round after round. The threads are
 * warm and hold their signatures already, the main thread waits: it is the core that is measured,
 * not the messages.
 */
export async function compareTwoThreads(): Promise<TwoThreads> {
  const core = fastCore();
  if (!core) throw new Error('this engine refuses WebAssembly with SIMD');
  const checks = Array.from({ length: KEYS }, (_, i) => {
    const signer = core.createSigner(secretKeyOf(1_000_003n * BigInt(i + 1)));
    const message = BigInt(i + 1) ** 7n;
    return { signature: signer.sign(message), message, publicKey: { ...signer.publicKey } };
  });
  const workerData: VerifyThreadData = { checks };
  const threads = [0, 1].map(
    () => new Worker(new URL('./verifyThreadStart.mjs', import.meta.url), { workerData, execArgv: [] }),
  );
  const [first] = threads as [Worker, Worker];
  const give = async (thread: Worker, task: VerifyThreadTask) => {
    thread.postMessage(task);
    await once(thread, 'message');
  };
  const timed = async (work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  try {
    const both = (task: VerifyThreadTask) => timed(() => Promise.all(threads.map((thread) => give(thread, task))));
    await both({ verify: CHECKS });
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({
        oneMs: await timed(() => give(first, { verify: 2 * CHECKS })),
        twoMs: await both({ verify: CHECKS }),
        countOneMs: await timed(() => give(first, { count: 2 * COUNTS })),
        countTwoMs: await both({ count: COUNTS }),
      });
    return {
      verifying: median(rounds.map(({ oneMs, twoMs }) => oneMs / twoMs)),
      counting: median(rounds.map(({ countOneMs, countTwoMs }) => countOneMs / countTwoMs)),
      oneMs: median(rounds.map(({ oneMs }) => oneMs)),
      twoMs: median(rounds.map(({ twoMs }) => twoMs)),
    };
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}
