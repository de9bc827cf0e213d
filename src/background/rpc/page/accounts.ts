import { connectKinds } from '../../../operations/connect.ts';
import { askUser } from '../../approvals/askUser.ts';
import { chainOf, ownersSeen } from '../../sites/visibleAccounts.ts';
import { LATER, noParams, pageMethod } from './pageMethod.ts';

/** Asks the user to connect, or to unlock when the origin is connected already; answers at once when it is both. */
export const ethRequestAccounts = pageMethod({
  name: 'eth_requestAccounts',
  params: noParams,
  needs: 'none',
  async handle(wallet, caller, requestId) {
    const owners = await ownersSeen(wallet, caller.origin);
    const isConnected = owners.length > 0;
    if (isConnected && (await wallet.vault.isUnlocked())) return owners;
    const question = isConnected ? ({ kind: 'unlock' } as const) : ({ kind: 'connect', kinds: connectKinds } as const);
    await askUser(wallet, caller, requestId, question);
    return LATER;
  },
});

/** Owner addresses that the origin sees; an empty list before it is connected. */
export const ethAccounts = pageMethod({
  name: 'eth_accounts',
  params: noParams,
  needs: 'none',
  handle: (wallet, { origin }) => ownersSeen(wallet, origin),
});

/** Chain of the origin's network as hex; `0x0` before any network is set up. */
export const ethChainId = pageMethod({
  name: 'eth_chainId',
  params: noParams,
  needs: 'none',
  handle: (wallet, { origin }) => chainOf(wallet, origin),
});
