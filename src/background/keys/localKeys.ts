/**
 * Code for L1 keys of this wallet: secp256k1, BIP-32 and BIP-39. They are a third of the worker's
 * code and rarely used, so that it is loaded with `import()` alone.
 */
export { normalPhrase, phraseKeys, phraseOf } from '../../ethereum/recoveryPhrase.ts';
export { addressOfKey, isPrivateKey, signDigest } from '../../ethereum/signature.ts';
