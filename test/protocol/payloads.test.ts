import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIELD_PRIME, getPublicKey } from '../../src/crypto/index.ts';
import { fullHash } from '../../src/protocol/formatHash.ts';
import {
  accountUpdateBoundFields,
  accountUpdateHash,
  accountUpdateIdentifier,
  ammExitBoundFields,
  ammExitScalar,
  ammJoinScalar,
  domainSeparator,
  formatHash,
  nftDataHash,
  nftMintBoundFields,
  nftMintHash,
  nftOrderBoundFields,
  nftOrderHash,
  nftTradeHash,
  nftTransferBoundFields,
  nftTransferHash,
  nftWithdrawalBoundFields,
  nftWithdrawalHash,
  onchainDataHash,
  orderBoundFields,
  orderHash,
  PayloadError,
  poolDomain,
  royaltyOf,
  transferBoundFields,
  transferHash,
  withdrawalBoundFields,
  withdrawalHash,
} from '../../src/protocol/index.ts';
import { bodies, contract, exchange, owner, pool } from './samples.ts';

type Json = Record<string, unknown>;
type Path = readonly string[];

const poolIdentity = { chainId: 1, name: 'AMM-LRC-ETH' };
const { creatorFeeBips: _fee, ...mintWithPercentage } = bodies.mintNft;
const { royaltyPercentage: _percentage, ...mintWithBips } = bodies.mintNft;
const without = (list: readonly string[], name: string) => list.filter((field) => field !== name);

/** Every payload: a body, its hash, what the hash binds and what it does not (signatures aside). */
const payloads: readonly {
  readonly name: string;
  readonly body: object;
  readonly hash: (body: never) => bigint;
  readonly bound: readonly string[];
  readonly unbound: readonly string[];
}[] = [
  {
    name: 'order',
    body: bodies.submitOrder,
    hash: orderHash,
    bound: orderBoundFields,
    unbound: ['affiliate', 'allOrNone', 'channelId', 'clientOrderId', 'orderType', 'poolAddress', 'tradeChannel'],
  },
  {
    name: 'NFT sale',
    body: bodies.validateOrder,
    hash: nftOrderHash,
    bound: nftOrderBoundFields(bodies.validateOrder),
    unbound: ['affiliate', 'allOrNone', 'channelId', 'clientOrderId', 'orderType', 'sellToken.nftData', 'tradeChannel'],
  },
  {
    name: 'NFT purchase',
    body: {
      ...bodies.validateOrder,
      sellToken: { tokenId: 1, amount: '5' },
      buyToken: { ...bodies.validateOrder.sellToken },
    },
    hash: nftOrderHash,
    bound: nftOrderBoundFields({ buyToken: { tokenId: 33000 } }),
    unbound: ['affiliate', 'allOrNone', 'buyToken.tokenId', 'channelId', 'clientOrderId', 'orderType', 'tradeChannel'],
  },
  {
    name: 'transfer',
    body: bodies.submitTransfer,
    hash: transferHash,
    bound: transferBoundFields,
    unbound: ['clientId', 'memo', 'payPayeeUpdateAccount', 'payerAddr'],
  },
  {
    name: 'deployment fee',
    body: bodies.deployTokenAddress.transfer,
    hash: transferHash,
    bound: transferBoundFields,
    unbound: ['ecdsaHash', 'eddsaHash', 'memo', 'payerAddr'],
  },
  {
    name: 'withdrawal',
    body: bodies.submitWithdrawal,
    hash: withdrawalHash,
    bound: withdrawalBoundFields,
    unbound: ['fastWithdrawalMode', 'owner'],
  },
  {
    name: 'NFT transfer',
    body: bodies.transferNft,
    hash: nftTransferHash,
    bound: nftTransferBoundFields,
    unbound: ['fromAddress', 'memo', 'payPayeeUpdateAccount', 'token.nftData'],
  },
  {
    name: 'NFT withdrawal',
    body: { ...bodies.withdrawNft, extraData: '0x01' },
    hash: nftWithdrawalHash,
    bound: nftWithdrawalBoundFields,
    unbound: ['owner', 'token.nftData'],
  },
  {
    name: 'mint with creatorFeeBips',
    body: mintWithBips,
    hash: nftMintHash,
    bound: without(nftMintBoundFields, 'royaltyPercentage'),
    unbound: [
      'counterFactualNftInfo.nftBaseUri',
      'counterFactualNftInfo.nftFactory',
      'counterFactualNftInfo.nftOwner',
      'forceToMint',
      'royaltyAddress',
      'toAddress',
    ],
  },
  {
    name: 'mint with royaltyPercentage',
    body: mintWithPercentage,
    hash: nftMintHash,
    bound: without(nftMintBoundFields, 'creatorFeeBips'),
    unbound: [
      'counterFactualNftInfo.nftBaseUri',
      'counterFactualNftInfo.nftFactory',
      'counterFactualNftInfo.nftOwner',
      'forceToMint',
      'royaltyAddress',
      'toAddress',
    ],
  },
  {
    name: 'account update',
    body: bodies.updateAccount,
    hash: accountUpdateHash,
    bound: accountUpdateBoundFields,
    unbound: ['keySeed', 'owner', 'recommenderAccountId'],
  },
  {
    name: 'pool exit',
    body: bodies.exitAmmPool,
    hash: (body: never) => ammExitScalar(poolIdentity, body),
    bound: ammExitBoundFields,
    unbound: ['domainSeparator', 'exitTokens.unPooled.0.tokenId', 'exitTokens.unPooled.1.tokenId'],
  },
  {
    name: 'pool join',
    body: bodies.joinAmmPool,
    hash: (body: never) => ammJoinScalar(poolIdentity, body),
    // Token ids are not among them: the pool's own order of tokens gives them.
    bound: [
      'owner',
      'poolAddress',
      'joinTokens.pooled.0.volume',
      'joinTokens.pooled.1.volume',
      'joinTokens.minimumLp.volume',
      'storageIds.0',
      'storageIds.1',
      'fee',
      'validUntil',
    ],
    unbound: [
      'domainSeparator',
      'joinTokens.minimumLp.tokenId',
      'joinTokens.pooled.0.tokenId',
      'joinTokens.pooled.1.tokenId',
    ],
  },
];

