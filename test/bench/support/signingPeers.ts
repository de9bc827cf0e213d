import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type createSigner,
  formatSignature,
  parseSignature,
  type poseidon,
  SUBGROUP_ORDER,
} from '../../../src/crypto/index.ts';
import { secretKeyOf } from '../../support/secretKeys.ts';
import { peer } from './peers.ts';

/** What is used of the SDK: the function that its order submission signs with. */
interface LoopringSdk {
  getEdDSASigWithPoseidon(inputs: readonly string[], key: string): { hash: unknown; result: string };
}

/** What is used of circomlibjs. Its curve is ours, its base point and its Poseidon are others. */
interface CircomEddsa {
  readonly babyJub: { readonly F: { e(value: bigint): Uint8Array } };
  prv2pub(key: Uint8Array): unknown;
  signPoseidon(key: Uint8Array, message: Uint8Array): unknown;
  verifyPoseidon(message: Uint8Array, signature: unknown, publicKey: unknown): boolean;
}

interface Core {
  readonly createSigner: typeof createSigner;
  readonly poseidon: typeof poseidon;
}

/**
 * The order of the vectors, signed by a core of ours, by the SDK and by circomlibjs. Ours is
 * compared with that of the SDK.
 */
export async function signingPeers(core: Core, say: (line: string) => void) {
  const vectors = JSON.parse(readFileSync(join(import.meta.dirname, '../../vectors/order-spot.json'), 'utf8'));
  const { poseidonInputs, eddsaPrivateKey } = vectors.vectors[0] as {
    poseidonInputs: string[];
    eddsaPrivateKey: string;
  };
  const inputs = poseidonInputs.map(BigInt);
  const secretKey = secretKeyOf(eddsaPrivateKey);
  const signer = core.createSigner(secretKey);
  const message = core.poseidon(inputs, 12);
  const signature = signer.sign(message);

  const sdkPeer = peer('loopring-sdk', say);
  const sdk = sdkPeer.require('@loopring-web/loopring-sdk') as LoopringSdk;
  const theirs = parseSignature(sdk.getEdDSASigWithPoseidon(poseidonInputs, eddsaPrivateKey).result);
  if (formatSignature(signature) !== formatSignature({ ...theirs, S: theirs.S % SUBGROUP_ORDER }))
    throw new Error('our order signature is not that of the SDK');

  const circomPeer = peer('circomlibjs', say).require('circomlibjs') as { buildEddsa(): Promise<CircomEddsa> };
  const circom = await circomPeer.buildEddsa();
  const circomKey = Uint8Array.from({ length: 32 }, (_, i) => i + 1);
  const circomPublic = circom.prv2pub(circomKey);
  const circomMessage = circom.babyJub.F.e(message);
  const circomSignature = circom.signPoseidon(circomKey, circomMessage);
  if (!circom.verifyPoseidon(circomMessage, circomSignature, circomPublic))
    throw new Error('circomlibjs refuses its own signature');
  return {
    poseidonInputs,
    eddsaPrivateKey,
    inputs,
    secretKey,
    signer,
    message,
    signature,
    sdkFolder: sdkPeer.folder,
    sdk,
    circom,
    circomKey,
    circomPublic,
    circomMessage,
    circomSignature,
  };
}
