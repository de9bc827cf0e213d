import { sha512 } from '@noble/hashes/sha2.js';
import type { AffinePoint } from '../babyJubjub.ts';
import type { CryptoCore } from '../core.ts';
import type { SecretKey, Signer } from '../eddsa.ts';
import { CryptoError, secretKeyRange, signatureDiscarded } from '../errors.ts';
import { checkInputs } from '../poseidon.ts';
import { isOnCurve } from '../publicArithmetic.ts';
import type { Signature } from '../signature.ts';
import { checkSigning, inRange, rememberingVerifier } from '../verify.ts';
import { AT, CoreInstance } from './coreInstance.ts';
import { acceptableFastKey, FastKey } from './fastKey.ts';

/**
 * Signatures of one signer after which its checks get a table: 2 ms once, then each is a third
 * shorter.
 */
const SIGNATURES_BEFORE_TABLE = 8;
/** Signers that have a table at the same time (258 kB each). */
const SIGNER_TABLES = 4;
/**
 * Signatures after which a signer takes the oldest table from another; it pays the 2 ms back before
 * it loses it again.
 */
const SIGNATURES_BEFORE_TAKING = 256;

/** The module never stops by itself; a fault in its memory can make it. */
function stopped(cause: unknown): unknown {
  if (!(cause instanceof WebAssembly.RuntimeError)) return cause;
  return new CryptoError('self-check-failed', 'the module stopped while it made or checked a signature');
}

/**
 * The core in WebAssembly (`assembly/`), with the same answers and errors as the plain one.
 *
 * Secret keys go in as bytes and never become a BigInt. The secret multiplications, the reduction
 * of the nonce and `r + k·c` have no branch and no address that depends on a secret; what they
 * leave in the module's memory is wiped before the call returns. The nonce's SHA-512 is noble's, on
 * typed arrays that are wiped as well.
 *
 * Everything runs in one thread and one call at a time, so the module's buffer needs no lock.
 * Signers share one instance; each verifier has its own, whose memory goes with it.
 * @throws {WebAssembly.CompileError} The module is refused (no SIMD, or a content security policy).
 */
export function createFastCore(module: WebAssembly.Module): CryptoCore {
  const instance = new CoreInstance(module);
  /** Keys of signers that have a table, oldest first. */
  const withTable = new Set<FastKey>();

  const dropTable = (key: FastKey) => {
    withTable.delete(key);
    key.dropTable();
  };
  /** @param signatures - Of this key without a table. */
  const wantTable = (key: FastKey, signatures: number) => {
    const [oldest] = withTable;
    const full = withTable.size >= SIGNER_TABLES;
    if (signatures <= (full ? SIGNATURES_BEFORE_TAKING : SIGNATURES_BEFORE_TABLE)) return;
    if (full && oldest) dropTable(oldest);
    key.buildTable();
    if (key.hasTable) withTable.add(key);
  };

  function getPublicKey(secretKey: SecretKey): AffinePoint {
    if (secretKey.length !== 32) throw secretKeyRange();
    instance.putBytes(AT.secret, secretKey);
    let isInRange: boolean;
    try {
      isInRange = instance.publicKey();
    } catch (cause) {
      throw stopped(cause);
    } finally {
      instance.bytesAt(AT.secret, 32).fill(0);
    }
    if (!isInRange) throw secretKeyRange();
    return { x: instance.get(AT.A), y: instance.get(AT.A + 32) };
  }

  /** R and S as they come, not checked. */
  function makeSignature(secret: Uint8Array, { x, y }: AffinePoint, message: bigint): Signature {
    instance.put(AT.A, x, y, message);
    const preimage = new Uint8Array(64);
    preimage.set(secret);
    preimage.set(instance.bytesAt(AT.message, 32), 32);
    const digest = sha512(preimage);
    instance.putBytes(AT.secret, secret);
    instance.putBytes(AT.digest, digest);
    preimage.fill(0);
    digest.fill(0);
    try {
      instance.sign();
    } catch (cause) {
      throw stopped(cause);
    } finally {
      instance.bytesAt(AT.secret, 32 + 64).fill(0);
    }
    return { Rx: instance.get(AT.R), Ry: instance.get(AT.R + 32), S: instance.get(AT.S) };
  }

  function holds(key: FastKey, signature: Signature, message: bigint): boolean {
    try {
      // A change of what both sides share changes both alike, and then the equation holds.
      return key.satisfies(signature, message) && instance.exports.sharedDataIsWhole() !== 0;
    } catch (cause) {
      throw stopped(cause);
    }
  }

  function createSigner(secretKey: SecretKey): Signer {
    const A = Object.freeze(getPublicKey(secretKey));
    if (!isOnCurve(A)) throw new CryptoError('self-check-failed', 'the public key is not on the curve');
    const key = new FastKey(instance, A);
    const secret = Uint8Array.from(secretKey);
    let wiped = false;
    let withoutTable = 0;

    return {
      publicKey: A,
      sign(message) {
        checkSigning(wiped, message);
        const signature = makeSignature(secret, A, message);
        if (key.hasTable) withoutTable = 0;
        else wantTable(key, ++withoutTable);
        if (!inRange(signature, message) || !holds(key, signature, message)) throw signatureDiscarded();
        return signature;
      },
      wipe() {
        wiped = true;
        secret.fill(0);
        dropTable(key);
      },
    };
  }

  return {
    name: 'fast',
    poseidon(inputs, t) {
      checkInputs(inputs, t);
      return instance.hash(inputs, t);
    },
    getPublicKey,
    createSigner,
    subgroupPoint: (point) => acceptableFastKey(instance, point)?.point ?? null,
    createVerifier(options = {}) {
      const own = new CoreInstance(module);
      return rememberingVerifier(
        {
          acceptableKey: (point) => acceptableFastKey(own, point),
          satisfies: (key, signature, message) => key.satisfies(signature, message),
        },
        options,
      );
    },
    verify(signature, message, publicKey) {
      if (!inRange(signature, message)) return false;
      return acceptableFastKey(instance, publicKey)?.satisfies(signature, message) ?? false;
    },
  };
}