/** What carries signatures, or who may sign, is bound by none. */
const SIGNATURES = /^(eddsaSignature|ecdsaSignature|hashApproved|counterFactualInfo\..*)$/;

function leaves(value: unknown, prefix: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [prefix];
  return Object.keys(value).flatMap((key) => leaves((value as Json)[key], [...prefix, key]));
}

const at = (body: object, path: Path): unknown => path.reduce<unknown>((inner, key) => (inner as Json)[key], body);

function changed<T extends object>(body: T, path: Path, value: unknown): T {
  const copy = structuredClone(body);
  const parent = at(copy, path.slice(0, -1)) as Json;
  if (value === undefined) delete parent[path.at(-1) as string];
  else parent[path.at(-1) as string] = value;
  return copy;
}

const hexText = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => `0x${Buffer.from(array).toString('hex')}`);
const realAddress = hexText(20).filter((address) => BigInt(address) !== 0n);
const fieldElement = fc.bigInt({ min: 1n, max: FIELD_PRIME - 1n }).map(formatHash);
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const amount = fc.bigInt({ min: 1n, max: 2n ** 96n - 1n }).map(String);
const publicKey = fc.integer({ min: 1, max: 1000 }).map((k) => {
  const { x, y } = getPublicKey(Uint8Array.from({ length: 32 }, (_, i) => (k >> (8 * i)) & (i < 4 ? 0xff : 0)));
  return { x: formatHash(x), y: formatHash(y) };
});

/** A valid random value for a leaf of a request, by its name and present value. */
function randomLeaf(path: Path, present: unknown): fc.Arbitrary<unknown> {
  const key = path.at(-1) as string;
  if (key === 'tokenId')
    return (present as number) < 32768 ? fc.integer({ max: 32767, min: 0 }) : fc.integer({ min: 32768, max: 65535 });
  if (key === 'maxFeeBips') return fc.integer({ min: 0, max: 10_000 });
  if (key === 'creatorFeeBips' || key === 'royaltyPercentage') return fc.integer({ min: 0, max: 255 });
  if (key === 'nftType') return fc.constantFrom(0, 1);
  if (key === 'nftData') return fieldElement;
  if (key === 'extraData') return fc.integer({ min: 1, max: 40 }).chain(hexText);
  if (key === 'nftId') return hexText(32);
  if (typeof present === 'boolean') return fc.boolean();
  if (typeof present === 'number') return uint32;
  if (/^0x[0-9a-fA-F]{40}$/.test(present as string)) return realAddress;
  if (/^0x/.test(present as string)) return hexText(((present as string).length - 2) / 2);
  if (/^[0-9]+$/.test(present as string)) return amount;
  return fc.string({ minLength: 1, maxLength: 20 });
}

