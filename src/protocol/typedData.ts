import { bytesToHex } from '@noble/hashes/utils.js';
import { packPoint } from '../crypto/index.ts';
import { checksummed } from '../ethereum/address.ts';
import { structHash } from '../ethereum/typedDataHash.ts';
import type { Hex } from './fields.ts';
import { MAX_TOKEN_ID } from './limits.ts';
import type { AccountUpdatePayload } from './payloads/accountUpdate.ts';
import { PayloadError } from './payloads/payloadError.ts';
import {
  readAddress,
  readAmount,
  readBytes,
  readInteger,
  readPublicKey,
  readReceiver,
  readUint32,
} from './payloads/readFields.ts';
import type { TransferPayload } from './payloads/transfer.ts';
import type { WithdrawalPayload } from './payloads/withdrawal.ts';

export { typedDataHash as typedDataDigest } from '../ethereum/typedDataHash.ts';

/** Members of a struct, in order. */
type Members = readonly { readonly name: string; readonly type: string }[];

/** EIP-712 domain of the exchange or of a pool. */
export interface TypedDataDomain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: Hex;
}

/** A document of EIP-712. */
export interface TypedData {
  readonly domain: object;
  readonly types: Readonly<Record<string, Members>>;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
}

/** Typed data of the exchange and its pools. */
export interface RelayerTypedData extends TypedData {
  readonly domain: TypedDataDomain;
}

const members = (text: string): Members =>
  text.split(', ').map((member) => {
    const [type, name] = member.split(' ') as [string, string];
    return { name, type };
  });

/**
 * Structs that the exchange contract and its pools check, and `Mint`, which older clients signed
 * for mints.
 */
export const typedDataTypes = {
  AccountUpdate: members(
    'address owner, uint32 accountID, uint16 feeTokenID, uint96 maxFee, uint256 publicKey, uint32 validUntil, uint32 nonce',
  ),
  Withdrawal: members(
    'address owner, uint32 accountID, uint16 tokenID, uint96 amount, uint16 feeTokenID, uint96 maxFee, address to, bytes extraData, uint256 minGas, uint32 validUntil, uint32 storageID',
  ),
  Transfer: members(
    'address from, address to, uint16 tokenID, uint96 amount, uint16 feeTokenID, uint96 maxFee, uint32 validUntil, uint32 storageID',
  ),
  PoolJoin: members(
    'address owner, uint96[] joinAmounts, uint32[] joinStorageIDs, uint96 mintMinAmount, uint96 fee, uint32 validUntil',
  ),
  PoolExit: members(
    'address owner, uint96 burnAmount, uint32 burnStorageID, uint96[] exitMinAmounts, uint96 fee, uint32 validUntil',
  ),
  Mint: members(
    'address minterAddress, uint32 toAccountId, string nftType, uint96 amount, uint256 nftId, address nftAddress, uint16 feeTokenID, uint96 maxFee, uint32 validUntil, uint32 storageID',
  ),
} as const satisfies Record<string, Members>;

/**
 * Checksummed, because encoders refuse mixed case with a wrong checksum, while the bytes are what
 * counts here.
 */
const account = (value: string, field: string): Hex => {
  readAddress(value, field);
  return checksummed(value);
};

const receiver = (value: string, field: string): Hex => {
  readReceiver(value, field);
  return account(value, field);
};

/** Name in the exchange contract's domain. */
export const EXCHANGE_DOMAIN_NAME = 'Loopring Protocol';

/** Domain of the exchange contract, the same on every chain. */
export function exchangeDomain(chainId: number, exchange: string): TypedDataDomain {
  return { name: EXCHANGE_DOMAIN_NAME, version: '3.6.0', chainId, verifyingContract: account(exchange, 'exchange') };
}

/** EIP-712 domain version of pools. */
export const POOL_VERSION = '1.0.0';

/** Domain of a pool; the name is the pool list's. */
export function poolDomain(chainId: number, name: string, poolAddress: string): TypedDataDomain {
  return { name, version: POOL_VERSION, chainId, verifyingContract: account(poolAddress, 'poolAddress') };
}

