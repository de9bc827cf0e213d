import { createHash } from 'node:crypto';
import { invert, littleEndian, mod, P, poseidon } from './poseidon.ts';

/** EdDSA on Baby Jubjub with a Poseidon challenge; the curve in projective coordinates. */

export const L = 2736030358979909402780800718157159386076813972158567259200215660948447373041n;
const A = 168700n;
const D = 168696n;
type Point = readonly [x: bigint, y: bigint, z: bigint];
export interface Affine {
  readonly x: bigint;
  readonly y: bigint;
}
const NEUTRAL: Point = [0n, 1n, 1n];
const BASE: Point = [
  16540640123574156134436876038791482806971768689494387082833631921987005038935n,
  20819045374670962167435360035096875258406992893633759881276124905556507972311n,
  1n,
];

function add([x1, y1, z1]: Point, [x2, y2, z2]: Point): Point {
  const z = mod(z1 * z2);
  const xx = mod(x1 * x2);
  const yy = mod(y1 * y2);
  const e = mod(D * xx * yy);
  const [f, g] = [z * z - e, z * z + e];
  return [mod(z * f * ((x1 + y1) * (x2 + y2) - xx - yy)), mod(z * g * (yy - A * xx)), mod(f * g)];
}

function multiply(scalar: bigint, point: Point): Point {
  let result = NEUTRAL;
  for (let doubled = point, rest = scalar; rest > 0n; rest >>= 1n, doubled = add(doubled, doubled))
    if (rest & 1n) result = add(result, doubled);
  return result;
}

function affine([x, y, z]: Point): Affine {
  const inverse = invert(z);
  return { x: mod(x * inverse), y: mod(y * inverse) };
}

const same = (a: Point, b: Point) => mod(a[0] * b[2] - b[0] * a[2]) === 0n && mod(a[1] * b[2] - b[1] * a[2]) === 0n;
const isOnCurve = ({ x, y }: Affine) => x < P && y < P && mod(A * x * x + y * y - 1n - D * x * x * y * y) === 0n;

export const hex = (value: bigint): string => value.toString(16).padStart(64, '0');
const le32 = (value: bigint) => Buffer.from(hex(value), 'hex').reverse();

export const publicKey = (key: bigint): Affine => affine(multiply(key, BASE));
export const pack = ({ x, y }: Affine): bigint => y + (x > (P - 1n) / 2n ? 1n << 255n : 0n);

/** @returns `0x`, then R.x, R.y and S as 64 digits each. */
export function sign(message: bigint, key: bigint): string {
  const nonce = littleEndian(createHash('sha512').update(le32(key)).update(le32(message)).digest()) % L;
  const own = publicKey(key);
  const r = affine(multiply(nonce, BASE));
  const challenge = poseidon([r.x, r.y, own.x, own.y, message]);
  return `0x${hex(r.x)}${hex(r.y)}${hex((nonce + key * challenge) % L)}`;
}

export function verify(message: bigint, signature: string, key: Affine): boolean {
  const [x, y, s] = [2, 66, 130].map((at) => BigInt(`0x${signature.slice(at, at + 64)}`)) as [bigint, bigint, bigint];
  if (!isOnCurve(key) || !isOnCurve({ x, y }) || s >= 8n * L || message >= P) return false;
  const own: Point = [key.x, key.y, 1n];
  if (same(own, NEUTRAL) || !same(multiply(L, own), NEUTRAL)) return false;
  const challenge = poseidon([x, y, key.x, key.y, message]);
  return same(multiply(s, BASE), add([x, y, 1n], multiply(challenge, own)));
}
