import { hexToBytes } from '@noble/hashes/utils.js';
import type { AffinePoint } from '../babyJubjub.ts';
import type { Signature } from '../signature.ts';
import { inRange, rememberedKeys, type VerifierOptions } from '../verify.ts';
import { AT, CoreInstance } from './coreInstance.ts';
import { acceptableFastKey, type FastKey } from './fastKey.ts';
import { BATCH_MODULE } from './generated/batchModule.ts';

/** One signature to check. */
export interface SignedMessage {
  readonly signature: Signature;
  readonly message: bigint;
  readonly publicKey: AffinePoint;
}

/** Answers like `verify` for each, in the order given. */
export type BatchVerifier = (signed: readonly SignedMessage[]) => boolean[];

/** Signatures in one batch; more are split. */
const MOST = 64;
/** Below it a batch takes longer than its signatures one by one. */
const LEAST = 3;
/**
 * Checks for which a key with a wrong signature stays out of batches, so that nobody makes many of
 * them be checked twice.
 */
const ALONE = 64;

/** α, β and γ of `assembly/batch.ts`, for one of the four points of order 8. */
const SUBGROUP_SYMBOL = [
  0x30644e72e131a029048b6e193fd841045cea24f6fd736bec231204708f703636n,
  0x2a7cb4fa170354a4b393c9d03ba48619aa179e957ceb90b613ca1ba2f3975aaan,
  0xb3c4d79d41a91758cb49c3517c4604a520cff123608fc9cbn,
] as const;

/** Exports that only this module has; see `assembly/batch.ts`. */
interface BatchExports {
  setUpBatch(): void;
  batchAdd(): number;
  batchHolds(): number;
}

/**
 * A verifier for groups of signatures, at best twice as fast as one by one: `assembly/batch.ts` has
 * the equation and why a wrong signature passes with a probability of at most 2^-128. A batch that
 * does not hold is checked one by one, and so are keys that have a table, which is faster still.
 * @returns `null` where WebAssembly (with SIMD) is refused.
 * @throws {CryptoError} `verifier-options`
 */
export function createBatchVerifier(options: VerifierOptions = {}): BatchVerifier | null {
  let instance: CoreInstance;
  try {
    instance = new CoreInstance(new WebAssembly.Module(hexToBytes(BATCH_MODULE) as BufferSource));
  } catch (cause) {
    if (typeof WebAssembly === 'undefined' || cause instanceof WebAssembly.CompileError) return null;
    throw cause;
  }
  const batch = instance.exports as unknown as BatchExports;
  instance.writeBulk(SUBGROUP_SYMBOL);
  batch.setUpBatch();
  instance.needWidth(6);
  const keyOf = rememberedKeys((point) => acceptableFastKey(instance, point), options);
  /** For how many more checks a key stays out of batches. */
  const alone = new WeakMap<FastKey, number>();

  interface Waiting extends SignedMessage {
    readonly index: number;
    readonly key: FastKey;
  }

  /** Checks one by one, and remembers whose were wrong. */
  const checkEach = (group: readonly Waiting[], valid: boolean[]) => {
    for (const { index, key, signature, message } of group) {
      valid[index] = key.satisfies(signature, message);
      if (!valid[index]) alone.set(key, ALONE);
    }
  };

  const checkTogether = (group: readonly Waiting[], valid: boolean[]) => {
    const weights = crypto.getRandomValues(new Uint8Array(16 * group.length));
    const taken = group.filter(({ key, signature, message }, i) => {
      key.put(signature, message, true);
      instance.putBytes(AT.weight, weights.subarray(16 * i, 16 * i + 16));
      // Not taken: its R is outside the prime subgroup.
      const isTaken = batch.batchAdd() !== 0;
      if (!isTaken) alone.set(key, ALONE);
      return isTaken;
    });
    if (batch.batchHolds() !== 0) for (const { index } of taken) valid[index] = true;
    else checkEach(taken, valid);
  };

  return (signed) => {
    const valid = signed.map(() => false);
    const single: Waiting[] = [];
    const together: Waiting[] = [];
    for (const [index, each] of signed.entries()) {
      if (!inRange(each.signature, each.message)) continue;
      const key = keyOf(each.publicKey);
      if (key === null) continue;
      const left = alone.get(key) ?? 0;
      if (left > 0) alone.set(key, left - 1);
      (key.hasTable || left > 0 ? single : together).push({ ...each, index, key });
    }
    checkEach(single, valid);
    for (let start = 0; start < together.length; start += MOST) {
      const group = together.slice(start, start + MOST);
      (group.length < LEAST ? checkEach : checkTogether)(group, valid);
    }
    return valid;
  };
}
