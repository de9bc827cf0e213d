import { ethAccounts, ethChainId, ethRequestAccounts } from './accounts.ts';
import { operationMethods } from './operationMethod.ts';
import type { PageMethod } from './pageMethod.ts';
import { walletGetPermissions, walletRequestPermissions, walletRevokePermissions } from './permissions.ts';
import { readMethods } from './reads.ts';

/** Everything that a page can call. */
export const pageMethods: ReadonlyMap<string, PageMethod> = new Map(
  [
    ethRequestAccounts,
    ethAccounts,
    ethChainId,
    walletGetPermissions,
    walletRequestPermissions,
    walletRevokePermissions,
    ...operationMethods,
    ...readMethods,
  ].map((method) => [method.name, method]),
);
