import { checksummed } from '../ethereum/address.ts';
import { DOMAIN, DOMAIN_MEMBERS } from '../ethereum/typedDataHash.ts';
import type { TypedData } from './typedData.ts';

/** Typed data that cannot be read, with the place in it. */
export class TypedDataError extends Error {
  override readonly name = 'TypedDataError';

  constructor(
    readonly field: string,
    rule: string,
  ) {
    super(`${field}: ${rule}`);
  }
}

/** One value that the signature covers. */
export interface TypedLeaf {
  /** `domain.name`, `message.to.0.wallet` */
  readonly path: string;
  /** Solidity type; of an empty list the list's. */
  readonly type: string;
  readonly value: string;
}

/**
 * A document of a site, checked: exactly what is hashed and nothing beside it. Plain JSON; integers
 * are decimal texts.
 */
export interface TypedDataDocument extends TypedData {
  readonly leaves: readonly TypedLeaf[];
}

const MOST_LEAVES = 400;
const DEEPEST = 12;

const NAME = /^[A-Za-z$_][A-Za-z0-9$_]*$/;
const ATOMIC = /^(?:address|bool|string|bytes(?:[1-9]|[12]\d|3[0-2])?|u?int(?:\d{1,3})?)$/;

type Members = TypedData['types'][string];
type Types = Readonly<Record<string, Members>>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readMembers(name: string, given: unknown): Members {
  const field = `types.${name}`;
  if (!Array.isArray(given)) throw new TypedDataError(field, 'is no list of members');
  const seen = new Set<string>();
  return given.map((member: unknown, index) => {
    const { name: own, type } = isRecord(member) ? member : {};
    if (typeof own !== 'string' || !NAME.test(own) || own === '__proto__' || seen.has(own))
      throw new TypedDataError(`${field}.${index}.name`, 'is no name, or one that stands there twice');
    if (typeof type !== 'string') throw new TypedDataError(`${field}.${index}.type`, 'is no type');
    seen.add(own);
    return { name: own, type };
  });
}

function readTypes(given: unknown): Types {
  if (!isRecord(given)) throw new TypedDataError('types', 'is no table of types');
  return Object.fromEntries(
    Object.entries(given).map(([name, members]) => {
      if (!NAME.test(name) || ATOMIC.test(name) || name === '__proto__')
        throw new TypedDataError(`types.${name}`, 'is no name of a struct');
      return [name, readMembers(name, members)];
    }),
  );
}

function readInteger(value: unknown, type: string, path: string): string {
  const signed = type.startsWith('int');
  const bits = Number(/\d+/.exec(type)?.[0] ?? 256);
  if (bits === 0 || bits > 256 || bits % 8 !== 0) throw new TypedDataError(path, `has the unknown type ${type}`);
  const whole =
    (typeof value === 'number' && Number.isSafeInteger(value)) ||
    typeof value === 'bigint' ||
    (typeof value === 'string' && /^(?:-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value));
  if (!whole) throw new TypedDataError(path, 'is no whole number that JSON can carry');
  const number = BigInt(value as string | number | bigint);
  const [least, beyond] = signed ? [-(1n << BigInt(bits - 1)), 1n << BigInt(bits - 1)] : [0n, 1n << BigInt(bits)];
  if (number < least || number >= beyond) throw new TypedDataError(path, `does not fit into ${type}`);
  return number.toString();
}

function readAtomic(value: unknown, type: string, path: string): string | boolean {
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw new TypedDataError(path, 'is neither true nor false');
    return value;
  }
  if (type.includes('int')) return readInteger(value, type, path);
  if (typeof value !== 'string') throw new TypedDataError(path, 'is no text');
  if (type === 'string') {
    if (/\p{Cs}/u.test(value)) throw new TypedDataError(path, 'is no Unicode text');
    return value;
  }
  if (type === 'address') {
    if (!/^0x[0-9a-fA-F]{40}$/.test(value)) throw new TypedDataError(path, 'is not an address (0x and 40 hex digits)');
    return checksummed(value);
  }
  const length = type === 'bytes' ? null : Number(type.slice(5));
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(value) || (length !== null && value.length !== 2 + 2 * length))
    throw new TypedDataError(path, `does not fit into ${type}`);
  return value.toLowerCase();
}

