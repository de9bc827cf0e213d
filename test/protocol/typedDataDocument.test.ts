import fc from 'fast-check';
import { hashTypedData } from 'viem/utils';
import { describe, expect, test } from 'vitest';
import { readTypedData, typedDataDigest } from '../../src/protocol/index.ts';

const address = `0x${'ab'.repeat(20)}`;
const domain = { name: 'Site', version: '1', chainId: 31337, verifyingContract: address };
const EIP712Domain = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];
const types = {
  EIP712Domain,
  Person: [
    { name: 'name', type: 'string' },
    { name: 'wallets', type: 'address[]' },
  ],
  Mail: [
    { name: 'from', type: 'Person' },
    { name: 'to', type: 'Person[2]' },
    { name: 'amount', type: 'uint96' },
    { name: 'change', type: 'int64' },
    { name: 'paid', type: 'bool' },
    { name: 'salt', type: 'bytes32' },
    { name: 'data', type: 'bytes' },
  ],
};
const person = { name: 'Ana', wallets: [address] };
const message = {
  from: person,
  to: [person, { name: 'Ben', wallets: [] }],
  amount: '5',
  change: -7,
  paid: true,
  salt: `0x${'0c'.repeat(32)}`,
  data: '0xC0FFEE',
};
const mail = { domain, types, primaryType: 'Mail', message };
/** The same document with one part replaced. */
const mailWith = (changes: object) => ({ ...mail, message: { ...message, ...changes } });

/** The same document with one member of each person replaced. */
const peopleWith = (member: string, type: string, value: unknown) => {
  const Person = types.Person.map((one) => (one.name === member ? { name: member, type } : one));
  const someone = { ...person, [member]: value };
  return { ...mailWith({ from: someone, to: [someone, someone] }), types: { ...types, Person } };
};