/** A random request of the same shape. */
function randomBody(body: object): fc.Arbitrary<object> {
  const paths = leaves(body).filter((path) => path[0] !== 'publicKey');
  return fc
    .tuple(publicKey, ...paths.map((path) => randomLeaf(path, at(body, path))))
    .map(([key, ...values]) =>
      paths.reduce(
        (copy, path, index) => changed(copy, path, values[index]),
        'publicKey' in body ? { ...body, publicKey: key } : body,
      ),
    );
}

describe.each(payloads)('hash of $name', ({ body, hash, bound, unbound }) => {
  const hashOf = hash as (body: object) => bigint;

  it('is a field element that fits the signature', () => {
    const value = hashOf(body);
    expect(value).toBeGreaterThan(0n);
    expect(value).toBeLessThan(FIELD_PRIME);
  });

  it('binds or leaves open each field of the body, none in both lists', () => {
    const fields = leaves(body)
      .map((path) => path.join('.'))
      .filter((field) => !SIGNATURES.test(field));
    expect([...bound, ...unbound].sort()).toEqual(fields.sort());
  });

  it('changes when a bound field changes and with no other', () => {
    const paths = leaves(body);
    fc.assert(
      fc.property(randomBody(body), randomBody(body), (first, second) => {
        let before: bigint;
        try {
          before = hashOf(first);
        } catch (error) {
          fc.pre(!(error instanceof PayloadError && error.code === 'rule'));
          throw error;
        }
        for (const path of paths) {
          const value = at(second, path);
          if (JSON.stringify(value) === JSON.stringify(at(first, path))) continue;
          let after: bigint | undefined;
          try {
            after = hashOf(changed(first, path, value));
          } catch (error) {
            // One coordinate of another point, or a token on both sides: refused, so not the same
            // signature either.
            expect(error).toBeInstanceOf(PayloadError);
          }
          expect(after !== before, `${path.join('.')} is bound`).toBe(bound.includes(path.join('.')));
        }
      }),
      { numRuns: 12 },
    );
  });

  it('is the same for an address in any letter case', () => {
    for (const path of leaves(body)) {
      const value = at(body, path);
      if (typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value))
        expect(hashOf(changed(body, path, value.toLowerCase()))).toBe(hashOf(body));
    }
  });

  it.each(bound.filter((field) => !['taker', 'extraData', 'creatorFeeBips', 'royaltyPercentage'].includes(field)))(
    'needs %s',
    (field) => {
      const parts = field.split('.');
      try {
        hashOf(changed(body, parts, undefined));
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(PayloadError);
        const refused = error as PayloadError;
        expect(refused.code).toBe('missing');
        expect(field.startsWith(refused.field) || refused.field.startsWith(field)).toBe(true);
        expect(refused.message).toContain(refused.field);
      }
    },
  );

  it.each(bound)('refuses bad values of %s by its path', (field) => {
    const path = field.split('.');
    const present = at(body, path);
    const bad: [unknown, string][] =
      typeof present === 'boolean'
        ? [
            ['yes', 'type'],
            ['', 'type'],
            [1, 'type'],
            [null, 'missing'],
          ]
        : typeof present === 'number'
          ? [
              [-1, 'range'],
              [0x1_0000_0000, 'range'],
              [0.5, 'type'],
              ['1', 'type'],
              [2 ** 53, 'type'],
              [Number.NaN, 'type'],
            ]
          : /^0x/.test(String(present))
            ? [
                [7, 'type'],
                [String(present).slice(2), 'format'],
                [`${String(present)}g`, 'format'],
                [`${String(present).slice(0, -1)} `, 'format'],
              ]
            : [
                [7, 'type'],
                ['', 'format'],
                ['-1', 'format'],
                ['1.5', 'format'],
                ['0x1', 'format'],
                ['01', 'format'],
                ['1e3', 'format'],
                [String(2n ** 96n), 'range'],
                ['9'.repeat(30), 'range'],
              ];
    for (const [value, code] of bad) {
      // minGas is a number of 53 bits; every other number has at most 32.
      if (field === 'minGas' && value === 0x1_0000_0000) continue;
      let refused: unknown;
      try {
        hashOf(changed(body, path, value));
      } catch (error) {
        refused = error;
      }
      expect(refused, `${field} = ${String(value)}`).toBeInstanceOf(PayloadError);
      expect({ field: (refused as PayloadError).field, code: (refused as PayloadError).code }).toEqual({ field, code });
    }
  });
});

