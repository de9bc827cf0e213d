import { type AffinePoint, createVerifier, type Signature, type VerifierOptions } from '../../crypto/index.ts';
import { type BatchVerifier, createBatchVerifier } from '../../crypto/wasm/batchVerifier.ts';

/**
 * Whether one of the messages was signed with the key; several where clients encode one thing
 * differently, the most common first.
 */
export interface SignatureCheck {
  readonly signature: Signature;
  readonly messages: readonly bigint[];
  readonly publicKey: AffinePoint;
}

/** Result of a group of checks. */
export interface CheckedGroup {
  readonly valid: readonly boolean[];
  readonly ms: number;
}

/**
 * Memory of each thread: 10,000 keys of 3 kB and 128 tables of 258 kB, about 60 MB when full. A
 * table costs 2 ms and saves a third of a check, so only keys that come often get one, and a
 * thousand keys in turn do not take it from each other.
 */
const VERIFIER_OPTIONS: VerifierOptions = { maxKeys: 10_000, maxTables: 128, usesBeforeTable: 128 };

/** The same answers where there is no WebAssembly. */
function oneByOne(): BatchVerifier {
  const verify = createVerifier(VERIFIER_OPTIONS);
  return (signed) => signed.map(({ signature, message, publicKey }) => verify(signature, message, publicKey));
}

/** Checks groups of signatures, together where WebAssembly can; made ready at the first group. */
export function signatureChecker(): (checks: readonly SignatureCheck[]) => CheckedGroup {
  let verifyAll: BatchVerifier | undefined;
  return (checks) => {
    const started = performance.now();
    verifyAll ??= createBatchVerifier(VERIFIER_OPTIONS) ?? oneByOne();
    const valid = checks.map(() => false);
    let left = checks.map((_check, index) => index);
    for (let nth = 0; left.length > 0; nth++) {
      const signed = left.flatMap((index) => {
        const { signature, messages, publicKey } = checks[index] as SignatureCheck;
        const message = messages[nth];
        return message === undefined ? [] : [{ index, signature, message, publicKey }];
      });
      const answers = verifyAll(signed);
      for (const [i, { index }] of signed.entries()) valid[index] = answers[i] === true;
      left = signed.filter((_one, i) => answers[i] !== true).map(({ index }) => index);
    }
    return { valid, ms: performance.now() - started };
  };
}
