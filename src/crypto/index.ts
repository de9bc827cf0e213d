export { type AffinePoint, packPoint, subgroupPoint } from './babyJubjub.ts';
export { FIELD_PRIME, GROUP_ORDER, SUBGROUP_ORDER } from './constants.ts';
export {
  formatSignature,
  getPublicKey,
  parseSignature,
  type SecretKey,
  type Signature,
  sign,
  verify,
} from './eddsa.ts';
export { CryptoError, type CryptoErrorCode } from './errors.ts';
export { poseidon } from './poseidon.ts';
export { PARTIAL_ROUNDS, type PoseidonWidth } from './poseidonTables.ts';
