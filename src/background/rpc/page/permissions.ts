import { z } from 'zod';
import { connectKinds } from '../../../operations/connect.ts';
import { permissionKinds } from '../../../operations/permissionKinds.ts';
import { deferred } from '../../../protocol/deferred.ts';
import { askUser } from '../../approvals/askUser.ts';
import { permissionName, permissionsOf } from '../../sites/permissionsOf.ts';
import { grantsChanged } from '../../sites/visibility.ts';
import { LATER, noParams, pageMethod } from './pageMethod.ts';

export const walletGetPermissions = pageMethod({
  name: 'wallet_getPermissions',
  params: noParams,
  needs: 'none',
  handle: (wallet, { origin }) => permissionsOf(wallet, origin),
});

const capability = deferred(() => z.enum(['eth_accounts', ...permissionKinds.map(permissionName)]));

/** Names asked for, as keys: `{ eth_accounts: {}, relayer_transfers: {} }`. */
const requested = deferred(() =>
  z
    .partialRecord(capability, z.looseObject({}))
    .refine((names) => Object.keys(names).length > 0, 'names no permission'),
);

/**
 * EIP-2255: asks the user also when the origin is connected, so that the user can choose accounts anew. The answer is that of
 * `wallet_getPermissions`, so that the site sees what the user left out.
 */
export const walletRequestPermissions = pageMethod({
  name: 'wallet_requestPermissions',
  params: requested,
  needs: 'none',
  async handle(wallet, caller, requestId, names) {
    const named = permissionKinds.filter((kind) => permissionName(kind) in names);
    const kinds = named.length > 0 ? named : connectKinds;
    await askUser(wallet, caller, requestId, { kind: 'connect', kinds, answers: 'permissions' });
    return LATER;
  },
});

/**
 * EIP-2255's counterpart (MIP-2): the page gives back what it names, of all accounts that it sees. `eth_accounts` is the whole
 * connection.
 */
export const walletRevokePermissions = pageMethod({
  name: 'wallet_revokePermissions',
  params: requested,
  needs: 'none',
  async handle(wallet, { origin }, _requestId, names) {
    if ('eth_accounts' in names) await wallet.grants.revoke(origin);
    else {
      const given = (await wallet.grants.of(origin))?.grants ?? [];
      for (const kind of permissionKinds.filter((one) => permissionName(one) in names))
        for (const { account } of given) await wallet.grants.revokeKind(origin, account, kind);
    }
    await grantsChanged(wallet, origin);
    return null;
  },
});
