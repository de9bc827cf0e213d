import { standingApproval } from '../../../operations/standingApproval.ts';
import { address } from '../../../protocol/index.ts';
import { z } from '../../../protocol/zod.ts';
import { RpcError } from '../../errors/rpcError.ts';
import { soldOf } from '../../sites/standingApprovals.ts';
import type { CountedApproval } from '../../sites/standingStore.ts';
import { pageMethod } from './pageMethod.ts';

/**
 * Asks the user for a standing approval: one approval request, and orders within its limits need
 * none.
 */
export const relayerRequestStandingApproval = pageMethod({
  name: standingApproval.method,
  params: standingApproval.intent,
  needs: standingApproval.permission,
  asks: true,
  owner: (intent) => intent.account,
  handle: ({ right: { account }, params: intent, ask }) =>
    ask({ kind: 'standing', operation: standingApproval.name, account: account.id, intent }),
});

const described = ({ approval: { id, terms, endsWithLock }, state }: CountedApproval, owner: string | undefined) => ({
  id,
  account: owner,
  ...terms,
  endsWithLock,
  /** Base units sold so far, at worst: what was signed counts, whether it was filled or not. */
  soldVolume: soldOf(state).toString(),
  /** Signatures in the window that ends now. */
  recent: state.recent,
});

/**
 * The site's own standing approvals that are in force, newest first, of the named account or of all
 * that the site sees.
 */
export const relayerGetStandingApprovals = pageMethod({
  name: 'relayer_getStandingApprovals',
  params: () => z.optional(z.strictObject({ account: z.optional(address()) })),
  needs: 'connection',
  needsOf: (asked) => (asked?.account === undefined ? undefined : 'orders'),
  owner: (asked) => asked?.account,
  async handle({ right, rooms }) {
    const seen = 'account' in right ? [right.account] : right.accounts;
    const owners = new Map(seen.map(({ id, owner }) => [id, owner]));
    const listed = (await rooms.standing.active()).filter(({ approval }) => owners.has(approval.account));
    return listed.map((counted) => described(counted, owners.get(counted.approval.account)));
  },
});

/** Gives a standing approval of the site back. */
export const relayerRevokeStandingApproval = pageMethod({
  name: 'relayer_revokeStandingApproval',
  params: () => z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(200)) }),
  needs: 'none',
  async handle({ rooms: { standing }, params: { id } }) {
    if (!(await standing.end(id))) throw new RpcError('invalidParams', 'id: names no standing approval of this site');
    return null;
  },
});
