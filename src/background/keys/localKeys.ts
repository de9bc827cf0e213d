/**
 * What L1 keys of this wallet need: secp256k1, BIP-32 and BIP-39. A third of the worker's code, and rarely used, so that it is loaded
 * with `import()` alone.
 */
export { addressOfKey, signDigest } from '../../ethereum/signature.ts';
export { normalPhrase, phraseKeys, phraseOf } from './recoveryPhrase.ts';