const refusal = (run: () => unknown): { field: string; code: string } | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    return { field: error.field, code: error.code };
  }
};

describe('orderHash', () => {
  const order = bodies.submitOrder;

  it('takes an absent, empty or zero taker for anyone', () => {
    const { taker: _taker, ...open } = order;
    const anyone = orderHash(open);
    expect(orderHash({ ...order, taker: '' })).toBe(anyone);
    expect(orderHash({ ...order, taker: `0x${'0'.repeat(40)}` })).toBe(anyone);
    expect(orderHash(order)).not.toBe(anyone);
  });

  it('takes the texts true and false for booleans and never another text', () => {
    expect(orderHash({ ...order, fillAmountBOrS: 'true' })).toBe(orderHash({ ...order, fillAmountBOrS: true }));
    expect(orderHash({ ...order, fillAmountBOrS: 'false' })).toBe(orderHash({ ...order, fillAmountBOrS: false }));
    expect(orderHash({ ...order, fillAmountBOrS: 'false' })).not.toBe(orderHash({ ...order, fillAmountBOrS: true }));
  });

  it('refuses the same token on both sides, zero amounts, NFT slots and fees above 100 %', () => {
    expect(refusal(() => orderHash({ ...order, buyToken: order.sellToken }))).toEqual({
      field: 'buyToken.tokenId',
      code: 'rule',
    });
    expect(refusal(() => orderHash({ ...order, sellToken: { tokenId: 1, volume: '0' } }))).toEqual({
      field: 'sellToken.volume',
      code: 'range',
    });
    expect(refusal(() => orderHash({ ...order, sellToken: { tokenId: 32768, volume: '1' } }))).toEqual({
      field: 'sellToken.tokenId',
      code: 'range',
    });
    expect(refusal(() => orderHash({ ...order, maxFeeBips: 10_001 }))).toEqual({ field: 'maxFeeBips', code: 'range' });
  });
});

describe('nftOrderHash', () => {
  const sale = bodies.validateOrder;
  const nft = sale.sellToken;

  it('refuses a purchase without nftData, and nftData outside the field', () => {
    const purchase = { ...sale, sellToken: { tokenId: 1, amount: '5' } };
    expect(refusal(() => nftOrderHash({ ...purchase, buyToken: { tokenId: 33000, amount: '1' } }))).toEqual({
      field: 'buyToken.nftData',
      code: 'missing',
    });
    expect(
      refusal(() => nftOrderHash({ ...purchase, buyToken: { ...nft, nftData: formatHash(FIELD_PRIME) } })),
    ).toEqual({ field: 'buyToken.nftData', code: 'range' });
  });

  it('gives no NFT order the hash of an order of tokens, nor that of another slot', () => {
    const { sellToken: _, buyToken: __, ...terms } = sale;
    const buying = (number: number) => {
      const nftData = formatHash(BigInt(number));
      const sold = { tokenId: 3, amount: '5' };
      return nftOrderHash({ ...terms, sellToken: sold, buyToken: { tokenId: 33000, amount: '7', nftData } });
    };
    for (const number of [0, 1, 32_767, 32_768, 65_535])
      expect(refusal(() => buying(number))).toEqual({ field: 'buyToken.nftData', code: 'rule' });
    expect(buying(65_536)).toBeGreaterThan(0n);
    const spot = { ...terms, sellToken: { tokenId: 3, volume: '5' }, buyToken: { tokenId: 1, volume: '7' } };
    expect(orderHash(spot)).not.toBe(buying(65_536));
    expect(refusal(() => nftOrderHash({ ...sale, maxFeeBips: 0, buyToken: { ...nft, nftData: '0x1' } }))).toEqual({
      field: 'buyToken.nftData',
      code: 'rule',
    });
  });

  it('refuses an order without an NFT, nftData on a token, and an NFT for an NFT with a fee', () => {
    const token = { tokenId: 1, amount: '5' };
    expect(refusal(() => nftOrderHash({ ...sale, sellToken: token, buyToken: { tokenId: 2, amount: '1' } }))).toEqual({
      field: 'buyToken.tokenId',
      code: 'rule',
    });
    expect(refusal(() => nftOrderHash({ ...sale, buyToken: { ...token, nftData: nft.nftData } }))).toEqual({
      field: 'buyToken.nftData',
      code: 'rule',
    });
    expect(refusal(() => nftOrderHash({ ...sale, buyToken: nft }))).toEqual({ field: 'maxFeeBips', code: 'rule' });
    expect(nftOrderHash({ ...sale, buyToken: nft, maxFeeBips: 0 })).toBeGreaterThan(0n);
  });
});

