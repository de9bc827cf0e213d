export type { AffinePoint } from './babyJubjub.ts';
export { FIELD_PRIME, GROUP_ORDER, SUBGROUP_ORDER } from './constants.ts';
export {
  coreInUse,
  createSigner,
  createVerifier,
  getPublicKey,
  poseidon,
  sign,
  subgroupPoint,
  verify,
} from './core.ts';
export type { SecretKey, Signer } from './eddsa.ts';
export { CryptoError } from './errors.ts';
export { PARTIAL_ROUNDS, type PoseidonWidth } from './poseidonTables.ts';
export { packPoint, unpackPoint } from './publicKey.ts';
export { formatSignature, parseSignature, type Signature } from './signature.ts';
export type { VerifierOptions } from './verify.ts';
