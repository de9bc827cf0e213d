import fc from 'fast-check';
import { hashTypedData, type TypedDataDefinition } from 'viem';
import { describe, expect, test } from 'vitest';
import { typedDataHash } from '../../src/ethereum/typedDataHash.ts';

type Struct = { name: string; type: string }[];
interface Document {
  readonly domain: Record<string, unknown>;
  readonly types: Record<string, Struct>;
  readonly primaryType: string;
  readonly message: Record<string, unknown>;
}

const ofViem = (document: Document) => hashTypedData(document as unknown as TypedDataDefinition);

/** The document of EIP-712. */
const mail: Document = {
  domain: { name: 'Ether Mail', version: '1', chainId: 1, verifyingContract: `0x${'c'.repeat(40)}` },
  types: {
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
};

test('gives the digest that the standard states for its example', () => {
  expect(typedDataHash(mail)).toBe('0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2');
});

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((data) => `0x${Buffer.from(data).toString('hex')}`);

/** A type of one value with values of it. */
const atomic = fc.oneof(
  fc.integer({ min: 1, max: 32 }).map((size) => {
    const bits = BigInt(8 * size);
    return { type: `uint${bits}`, values: fc.bigInt({ min: 0n, max: (1n << bits) - 1n }) };
  }),
  fc.integer({ min: 1, max: 32 }).map((size) => {
    const half = 1n << BigInt(8 * size - 1);
    return { type: `int${8 * size}`, values: fc.bigInt({ min: -half, max: half - 1n }) };
  }),
  fc.integer({ min: 1, max: 32 }).map((size) => ({ type: `bytes${size}`, values: hex(size) })),
  fc.constantFrom(
    { type: 'address', values: hex(20) },
    { type: 'bool', values: fc.boolean() },
    { type: 'string', values: fc.string({ unit: 'binary' }) },
    { type: 'bytes', values: fc.uint8Array({ maxLength: 70 }).map((data) => `0x${Buffer.from(data).toString('hex')}`) },
  ),
) as fc.Arbitrary<{ type: string; values: fc.Arbitrary<unknown> }>;

const fieldOf = fc.tuple(atomic, fc.integer({ min: 0, max: 2 })).chain(([{ type, values }, form]) => {
  if (form === 0) return values.map((value) => ({ type, value: value as unknown }));
  if (form === 1)
    return fc.array(values, { maxLength: 4 }).map((value) => ({ type: `${type}[]`, value: value as unknown }));
  return fc
    .array(fc.array(values, { minLength: 2, maxLength: 2 }), { maxLength: 3 })
    .map((value) => ({ type: `${type}[2][]`, value: value as unknown }));
});

const struct = fc.array(fieldOf, { maxLength: 5 }).map((fields) => ({
  type: fields.map(({ type }, index) => ({ name: `m${index}`, type })),
  value: Object.fromEntries(fields.map(({ value }, index) => [`m${index}`, value])),
}));

test('agrees with viem on documents of every type, nested and in lists', () => {
  fc.assert(
    fc.property(struct, struct, fc.array(struct, { maxLength: 2 }), hex(32), (outer, inner, parts, salt) => {
      const part = parts[0]?.type ?? [];
      const document: Document = {
        domain: { ...mail.domain, salt },
        types: {
          Zebra: [...outer.type, { name: 'inner', type: 'Inner' }, { name: 'parts', type: 'Apple[]' }],
          Inner: [...inner.type, { name: 'apples', type: 'Apple[]' }],
          Apple: part,
        },
        primaryType: 'Zebra',
        message: {
          ...outer.value,
          inner: { ...inner.value, apples: [] },
          parts: parts.slice(0, 1).map(({ value }) => value),
        },
      };
      expect(typedDataHash(document)).toBe(ofViem(document));
    }),
    { numRuns: 300 },
  );
});

test('agrees with viem on a struct that is made of itself', () => {
  const types = {
    Folder: [
      { name: 'name', type: 'string' },
      { name: 'folders', type: 'Folder[]' },
    ],
  };
  const message = { name: 'one', folders: [{ name: 'two', folders: [] }] };
  const document = { ...mail, types, primaryType: 'Folder', message };
  expect(typedDataHash(document)).toBe(ofViem(document));
});

test('takes integers as decimal text as well, and a domain in whatever part the document has', () => {
  for (const domain of [{}, { name: 'x' }, { chainId: 5 }, { version: '1', salt: `0x${'ab'.repeat(32)}` }])
    expect(typedDataHash({ ...mail, domain })).toBe(ofViem({ ...mail, domain }));
  const types = { Sum: [{ name: 'value', type: 'int256' }] };
  for (const value of ['-1', '0', `${2n ** 255n - 1n}`])
    expect(typedDataHash({ ...mail, types, primaryType: 'Sum', message: { value } })).toBe(
      ofViem({ ...mail, types, primaryType: 'Sum', message: { value: BigInt(value) } }),
    );
});

describe('a value that does not fit is refused with its place', () => {
  test.each([
    ['uint8', 256, 'message.value does not fit into uint8'],
    ['uint8', -1, 'message.value does not fit into uint8'],
    ['int8', 128n, 'message.value does not fit into int8'],
    ['uint256', 2n ** 256n, 'message.value does not fit into uint256'],
    ['uint256', 1.5, 'message.value is not a whole number'],
    ['uint256', 2 ** 53, 'message.value is not a whole number'],
    ['uint256', '', 'message.value is not a whole number'],
    ['uint256', '0x1', 'message.value is not a whole number'],
    ['uint7', 1, 'message.value has the unknown type uint7'],
    ['uint264', 1, 'message.value has the unknown type uint264'],
    ['Unknown', 1, 'message.value has the unknown type Unknown'],
    ['address', '0x12', 'message.value does not fit into address'],
    ['address', 5, 'message.value is not bytes in hex'],
    ['bytes4', '0x0102', 'message.value does not fit into bytes4'],
    ['bytes33', `0x${'00'.repeat(33)}`, 'message.value does not fit into bytes33'],
    ['bytes0', '0x', 'message.value does not fit into bytes0'],
    ['bytes', '0x0', 'message.value is not bytes in hex'],
    ['bool', 1, 'message.value is neither true nor false'],
    ['string', 1, 'message.value is not a text'],
    ['uint8[]', 1, 'message.value is not a list of the type uint8[]'],
    ['uint8[2]', [1], 'message.value is not a list of the type uint8[2]'],
    ['uint8[]', [1, 256], 'message.value.1 does not fit into uint8'],
    ['One', null, 'message.value is not a One'],
    ['One', {}, 'message.value.value is not a whole number'],
  ])('%s %o', (type, value, message) => {
    const document = {
      ...mail,
      types: { One: [{ name: 'value', type: 'uint8' }], Held: [{ name: 'value', type }] },
      primaryType: 'Held',
      message: { value },
    };
    expect(() => typedDataHash(document)).toThrow(new RangeError(message));
  });

  test('a primary type that is not among the types', () => {
    expect(() => typedDataHash({ ...mail, primaryType: 'toString' })).toThrow('toString is not among the types');
  });
});
