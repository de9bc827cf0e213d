import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

/** EIP-712 digests of the protocol's structs, and the signature of an L1 key over them. */

const STRUCTS = [
  'AccountUpdate(address owner,uint32 accountID,uint16 feeTokenID,uint96 maxFee,uint256 publicKey,uint32 validUntil,uint32 nonce)',
  'Withdrawal(address owner,uint32 accountID,uint16 tokenID,uint96 amount,uint16 feeTokenID,uint96 maxFee,address to,bytes extraData,uint256 minGas,uint32 validUntil,uint32 storageID)',
  'Transfer(address from,address to,uint16 tokenID,uint96 amount,uint16 feeTokenID,uint96 maxFee,uint32 validUntil,uint32 storageID)',
  'PoolJoin(address owner,uint96[] joinAmounts,uint32[] joinStorageIDs,uint96 mintMinAmount,uint96 fee,uint32 validUntil)',
  'PoolExit(address owner,uint96 burnAmount,uint32 burnStorageID,uint96[] exitMinAmounts,uint96 fee,uint32 validUntil)',
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
] as const;
export type Struct = 'AccountUpdate' | 'Withdrawal' | 'Transfer' | 'PoolJoin' | 'PoolExit' | 'EIP712Domain';
type Value = string | number | bigint | readonly (string | number | bigint)[];
export type Domain = readonly [name: string, version: string, chainId: number, contract: string];

export const keccak = (...parts: readonly Uint8Array[]) => Buffer.from(keccak_256(Buffer.concat(parts)));
export const bytes = (text: string) => Buffer.from(text.replace(/^0x/, ''), 'hex');
export const word = (value: string | number | bigint) =>
  Buffer.from(BigInt(value).toString(16).padStart(64, '0'), 'hex');

function encode(type: string, value: Value): Buffer {
  if (Array.isArray(value)) return keccak(...value.map(word));
  if (type === 'string') return keccak(Buffer.from(String(value)));
  if (type === 'bytes') return keccak(bytes(String(value)));
  return word(value as string);
}

const structOf = (name: Struct): string => STRUCTS.find((struct) => struct.startsWith(`${name}(`)) as string;

export function hashStruct(name: Struct, values: readonly Value[]): Buffer {
  const types =
    /\((.*)\)/
      .exec(structOf(name))?.[1]
      ?.split(',')
      .map((member) => member.split(' ')[0] as string) ?? [];
  if (types.length !== values.length) throw new Error(`${name} has ${types.length} members`);
  return keccak(
    keccak(Buffer.from(structOf(name))),
    ...values.map((value, member) => encode(types[member] as string, value)),
  );
}

export const digest = (domain: Domain, name: Struct, values: readonly Value[]): Buffer =>
  keccak(bytes('1901'), hashStruct('EIP712Domain', domain), hashStruct(name, values));

export const personalHash = (message: Uint8Array): Buffer =>
  keccak(Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`), message);

/** r, s and v of 27 or 28. */
export function signEcdsa(hash: Uint8Array, key: Uint8Array): string {
  const [recovery, ...rs] = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' });
  return `0x${Buffer.from(rs).toString('hex')}${(27 + (recovery as number)).toString(16)}`;
}

export const addressOf = (key: Uint8Array): string =>
  `0x${keccak(secp256k1.getPublicKey(key, false).subarray(1)).subarray(12).toString('hex')}`;
