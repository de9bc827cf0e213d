import { FIELD_PRIME, subgroupPoint } from '../../crypto/index.ts';
import { MAX_AMOUNT, MAX_TOKEN_ID, MAX_UINT32, MIN_NFT_TOKEN_ID } from '../limits.ts';
import { PayloadError } from './payloadError.ts';

/**
 * Readers that turn wire values into hash inputs. They trust nothing, also not the TypeScript
 * types: a short address, a text in place of a boolean or a number above its width would otherwise
 * be hashed as something else.
 */

function missing(value: unknown, field: string): void {
  if (value === undefined || value === null) throw new PayloadError('missing', field, 'is missing');
}

/** An integer in JSON, `minimum` to `maximum`. */
export function readInteger(value: unknown, field: string, maximum: number, minimum = 0): bigint {
  missing(value, field);
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new PayloadError('type', field, 'is not an integer');
  if (value < minimum || value > maximum) throw new PayloadError('range', field, `is outside ${minimum} to ${maximum}`);
  return BigInt(value);
}

/** A 32-bit id, time or nonce. */
export const readUint32 = (value: unknown, field: string): bigint => readInteger(value, field, MAX_UINT32);

/**
 * The id of an ERC-20 token. NFT slots are refused, so that no NFT moves under the name of a token.
 */
export const readErc20TokenId = (value: unknown, field: string): bigint =>
  readInteger(value, field, MIN_NFT_TOKEN_ID - 1);

/** An NFT slot. */
export const readNftTokenId = (value: unknown, field: string): bigint =>
  readInteger(value, field, MAX_TOKEN_ID, MIN_NFT_TOKEN_ID);

/** A 96-bit amount as decimal text. */
export function readAmount(value: unknown, field: string, minimum = 0n): bigint {
  missing(value, field);
  if (typeof value !== 'string') throw new PayloadError('type', field, 'is not a decimal text');
  if (!/^(0|[1-9][0-9]*)$/.test(value)) throw new PayloadError('format', field, 'is not a decimal text');
  if (value.length > 29 || BigInt(value) > MAX_AMOUNT) throw new PayloadError('range', field, 'is above 2^96 - 1');
  const amount = BigInt(value);
  if (amount < minimum) throw new PayloadError('range', field, `is below ${minimum}`);
  return amount;
}

/** An address as the integer of its 20 bytes. */
export function readAddress(value: unknown, field: string): bigint {
  missing(value, field);
  if (typeof value !== 'string') throw new PayloadError('type', field, 'is not a text');
  if (!/^0x[0-9a-fA-F]{40}$/.test(value))
    throw new PayloadError('format', field, 'is not an address (0x and 40 hex digits)');
  return BigInt(value);
}

/** An address that receives something; the zero address would leave the receiver open. */
export function readReceiver(value: unknown, field: string): bigint {
  const address = readAddress(value, field);
  if (address === 0n) throw new PayloadError('rule', field, 'is the zero address');
  return address;
}

/** Hex of at most `digits` digits as an integer. */
export function readHex(value: unknown, field: string, digits = 64): bigint {
  missing(value, field);
  if (typeof value !== 'string') throw new PayloadError('type', field, 'is not a text');
  if (!/^0x[0-9a-fA-F]+$/.test(value)) throw new PayloadError('format', field, 'is not 0x and hex digits');
  if (value.length - 2 > digits) throw new PayloadError('range', field, `has more than ${digits} hex digits`);
  return BigInt(value);
}

/** Hex of a field element. */
export function readFieldElement(value: unknown, field: string): bigint {
  const element = readHex(value, field);
  if (element >= FIELD_PRIME) throw new PayloadError('range', field, 'is not below the field prime');
  return element;
}

/**
 * A public key that may be registered: both coordinates in the field, on the curve, in the prime
 * subgroup.
 */
export function readPublicKey(
  value: { readonly x: string; readonly y: string } | undefined,
  field: string,
): { x: bigint; y: bigint } {
  missing(value, field);
  const point = { x: readFieldElement(value?.x, `${field}.x`), y: readFieldElement(value?.y, `${field}.y`) };
  if (!subgroupPoint(point)) throw new PayloadError('rule', field, 'is not a point of the prime subgroup');
  return point;
}

/** A JSON boolean, or one of the texts `true` and `false`. */
export function readBoolean(value: unknown, field: string): boolean {
  missing(value, field);
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new PayloadError('type', field, 'is neither a boolean nor the text true or false');
}

/** Bytes as `0x` and hex; an empty or absent text is no bytes. */
export function readBytes(value: unknown, field: string): Uint8Array {
  if (value === undefined || value === '') return new Uint8Array();
  if (typeof value !== 'string') throw new PayloadError('type', field, 'is not a text');
  if (!/^0x([0-9a-fA-F]{2})*$/.test(value)) throw new PayloadError('format', field, 'is not 0x and whole bytes');
  return Uint8Array.from(value.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
