import { Worker } from 'node:worker_threads';

/**
 * A thread that answers one call at a time. A call starts it where none runs; it does not keep the
 * process alive.
 * @param name - for the error of a call whose thread ended.
 */
export function thread<Call, Answer>(start: URL, name: string) {
  let worker: Worker | undefined;
  const startWorker = () => {
    const started = new Worker(start, { execArgv: [] });
    started.unref();
    // Between two calls nobody listens; the next one is told by the end.
    started.on('error', () => {});
    return started;
  };
  return {
    isRunning: () => worker !== undefined,
    ask: (call: Call) =>
      new Promise<Answer>((resolve, reject) => {
        worker ??= startWorker();
        const asked = worker;
        const settle = (end: () => void) => {
          asked.off('message', answered).off('error', gone).off('exit', gone);
          end();
        };
        const answered = (answer: Answer) => settle(() => resolve(answer));
        const gone = (reason: unknown) => {
          worker = undefined;
          settle(() => reject(new Error(`${name} ended: ${reason}`)));
        };
        asked.on('message', answered).on('error', gone).on('exit', gone);
        // Ended since the last call: what the caller knows of it is not true any more.
        if (asked.threadId < 0) gone('it was gone before');
        else asked.postMessage(call);
      }),
    close: async () => {
      await worker?.terminate();
    },
  };
}