describe('transfers and withdrawals', () => {
  const zero = `0x${'0'.repeat(40)}`;

  it('refuse the zero address as receiver', () => {
    expect(refusal(() => transferHash({ ...bodies.submitTransfer, payeeAddr: zero }))?.field).toBe('payeeAddr');
    expect(refusal(() => nftTransferHash({ ...bodies.transferNft, toAddress: zero }))?.field).toBe('toAddress');
    expect(refusal(() => withdrawalHash({ ...bodies.submitWithdrawal, to: zero }))?.field).toBe('to');
    expect(refusal(() => nftWithdrawalHash({ ...bodies.withdrawNft, to: zero }))?.field).toBe('to');
  });

  it('move no NFT under the name of a token and no token under that of an NFT, and pay fees in tokens', () => {
    const slot = { tokenId: 32768, volume: '1' };
    const token = { tokenId: 32767, amount: '1' };
    const range = (field: string) => ({ field, code: 'range' });
    expect(refusal(() => transferHash({ ...bodies.submitTransfer, token: slot }))).toEqual(range('token.tokenId'));
    expect(refusal(() => withdrawalHash({ ...bodies.submitWithdrawal, token: slot }))).toEqual(range('token.tokenId'));
    expect(refusal(() => nftTransferHash({ ...bodies.transferNft, token }))).toEqual(range('token.tokenId'));
    expect(refusal(() => nftWithdrawalHash({ ...bodies.withdrawNft, token }))).toEqual(range('token.tokenId'));
    expect(refusal(() => transferHash({ ...bodies.submitTransfer, maxFee: slot }))).toEqual(range('maxFee.tokenId'));
  });

  it('hash extraData as bytes and refuse what is not bytes', () => {
    const data = { minGas: 0, to: owner };
    const none = onchainDataHash(data);
    expect(onchainDataHash({ ...data, extraData: '' })).toBe(none);
    expect(onchainDataHash({ ...data, extraData: '0x' })).toBe(none);
    expect(onchainDataHash({ ...data, extraData: '0x00' })).not.toBe(none);
    for (const extraData of ['deadbeef', 'hello', '0xabc', '0x0g'])
      expect(refusal(() => onchainDataHash({ ...data, extraData }))).toEqual({ field: 'extraData', code: 'format' });
  });

  it('take minGas beyond 32 bits', () => {
    expect(onchainDataHash({ minGas: 2 ** 40, to: owner })).not.toBe(onchainDataHash({ minGas: 0, to: owner }));
    expect(onchainDataHash({ minGas: 1, to: owner })).toBeLessThan(1n << 160n);
  });
});

describe('NFT hashes', () => {
  it('read the royalty under either name and refuse two different numbers', () => {
    expect(royaltyOf({})).toBe(0);
    expect(royaltyOf({ creatorFeeBips: 5, royaltyPercentage: 5 })).toBe(5);
    expect(nftMintHash(mintWithBips)).toBe(nftMintHash(mintWithPercentage));
    expect(nftMintHash(bodies.mintNft)).toBe(nftMintHash(mintWithBips));
    expect(refusal(() => nftMintHash({ ...bodies.mintNft, royaltyPercentage: 6 }))).toEqual({
      field: 'royaltyPercentage',
      code: 'rule',
    });
    expect(refusal(() => nftMintHash({ ...mintWithBips, creatorFeeBips: 256 }))).toEqual({
      field: 'creatorFeeBips',
      code: 'range',
    });
  });

  it('read an NFT id with and without leading zeros as the same number', () => {
    const nft = { minterAddress: owner, nftType: 0, tokenAddress: contract, nftId: '0x1' };
    expect(nftDataHash(nft)).toBe(nftDataHash({ ...nft, nftId: `0x${'1'.padStart(64, '0')}` }));
    expect(refusal(() => nftDataHash({ ...nft, nftId: `0x${'1'.padStart(65, '0')}` }))?.code).toBe('range');
    expect(refusal(() => nftDataHash({ ...nft, nftType: 2 }))?.field).toBe('nftType');
  });

  it('refuse a mint of nothing and a minter that is the contract', () => {
    expect(refusal(() => nftMintHash({ ...mintWithBips, amount: '0' }))).toEqual({ field: 'amount', code: 'range' });
    expect(refusal(() => nftMintHash({ ...mintWithBips, minterAddress: contract }))).toEqual({
      field: 'tokenAddress',
      code: 'rule',
    });
  });

  it('tell taker and maker of a trade apart', () => {
    const maker = { accountId: 1, sellToken: { tokenId: 33000 }, storageId: 2 };
    const taker = { accountId: 3, sellToken: { tokenId: 1 }, storageId: 4 };
    expect(nftTradeHash({ maker, taker })).not.toBe(nftTradeHash({ maker: taker, taker: maker }));
    expect(refusal(() => nftTradeHash({ maker: { ...maker, storageId: -1 }, taker }))?.field).toBe('maker.storageId');
  });
});

