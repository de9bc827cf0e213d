import type { AffinePoint } from './babyJubjub.ts';
import type { SecretKey, Signer } from './eddsa.ts';
import * as eddsa from './eddsa.ts';
import * as hashing from './poseidon.ts';
import type { PoseidonWidth } from './poseidonTables.ts';
import * as keys from './publicKey.ts';
import type { Signature } from './signature.ts';
import type { Verifier, VerifierOptions } from './verify.ts';
import * as verification from './verify.ts';

/**
 * Hashes, makes keys, signs and verifies. There are two cores: the plain core (noble and BigInt),
 * which runs everywhere, and the fast core (WebAssembly). They give the same answers and the same
 * errors; every test of one runs on the other.
 */
export interface CryptoCore {
  readonly name: 'plain' | 'fast';
  readonly poseidon: (inputs: readonly bigint[], t: PoseidonWidth) => bigint;
  readonly getPublicKey: (secretKey: SecretKey) => AffinePoint;
  readonly createSigner: (secretKey: SecretKey) => Signer;
  readonly subgroupPoint: (point: AffinePoint) => AffinePoint | null;
  readonly createVerifier: (options?: VerifierOptions) => Verifier;
  readonly verify: (signature: Signature, message: bigint, publicKey: AffinePoint) => boolean;
}

export const plainCore: CryptoCore = {
  name: 'plain',
  poseidon: hashing.poseidon,
  getPublicKey: eddsa.getPublicKey,
  createSigner: eddsa.createSigner,
  subgroupPoint: keys.subgroupPoint,
  createVerifier: verification.createVerifier,
  verify: verification.verify,
};

let core: CryptoCore | undefined;
let load = () => plainCore;

const inUse = (): CryptoCore => {
  core ??= load();
  return core;
};

/**
 * Changes the core for all later calls; signers and verifiers that exist keep theirs. See
 * `preferFastCore`.
 * @param next - Called at the next use, not now, and once.
 */
export function useCore(next: () => CryptoCore): void {
  load = next;
  core = undefined;
}

/** Name of the core in use; loads it when nothing has yet. */
export const coreInUse = (): CryptoCore['name'] => inUse().name;

/** Hashes field elements with the protocol's Poseidon; see poseidon.ts. */
export const poseidon: CryptoCore['poseidon'] = (inputs, t) => inUse().poseidon(inputs, t);

/** `A = k·B`; see eddsa.ts. */
export const getPublicKey: CryptoCore['getPublicKey'] = (secretKey) => inUse().getPublicKey(secretKey);

/** Prepares a key for several signatures; see eddsa.ts. */
export const createSigner: CryptoCore['createSigner'] = (secretKey) => inUse().createSigner(secretKey);

/**
 * One signature with a key that is not kept: `createSigner`, `sign`, `wipe`.
 * @param message - `0n <= message < p`
 * @throws {CryptoError} `field-range`, `secret-key-range`, `self-check-failed`
 */
export function sign(message: bigint, secretKey: SecretKey): Signature {
  const signer = createSigner(secretKey);
  try {
    return signer.sign(message);
  } finally {
    signer.wipe();
  }
}

/** The point when it is one that a public key may be, else `null`; see publicKey.ts. */
export const subgroupPoint: CryptoCore['subgroupPoint'] = (point) => inUse().subgroupPoint(point);

/** A verifier that remembers keys; see verify.ts. */
export const createVerifier: CryptoCore['createVerifier'] = (options) => inUse().createVerifier(options);

/** Strict verification; see verify.ts. */
export const verify: CryptoCore['verify'] = (signature, message, publicKey) =>
  inUse().verify(signature, message, publicKey);
