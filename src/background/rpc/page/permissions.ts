import { connectKinds, permissionKinds } from '../../../operations/permissionKinds.ts';
import { once } from '../../../protocol/once.ts';
import { z } from '../../../protocol/zod.ts';
import { permissionName } from '../../sites/permissionsOf.ts';
import { noParams, pageMethod } from './pageMethod.ts';

export const walletGetPermissions = pageMethod({
  name: 'wallet_getPermissions',
  params: noParams,
  needs: 'none',
  handle: ({ site }) => site.permissions(),
});

const capability = once(() => z.enum(['eth_accounts', ...permissionKinds.map(permissionName)]));

/** Names asked for, as keys: `{ eth_accounts: {}, relayer_transfers: {} }`. */
const requested = once(() =>
  z
    .partialRecord(capability(), z.looseObject({}))
    .check(z.refine((names) => Object.keys(names).length > 0, 'names no permission')),
);

const namedKinds = (names: object) => permissionKinds.filter((kind) => permissionName(kind) in names);

/**
 * EIP-2255: asks the user also when the origin is connected, so that the user can choose accounts
 * anew. The answer is that of `wallet_getPermissions`, so that the site sees what the user left
 * out.
 */
export const walletRequestPermissions = pageMethod({
  name: 'wallet_requestPermissions',
  params: requested,
  needs: 'none',
  handle({ params: names, ask }) {
    const named = namedKinds(names);
    return ask({ kind: 'connect', kinds: named.length > 0 ? named : connectKinds, answers: 'permissions' });
  },
});

/**
 * EIP-2255's counterpart (MIP-2): the page gives back what it names, of all accounts that it sees.
 * `eth_accounts` is the whole connection.
 */
export const walletRevokePermissions = pageMethod({
  name: 'wallet_revokePermissions',
  params: requested,
  needs: 'none',
  async handle({ site, params: names }) {
    await site.revoke(namedKinds(names), 'eth_accounts' in names);
    return null;
  },
});