/** The domain separator. One that a pool list supplies is used only when it equals this. */
export function domainSeparator(domain: TypedDataDomain): Hex {
  const EIP712Domain = members('string name, string version, uint256 chainId, address verifyingContract');
  return `0x${bytesToHex(structHash(domain, 'EIP712Domain', { EIP712Domain }))}`;
}

const typed = (
  domain: TypedDataDomain,
  primaryType: keyof typeof typedDataTypes,
  message: Record<string, unknown>,
): RelayerTypedData => ({ domain, types: { [primaryType]: typedDataTypes[primaryType] }, primaryType, message });

/** ERC-20 bodies say `volume`, NFT bodies `amount`; the structs do not tell them apart. */
interface Moved {
  readonly tokenId: number;
  readonly volume?: string | undefined;
  readonly amount?: string | undefined;
}

/** What a request moves, and its fee. */
interface Amounts {
  readonly token: Moved;
  readonly maxFee: Moved;
}

function moved(token: Moved | undefined, field: string): bigint {
  return token?.volume !== undefined
    ? readAmount(token.volume, `${field}.volume`)
    : readAmount(token?.amount, `${field}.amount`);
}

const feeOf = (maxFee: Moved | undefined) => ({
  feeTokenID: uint16(maxFee?.tokenId, 'maxFee.tokenId'),
  maxFee: moved(maxFee, 'maxFee'),
});

const amountsOf = (body: Amounts) => ({
  tokenID: uint16(body.token?.tokenId, 'token.tokenId'),
  amount: moved(body.token, 'token'),
  ...feeOf(body.maxFee),
});

/** A volume of a pool request. */
interface Volume {
  readonly volume: string;
}

/** Both members of a list of two, holes as `undefined`. Pools have two tokens. */
function pair<T>(list: readonly T[] | undefined, field: string): readonly [T | undefined, T | undefined] {
  if (list === undefined) throw new PayloadError('missing', field, 'is missing');
  if (list.length !== 2) throw new PayloadError('rule', field, 'has not one entry for each of the two pool tokens');
  return [list[0], list[1]];
}

const volumes = (tokens: readonly Volume[] | undefined, field: string): bigint[] =>
  pair(tokens, field).map((token, index) => readAmount(token?.volume, `${field}.${index}.volume`));

const readBurned = (burned: string | Volume | undefined): bigint =>
  typeof burned === 'object' && burned !== null
    ? readAmount(burned.volume, 'exitTokens.burned.volume')
    : readAmount(burned, 'exitTokens.burned');

const uint16 = (value: number | undefined, field: string) => Number(readInteger(value, field, MAX_TOKEN_ID));
const uint32 = (value: number | undefined, field: string) => Number(readUint32(value, field));

/**
 * AccountUpdate: hands the L2 account over to a new key. The gravest of all typed data.
 * @throws {PayloadError}
 */
export function accountUpdateTypedData(
  chainId: number,
  body: AccountUpdatePayload & { readonly owner: string },
): RelayerTypedData {
  return typed(exchangeDomain(chainId, body.exchange), 'AccountUpdate', {
    owner: account(body.owner, 'owner'),
    accountID: uint32(body.accountId, 'accountId'),
    ...feeOf(body.maxFee),
    publicKey: packPoint(readPublicKey(body.publicKey, 'publicKey')),
    validUntil: uint32(body.validUntil, 'validUntil'),
    nonce: uint32(body.nonce, 'nonce'),
  });
}

/**
 * Withdrawal, of a token or an NFT slot. Absent or empty `extraData` is no bytes.
 * @throws {PayloadError}
 */
export function withdrawalTypedData(
  chainId: number,
  body: Omit<WithdrawalPayload, keyof Amounts> & Amounts & { readonly owner: string },
): RelayerTypedData {
  readBytes(body.extraData, 'extraData');
  return typed(exchangeDomain(chainId, body.exchange), 'Withdrawal', {
    owner: account(body.owner, 'owner'),
    accountID: uint32(body.accountId, 'accountId'),
    ...amountsOf(body),
    to: receiver(body.to, 'to'),
    extraData: body.extraData === undefined || body.extraData === '' ? '0x' : body.extraData,
    minGas: readInteger(body.minGas, 'minGas', Number.MAX_SAFE_INTEGER),
    validUntil: uint32(body.validUntil, 'validUntil'),
    storageID: uint32(body.storageId, 'storageId'),
  });
}

