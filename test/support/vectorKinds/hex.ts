import type { AffinePoint } from '../../../src/crypto/index.ts';

/** `0x` and at least 64 lower-case digits, as the vectors write field elements. */
export function hex64(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`;
}

/** A point as the vectors write it. */
export function pointText({ x, y }: AffinePoint): { x: string; y: string } {
  return { x: hex64(x), y: hex64(y) };
}

/** A point from the hex of its coordinates; ranges are left to what is tested. */
export function pointOf({ x, y }: { x: string; y: string }): AffinePoint {
  return { x: BigInt(x), y: BigInt(y) };
}
