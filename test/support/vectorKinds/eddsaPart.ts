import {
  getPublicKey,
  PARTIAL_ROUNDS,
  type PoseidonWidth,
  parseSignature,
  poseidon,
  SUBGROUP_ORDER,
  sign,
  verify,
} from '../../../src/crypto/index.ts';
import { secretKeyOf } from '../secretKeys.ts';
import type { Findings } from './findings.ts';
import { hex64, pointText } from './hex.ts';

/**
 * A signature of the reference client over a message of ours: R byte for byte, S modulo the
 * subgroup order, and theirs verifies as it stands.
 */
export function checkEddsa(
  findings: Findings,
  field: string,
  part: { privateKey: string; message: bigint; signature: string },
): void {
  const secretKey = secretKeyOf(part.privateKey);
  const ours = sign(part.message, secretKey);
  const theirs = parseSignature(part.signature);
  findings.equal(`${field}.R`, pointText({ x: ours.Rx, y: ours.Ry }), pointText({ x: theirs.Rx, y: theirs.Ry }));
  findings.equal(`${field}.S`, hex64(ours.S), hex64(theirs.S % SUBGROUP_ORDER));
  findings.holds(field, verify(theirs, part.message, getPublicKey(secretKey)), 'does not verify');
}

/** A payload hash: the text of the vector, and the vector's own inputs through Poseidon. */
export function checkHash(
  findings: Findings,
  hash: bigint,
  vector: { hash: string; poseidonInputs: readonly string[]; t: PoseidonWidth },
): void {
  findings.equal('hash', hex64(hash), vector.hash);
  findings.holds('poseidonInputs', Object.hasOwn(PARTIAL_ROUNDS, vector.t), `no width ${vector.t}`);
  findings.equal('poseidonInputs', poseidon(vector.poseidonInputs.map(BigInt), vector.t), hash);
}

/** The vector's public key is that of its secret key. */
export function checkPublicKey(findings: Findings, privateKey: string, publicKey: { x: string; y: string }): void {
  findings.equal('publicKey', pointText(getPublicKey(secretKeyOf(privateKey))), publicKey);
}
