import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { L, publicKey, sign, verify } from './eddsa.ts';
import { addressOf, bytes, hashStruct, personalHash, signEcdsa } from './eip712.ts';
import * as messages from './messages.ts';
import { matrix, poseidon, roundConstants } from './poseidon.ts';

const folder = join(import.meta.dirname, '../../vectors');
const vectorsOf = (kind: string): messages.Body[] =>
  JSON.parse(readFileSync(join(folder, `${kind}.json`), 'utf8')).vectors;
const each = (kinds: readonly string[]) =>
  kinds.flatMap((kind) => vectorsOf(kind).map((vector) => [vector.id, vector] as const));

/** R as it is, S below the subgroup order. */
const reduced = (signature: string) => [signature.slice(0, 130), BigInt(`0x${signature.slice(130)}`) % L];
const signedBy = (message: bigint, key: string, signature: string) => {
  const own = sign(message, BigInt(key));
  expect(reduced(own)).toEqual(reduced(signature));
  expect(verify(message, own, publicKey(BigInt(key)))).toBe(true);
};
const approvedBy = (hashed: Buffer, vector: messages.Body, signature: string) => {
  const message = /^(personal_sign|hardware wallet)/.test(vector.ecdsaMode ?? vector.note)
    ? personalHash(hashed)
    : hashed;
  expect(signEcdsa(message, bytes(vector.l1PrivateKey.slice(2).padStart(64, '0')))).toBe(signature);
};

const hashes: Readonly<Record<string, (body: messages.Body) => bigint>> = {
  order: messages.orderHash,
  transfer: messages.transferHash,
  withdrawal: messages.withdrawalHash,
  'nft-mint': messages.mintHash,
  'nft-transfer': messages.transferHash,
  'nft-withdrawal': messages.withdrawalHash,
};

describe('the independent verifier agrees with the golden vectors on', () => {
  it.each(each(['poseidon-constants']))('%s', (_, v) => {
    const [constants, rows] = [roundConstants(v.partialRounds), matrix(v.t)];
    expect([constants[0], constants[1], constants.at(-1)].map(String)).toEqual([
      ...[v.roundConstantFirst, v.roundConstantSecond, v.roundConstantLast],
    ]);
    expect([rows[0]?.[0], rows[0]?.at(-1), rows.at(-1)?.[0], rows.at(-1)?.at(-1)].map(String)).toEqual([
      ...[v.matrixTopLeft, v.matrixTopRight, v.matrixBottomLeft, v.matrixBottomRight],
    ]);
  });

  it.each(each(['poseidon']))('%s', (_, v) => {
    expect(String(poseidon(v.inputs.map(BigInt), v.t, v.partialRounds))).toBe(v.hash);
  });

  it.each(each(['eddsa']))('%s', (_, v) => signedBy(BigInt(v.message), v.privateKey, v.signature));

  it.each(each(['eddsa-verify']))('%s', (_, v) => {
    const key = { x: BigInt(v.publicKey.x), y: BigInt(v.publicKey.y) };
    expect(verify(BigInt(v.message), v.signature, key)).toBe(v.recommended.startsWith('accept'));
  });

  it.each(each(['key-derivation']))('%s', (_, v) => {
    const l1Key = bytes(v.l1PrivateKey.slice(2).padStart(64, '0'));
    expect(addressOf(l1Key)).toBe(v.address.toLowerCase());
    expect(messages.deriveKey(l1Key, v.keySeed)).toBe(BigInt(v.secretKey));
  });

  it.each(
    each([
      'order-spot',
      'order-amm',
      'order-p2p',
      'order-nft',
      'transfer',
      'withdrawal',
      'nft-mint',
      'nft-transfer',
      'nft-withdrawal',
    ]),
  )('%s', (id, v) => {
    const kind = id.replace(/-\d+$/, '').replace(/^order.*/, 'order');
    const hashed = hashes[kind]?.(v.request) as bigint;
    expect(hashed).toBe(BigInt(v.hash));
    signedBy(hashed, v.eddsaPrivateKey, v.eddsaSignature);
    if (kind === 'order' || kind === 'nft-mint') return;
    const isWithdrawal = kind.endsWith('withdrawal');
    const own = (isWithdrawal ? messages.withdrawalDigest : messages.transferDigest)(v.chainId, v.request);
    expect(`0x${own.toString('hex')}`).toBe(v.eip712.digest);
    approvedBy(own, v, v.ecdsaSignature);
  });

  it.each(each(['account-update']))('%s', (_, v) => {
    const own = messages.updateDigest(v.chainId, v.request);
    expect(`0x${own.toString('hex')}`).toBe(v.eip712.digest);
    approvedBy(own, v, v.ecdsaSignature);
  });

  it.each(each(['amm-join', 'amm-exit']))('%s', (id, v) => {
    const own = (id.startsWith('amm-join') ? messages.joinDigest : messages.exitDigest)(
      v.chainId,
      v.poolName,
      v.request,
    );
    expect(`0x${own.toString('hex')}`).toBe(v.eip712.digest);
    signedBy(messages.poolScalar(own), v.eddsaPrivateKey, v.eddsaSignature);
  });

  it.each(each(['nft-deploy']))('%s', (_, v) => {
    const transfer = { ...v.input.transfer, ...v.completedTransfer };
    expect(messages.transferHash(transfer)).toBe(BigInt(v.transferHash));
    approvedBy(messages.transferDigest(v.chainId, transfer), v, v.transferEcdsaSignature);
    const text = messages.requestText(v.http.method, v.http.url, v.http.body);
    expect(text).toBe(v.apiSigMessage);
    signedBy(messages.requestHash(text), v.eddsaPrivateKey, v.apiSig);
  });

  it.each(each(['api-sig']))('%s', (_, v) => {
    const text = messages.requestText(v.method, `${v.baseUrl}${v.path}`, v.body ?? v.params);
    expect(text).toBe(v.message);
    signedBy(messages.requestHash(text), v.eddsaPrivateKey, v.apiSig);
  });

  it.each(each(['nft-data']))('%s', (_, v) => {
    expect(messages.nftData(v.request)).toBe(BigInt(v.nftData));
  });

  it.each(each(['create2']))('%s', (_, v) => {
    const own = messages.nftContract(v.nftFactory, v.nftOwner, v.nftBaseUri, v.creationCode);
    expect(own).toBe(v.tokenAddress.toLowerCase());
  });

  it.each(each(['eip712-domain']))('%s', (_, v) => {
    const { name, version, chainId, verifyingContract } = v.domain ?? v;
    const own = hashStruct('EIP712Domain', [name, version, chainId, verifyingContract]);
    expect(`0x${own.toString('hex')}`).toBe(v.domainSeparator);
  });
});
