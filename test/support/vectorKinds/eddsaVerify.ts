import { Fp } from '../../../src/crypto/babyJubjub.ts';
import { CURVE_A, CURVE_D } from '../../../src/crypto/constants.ts';
import { type AffinePoint, parseSignature, type Signature, SUBGROUP_ORDER, verify } from '../../../src/crypto/index.ts';
import { Point } from '../curve.ts';
import { poseidonReference } from '../poseidonReference.ts';
import type { VectorCheck } from './findings.ts';
import { pointOf } from './hex.ts';

interface Vector {
  publicKey: { x: string; y: string };
  message: string;
  signature: string;
  equationHolds: boolean;
  recommended: string;
}

function isOnCurve({ x, y }: AffinePoint): boolean {
  const x2 = Fp.sqr(x);
  const y2 = Fp.sqr(y);
  return Fp.eql(Fp.add(Fp.mul(CURVE_A, x2), y2), Fp.add(1n, Fp.mul(CURVE_D, Fp.mul(x2, y2))));
}

const reduced = ({ x, y }: AffinePoint): AffinePoint => ({ x: Fp.create(x), y: Fp.create(y) });

/**
 * The bare equation of the circuit, `S·B = R + c·A` with R on the curve, without any subgroup or
 * range rule: field elements are what they are modulo p.
 */
export function circuitEquationHolds({ Rx, Ry, S }: Signature, message: bigint, publicKey: AffinePoint): boolean {
  const R = reduced({ x: Rx, y: Ry });
  const A = reduced(publicKey);
  if (!isOnCurve(R) || !isOnCurve(A)) return false;
  const c = poseidonReference([R.x, R.y, A.x, A.y, Fp.create(message)], 6);
  const right = Point.fromAffine(R).add(timesAnyPoint(Point.fromAffine(A), c));
  return Point.BASE.multiplyUnsafe(S % SUBGROUP_ORDER).equals(right);
}

/**
 * Double-and-add with the full scalar: outside the prime subgroup a scalar must not be reduced by
 * its order.
 */
export function timesAnyPoint(point: typeof Point.BASE, scalar: bigint): typeof Point.BASE {
  let sum = Point.ZERO;
  for (const bit of scalar.toString(2)) {
    sum = sum.double();
    if (bit === '1') sum = sum.add(point);
  }
  return sum;
}

export const eddsaVerify: VectorCheck<Vector> = (vector, findings) => {
  const publicKey = pointOf(vector.publicKey);
  const message = BigInt(vector.message);
  const signature = parseSignature(vector.signature);
  findings.equal('equationHolds', circuitEquationHolds(signature, message, publicKey), vector.equationHolds);
  const verdict = vector.recommended.split(/[ :]/)[0];
  findings.equal('recommended', verify(signature, message, publicKey) ? 'accept' : 'reject', verdict);
};
