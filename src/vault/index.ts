export { createVault, type SecretChanges, type SecretInfo, type Vault, type VaultOptions } from './createVault.ts';
export { VaultError, type VaultErrorCode } from './errors.ts';
export type { SecretKind } from './image.ts';
export type { VaultHealth } from './imageStore.ts';
export { type KdfCost, kdfBounds } from './kdf.ts';
export { type KeyFileAbout, openKeyFile, sealKeyFile } from './keyFile.ts';