/**
 * Reads a document of `eth_signTypedData_v4`. Stricter than encoders, which ignore what they do not
 * hash: a member that the types do not name is refused, because it would be shown and not signed,
 * and types that nothing uses are left out.
 * @throws {TypedDataError}
 */
export function readTypedData(given: unknown): TypedDataDocument {
  if (!isRecord(given)) throw new TypedDataError('typedData', 'is no typed-data document');
  const types = readTypes(given.types);
  const { primaryType } = given;
  if (typeof primaryType !== 'string' || primaryType === DOMAIN || !Object.hasOwn(types, primaryType))
    throw new TypedDataError('primaryType', 'is not among the types');
  const leaves: TypedLeaf[] = [];

  const leaf = (path: string, type: string, value: string) => {
    if (leaves.length >= MOST_LEAVES)
      throw new TypedDataError(path, `is beyond the ${MOST_LEAVES} values that fit a screen`);
    leaves.push({ path, type, value });
  };

  function readValue(value: unknown, type: string, path: string, depth: number): unknown {
    if (depth > DEEPEST) throw new TypedDataError(path, 'is nested too deeply');
    const [, inner, count] = /^(.+)\[(\d{0,3})\]$/.exec(type) ?? [];
    if (inner !== undefined) {
      if (!Array.isArray(value)) throw new TypedDataError(path, 'is no list');
      if (count && value.length !== Number(count)) throw new TypedDataError(path, `has not ${count} elements`);
      if (value.length === 0) leaf(path, type, '[]');
      return value.map((item: unknown, index) => readValue(item, inner, `${path}.${index}`, depth + 1));
    }
    if (Object.hasOwn(types, type)) return readStruct(value, type, path, depth + 1);
    if (!ATOMIC.test(type)) throw new TypedDataError(path, `has the unknown type ${type}`);
    const read = readAtomic(value, type, path);
    leaf(path, type, String(read));
    return read;
  }

  function readStruct(value: unknown, type: string, path: string, depth: number): Record<string, unknown> {
    if (!isRecord(value)) throw new TypedDataError(path, `is no ${type}`);
    const members = types[type] ?? [];
    const extra = Object.keys(value).find((name) => !members.some((member) => member.name === name));
    if (extra !== undefined)
      throw new TypedDataError(`${path}.${extra}`, 'is not named by its type, so that no signature would cover it');
    return Object.fromEntries(
      members.map((member) => {
        if (!Object.hasOwn(value, member.name)) throw new TypedDataError(`${path}.${member.name}`, 'is missing');
        return [member.name, readValue(value[member.name], member.type, `${path}.${member.name}`, depth)];
      }),
    );
  }

  const odd = (types[DOMAIN] ?? []).find(({ name, type }) => DOMAIN_MEMBERS[name] !== type);
  if (!types[DOMAIN] || odd) throw new TypedDataError(`types.${DOMAIN}`, 'is missing, or not as EIP-712 has it');
  const domain = readStruct(given.domain, DOMAIN, 'domain', 0);
  const message = readStruct(given.message, primaryType, 'message', 0);
  const named = reachable(primaryType, types);
  return {
    domain,
    types: Object.fromEntries(Object.entries(types).filter(([name]) => name === DOMAIN || named.has(name))),
    primaryType,
    message,
    leaves,
  };
}

const isAtomic = (type: string): boolean => {
  const bits = Number(/^u?int(\d+)$/.exec(type)?.[1] ?? 256);
  return ATOMIC.test(type) && bits > 0 && bits <= 256 && bits % 8 === 0;
};

/**
 * Types that a struct is made of, itself included: all of them stand in the hash, also those of
 * empty lists. A type that is none could write anything into the text that is hashed.
 * @throws {TypedDataError}
 */
function reachable(primaryType: string, types: Types): Set<string> {
  const found = new Set<string>();
  const visit = (type: string, path: string): void => {
    const name = type.replace(/(\[\d{0,3}\])+$/, '');
    if (found.has(name)) return;
    if (!Object.hasOwn(types, name)) {
      if (!isAtomic(name)) throw new TypedDataError(path, `has the unknown type ${type}`);
      return;
    }
    found.add(name);
    for (const member of types[name] ?? []) visit(member.type, `types.${name}.${member.name}`);
  };
  visit(primaryType, 'primaryType');
  return found;
}
