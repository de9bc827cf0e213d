import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Hex } from './address.ts';

/** Structs by name, each with its members in order. */
type Structs = Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;

/** Input of an EIP-712 signature. */
interface Document {
  readonly domain: object;
  readonly types: Structs;
  readonly primaryType: string;
  readonly message: object;
}

export const DOMAIN = 'EIP712Domain';
/** Members that EIP-712 defines for a domain, in its order. */
export const DOMAIN_MEMBERS: Readonly<Record<string, string>> = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
};

const WORD = 32;
const LIST = /^(.+)\[(\d*)\]$/;

function structsOf(type: string, structs: Structs, found = new Set<string>()): Set<string> {
  const name = type.replace(/(\[\d*\])+$/, '');
  if (found.has(name) || !Object.hasOwn(structs, name)) return found;
  found.add(name);
  for (const member of structs[name] ?? []) structsOf(member.type, structs, found);
  return found;
}

/** The type with its members, behind it those of the structs that it is made of, by name. */
function typeText(name: string, structs: Structs): string {
  const [own, ...others] = structsOf(name, structs);
  return [own ?? name, ...others.sort()]
    .map((struct) => `${struct}(${(structs[struct] ?? []).map((member) => `${member.type} ${member.name}`).join(',')})`)
    .join('');
}

function bytesOf(value: unknown, path: string): Uint8Array {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value))
    throw new RangeError(`${path} is not bytes in hex`);
  return hexToBytes(value.slice(2));
}

/** A whole number as a word; negative ones as two's complement. */
function integerWord(value: unknown, type: string, path: string): Uint8Array {
  const [, unsigned, digits] = /^(u?)int(\d*)$/.exec(type) ?? [];
  const bits = BigInt(digits || 256);
  if (unsigned === undefined || bits === 0n || bits > 256n || bits % 8n !== 0n)
    throw new RangeError(`${path} has the unknown type ${type}`);
  if (
    typeof value !== 'bigint' &&
    !Number.isSafeInteger(value) &&
    !(typeof value === 'string' && /^-?\d+$/.test(value))
  )
    throw new RangeError(`${path} is not a whole number`);
  const number = BigInt(value as bigint | number | string);
  const fits = unsigned ? BigInt.asUintN(Number(bits), number) : BigInt.asIntN(Number(bits), number);
  if (fits !== number) throw new RangeError(`${path} does not fit into ${type}`);
  return hexToBytes(
    BigInt.asUintN(256, number)
      .toString(16)
      .padStart(2 * WORD, '0'),
  );
}

/** The 32 bytes that stand for a value in the hash of its struct. */
function valueWord(value: unknown, type: string, structs: Structs, path: string): Uint8Array {
  const [, element, length] = LIST.exec(type) ?? [];
  if (element !== undefined) {
    if (!Array.isArray(value) || (length && value.length !== Number(length)))
      throw new RangeError(`${path} is not a list of the type ${type}`);
    return keccak_256(
      concatBytes(...value.map((item, index) => valueWord(item, element, structs, `${path}.${index}`))),
    );
  }
  if (Object.hasOwn(structs, type)) return structHash(value, type, structs, path);
  if (type === 'string') {
    if (typeof value !== 'string') throw new RangeError(`${path} is not a text`);
    return keccak_256(utf8ToBytes(value));
  }
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw new RangeError(`${path} is neither true nor false`);
    return integerWord(Number(value), 'uint8', path);
  }
  if (type === 'bytes') return keccak_256(bytesOf(value, path));
  const [, count] = /^(?:bytes(\d+)|address)$/.exec(type) ?? [];
  if (count === undefined && type !== 'address') return integerWord(value, type, path);
  const bytes = bytesOf(value, path);
  const size = Number(count ?? 20);
  if (bytes.length !== size || size === 0 || size > WORD) throw new RangeError(`${path} does not fit into ${type}`);
  const word = new Uint8Array(WORD);
  word.set(bytes, count === undefined ? WORD - size : 0);
  return word;
}

/**
 * @param path - Where the struct stands, for errors.
 * @throws {RangeError} A value is missing or does not fit its type; with its place.
 */
export function structHash(value: unknown, name: string, structs: Structs, path: string = name): Uint8Array {
  if (typeof value !== 'object' || value === null) throw new RangeError(`${path} is not a ${name}`);
  const words = (structs[name] ?? []).map((member) =>
    valueWord((value as Record<string, unknown>)[member.name], member.type, structs, `${path}.${member.name}`),
  );
  return keccak_256(concatBytes(keccak_256(utf8ToBytes(typeText(name, structs))), ...words));
}

/**
 * EIP-712: Keccak-256(0x1901, domain separator, struct hash). A document whose types do not
 * describe its domain has the members of the standard that are there.
 * @throws {RangeError} A value is missing or does not fit its type; with its place.
 * @see https://eips.ethereum.org/EIPS/eip-712
 */
export function typedDataHash({ domain, types, primaryType, message }: Document): Hex {
  const present = Object.entries(DOMAIN_MEMBERS).flatMap(([name, type]) =>
    Object.hasOwn(domain, name) ? { name, type } : [],
  );
  const structs = { [DOMAIN]: present, ...types };
  if (!Object.hasOwn(structs, primaryType)) throw new RangeError(`${primaryType} is not among the types`);
  const preimage = concatBytes(
    Uint8Array.of(0x19, 0x01),
    structHash(domain, DOMAIN, structs, 'domain'),
    structHash(message, primaryType, structs, 'message'),
  );
  return `0x${bytesToHex(keccak_256(preimage))}`;
}