describe('account updates', () => {
  it('have an identifier that is not the signed hash', () => {
    expect(accountUpdateIdentifier(bodies.updateAccount)).not.toBe(accountUpdateHash(bodies.updateAccount));
  });

  it.each([
    ['the neutral element', '0x0', '0x1'],
    ['no point', '0x1', '0x1'],
    ['the empty key', '0x0', '0x0'],
    ['a point of order 2', '0x0', formatHash(FIELD_PRIME - 1n)],
  ])('refuse %s as public key', (_name, x, y) => {
    expect(refusal(() => accountUpdateHash({ ...bodies.updateAccount, publicKey: { x, y } }))).toEqual({
      field: 'publicKey',
      code: 'rule',
    });
  });

  it('refuse a coordinate outside the field', () => {
    const publicKey = { ...bodies.updateAccount.publicKey, x: formatHash(FIELD_PRIME) };
    expect(refusal(() => accountUpdateHash({ ...bodies.updateAccount, publicKey }))).toEqual({
      field: 'publicKey.x',
      code: 'range',
    });
  });
});

describe('pool scalars', () => {
  it('accept the pool list’s domain separator only when it is the right one', () => {
    const right = domainSeparator(poolDomain(1, poolIdentity.name, pool));
    const scalar = ammExitScalar(poolIdentity, bodies.exitAmmPool);
    expect(ammExitScalar({ ...poolIdentity, domainSeparator: right }, bodies.exitAmmPool)).toBe(scalar);
    expect(
      refusal(() => ammExitScalar({ ...poolIdentity, chainId: 5, domainSeparator: right }, bodies.exitAmmPool)),
    ).toEqual({ field: 'domainSeparator', code: 'rule' });
  });

  it('sign the volume of burned in either form', () => {
    const exit = bodies.exitAmmPool;
    const object = { ...exit, exitTokens: { ...exit.exitTokens, burned: { tokenId: 4, volume: '50' } } };
    expect(ammExitScalar(poolIdentity, object)).toBe(ammExitScalar(poolIdentity, exit));
  });

  it('depend on chain and pool name', () => {
    const scalars = [poolIdentity, { ...poolIdentity, chainId: 5 }, { ...poolIdentity, name: 'AMM-ETH-LRC' }].map(
      (identity) => ammJoinScalar(identity, bodies.joinAmmPool),
    );
    expect(new Set(scalars).size).toBe(3);
  });
});

describe('formatHash', () => {
  it('pads to 64 digits and refuses what is no hash', () => {
    expect(formatHash(1n)).toBe(`0x${'0'.repeat(63)}1`);
    expect(() => formatHash(-1n)).toThrow(RangeError);
    expect(() => formatHash(1n << 256n)).toThrow(RangeError);
  });

  it('gives the full form of a hash that a relayer printed short, and nothing for what is none', () => {
    const full = `0x${'0'.repeat(62)}ab`;
    expect(['0xab', '0x0AB', full].map(fullHash)).toEqual([full, full, full]);
    expect([null, undefined, 171, '', '0x', 'ab', '0xg', `0x${'1'.repeat(65)}`].map(fullHash)).toEqual(
      Array(8).fill(null),
    );
  });

  it('of the exchange hash input stays the address', () => {
    expect(BigInt(exchange)).toBe(66626409977037222910046104954964487778352438948n);
  });
});
