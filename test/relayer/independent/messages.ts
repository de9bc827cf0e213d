import { createHash } from 'node:crypto';
import { L, pack } from './eddsa.ts';
import { bytes, type Domain, digest, keccak, personalHash, signEcdsa, word } from './eip712.ts';
import { littleEndian, P, poseidon } from './poseidon.ts';

/**
 * What each request signs: Poseidon hashes, digests and the text of a request. Bodies as they
 * travel.
 */

// biome-ignore lint/suspicious/noExplicitAny: bodies of every kind.
export type Body = Record<string, any>;

/** An absent or empty field counts as zero. */
const hash = (...fields: unknown[]) => poseidon(fields.map((field) => BigInt((field || 0) as string)));
const amountOf = (token: Body): string => token.volume ?? token.amount;
const feeOf = ({ maxFee }: Body) => [maxFee.tokenId, amountOf(maxFee)] as const;
const boughtOf = ({ buyToken }: Body) => (buyToken.tokenId >= 32768 ? buyToken.nftData : buyToken.tokenId);

export const orderHash = (o: Body) =>
  hash(
    ...[o.exchange, o.storageId, o.accountId, o.sellToken.tokenId, boughtOf(o), amountOf(o.sellToken)],
    ...[amountOf(o.buyToken), o.validUntil, o.maxFeeBips, Number(o.fillAmountBOrS), o.taker],
  );

export const transferHash = (t: Body) =>
  hash(
    ...[t.exchange, t.payerId ?? t.fromAccountId, t.payeeId ?? t.toAccountId, t.token.tokenId, amountOf(t.token)],
    ...[...feeOf(t), t.payeeAddr ?? t.toAddress, 0, 0, t.validUntil, t.storageId],
  );

const onchainDataHash = (w: Body) => keccak(word(w.minGas), bytes(w.to), bytes(w.extraData ?? '')).subarray(0, 20);

export const withdrawalHash = (w: Body) =>
  hash(
    ...[w.exchange, w.accountId, w.token.tokenId, amountOf(w.token), ...feeOf(w)],
    ...[`0x${onchainDataHash(w).toString('hex')}`, w.validUntil, w.storageId],
  );

export function nftData(n: Body): bigint {
  const id = BigInt(n.nftId);
  const royalty = n.royaltyPercentage ?? n.creatorFeeBips;
  return hash(n.minterAddress, n.nftType, n.tokenAddress, id & ((1n << 128n) - 1n), id >> 128n, royalty);
}

export const mintHash = (n: Body) =>
  hash(n.exchange, n.minterId, n.toAccountId, nftData(n), n.amount, ...feeOf(n), n.validUntil, n.storageId);

const exchangeDomain = (chainId: number, { exchange }: Body): Domain => [
  'Loopring Protocol',
  '3.6.0',
  chainId,
  exchange,
];

export const transferDigest = (chainId: number, t: Body) =>
  digest(exchangeDomain(chainId, t), 'Transfer', [
    ...[t.payerAddr ?? t.fromAddress, t.payeeAddr ?? t.toAddress, t.token.tokenId, amountOf(t.token), ...feeOf(t)],
    ...[t.validUntil, t.storageId],
  ]);

export const withdrawalDigest = (chainId: number, w: Body) =>
  digest(exchangeDomain(chainId, w), 'Withdrawal', [
    ...[w.owner, w.accountId, w.token.tokenId, amountOf(w.token), ...feeOf(w), w.to, w.extraData ?? '', w.minGas],
    ...[w.validUntil, w.storageId],
  ]);

export const updateDigest = (chainId: number, u: Body) =>
  digest(exchangeDomain(chainId, u), 'AccountUpdate', [
    ...[u.owner, u.accountId, ...feeOf(u), pack({ x: BigInt(u.publicKey.x), y: BigInt(u.publicKey.y) })],
    ...[u.validUntil, u.nonce],
  ]);

const poolDomain = (chainId: number, name: string, { poolAddress }: Body): Domain => [
  name,
  '1.0.0',
  chainId,
  poolAddress,
];
const volumes = (tokens: Body[]): string[] => tokens.map(({ volume }) => volume);

export const joinDigest = (chainId: number, poolName: string, j: Body) =>
  digest(poolDomain(chainId, poolName, j), 'PoolJoin', [
    ...[j.owner, volumes(j.joinTokens.pooled), j.storageIds, j.joinTokens.minimumLp.volume, j.fee, j.validUntil],
  ]);

export const exitDigest = (chainId: number, poolName: string, { exitTokens, ...e }: Body) =>
  digest(poolDomain(chainId, poolName, e), 'PoolExit', [
    ...[e.owner, exitTokens.burned.volume ?? exitTokens.burned, e.storageId, volumes(exitTokens.unPooled)],
    ...[e.maxFee, e.validUntil],
  ]);

/** What the EdDSA signature of a pool request covers. */
export const poolScalar = (hashed: Uint8Array) => BigInt(`0x${Buffer.from(hashed).toString('hex')}`) >> 3n;

const percent = (text: string) =>
  encodeURIComponent(text).replace(/[!'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** The text under `X-API-SIG`; the payload is the query, or the body exactly as it is sent. */
export function requestText(method: string, url: string, payload: Body | string): string {
  const text =
    typeof payload === 'string'
      ? payload
      : Object.keys(payload)
          .filter((name) => (payload[name] ?? '') !== '')
          .sort()
          .map((name) => `${name}=${String(payload[name]).replaceAll(',', '%2C')}`)
          .join('&');
  return [method, percent(url), percent(text)].join('&');
}

export const requestHash = (text: string) => BigInt(`0x${createHash('sha256').update(text).digest('hex')}`) % P;

/** The EdDSA key that an L1 key derives from a text. */
export const deriveKey = (l1Key: Uint8Array, seed: string): bigint =>
  littleEndian(
    createHash('sha256')
      .update(bytes(signEcdsa(personalHash(Buffer.from(seed)), l1Key)))
      .digest(),
  ) % L;

/** CREATE2 address of a counterfactual NFT contract. */
export function nftContract(factory: string, owner: string, baseUri: string, creationCode: string): string {
  const salt = keccak(Buffer.from('NFT_CONTRACT_CREATION'), bytes(owner), Buffer.from(baseUri));
  const hashed = keccak(bytes('ff'), bytes(factory), salt, keccak(bytes(creationCode)));
  return `0x${hashed.subarray(12).toString('hex')}`;
}
