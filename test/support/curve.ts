import { curvePoint } from '../../src/crypto/babyJubjub.ts';

/**
 * noble's points of the curve, the reference for everything that the product computes another way.
 */
export const Point = curvePoint();
