import { parentPort } from 'node:worker_threads';
import { useFastCore } from '../../crypto/fast.ts';
import { type SignatureCheck, signatureChecker } from './signatureChecks.ts';

/** The other side of `signatureThreads.ts`: one group of checks after another. */
useFastCore();
const check = signatureChecker();

parentPort?.on('message', (checks: readonly SignatureCheck[]) => parentPort?.postMessage(check(checks)));
