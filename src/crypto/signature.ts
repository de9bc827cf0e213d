import { CryptoError } from './errors.ts';

/** A signature. `S` of ours is below `SUBGROUP_ORDER`; other clients emit up to `GROUP_ORDER`. */
export interface Signature {
  readonly Rx: bigint;
  readonly Ry: bigint;
  readonly S: bigint;
}

/** Wire form: `0x`, then Rx, Ry and S as 64 lower-case hex digits each. */
export function formatSignature({ Rx, Ry, S }: Signature): `0x${string}` {
  return `0x${[Rx, Ry, S].map((part) => part.toString(16).padStart(64, '0')).join('')}`;
}

/**
 * Reads the wire form; upper-case digits are accepted. Ranges are left to `verify`.
 * @throws {CryptoError} `signature-format`
 */
export function parseSignature(text: string): Signature {
  if (typeof text !== 'string' || !/^0x[0-9a-fA-F]{192}$/.test(text))
    throw new CryptoError('signature-format', 'a signature is 0x and 192 hex digits (Rx, Ry, S)');
  const part = (index: number) => BigInt(`0x${text.slice(2 + 64 * index, 66 + 64 * index)}`);
  return { Rx: part(0), Ry: part(1), S: part(2) };
}
