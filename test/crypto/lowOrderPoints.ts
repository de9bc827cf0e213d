import { Fp } from '../../src/crypto/babyJubjub.ts';
import { type AffinePoint, SUBGROUP_ORDER } from '../../src/crypto/index.ts';
import { Point } from '../support/curve.ts';
import { timesAnyPoint } from '../support/vectorKinds/eddsaVerify.ts';

/** `a + b`, for any points of the curve. */
export function plus(a: AffinePoint, b: AffinePoint): AffinePoint {
  return Point.fromAffine(a).add(Point.fromAffine(b)).toAffine();
}

/**
 * A point of order 8: the subgroup order times a curve point outside the subgroup. Found by walking
 * y upwards.
 */
function pointOfOrderEight(): typeof Point.BASE {
  for (let y = 2n; ; y++) {
    // a·x² + y² = 1 + d·x²·y² solved for x²
    const { a, d } = Point.CURVE();
    const y2 = Fp.sqr(y);
    const x2 = Fp.div(Fp.sub(1n, y2), Fp.sub(a, Fp.mul(d, y2)));
    let x: bigint;
    try {
      x = Fp.sqrt(x2);
    } catch {
      continue;
    }
    const torsion = timesAnyPoint(Point.fromAffine({ x, y }), SUBGROUP_ORDER);
    if (!timesAnyPoint(torsion, 4n).is0()) return torsion;
  }
}

const generator = pointOfOrderEight();

/** The eight points whose order divides the cofactor: multiples 0 to 7 of a point of order 8. */
export const lowOrderPoints: readonly AffinePoint[] = Array.from({ length: 8 }, (_, i) =>
  timesAnyPoint(generator, BigInt(i)).toAffine(),
);
