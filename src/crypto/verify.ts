import type { AffinePoint } from './babyJubjub.ts';
import { FIELD_PRIME, GROUP_ORDER, SUBGROUP_ORDER } from './constants.ts';
import { CryptoError } from './errors.ts';
import { poseidon } from './poseidon.ts';
import type { PreparedKey } from './publicArithmetic.ts';
import { acceptableKey } from './publicKey.ts';
import type { Signature } from './signature.ts';

/** `c` = Poseidon(R, A, m) at t = 6, used unreduced as an integer. */
export function challenge(R: AffinePoint, A: AffinePoint, message: bigint): bigint {
  return poseidon([R.x, R.y, A.x, A.y, message], 6);
}

const inField = (element: bigint) => element >= 0n && element < FIELD_PRIME;

/**
 * Refuses a message that must not be signed, or any after the key was wiped.
 * @throws {CryptoError} `signer-wiped`, `field-range`
 */
export function checkSigning(isWiped: boolean, message: bigint): void {
  if (isWiped) throw new CryptoError('signer-wiped', 'the key of this signer has been wiped');
  if (!inField(message)) throw new CryptoError('field-range', 'the message is outside the field');
}

/**
 * Message and signature in range, R not neutral. The curve and the subgroup of R follow from the
 * equation.
 */
export function inRange({ Rx, Ry, S }: Signature, message: bigint): boolean {
  return inField(message) && S >= 0n && S < GROUP_ORDER && inField(Rx) && inField(Ry) && !(Rx === 0n && Ry === 1n);
}

/**
 * The equation `S·B = R + c·A` for a key of the prime subgroup and values in range. S and c may be
 * reduced modulo L because A and B have that order.
 */
export function satisfies(key: PreparedKey, { Rx, Ry, S }: Signature, message: bigint): boolean {
  const R = { x: Rx, y: Ry };
  return key.equationHolds(R, S % SUBGROUP_ORDER, challenge(R, key.point, message) % SUBGROUP_ORDER);
}

/**
 * Strict verification: `A` and `R` in the prime subgroup and not neutral, `0 <= S < GROUP_ORDER`
 * (both reductions are accepted), message in the field, and `S·B = R + c·A`. The signature is
 * malleable (`S + L` also verifies), so its bytes are never an identifier. Not constant time; all
 * inputs are public.
 *
 * R gets no subgroup check of its own and loses nothing by it: the equation is tested without the
 * cofactor, by computing `S·B − c·A` and comparing both affine coordinates. With A in the prime
 * subgroup that sum is in it too, so an R that equals it is on the curve and in the subgroup; what
 * is left of the rules for R is the range and the neutral element. A is checked with the full
 * multiplication by L.
 */
export function verify(signature: Signature, message: bigint, publicKey: AffinePoint): boolean {
  if (!inRange(signature, message)) return false;
  const key = acceptableKey(publicKey);
  return key !== null && satisfies(key, signature, message);
}

/** `verify` with a memory for keys. The answers are the same. */
export type Verifier = (signature: Signature, message: bigint, publicKey: AffinePoint) => boolean;

export interface VerifierOptions {
  /** Checked keys that are remembered, about 3 kB each; at least 1, default 2,000. */
  readonly maxKeys?: number;
  /** Keys that have a fixed-base table, which the fast core uses; at least 0, default 32. */
  readonly maxTables?: number;
  /** Signatures of a remembered key after which its table is built; default 32. */
  readonly usesBeforeTable?: number;
}

/** A key that passed the check of `verify`. Those of the fast core can have a table. */
export interface CheckedKey {
  readonly point: AffinePoint;
  readonly hasTable?: boolean;
  buildTable?(): void;
  dropTable?(): void;
}

/** How a core checks keys and signatures. */
export interface Verification<Key extends CheckedKey> {
  /** The key when it is one that an account may have, else `null`. */
  acceptableKey(point: AffinePoint): Key | null;
  /** The equation for a signature in range. */
  satisfies(key: Key, signature: Signature, message: bigint): boolean;
}

interface Remembered<Key> {
  readonly key: Key;
  /** Signatures since it was remembered, or since it lost its table. */
  uses: number;
}

/** Makes an entry the one used most recently, in a map in order of use. */
function refresh<Key>(map: Map<string, Remembered<Key>>, id: string, entry: Remembered<Key>): void {
  map.delete(id);
  map.set(id, entry);
}

const oldestOf = (map: Map<string, unknown>): string | undefined => map.keys().next().value;

/**
 * A verifier for many signatures of the same keys (a relayer's accounts). It remembers keys that
 * passed the check of `verify`, and the least recently used ones leave first; keys that fail are
 * not remembered. In the fast core a frequent key gets a table.
 * @throws {CryptoError} `verifier-options`
 */
export function createVerifier(options: VerifierOptions = {}): Verifier {
  return rememberingVerifier({ acceptableKey, satisfies }, options);
}

/** `createVerifier` for any core. */
export function rememberingVerifier<Key extends CheckedKey>(
  verification: Verification<Key>,
  options: VerifierOptions,
): Verifier {
  const keyOf = rememberedKeys(verification.acceptableKey, options);
  return (signature, message, publicKey) => {
    if (!inRange(signature, message)) return false;
    const key = keyOf(publicKey);
    return key !== null && verification.satisfies(key, signature, message);
  };
}

/**
 * The memory of a verifier.
 * @returns The key to check one signature with, or `null` for one that no account may have.
 * @throws {CryptoError} `verifier-options`
 */
export function rememberedKeys<Key extends CheckedKey>(
  acceptableKey: Verification<Key>['acceptableKey'],
  { maxKeys = 2000, maxTables = 32, usesBeforeTable = 32 }: VerifierOptions,
): (publicKey: AffinePoint) => Key | null {
  for (const [value, least] of [
    [maxKeys, 1],
    [maxTables, 0],
    [usesBeforeTable, 1],
  ] as const)
    if (!Number.isSafeInteger(value) || value < least)
      throw new CryptoError('verifier-options', `maxKeys, maxTables and usesBeforeTable are integers from 1, 0 and 1`);
  const keys = new Map<string, Remembered<Key>>();
  /** Keys that have a table. */
  const withTable = new Map<string, Remembered<Key>>();

  const dropTable = (id: string) => {
    const entry = withTable.get(id);
    if (!entry) return;
    withTable.delete(id);
    entry.key.dropTable?.();
    entry.uses = 0;
  };

  const forgetOldest = () => {
    const oldest = oldestOf(keys);
    if (oldest === undefined) return;
    dropTable(oldest);
    keys.delete(oldest);
  };

  return (publicKey) => {
    const id = `${publicKey.x.toString(36)},${publicKey.y.toString(36)}`;
    let entry = keys.get(id);
    if (!entry) {
      const key = acceptableKey(publicKey);
      if (!key) return null;
      if (keys.size >= maxKeys) forgetOldest();
      entry = { key, uses: 0 };
    }
    refresh(keys, id, entry);
    entry.uses++;
    if (entry.key.hasTable) {
      refresh(withTable, id, entry);
    } else if (maxTables > 0 && entry.uses > usesBeforeTable) {
      const oldest = withTable.size >= maxTables ? oldestOf(withTable) : undefined;
      if (oldest !== undefined) dropTable(oldest);
      entry.key.buildTable?.();
      if (entry.key.hasTable) withTable.set(id, entry);
    }
    return entry.key;
  };
}
