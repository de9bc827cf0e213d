import type { Logger } from 'pino';
import type { Metrics } from '../server/metrics.ts';
import { grouped } from './grouped.ts';
import { type CheckedGroup, type SignatureCheck, signatureChecker } from './signatureChecks.ts';
import { thread } from './thread.ts';

/** Checks in one message. */
const MOST = 64;
/**
 * Checks that wait at the same time before a thread is started; below that it would only cost its
 * start (0.5 s).
 */
const BUSY = 8;

/** Checks signatures, off the event loop once there are many. */
export interface SignatureThreads {
  check(check: SignatureCheck): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * A key always goes to the same thread, so that its table exists once. Each thread has one group of
 * checks in progress; the rest waits here, bounded by the requests that the server works on at a
 * time. When a thread ends by itself its group is checked here and a new one follows; one that
 * never answered is not started again.
 * @param threads - 0: everything on the event loop.
 */
export function signatureThreads(threads: number, metrics: Metrics, log: Logger): SignatureThreads {
  const checkHere = signatureChecker();
  const workers = Array.from({ length: threads }, () =>
    thread<readonly SignatureCheck[], CheckedGroup>(
      new URL('./signatureThreadStart.mjs', import.meta.url),
      'the signature thread',
    ),
  );
  const answeredOnce: boolean[] = [];
  const useless: boolean[] = [];
  let closed = false;

  const checkGroup = async (index: number, checks: readonly SignatureCheck[]): Promise<CheckedGroup> => {
    const worker = workers[index];
    if (!worker || closed || useless[index] || (!worker.isRunning() && checks.length < BUSY)) return checkHere(checks);
    try {
      const answer = await worker.ask(checks);
      answeredOnce[index] = true;
      return answer;
    } catch (error) {
      useless[index] = !answeredOnce[index];
      if (!closed) log.error({ reason: String(error) }, 'a signature thread ended; its checks are repeated here');
      return checkHere(checks);
    }
  };

  const lanes = Array.from({ length: Math.max(1, threads) }, (_, index) =>
    grouped(async (checks: readonly SignatureCheck[]) => {
      const { valid, ms } = await checkGroup(index, checks);
      for (const _check of checks)
        metrics.observe('signature_check_seconds', ms / 1000 / checks.length, { kind: 'eddsa' });
      return valid;
    }, MOST),
  );
  metrics.gauge('signature_threads', () => workers.filter((worker) => worker.isRunning()).length);

  return {
    check: (check) => {
      const lane = lanes[Number(check.publicKey.x % BigInt(lanes.length))];
      if (!lane) throw new Error('there is no lane for this key');
      return lane(check);
    },
    close: async () => {
      closed = true;
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}
