import { parentPort } from 'node:worker_threads';
import { useFastCore } from '../../../crypto/fast.ts';
import { BlockStates } from './blockStates.ts';
import { answerCall, type StatesCall } from './states.ts';

/** The other side of `states.ts`: one state, one call after another. */
useFastCore();
const states = new BlockStates();

parentPort?.on('message', async (call: StatesCall) => {
  parentPort?.postMessage(await answerCall(states, call));
});