/** Sender and receiver under the names of the ERC-20 or of the NFT transfer body. */
type TransferParties =
  | { readonly payerAddr: string; readonly payeeAddr: string }
  | { readonly fromAddress: string; readonly toAddress: string };

/**
 * Transfer, of a token or an NFT slot. Account ids and memo are not in it; only a token id from
 * 32768 on tells that an NFT moves.
 * @throws {PayloadError}
 */
export function transferTypedData(
  chainId: number,
  body: TransferParties & Amounts & Pick<TransferPayload, 'exchange' | 'validUntil' | 'storageId'>,
): RelayerTypedData {
  const erc20 = 'payerAddr' in body;
  const [from, fromField] = erc20 ? [body.payerAddr, 'payerAddr'] : [body.fromAddress, 'fromAddress'];
  const [to, toField] = erc20 ? [body.payeeAddr, 'payeeAddr'] : [body.toAddress, 'toAddress'];
  return typed(exchangeDomain(chainId, body.exchange), 'Transfer', {
    from: account(from, fromField),
    to: receiver(to, toField),
    ...amountsOf(body),
    validUntil: uint32(body.validUntil, 'validUntil'),
    storageID: uint32(body.storageId, 'storageId'),
  });
}

/**
 * Facts that a pool signature needs beyond the request: the chain and the pool's name from the pool
 * list.
 */
export interface PoolIdentity {
  readonly chainId: number;
  readonly name: string;
  /** As the pool list supplies it; checked, never used in place of the computed one. */
  readonly domainSeparator?: string | undefined;
}

/**
 * PoolJoin.
 * @throws {PayloadError}
 */
export function poolJoinTypedData(
  pool: PoolIdentity,
  body: {
    readonly owner: string;
    readonly poolAddress: string;
    readonly joinTokens: { readonly pooled: readonly Volume[]; readonly minimumLp: Volume };
    readonly storageIds: readonly number[];
    readonly fee: string;
    readonly validUntil: number;
  },
): RelayerTypedData {
  return typed(poolDomain(pool.chainId, pool.name, body.poolAddress), 'PoolJoin', {
    owner: account(body.owner, 'owner'),
    joinAmounts: volumes(body.joinTokens?.pooled, 'joinTokens.pooled'),
    joinStorageIDs: pair(body.storageIds, 'storageIds').map((id, index) => uint32(id, `storageIds.${index}`)),
    mintMinAmount: readAmount(body.joinTokens?.minimumLp?.volume, 'joinTokens.minimumLp.volume'),
    fee: readAmount(body.fee, 'fee'),
    validUntil: uint32(body.validUntil, 'validUntil'),
  });
}

/**
 * PoolExit. `burned` may be a text or an object; its amount is signed.
 * @throws {PayloadError}
 */
export function poolExitTypedData(
  pool: PoolIdentity,
  body: {
    readonly owner: string;
    readonly poolAddress: string;
    readonly exitTokens: {
      readonly unPooled: readonly Volume[];
      readonly burned: string | Volume;
    };
    readonly storageId: number;
    readonly maxFee: string;
    readonly validUntil: number;
  },
): RelayerTypedData {
  return typed(poolDomain(pool.chainId, pool.name, body.poolAddress), 'PoolExit', {
    owner: account(body.owner, 'owner'),
    burnAmount: readBurned(body.exitTokens?.burned),
    burnStorageID: uint32(body.storageId, 'storageId'),
    exitMinAmounts: volumes(body.exitTokens?.unPooled, 'exitTokens.unPooled'),
    fee: readAmount(body.maxFee, 'maxFee'),
    validUntil: uint32(body.validUntil, 'validUntil'),
  });
}
