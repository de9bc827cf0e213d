import { writeSync } from 'node:fs';

const PAUSE_MS = 50;
/** Milliseconds that this process still waits for a reader of its log that lags. */
let patience = 1_000;

/**
 * Writes to the log before it returns, as a process does that ends. Waits a second in all for a
 * reader that lags.
 * @throws {Error} The log takes no more, such as on a full disk; part of the text may be written.
 */
export function writeToLog(text: string): void {
  for (let left = Buffer.from(text); left.length > 0; )
    try {
      left = left.subarray(writeSync(1, left));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || patience <= 0) throw error;
      patience -= PAUSE_MS;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
}
