import { z } from 'zod';
import { standingApproval } from '../../../operations/standingApproval.ts';
import { deferred } from '../../../protocol/deferred.ts';
import { address } from '../../../protocol/index.ts';
import { askUser } from '../../approvals/askUser.ts';
import { RpcError } from '../../errors/rpcError.ts';
import { endLocked, endStandingApprovals, soldOf } from '../../sites/standingApprovals.ts';
import type { CountedApproval } from '../../sites/standingStore.ts';
import type { Wallet } from '../../wallet.ts';
import { grantedAccount, LATER, pageMethod } from './pageMethod.ts';

/** Asks the user for a standing approval: one question, and orders within its limits need none. */
export const relayerRequestStandingApproval = pageMethod({
  name: standingApproval.method,
  params: standingApproval.intent,
  needs: standingApproval.permission,
  async handle(wallet, caller, requestId, intent) {
    const account = await grantedAccount(wallet, caller.origin, standingApproval.permission, intent.account);
    await askUser(wallet, caller, requestId, {
      kind: 'standing',
      operation: standingApproval.name,
      account: account.id,
      intent,
    });
    return LATER;
  },
});

const described = ({ rule: { id, terms, endsWithLock }, state }: CountedApproval, owner: string | undefined) => ({
  id,
  account: owner,
  ...terms,
  endsWithLock,
  /** Base units sold so far, at worst: what was signed counts, whether it was filled or not. */
  soldVolume: soldOf(state).toString(),
  /** Signatures in the window that ends now. */
  recent: state.recent,
});

async function own(wallet: Wallet, origin: string) {
  await endLocked(wallet);
  const { accounts } = await wallet.config.read();
  return (await wallet.standing.active({ origin })).map((counted) =>
    described(counted, accounts.find(({ id }) => id === counted.rule.account)?.owner),
  );
}

/** The site's own standing approvals that are in force, newest first. */
export const relayerGetStandingApprovals = pageMethod({
  name: 'relayer_getStandingApprovals',
  params: deferred(() => z.strictObject({ account: address.optional() }).optional()),
  needs: 'orders',
  async handle(wallet, { origin }, _requestId, asked) {
    const { owner } = await grantedAccount(wallet, origin, 'orders', asked?.account);
    return (await own(wallet, origin)).filter(({ account }) => asked?.account === undefined || account === owner);
  },
});

/** Gives a standing approval of the site back. */
export const relayerRevokeStandingApproval = pageMethod({
  name: 'relayer_revokeStandingApproval',
  params: deferred(() => z.strictObject({ id: z.string().min(1).max(200) })),
  needs: 'none',
  async handle(wallet, { origin }, _requestId, { id }) {
    if ((await wallet.standing.get(id))?.origin !== origin)
      throw new RpcError('invalidParams', 'id: names no standing approval of this site');
    await endStandingApprovals(wallet, { id }, 'site');
    return null;
  },
});
