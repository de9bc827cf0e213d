import { type Hex, hashMessage, hexToBigInt, recoverAddress, size, slice } from 'viem';
import { type AffinePoint, CryptoError, parseSignature, type Signature } from '../../crypto/index.ts';
import type { CounterFactualWallet } from '../../protocol/counterFactualWallet.ts';
import { type RelayerTypedData, typedDataDigest } from '../../protocol/typedData.ts';
import { Refusal } from '../errors.ts';
import { isWalletOf } from './counterFactualWallets.ts';
import type { Relayer } from './relayer.ts';

/**
 * EdDSA by the account's current key.
 * @throws {Refusal} SIGNATURE_MISSING without a signature, SIGNATURE_WRONG for a wrong one or an
 *   account without a key.
 */
export async function checkEddsa(
  relayer: Relayer,
  message: bigint | readonly bigint[],
  signature: string | undefined,
  publicKey: AffinePoint | null,
  what: string,
): Promise<void> {
  if (signature === undefined || signature === '')
    throw new Refusal('SIGNATURE_MISSING', `${what}: the EdDSA signature is missing`);
  if (publicKey === null) throw new Refusal('SIGNATURE_WRONG', `${what}: the account has no key yet`);
  const messages = typeof message === 'bigint' ? [message] : message;
  if (await relayer.signatures.check({ signature: parsed(signature, what), messages, publicKey })) return;
  throw new Refusal(
    'SIGNATURE_WRONG',
    `${what}: the EdDSA signature does not fit the account's current key and these fields`,
  );
}

function parsed(signature: string, what: string): Signature {
  try {
    return parseSignature(signature);
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error;
    throw new Refusal('SIGNATURE_WRONG', `${what}: the EdDSA signature is malformed`);
  }
}

/**
 * Half of the secp256k1 group order; the exchange contract refuses a larger `s`, whose twin anybody
 * can compute.
 */
const MAX_LOW_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** The owner's approval in the body of a request, in one of the forms that the interface knows. */
export interface OwnerApproval {
  readonly ecdsaSignature?: string | undefined;
  readonly hashApproved?: string | undefined;
  readonly counterFactualInfo?: CounterFactualWallet | undefined;
}

/**
 * Checks that the L1 owner approved the typed data: by its own ECDSA signature (65 bytes, v 0, 1,
 * 27 or 28, over the digest or as personal_sign over the digest's bytes; a type byte may follow),
 * by the wallet contract (EIP-1271) or, only while there is no code at the address, by the owner of
 * the counterfactual wallet, or by a hash that was approved on L1.
 * @param headerSignature - `X-API-SIG`, which goes before the body.
 * @throws {Refusal} SIGNATURE_MISSING without any, SIGNATURE_WRONG when none holds, L1_NODE_ERROR
 *   when the L1 chain cannot be asked.
 */
export async function checkOwnerApproval(
  relayer: Relayer,
  owner: Hex,
  typedData: RelayerTypedData,
  { ecdsaSignature, hashApproved, counterFactualInfo }: OwnerApproval,
  headerSignature?: string,
): Promise<void> {
  const digest = typedDataDigest(typedData);
  const signature = headerSignature || ecdsaSignature;
  if (!signature && !hashApproved)
    throw new Refusal('SIGNATURE_MISSING', "the owner's ECDSA signature or approved hash is missing");
  if (hashApproved) {
    if (hashApproved.toLowerCase() !== digest)
      throw new Refusal('SIGNATURE_WRONG', 'hashApproved is not the EIP-712 digest of this request');
    if (await askL1(relayer, () => relayer.l1.isHashApproved(owner, digest))) return;
    throw new Refusal('SIGNATURE_WRONG', 'the owner has not approved this hash on L1');
  }
  if (!signature || !/^0x([0-9a-fA-F]{2})+$/.test(signature))
    throw new Refusal('SIGNATURE_WRONG', 'the ECDSA signature is not 0x and whole bytes');
  const started = performance.now();
  const signers = await recoverSigners(digest, signature as Hex);
  relayer.metrics.observe('signature_check_seconds', (performance.now() - started) / 1000, { kind: 'ecdsa' });
  if (signers.includes(owner.toLowerCase())) return;
  // Whoever recovers a deployed wallet changes its owner on L1; the address still derives from the
  // first one.
  if ((await askL1(relayer, () => relayer.l1.getCode(owner))) !== '0x') {
    if (await askL1(relayer, () => relayer.l1.isValidSignature(owner, digest, signature as Hex))) return;
    throw new Refusal('SIGNATURE_WRONG', 'the wallet contract of the owner refuses the signature');
  }
  if (counterFactualInfo) {
    const { walletOwner } = counterFactualInfo;
    if (!isWalletOf(relayer, counterFactualInfo, owner))
      throw new Refusal('SIGNATURE_WRONG', 'the owner is not the wallet of this factory, wallet owner and salt');
    if (signers.includes(walletOwner.toLowerCase())) return;
    throw new Refusal('SIGNATURE_WRONG', "the ECDSA signature is not the wallet owner's");
  }
  throw new Refusal('SIGNATURE_WRONG', "the ECDSA signature is not the owner's");
}

/**
 * Lower-case addresses that the signature may come from; empty when it is not an ECDSA signature in
 * low-s form.
 */
async function recoverSigners(digest: Hex, signature: Hex): Promise<string[]> {
  const length = size(signature);
  const typeByte = length === 66 ? slice(signature, 65, 66) : undefined;
  if (length !== 65 && typeByte !== '0x02' && typeByte !== '0x03') return [];
  if (hexToBigInt(slice(signature, 32, 64)) > MAX_LOW_S) return [];
  const v = Number(slice(signature, 64, 65));
  if (![0, 1, 27, 28].includes(v)) return [];
  const plain = `${slice(signature, 0, 64)}${v % 27 === 0 ? '1b' : '1c'}` as Hex;
  const personal = hashMessage({ raw: digest });
  const hashes = typeByte === '0x02' ? [digest] : typeByte === '0x03' ? [personal] : [digest, personal];
  const signers = await Promise.all(hashes.map((hash) => recoverAddress({ hash, signature: plain }).catch(() => '0x')));
  return signers.map((signer) => signer.toLowerCase());
}

/** Calls the L1 node. Its failure is logged, and never reported as an invalid signature. */
export async function askL1<T>({ trouble }: Relayer, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    trouble(error);
    throw new Refusal('L1_NODE_ERROR', 'the L1 chain could not be asked; send the same request again');
  }
}
