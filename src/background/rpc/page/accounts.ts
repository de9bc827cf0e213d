import { connectKinds } from '../../../operations/permissionKinds.ts';
import { noParams, pageMethod } from './pageMethod.ts';

/**
 * Asks the user to connect, or to unlock when the origin is connected already; answers at once when
 * it is both.
 */
export const ethRequestAccounts = pageMethod({
  name: 'eth_requestAccounts',
  params: noParams,
  needs: 'none',
  async handle({ site, rooms, ask }) {
    const owners = await site.owners();
    const isConnected = owners.length > 0;
    if (isConnected && (await rooms.keys.isUnlocked())) return owners;
    return ask(isConnected ? { kind: 'unlock' } : { kind: 'connect', kinds: connectKinds });
  },
});

/** Owner addresses that the origin sees; an empty list before it is connected. */
export const ethAccounts = pageMethod({
  name: 'eth_accounts',
  params: noParams,
  needs: 'none',
  handle: ({ site }) => site.owners(),
});

/** Chain of the origin's network as hex; `0x0` before any network is set up. */
export const ethChainId = pageMethod({
  name: 'eth_chainId',
  params: noParams,
  needs: 'none',
  handle: ({ site }) => site.chain(),
});
