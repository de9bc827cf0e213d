import { parentPort, workerData } from 'node:worker_threads';
import { fastCore } from '../../../src/crypto/fast.ts';
import type { AffinePoint, Signature } from '../../../src/crypto/index.ts';

/** What a thread of the bench is started with. */
export interface VerifyThreadData {
  readonly checks: readonly { signature: Signature; message: bigint; publicKey: AffinePoint }[];
}

/** Verifies so many signatures, or counts so far, and answers when it is done. */
export type VerifyThreadTask = { readonly verify: number } | { readonly count: number };

const { checks } = workerData as VerifyThreadData;
const verify = fastCore()?.createVerifier({ maxTables: 0 });
if (!verify) throw new Error('this engine refuses WebAssembly with SIMD');

let next = 0;
parentPort?.on('message', (task: VerifyThreadTask) => {
  let state = 1;
  if ('verify' in task) {
    for (let i = 0; i < task.verify; i++) {
      const check = checks[next++ % checks.length];
      if (!check || !verify(check.signature, check.message, check.publicKey))
        throw new Error('a right signature is refused');
    }
  } else {
    for (let i = 0; i < task.count; i++) state = (Math.imul(state, 1664525) + 1013904223) | 0;
  }
  // The sum goes out so that no compiler leaves the loop away.
  parentPort?.postMessage(state);
});
