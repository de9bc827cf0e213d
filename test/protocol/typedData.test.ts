import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import {
  accountUpdateTypedData,
  domainSeparator,
  exchangeDomain,
  PayloadError,
  poolExitTypedData,
  poolJoinTypedData,
  transferTypedData,
  typedDataDigest,
  typedDataTypes,
  withdrawalTypedData,
} from '../../src/protocol/index.ts';
import { legacyMintTypedData } from '../support/vectorKinds/nft.ts';
import { bodies, exchange, pool } from './samples.ts';

/** Type hashes as the contracts have them. */
const typeHashes: Record<keyof typeof typedDataTypes, string> = {
  AccountUpdate: '0x2572067ba53186333170716cc2af5287d9ade832878652f81a464bfa2a5f67b7',
  Withdrawal: '0x53e76288406dcc28b678b1729d44357c9cad2b88390a0e9fe2d0aa7c6c6eb15e',
  Transfer: '0x1dc39c675b372f8b007ec97afefd94ca728f5fa07a299187ebda40d9d1ee0d75',
  PoolJoin: '0xe773d686b8cad7a7fef03efce55d1738674ecad2b518e9bedb11746863c32362',
  PoolExit: '0x1fc0574c1a928b157f9fb02499d47d74d74a99526cdf49d1c261dfdbe27f877a',
  Mint: '0xd5e49d5a62f6118c42dd6d44f01122f689dc79063f51ced33da363dbdb01b584',
};

const poolIdentity = { chainId: 1, name: 'AMM-LRC-ETH' };

const all = {
  AccountUpdate: accountUpdateTypedData(1, bodies.updateAccount),
  Withdrawal: withdrawalTypedData(1, bodies.submitWithdrawal),
  Transfer: transferTypedData(1, bodies.submitTransfer),
  PoolJoin: poolJoinTypedData(poolIdentity, bodies.joinAmmPool),
  PoolExit: poolExitTypedData(poolIdentity, bodies.exitAmmPool),
  Mint: legacyMintTypedData(1, bodies.mintNft),
};

describe.each(Object.keys(all) as (keyof typeof all)[])('typed data %s', (name) => {
  it('has the type hash of the contract', () => {
    const text = `${name}(${typedDataTypes[name].map((member) => `${member.type} ${member.name}`).join(',')})`;
    expect(`0x${bytesToHex(keccak_256(utf8ToBytes(text)))}`).toBe(typeHashes[name]);
  });

  it('has a message with exactly the members of its type', () => {
    expect(all[name].primaryType).toBe(name);
    expect(Object.keys(all[name].message)).toEqual(typedDataTypes[name].map((member) => member.name));
  });

  it('has a digest that depends on every member, the domain and the chain', () => {
    const typedData = all[name];
    const other = (value: unknown): unknown =>
      typeof value === 'bigint' || typeof value === 'number'
        ? BigInt(value) + 1n
        : Array.isArray(value)
          ? value.map(other)
          : /^0x.{40}$/.test(value as string)
            ? exchange
            : /^0x/.test(value as string)
              ? `${value as string}00`
              : `${value as string}1`;
    const digests = new Set([typedDataDigest(typedData)]);
    for (const [key, value] of Object.entries(typedData.message))
      digests.add(typedDataDigest({ ...typedData, message: { ...typedData.message, [key]: other(value) } }));
    digests.add(typedDataDigest({ ...typedData, domain: { ...typedData.domain, chainId: 5 } }));
    digests.add(typedDataDigest({ ...typedData, domain: { ...typedData.domain, name: 'x' } }));
    digests.add(typedDataDigest({ ...typedData, domain: { ...typedData.domain, version: '3.9.0' } }));
    expect(digests.size).toBe(Object.keys(typedData.message).length + 4);
  });
});

