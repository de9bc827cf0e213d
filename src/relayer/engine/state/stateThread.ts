import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { useFastCore } from '../../../crypto/fast.ts';
import { BlockStates } from './blockStates.ts';
import { answerCall, type StatesCall } from './states.ts';

/**
 * Niceness above that of the process: where the processor is busy, orders come first and a block
 * gets its roots a little later. The thread keeps a tenth of what an ordinary one gets, so that it
 * never stands still.
 */
const NICER = 10;
const MOST_NICE = 19;

/**
 * Lowers the priority of this thread. Linux has priorities for threads; elsewhere it stays as it
 * is.
 */
function yieldToOrders(): void {
  if (process.platform !== 'linux') return;
  try {
    // `<process>/task/<thread>`
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(MOST_NICE, getPriority() + NICER));
  } catch {
    // A container without /proc, or one that forbids it: the roots are worth more than their
    // priority.
  }
}

/** The other side of `states.ts`: one state, one call after another. */
yieldToOrders();
useFastCore();
const states = new BlockStates();

parentPort?.on('message', async (call: StatesCall) => {
  parentPort?.postMessage(await answerCall(states, call));
});