test('hashes as the reference implementation does', () => {
  // The document of EIP-712 itself and its digest.
  const known = {
    types: {
      EIP712Domain,
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
    domain: {
      name: 'Ether Mail',
      version: '1',
      chainId: 1,
      verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
    },
    message: {
      from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
      to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
      contents: 'Hello, Bob!',
    },
  };
  expect(typedDataDigest(readTypedData(known))).toBe(
    '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2',
  );
});

test('lists every value that is hashed, by its path', () => {
  expect(readTypedData(mail).leaves.map(({ path, value }) => `${path} = ${value}`)).toMatchInlineSnapshot(`
    [
      "domain.name = Site",
      "domain.version = 1",
      "domain.chainId = 31337",
      "domain.verifyingContract = 0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB",
      "message.from.name = Ana",
      "message.from.wallets.0 = 0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB",
      "message.to.0.name = Ana",
      "message.to.0.wallets.0 = 0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB",
      "message.to.1.name = Ben",
      "message.to.1.wallets = []",
      "message.amount = 5",
      "message.change = -7",
      "message.paid = true",
      "message.salt = 0x0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
      "message.data = 0xc0ffee",
    ]
  `);
});

test('what it read hashes like the document of the site, whatever the values, and survives JSON', () => {
  const people = fc.record({
    name: fc.string({ unit: 'grapheme' }),
    wallets: fc.array(fc.constant(address), { maxLength: 2 }),
  });
  const values = fc.record({
    from: people,
    to: fc.tuple(people, people),
    amount: fc.bigInt({ min: 0n, max: 2n ** 96n - 1n }).map(String),
    change: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    paid: fc.boolean(),
    salt: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
    data: fc.uint8Array({ maxLength: 40 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
  });
  fc.assert(
    fc.property(values, (given) => {
      const read = JSON.parse(JSON.stringify(readTypedData({ ...mail, message: given })));
      const exact = { ...given, amount: BigInt(given.amount), change: BigInt(given.change) };
      expect(typedDataDigest(read)).toBe(hashTypedData({ ...mail, message: exact } as never));
    }),
    { numRuns: 60 },
  );
});

test('leaves out types that nothing uses', () => {
  const read = readTypedData({ ...mail, types: { ...types, Unused: [{ name: 'a', type: 'string' }] } });
  expect(Object.keys(read.types)).toEqual(['EIP712Domain', 'Person', 'Mail']);
});

describe('refuses', () => {
  const deep = { ...types, Mail: [{ name: 'next', type: 'Mail[]' }] };
  const nested = (depth: number): object => (depth === 0 ? { next: [] } : { next: [nested(depth - 1)] });
  test.each([
    ['a text', 'hello', 'typedData: is no typed-data document'],
    ['a document without types', { ...mail, types: null }, 'types: is no table of types'],
    ['a primary type that is none', { ...mail, primaryType: 'Letter' }, 'primaryType: is not among the types'],
    ['the domain as primary type', { ...mail, primaryType: 'EIP712Domain' }, 'primaryType: is not among the types'],
    [
      'a struct with the name of a value type',
      { ...mail, types: { ...types, uint256: [] } },
      'types.uint256: is no name of a struct',
    ],
    [
      'a member twice',
      { ...mail, types: { ...types, Person: [types.Person[0], types.Person[0]] } },
      'types.Person.1.name: is no name, or one that stands there twice',
    ],
    [
      'a domain without its type',
      { ...mail, types: { ...types, EIP712Domain: undefined } },
      'types.EIP712Domain: is no list of members',
    ],
    [
      'a domain of its own invention',
      { ...mail, types: { ...types, EIP712Domain: [{ name: 'name', type: 'bytes32' }] } },
      'types.EIP712Domain: is missing, or not as EIP-712 has it',
    ],
    [
      'a domain member that is not hashed',
      { ...mail, domain: { ...domain, salt: '0x' } },
      'domain.salt: is not named by its type, so that no signature would cover it',
    ],
    [
      'a message member that is not hashed',
      mailWith({ note: 'hello' }),
      'message.note: is not named by its type, so that no signature would cover it',
    ],
    ['a missing member', mailWith({ data: undefined }), 'message.data: is no text'],
    ['a list of another length', mailWith({ to: [person] }), 'message.to: has not 2 elements'],
    ['a number beyond its type', mailWith({ amount: 2n ** 96n }), 'message.amount: does not fit into uint96'],
    [
      'a number that JSON has rounded',
      mailWith({ amount: 1e20 }),
      'message.amount: is no whole number that JSON can carry',
    ],
    ['a word for true', mailWith({ paid: 'true' }), 'message.paid: is neither true nor false'],
    ['bytes of another length', mailWith({ salt: '0x00' }), 'message.salt: does not fit into bytes32'],
    [
      'an address that is none',
      mailWith({ from: { name: 'Ana', wallets: ['0x12'] } }),
      'message.from.wallets.0: is not an address (0x and 40 hex digits)',
    ],
    ['half a character', mailWith({ from: { ...person, name: '\ud800' } }), 'message.from.name: is no Unicode text'],
    [
      'endless nesting',
      { ...mail, types: deep, message: nested(20) },
      expect.stringMatching(/: is nested too deeply$/),
    ],
    [
      'more values than fit a screen',
      mailWith({ from: { name: 'Ana', wallets: Array(500).fill(address) } }),
      expect.stringMatching(/: is beyond the 400 values that fit a screen$/),
    ],
    ['an unknown type', peopleWith('name', 'uuid', '0x'), 'message.from.name: has the unknown type uuid'],
    ['an unknown width', peopleWith('name', 'uint7', 5), 'message.from.name: has the unknown type uint7'],
    [
      'an unknown type of an empty list',
      peopleWith('wallets', 'uuid[]', []),
      'types.Person.wallets: has the unknown type uuid[]',
    ],
  ])('%s', (_what, document, problem) => {
    expect(() => readTypedData(document)).toThrow(expect.objectContaining({ message: problem }));
  });

  test('a member named like the prototype of objects', () => {
    const document = JSON.parse(JSON.stringify(mail).replaceAll('"data"', '"__proto__"'));
    expect(() => readTypedData(document)).toThrow('is no name, or one that stands there twice');
  });
});
