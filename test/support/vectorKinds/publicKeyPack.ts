import { getPublicKey, packPoint, unpackPoint } from '../../../src/crypto/index.ts';
import { secretKeyOf } from '../secretKeys.ts';
import type { VectorCheck } from './findings.ts';
import { pointOf, pointText } from './hex.ts';

interface Vector {
  secretKey: string;
  publicKey: { x: string; y: string };
  packed: string;
}

export const publicKeyPack: VectorCheck<Vector> = (vector, findings) => {
  findings.equal('publicKey', pointText(getPublicKey(secretKeyOf(vector.secretKey))), vector.publicKey);
  findings.equal('packed', packPoint(pointOf(vector.publicKey)), BigInt(vector.packed));
  const unpacked = unpackPoint(BigInt(vector.packed));
  findings.equal('unpacked', unpacked && pointText(unpacked), vector.publicKey);
};
