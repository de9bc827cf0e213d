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
    ...['PackedUserOperation', 'safetx', 'ModuleTx'],
    ...['ReplaySafeHash', 'Kernel'],
  ])('%s moves something of a wallet contract', (name) => {
    expect(named(name)).toEqual(['wallet']);
    for (const other of [`My${name}`, `${name}s`]) expect(named(other)).not.toContain('wallet');
  });

  test.each([
    ...['ForwardRequest', 'MetaTransaction', 'MetaTx', 'RelayRequest', 'GaslessRequest', 'MetaCall'],
    ...['MyForwardRequestV2', 'metatx', 'CallWithERC2771', 'Transaction'],
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

  test.each([
    ...['Delegation', 'SessionKey', 'Caveat', 'MyDelegate', 'sessionkeys'],
    ...['LinkSigner', 'SignerPermissionRequest', 'Register', 'AddSigningKey', 'ChangeOwner'],
  ])('%s gives rights away', (name) => {
    expect(named(name)).toEqual(['delegation']);
  });

  test.each([
    ...['Permit', 'Approval', 'Allowance', 'Order', 'Authorization', 'TransferFrom', 'TokenPermissions'],
    ...['PermitBatchTransferFrom', 'LimitOrderV2', 'Maker', 'LoanOffer', 'Listing', 'Trade', 'SwapData', 'Bid'],
    ...['BidWithSig', 'TraitBid', 'LoanTerms', 'BorrowParams', 'BurnIntent', 'IntentData', 'BatchCompact', 'Transfer'],
    ...['WithdrawCollateral', 'DepositData', 'PaymentRequest', 'BridgeOut', 'BurnWithSig'],
    ...['BuyFromPrivateSale', 'SellTokens', 'RedeemVoucher', 'AuctionTerms'],
  ])('%s lets tokens be taken', (name) => {
    expect(named(name)).toEqual(['spending']);
  });

  test('without any of these names is none of them, and neither is its domain', () => {
    for (const name of ['Vote', 'Mail', 'Login', 'Ballot', 'ClobAuth', 'Forbidden', 'LoginIntent', 'Callback'])
      expect(named(name)).toEqual([]);
    expect(gravesIn({ Vote: [], EIP712Domain: [['address', 'spender']] })).toEqual([]);
  });
});

describe('a member', () => {
  test.each([
    ['functionSignature', 'forward'],
    ['paymasterInput', 'forward'],
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

/** Structs as EIP-712 encodes them: `Name(type name,…)` one behind the other. */
const structsOf = (encoded: string): Record<string, Members> =>
  Object.fromEntries(
    [...encoded.matchAll(/(\w+)\(([^)]*)\)/g)].map(([, name = '', members = '']) => [
      name,
      members.split(',').map((member) => {
        const [type = '', own = ''] = member.split(' ');
        return [type, own] as const;
      }),
    ]),
  );

describe('a document in use', () => {
  test.each([
    [
      'Circle Gateway',
      'spending',
      'BurnIntent(uint256 maxBlockHeight,uint256 maxFee,TransferSpec spec)TransferSpec(uint32 version,bytes32 sourceToken,bytes32 destinationRecipient,uint256 value,bytes hookData)',
    ],
    [
      'Blend',
      'spending',
      'LoanOffer(address lender,address collection,uint256 totalAmount,uint256 minAmount,uint256 maxAmount,uint256 auctionDuration,uint256 salt,uint256 expirationTime,uint256 rate,address oracle,uint256 nonce)',
    ],
    [
      'LooksRare',
      'spending',
      'Maker(uint8 quoteType,uint256 strategyId,address collection,address currency,address signer,uint256 price,uint256[] itemIds,uint256[] amounts,bytes additionalParameters)',
    ],
    [
      'Across',
      'spending',
      'DepositData(Fees submissionFees,BaseDepositData baseDepositData,uint256 inputAmount,address spokePool,uint256 nonce)Fees(uint256 amount,address recipient)BaseDepositData(address inputToken,bytes32 outputToken,uint256 outputAmount,address depositor,bytes message)',
    ],
    [
      'The Compact',
      'spending',
      'Compact(address arbiter,address sponsor,uint256 nonce,uint256 expires,bytes12 lockTag,address token,uint256 amount)',
    ],
    ['Farcaster', 'spending', 'Transfer(uint256 fid,address to,uint256 nonce,uint256 deadline)'],
    ['Vertex', 'spending', 'WithdrawCollateral(bytes32 sender,uint32 productId,uint128 amount,uint64 nonce)'],
    ['another signer at Vertex', 'delegation', 'LinkSigner(bytes32 sender,bytes32 signer,uint64 nonce)'],
    [
      'Aave',
      'delegation',
      'DelegationWithSig(address delegator,address delegatee,uint256 value,uint256 nonce,uint256 deadline)',
    ],
    [
      'ERC-3009',
      'spending',
      'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
    ],
    [
      'Permit2 with a witness',
      'spending',
      'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Witness witness)TokenPermissions(address token,uint256 amount)Witness(address user)',
    ],
    ['Morpho', 'spending', 'Authorization(address authorizer,address authorized,bool isAuthorized,uint256 nonce)'],
    [
      'Gelato',
      'forward',
      'SponsoredCallERC2771(uint256 chainId,address target,bytes data,address user,uint256 userNonce,uint256 userDeadline)',
    ],
    ['Gnosis Pay', 'wallet', 'ModuleTx(bytes data,bytes32 salt)'],
    ['a light account', 'wallet', 'LightAccountMessage(bytes message)'],
    ['the Coinbase wallet', 'wallet', 'CoinbaseSmartWalletMessage(bytes32 hash)'],
    [
      'Calibur',
      'wallet',
      'SignedBatchedCall(BatchedCall batchedCall,uint256 nonce,bytes32 keyHash,address executor,uint256 deadline)BatchedCall(Call[] calls,bool revertOnFailure)Call(address to,uint256 value,bytes data)',
    ],
  ])('of %s is called %s', (_of, grave, encoded) => {
    expect(gravesIn(structsOf(encoded))).toEqual([grave]);
  });

  test.each([
    [
      'a vote at Snapshot',
      'Vote(address from,string space,uint64 timestamp,bytes32 proposal,uint32 choice,string reason,string app,string metadata)',
    ],
    ['a vote at a governor', 'Ballot(uint256 proposalId,uint8 support,address voter,uint256 nonce)'],
    ['a log-in at Polymarket', 'ClobAuth(address address,string timestamp,uint256 nonce,string message)'],
    ['a log-in with a random number', 'Login(address account,bytes32 nonce,uint256 issuedAt,string statement)'],
  ])('that is %s has no warning', (_what, encoded) => {
    expect(gravesIn(structsOf(encoded))).toEqual([]);
  });
});
