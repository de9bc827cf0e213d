import { describe, expect, test } from 'vitest';
import { gravesOf } from '../../src/operations/graveDocuments.ts';

type Members = readonly (readonly [type: string, name: string])[];

const gravesIn = (structs: Readonly<Record<string, Members>>, leaves: Parameters<typeof gravesOf>[0]['leaves'] = []) =>
  gravesOf({
    types: Object.fromEntries(
      Object.entries(structs).map(([name, members]) => [name, members.map(([type, name]) => ({ type, name }))]),
    ),
    primaryType: Object.keys(structs)[0] ?? '',
    leaves,
  });
const named = (name: string) => gravesIn({ [name]: [['uint256', 'x']] });
const withMember = (name: string) => gravesIn({ Plain: [['uint256', name]] });

describe('a struct', () => {
  test.each([
    ...['SafeTx', 'SafeMessage', 'WalletTransaction', 'Execute', 'ExecuteBatch', 'UserOp', 'UserOperation'],
    ...['PackedUserOperation', 'safetx'],
  ])('%s moves something of a wallet contract', (name) => {
    expect(named(name)).toEqual(['wallet']);
    for (const other of [`My${name}`, `${name}s`]) expect(named(other)).not.toContain('wallet');
  });

  test.each([
    ...['ForwardRequest', 'MetaTransaction', 'MetaTx', 'RelayRequest', 'GaslessRequest', 'MetaCall'],
    ...['MyForwardRequestV2', 'metatx'],
  ])('%s is sent by anybody', (name) => {
    expect(named(name)).toEqual(['forward']);
  });

  test.each(['Root', 'BulkRoot', 'OrderRoot', 'MerkleRoot', 'MerkleTree', 'root', 'Roots', 'MyRoot'])(
    '%s is known for a root of orders by its whole name',
    (name) => {
      expect(named(name).includes('orders')).toBe(/^(root|orderroot|merkleroot|merkletree)$/i.test(name));
    },
  );

  test('BulkOrder is a root, and an order besides', () => {
    expect(named('BulkOrder').sort()).toEqual(['orders', 'spending']);
  });

  test.each(['Delegation', 'SessionKey', 'Caveat', 'MyDelegate', 'sessionkeys'])('%s gives rights away', (name) => {
    expect(named(name)).toEqual(['delegation']);
  });

  test.each([
    ...['Permit', 'Approval', 'Allowance', 'Order', 'Authorization', 'TransferFrom', 'TokenPermissions'],
    ...['PermitBatchTransferFrom', 'LimitOrderV2'],
  ])('%s lets tokens be taken', (name) => {
    expect(named(name)).toEqual(['spending']);
  });

  test('without any of these names is none of them, and neither is its domain', () => {
    for (const name of ['Vote', 'Mail', 'Login']) expect(named(name)).toEqual([]);
    expect(gravesIn({ Vote: [], EIP712Domain: [['address', 'spender']] })).toEqual([]);
  });
});

describe('a member', () => {
  test.each([
    ['functionSignature', 'forward'],
    ['FUNCTIONSIGNATURE', 'forward'],
    ['delegate', 'delegation'],
    ['delegatee', 'delegation'],
    ['delegator', 'delegation'],
    ['delegation', 'delegation'],
    ['spender', 'spending'],
    ['operator', 'spending'],
    ['approved', 'spending'],
    ['allowed', 'spending'],
    ['Spender', 'spending'],
  ])('%s is a sign by its whole name', (name, grave) => {
    expect(withMember(name)).toEqual([grave]);
    for (const other of [`my${name}`, `${name}x`]) expect(withMember(other)).toEqual([]);
  });

  test('that is signed in a struct of any depth counts, each sign once', () => {
    expect(gravesIn({ Plain: [['Inner', 'a']], Inner: [['address', 'spender']], Permit: [] })).toEqual(['spending']);
  });
});

describe('a transaction of a wallet contract', () => {
  const members: Members = [
    ['address', 'to'],
    ['uint256', 'value'],
    ['bytes', 'data'],
    ['uint8', 'operation'],
  ];

  test('is known by its members, all of them, whatever it is called', () => {
    expect(gravesIn({ Task: members })).toEqual(['wallet']);
    for (const [, missing] of members)
      expect(gravesIn({ Task: members.filter(([, name]) => name !== missing) })).not.toContain('wallet');
  });

  test('is a delegate call when its operation is 1', () => {
    const leaf = (path: string, value: string) => [{ path, type: 'uint8', value }];
    expect(gravesIn({ SafeTx: members }, leaf('message.operation', '1'))).toEqual(['delegatecall']);
    expect(gravesIn({ SafeTx: members, Permit: [] }, leaf('message.a.operation', '1'))).toEqual([
      ...['spending', 'delegatecall'],
    ]);
    for (const [path, value] of [
      ['message.operation', '0'],
      ['message.operation', '11'],
      ['message.operations', '1'],
      ['message.myoperation', '1'],
      ['message.operation.x', '1'],
    ] as const)
      expect(gravesIn({ SafeTx: members }, leaf(path, value))).toEqual(['wallet']);
    expect(gravesIn({ Vote: [['uint8', 'operation']] }, leaf('message.operation', '1'))).toEqual([]);
  });
});

describe('a call', () => {
  test.each<[string, Members, boolean]>([
    [
      'bytes and an address',
      [
        ['bytes', 'a'],
        ['address', 'b'],
      ],
      true,
    ],
    [
      'lists of them',
      [
        ['bytes[]', 'a'],
        ['address[2][]', 'b'],
      ],
      true,
    ],
    [
      'a list of any length',
      [
        ['bytes[12]', 'a'],
        ['address', 'b'],
      ],
      true,
    ],
    ['bytes alone', [['bytes', 'a']], false],
    ['an address alone', [['address', 'a']], false],
    [
      'bytes of one length',
      [
        ['bytes32', 'a'],
        ['address', 'b'],
      ],
      false,
    ],
  ])('is carried by %s', (_what, members, carries) => {
    expect(gravesIn({ Job: members })).toEqual(carries ? ['call'] : []);
  });

  test('is not named beside a graver sign, and may be spread over structs', () => {
    expect(
      gravesIn({
        Permit: [
          ['bytes', 'a'],
          ['address', 'b'],
        ],
      }),
    ).toEqual(['spending']);
    expect(
      gravesIn({
        Job: [
          ['Step', 'a'],
          ['address', 'b'],
        ],
        Step: [['bytes', 'a']],
      }),
    ).toEqual(['call']);
  });
});