describe('typed data', () => {
  it('is the same for an address in any letter case, also with a wrong checksum', () => {
    const wrongCase = bodies.submitTransfer.payeeAddr.replace('d4', 'D4');
    expect(wrongCase).not.toBe(bodies.submitTransfer.payeeAddr);
    for (const payeeAddr of [wrongCase, wrongCase.toLowerCase()])
      expect(typedDataDigest(transferTypedData(1, { ...bodies.submitTransfer, payeeAddr }))).toBe(
        typedDataDigest(all.Transfer),
      );
  });

  it('of a withdrawal takes absent, empty and 0x extraData for no bytes', () => {
    const digests = [undefined, '', '0x'].map((extraData) =>
      typedDataDigest(withdrawalTypedData(1, { ...bodies.submitWithdrawal, extraData })),
    );
    expect(new Set(digests).size).toBe(1);
    expect(digests[0]).not.toBe(typedDataDigest(all.Withdrawal));
  });

  it('of an NFT transfer is that of a token transfer with a slot for a token id', () => {
    const { transferNft } = bodies;
    const asToken = transferTypedData(1, {
      ...transferNft,
      payerAddr: transferNft.fromAddress,
      payeeAddr: transferNft.toAddress,
      token: { tokenId: 33000, volume: '3' },
      maxFee: { tokenId: 0, volume: '1000' },
    });
    expect(typedDataDigest(asToken)).toBe(typedDataDigest(transferTypedData(1, transferNft)));
  });

  it('binds the owner of an account update, which the EdDSA form does not', () => {
    const { updateAccount } = bodies;
    const moved = accountUpdateTypedData(1, { ...updateAccount, owner: exchange });
    expect(typedDataDigest(moved)).not.toBe(typedDataDigest(all.AccountUpdate));
  });

  it('is refused by field for the zero receiver, bad addresses, overflowing numbers and a third pool token', () => {
    const field = (run: () => unknown) => {
      try {
        run();
      } catch (error) {
        return error instanceof PayloadError ? error.field : error;
      }
      return 'accepted';
    };
    const zero = `0x${'0'.repeat(40)}`;
    const { submitTransfer, submitWithdrawal, transferNft, exitAmmPool, joinAmmPool, updateAccount } = bodies;
    const three = [...joinAmmPool.joinTokens.pooled, { tokenId: 2, volume: '1' }];
    expect(field(() => transferTypedData(1, { ...submitTransfer, payeeAddr: zero }))).toBe('payeeAddr');
    expect(field(() => transferTypedData(1, { ...transferNft, toAddress: zero }))).toBe('toAddress');
    expect(field(() => withdrawalTypedData(1, { ...submitWithdrawal, to: zero }))).toBe('to');
    expect(field(() => withdrawalTypedData(1, { ...submitWithdrawal, extraData: 'text' }))).toBe('extraData');
    expect(field(() => transferTypedData(1, { ...submitTransfer, payerAddr: '0x1' }))).toBe('payerAddr');
    expect(field(() => transferTypedData(1, { ...submitTransfer, validUntil: 1.7e12 }))).toBe('validUntil');
    expect(field(() => accountUpdateTypedData(1, { ...updateAccount, exchange: 'x' }))).toBe('exchange');
    expect(field(() => poolExitTypedData(poolIdentity, { ...exitAmmPool, maxFee: '-1' }))).toBe('maxFee');
    expect(field(() => poolExitTypedData(poolIdentity, { ...exitAmmPool, poolAddress: '' }))).toBe('poolAddress');
    expect(
      field(() =>
        poolJoinTypedData(poolIdentity, { ...joinAmmPool, joinTokens: { ...joinAmmPool.joinTokens, pooled: three } }),
      ),
    ).toBe('joinTokens.pooled');
    expect(field(() => poolJoinTypedData(poolIdentity, { ...joinAmmPool, storageIds: [1] }))).toBe('storageIds');
  });

  it('has the published mainnet domain', () => {
    expect(domainSeparator(exchangeDomain(1, exchange))).toBe(
      '0xf35e902e19c9d66a100a3d9b39430a988f9b8d41331d6f346f5c540ef8803264',
    );
    expect(all.PoolExit.domain).toEqual({
      name: 'AMM-LRC-ETH',
      version: '1.0.0',
      chainId: 1,
      verifyingContract: pool,
    });
  });
});
