/**
 * Rights that a site can hold on an account. Everything that names them is derived from this table.
 */
export const permissionKinds = ['read', 'orders', 'transfers', 'withdrawals', 'nfts', 'pools', 'key', 'sign'] as const;

export type PermissionKind = (typeof permissionKinds)[number];

/**
 * Kinds that a plain connection asks for (`eth_requestAccounts`). Everything else is asked for by
 * name.
 */
export const connectKinds: readonly PermissionKind[] = ['read', 'orders', 'sign'];
