import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { getPublicKey, packPoint } from '../../../src/crypto/index.ts';
import {
  isKeySeedLike,
  keySeedText,
  matchSignatureToKey,
  secretKeyFromSignature,
} from '../../../src/protocol/index.ts';
import { secretKeyOf } from '../secretKeys.ts';
import type { VectorCheck } from './findings.ts';
import { hex64, pointOf } from './hex.ts';

const bytesOf = (hex: string) => hexToBytes(hex.replace(/^0x/, ''));
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const DEFAULT_SEED = /^Sign this message to access Loopring Exchange: (0x[0-9a-fA-F]{40}) with key nonce: ([0-9]+)$/;

interface Vector {
  l1PrivateKey: string;
  address: string;
  keySeed: string;
  personalSignature: string;
  signatureSha256: string;
  secretKey: string;
  publicKeyX: string;
  publicKeyY: string;
  packedPublicKey: string;
}

/** From the L1 key over the seed text to the L2 key. */
export const keyDerivation: VectorCheck<Vector> = async (vector, findings) => {
  // Custom seeds are any text; only the default one is ours to write and to guard.
  const [, exchange, nonce] = DEFAULT_SEED.exec(vector.keySeed) ?? [];
  if (exchange && nonce) {
    findings.equal('keySeed', keySeedText(exchange, Number(nonce)), vector.keySeed);
    findings.holds('keySeed', isKeySeedLike(vector.keySeed), 'is not taken for a seed text');
  }
  const account = privateKeyToAccount(vector.l1PrivateKey as Hex);
  findings.equal('address', account.address, vector.address);
  const signature = await account.signMessage({ message: vector.keySeed });
  findings.equal('personalSignature', signature, vector.personalSignature);
  findings.equal('signatureSha256', hexOf(sha256(bytesOf(signature))), vector.signatureSha256);
  const secretKey = secretKeyFromSignature(bytesOf(signature));
  findings.equal('secretKey', hexOf(secretKey), hexOf(secretKeyOf(vector.secretKey)));
  const publicKey = getPublicKey(secretKey);
  findings.equal('publicKeyX', hex64(publicKey.x), vector.publicKeyX);
  findings.equal('publicKeyY', hex64(publicKey.y), vector.publicKeyY);
  findings.equal('packedPublicKey', packPoint(publicKey), BigInt(vector.packedPublicKey));
};

interface RetryVector {
  l1PrivateKey: string;
  address: string;
  keySeed: string;
  registeredPublicKey: { x: string; y: string };
  walletReturnedSignature: string;
  registeredWithSignature: string;
  secretKey: string;
  sdkRetrySecretKey: string;
  sdkRetryMatches: boolean;
  matchingV: string;
  sdkTriesV: string;
}

/** The wallet returned another v byte than the key was registered with. */
export const keyDerivationRetry: VectorCheck<RetryVector> = async (vector, findings) => {
  const account = privateKeyToAccount(vector.l1PrivateKey as Hex);
  findings.equal('address', account.address, vector.address);
  const signature = await account.signMessage({ message: vector.keySeed });
  const returned = vector.walletReturnedSignature;
  findings.equal('walletReturnedSignature (r, s)', signature.slice(0, -2), returned.slice(0, -2));

  const match = matchSignatureToKey(bytesOf(returned), pointOf(vector.registeredPublicKey));
  findings.equal('secretKey', match && hexOf(match.secretKey), hexOf(secretKeyOf(vector.secretKey)));
  findings.equal('matchingV', match?.v.toString(16).padStart(2, '0'), vector.matchingV);
  findings.equal(
    'registeredWithSignature',
    `${returned.slice(0, -2)}${vector.matchingV}`,
    vector.registeredWithSignature,
  );

  const sdkKey = secretKeyFromSignature(bytesOf(`${returned.slice(0, -2)}${vector.sdkTriesV}`));
  findings.equal('sdkRetrySecretKey', hexOf(sdkKey), hexOf(secretKeyOf(vector.sdkRetrySecretKey)));
  findings.equal('sdkRetryMatches', match !== null && hexOf(sdkKey) === hexOf(match.secretKey), vector.sdkRetryMatches);
};
