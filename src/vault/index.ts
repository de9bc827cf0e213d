export { createVault, type Vault, type VaultOptions } from './createVault.ts';
export { VaultError } from './errors.ts';
export type { SecretInfo } from './image.ts';

export { type KdfCost, kdfBounds } from './kdf.ts';
export { openKeyFile, sealKeyFile } from './keyFile.ts';
