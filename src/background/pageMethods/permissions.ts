import { z } from 'zod';
import type { PermissionKind } from '../../messaging/views.ts';
import { connectKinds, permissionKinds } from '../../operations/connect.ts';
import { askUser } from '../askUser.ts';
import { visibleAccounts } from '../events.ts';
import { grantsChanged } from '../visibility.ts';
import type { Wallet } from '../wallet.ts';
import { LATER, noParams, pageMethod } from './pageMethod.ts';

/** EIP-2255 name of a kind: `relayer_read`, `relayer_orders`, …; `eth_accounts` is the connection itself. */
const nameOf = (kind: PermissionKind) => `relayer_${kind}`;

/** EIP-2255 list of what an origin may do. */
export async function permissionsOf(wallet: Wallet, origin: string) {
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
      .map((kind) => permission(nameOf(kind), ownersWith(kind))),
  ];
}

export const walletGetPermissions = pageMethod({
  name: 'wallet_getPermissions',
  params: noParams,
  needs: 'none',
  handle: (wallet, { origin }) => permissionsOf(wallet, origin),
});

const capability = z.enum(['eth_accounts', ...permissionKinds.map(nameOf)]);

/** Names asked for, as keys: `{ eth_accounts: {}, relayer_transfers: {} }`. */
const requested = z
  .partialRecord(capability, z.looseObject({}))
  .refine((names) => Object.keys(names).length > 0, 'names no permission');

/** Always asks the user, also when the origin is connected, so that the user can choose accounts anew. */
export const walletRequestPermissions = pageMethod({
  name: 'wallet_requestPermissions',
  params: requested,
  needs: 'none',
  async handle(wallet, caller, requestId, names) {
    const named = permissionKinds.filter((kind) => nameOf(kind) in names);
    await askUser(wallet, caller, requestId, { kind: 'connect', kinds: named.length > 0 ? named : connectKinds });
    return LATER;
  },
});

/**
 * EIP-2255's counterpart (MIP-2): the page gives back what it names, of all accounts that it sees. `eth_accounts`, or no name at all,
 * is the whole connection.
 */
export const walletRevokePermissions = pageMethod({
  name: 'wallet_revokePermissions',
  params: z.union([requested, z.undefined()]),
  needs: 'none',
  async handle(wallet, { origin }, _requestId, names) {
    if (!names || 'eth_accounts' in names) await wallet.grants.revoke(origin);
    else {
      const given = (await wallet.grants.of(origin))?.grants ?? [];
      for (const kind of permissionKinds.filter((one) => nameOf(one) in names))
        for (const { account } of given) await wallet.grants.revokeKind(origin, account, kind);
    }
    await grantsChanged(wallet, origin);
    return null;
  },
});
