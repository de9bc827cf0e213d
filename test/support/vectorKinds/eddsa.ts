import { secretNonce } from '../../../src/crypto/eddsa.ts';
import {
  formatSignature,
  getPublicKey,
  parseSignature,
  SUBGROUP_ORDER,
  sign,
  verify,
} from '../../../src/crypto/index.ts';
import { challenge } from '../../../src/crypto/verify.ts';
import { secretKeyOf } from '../secretKeys.ts';
import type { VectorCheck } from './findings.ts';
import { hex64, pointText } from './hex.ts';

interface Vector {
  privateKey: string;
  message: string;
  publicKey: { x: string; y: string };
  nonce: string;
  R: { x: string; y: string };
  challenge: string;
  S: string;
  SModL: string;
  signature: string;
}

export const eddsa: VectorCheck<Vector> = (vector, findings) => {
  const secretKey = secretKeyOf(vector.privateKey);
  const message = BigInt(vector.message);
  const publicKey = getPublicKey(secretKey);
  findings.equal('publicKey', pointText(publicKey), vector.publicKey);
  findings.equal('nonce', hex64(secretNonce(secretKey, message)), vector.nonce);

  const ours = sign(message, secretKey);
  findings.equal('R', pointText({ x: ours.Rx, y: ours.Ry }), vector.R);
  findings.equal('challenge', hex64(challenge({ x: ours.Rx, y: ours.Ry }, publicKey, message)), vector.challenge);
  findings.equal('SModL', hex64(ours.S), vector.SModL);
  findings.equal('S modulo the subgroup order', ours.S, BigInt(vector.S) % SUBGROUP_ORDER);

  const theirs = parseSignature(vector.signature);
  findings.equal('S', hex64(theirs.S), vector.S);
  findings.equal('signature', formatSignature({ ...ours, S: BigInt(vector.S) }), vector.signature);
  findings.holds('signature', verify(theirs, message, publicKey), 'does not verify with the S of the reference client');
};
