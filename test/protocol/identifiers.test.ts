import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CidError,
  cidFromNftId,
  cloneCreationCode,
  computeNftAddress,
  counterFactualWalletAddress,
  create2Address,
  decodeFloat,
  encodeFloat,
  Float16,
  Float24,
  formatHash,
  MAX_AMOUNT,
  nftFactories,
  nftIdFromCid,
  PayloadError,
  roundToFloat,
  roundUpToFloat,
} from '../../src/protocol/index.ts';
import { owner, pool } from './samples.ts';

const implementation = '0xb25f6d711aebf954fb0265a3b29f7b9beba7e55d';

describe('create2Address', () => {
  it.each([
    [`0x${'0'.repeat(40)}`, '00'.repeat(32), '00', '0x4D1A2e2bB4F88F0250f26Ffff098B0b30B26BF38'],
    ['0xdeadbeef00000000000000000000000000000000', '00'.repeat(32), '00', '0xB928f69Bb1D91Cd65274e3c79d8986362984fDA3'],
    [
      '0x00000000000000000000000000000000deadbeef',
      `${'00'.repeat(28)}cafebabe`,
      'deadbeef',
      '0x60f3f640a8508fC6a86d45DF051962668E1e8AC7',
    ],
    [`0x${'0'.repeat(40)}`, '00'.repeat(32), '', '0xE33C0C7F7df4809055C3ebA6c09CFe4BaF1BD9e0'],
  ])('of %s is the example of EIP-1014', (deployer, salt, code, address) => {
    const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
    expect(create2Address(deployer, bytes(salt), bytes(code))).toBe(address);
  });
});

describe('NFT contract addresses', () => {
  const origin = { nftFactory: pool, implementation, nftOwner: owner };

  it('depend on factory, implementation, owner and base URI', () => {
    const addresses = [
      computeNftAddress(origin),
      computeNftAddress({ ...origin, nftFactory: owner }),
      computeNftAddress({ ...origin, implementation: owner }),
      computeNftAddress({ ...origin, nftOwner: pool }),
      computeNftAddress({ ...origin, nftBaseUri: 'ipfs://' }),
    ];
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(computeNftAddress({ ...origin, nftBaseUri: '' })).toBe(addresses[0]);
  });

  it('have one official factory a chain', () => {
    expect(nftFactories.map(({ chainId }) => chainId)).toEqual([1, 5, 11155111]);
  });

  it('are refused for malformed addresses, by field', () => {
    for (const field of ['nftFactory', 'implementation', 'nftOwner'] as const)
      expect(() => computeNftAddress({ ...origin, [field]: '0x1' })).toThrow(PayloadError);
  });
});

describe('counterfactual wallet addresses', () => {
  const wallet = { walletFactory: pool, walletOwner: owner, walletSalt: '1648381858' };
  const code = cloneCreationCode(implementation);

  it('depend on factory, owner, salt and proxy code', () => {
    const addresses = [
      counterFactualWalletAddress(wallet, code),
      counterFactualWalletAddress({ ...wallet, walletFactory: owner }, code),
      counterFactualWalletAddress({ ...wallet, walletOwner: pool }, code),
      counterFactualWalletAddress({ ...wallet, walletSalt: '0' }, code),
      counterFactualWalletAddress(wallet, cloneCreationCode(owner)),
    ];
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it.each(['', '-1', '0x1', '1.5', String(1n << 256n), '9'.repeat(79)])('refuse the salt %j', (walletSalt) => {
    expect(() => counterFactualWalletAddress({ ...wallet, walletSalt }, code)).toThrow(
      'walletSalt is not a uint256 as decimal text',
    );
  });
});

describe('CIDs', () => {
  it('and NFT ids are each other’s inverse', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (id) => {
        const nftId = formatHash(id);
        expect(nftIdFromCid(cidFromNftId(nftId))).toBe(nftId);
        expect(cidFromNftId(`0x${id.toString(16)}`)).toBe(cidFromNftId(nftId));
      }),
    );
  });

  it.each([
    ['a CIDv1', 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'],
    ['another hash function', '2DrjgbDdS9cRWNNKEXNGRTxDAfrtH6FdKyVRAYWHaDqAu3FwM9'],
    ['a character outside base58', `Qm${'0'.repeat(44)}`],
    ['a value that is no multihash', '1'.repeat(46)],
    ['a value above 34 bytes', 'z'.repeat(46)],
    ['nothing', ''],
  ])('are refused when they are %s', (_what, cid) => {
    expect(() => nftIdFromCid(cid)).toThrow(CidError);
  });

  it.each(['', '0x', '1', `0x${'1'.repeat(65)}`, '0xg'])('are not made from %j', (nftId) => {
    expect(() => cidFromNftId(nftId)).toThrow(CidError);
  });
});

describe('floats', () => {
  const amount = fc.bigInt({ min: 0n, max: MAX_AMOUNT });

  it.each([
    [0n, 0n, 0n],
    [2047n, 2047n, 2047n],
    [2048n, 2040n, 2048n],
    [524287n, 524000n, 524287n],
    [524288n, 524000n, 524280n],
    [1_000_000_000_000_000_000n, 1_000_000_000_000_000_000n, 1_000_000_000_000_000_000n],
    [123_456_789n, 123_400_000n, 123_456_000n],
  ])('round %s down to %s as a fee and to %s as an amount', (value, fee, rounded) => {
    expect(roundToFloat(value, Float16)).toBe(fee);
    expect(roundToFloat(value, Float24)).toBe(rounded);
  });

  it('round up to the next float, also behind the largest mantissa', () => {
    expect(roundUpToFloat(524_288n, Float24)).toBe(524_290n);
    fc.assert(
      fc.property(amount, (value) => {
        const up = roundUpToFloat(value, Float24);
        expect(up >= value && roundToFloat(up, Float24) === up).toBe(true);
        // No float lies between.
        if (up > value) expect(roundToFloat(up - 1n, Float24) < value).toBe(true);
      }),
    );
  });

  it('lose less than 0.002 % of an amount and 0.5 % of a fee, and never add', () => {
    fc.assert(
      fc.property(amount, (value) => {
        const rounded = roundToFloat(value, Float24);
        expect(rounded <= value && (value - rounded) * 100_000n <= 2n * value).toBe(true);
        const fee = roundToFloat(value, Float16);
        expect(fee <= value && (value - fee) * 1000n <= 5n * value).toBe(true);
      }),
    );
  });

  it('are not rounded again', () => {
    fc.assert(
      fc.property(amount, fc.constantFrom(Float16, Float24), (value, encoding) => {
        const rounded = roundToFloat(value, encoding);
        expect(roundToFloat(rounded, encoding)).toBe(rounded);
        const float = encodeFloat(value, encoding);
        expect(float).toBeLessThan(2 ** (encoding.exponentBits + encoding.mantissaBits));
        expect(decodeFloat(float, encoding)).toBe(rounded);
      }),
    );
  });

  it('refuse negative amounts and those above their range', () => {
    expect(() => encodeFloat(-1n, Float24)).toThrow(RangeError);
    expect(() => encodeFloat(10n ** 60n, Float24)).toThrow(RangeError);
  });
});
