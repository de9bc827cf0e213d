export type { AffinePoint } from './babyJubjub.ts';
export { FIELD_PRIME, GROUP_ORDER, SUBGROUP_ORDER } from './constants.ts';
export { createSigner, getPublicKey, type SecretKey, type Signer, sign } from './eddsa.ts';
export { CryptoError, type CryptoErrorCode } from './errors.ts';
export { poseidon } from './poseidon.ts';
export { PARTIAL_ROUNDS, type PoseidonWidth } from './poseidonTables.ts';
export { packPoint, subgroupPoint } from './publicKey.ts';
export { formatSignature, parseSignature, type Signature } from './signature.ts';
export { createVerifier, type Verifier, type VerifierOptions, verify } from './verify.ts';
