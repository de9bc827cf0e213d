import { parentPort } from 'node:worker_threads';
import { useFastCore } from '../../crypto/fast.ts';
import { createVerifier } from '../../crypto/index.ts';
import { type SignatureCheck, type ThreadAnswer, VERIFIER_OPTIONS } from './signatureThreads.ts';

/** The other side of `signatureThreads.ts`: one verifier, one group of checks after another. */
useFastCore();
const verify = createVerifier(VERIFIER_OPTIONS);

parentPort?.on('message', (checks: readonly SignatureCheck[]) => {
  const started = performance.now();
  const valid = checks.map(({ signature, messages, publicKey }) =>
    messages.some((message) => verify(signature, message, publicKey)),
  );
  const answer: ThreadAnswer = { valid, ms: performance.now() - started };
  parentPort?.postMessage(answer);
});
