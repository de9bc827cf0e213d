import './zodWithoutEval.ts';

/**
 * What L1 keys of this wallet need: secp256k1, BIP-32 and BIP-39. A third of the worker's code, and rarely used, so that it is loaded
 * with `import()` alone.
 */
export { privateKeyToAccount } from 'viem/accounts';
export { normalPhrase, phraseAccount, phraseOf } from './recoveryPhrase.ts';
