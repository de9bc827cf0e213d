import type { PermissionKind } from '../../messaging/views.ts';
import { permissionKinds } from '../../operations/permissionKinds.ts';
import { type Visible, visibleAccounts } from './visibleAccounts.ts';

/**
 * EIP-2255 name of a kind: `relayer_read`, `relayer_orders`, …; `eth_accounts` is the connection
 * itself.
 */
export const permissionName = (kind: PermissionKind) => `relayer_${kind}`;

/** EIP-2255 list of what an origin may do. */
export async function permissionsOf(wallet: Visible, origin: string) {
  const grants = (await wallet.grants.of(origin))?.grants ?? [];
  const accounts = await visibleAccounts(wallet, origin);
  const ownersWith = (kind?: PermissionKind) =>
    accounts
      .filter(({ id }) => grants.some(({ account, kinds }) => account === id && (!kind || kinds.includes(kind))))
      .map(({ owner }) => owner);
  const permission = (parentCapability: string, owners: readonly string[]) => ({
    invoker: origin,
    parentCapability,
    caveats: [{ type: 'restrictReturnedAccounts', value: owners }],
  });
  if (accounts.length === 0) return [];
  return [
    permission('eth_accounts', ownersWith()),
    ...permissionKinds
      .filter((kind) => ownersWith(kind).length > 0)
      .map((kind) => permission(permissionName(kind), ownersWith(kind))),
  ];
}
