import type { ApprovalView } from '../../../messaging/views.ts';
import { reported } from '../../../report/report.ts';
import { isForWindow } from '../../approvals/store/storedApproval.ts';
import type { Wallet } from '../../wallet.ts';
import type { UiHandlers } from './uiHandler.ts';

const SHOWN_KEY = 'approval-shown';

/** The pending approval that the approval window showed last, and all that it could have shown then. */
interface Shown {
  readonly id: string;
  readonly open: readonly string[];
}

/** Reads the approval that the window showed last, from `storage.session`. */
export const lastShown = async ({ ports }: Pick<Wallet, 'ports'>): Promise<Shown | undefined> =>
  (await ports.session.get(SHOWN_KEY)) as Shown | undefined;

const isUndecided = ({ stage }: ApprovalView) =>
  stage !== 'executing' && stage !== 'approved-locked' && stage !== 'done' && stage !== 'closed';

const views: UiHandlers<
  'listApprovals' | 'getApproval',
  'approvals' | 'leftPages' | 'ports' | 'returnLate' | 'viewOf'
> = {
  async listApprovals({ approvals }) {
    return (await approvals.listed()).map(({ id, kind, origin, createdAt, operation, account, stage, decidedAt }) => ({
      id,
      kind,
      origin,
      createdAt,
      operation: operation ?? null,
      account: account ?? null,
      approvedAt: stage === 'approved' ? (decidedAt ?? createdAt) : null,
    }));
  },

  async getApproval(wallet, { id }) {
    await wallet.returnLate(id);
    const [open, view] = await Promise.all([wallet.approvals.open(), wallet.viewOf(id)]);
    // Closing the window is a no to what it showed, never to an approval request of the popup, and to nothing when that was decided.
    // Not waited for: the window is being drawn.
    if (isForWindow(view) && isUndecided(view))
      wallet.ports.session
        .set({ [SHOWN_KEY]: { id, open: open.map((one) => one.id) } satisfies Shown })
        .catch(reported('approvals: show'));
    // Not waited for either: when its page is gone, the window hears that it changed. The click waits for it.
    if (isUndecided(view)) wallet.leftPages.endIf(id).catch(reported('approvals: show'));
    return view;
  },
};

const decisions: UiHandlers<
  'approve' | 'reject' | 'rejectAll' | 'retryApproval',
  'approve' | 'carryOut' | 'prepare' | 'reject' | 'rejectAll' | 'viewOf'
> = {
  async approve(wallet, decision) {
    await wallet.approve(decision);
    return wallet.viewOf(decision.id);
  },

  async reject(wallet, { id, block }) {
    await wallet.reject(id, block);
    return null;
  },

  async rejectAll(wallet) {
    await wallet.rejectAll();
    return null;
  },

  async retryApproval(wallet, { id }) {
    await wallet.prepare(id);
    await wallet.carryOut(id);
    return wallet.viewOf(id);
  },
};

export const approvalHandlers = { ...views, ...decisions };
