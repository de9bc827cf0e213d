import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Metrics } from '../server/metrics.ts';
import { grouped } from './grouped.ts';
import { type CheckedGroup, type SignatureCheck, signatureChecker } from './signatureChecks.ts';

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
  const workers: (Worker | undefined)[] = [];
  const answeredOnce: boolean[] = [];
  const useless: boolean[] = [];
  let closed = false;

  const ask = (index: number, checks: readonly SignatureCheck[]): Promise<CheckedGroup> =>
    new Promise((resolve, reject) => {
      const worker = workers[index] ?? startThread();
      workers[index] = worker;
      const gone = (reason: unknown) => {
        workers[index] = undefined;
        useless[index] = !answeredOnce[index];
        worker.off('message', answered).off('error', gone).off('exit', gone);
        // What happens to it from now on has no listener of ours, and must not end the process.
        worker.on('error', () => {});
        if (!closed) log.error({ reason: String(reason) }, 'a signature thread ended; its checks are repeated here');
        try {
          resolve(checkHere(checks));
        } catch (error) {
          reject(error);
        }
      };
      const answered = (answer: CheckedGroup) => {
        answeredOnce[index] = true;
        worker.off('message', answered).off('error', gone).off('exit', gone);
        resolve(answer);
      };
      worker.on('message', answered).on('error', gone).on('exit', gone);
      worker.postMessage(checks);
    });

  const lanes = Array.from({ length: Math.max(1, threads) }, (_, index) =>
    grouped(async (checks: readonly SignatureCheck[]) => {
      const useThread =
        threads > 0 && !closed && !useless[index] && (workers[index] !== undefined || checks.length >= BUSY);
      const { valid, ms } = useThread ? await ask(index, checks) : checkHere(checks);
      for (const _check of checks)
        metrics.observe('signature_check_seconds', ms / 1000 / checks.length, { kind: 'eddsa' });
      return valid;
    }, MOST),
  );
  metrics.gauge('signature_threads', () => workers.filter((worker) => worker !== undefined).length);

  return {
    check: (check) => {
      const lane = lanes[Number(check.publicKey.x % BigInt(lanes.length))];
      if (!lane) throw new Error('there is no lane for this key');
      return lane(check);
    },
    close: async () => {
      closed = true;
      await Promise.all(workers.map((worker) => worker?.terminate()));
    },
  };
}

function startThread(): Worker {
  const worker = new Worker(new URL('./signatureThreadStart.mjs', import.meta.url), { execArgv: [] });
  worker.unref();
  return worker;
}
