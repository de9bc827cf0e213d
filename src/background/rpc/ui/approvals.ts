import { once } from '../../../protocol/once.ts';
import { z } from '../../../protocol/zod.ts';
import { reported } from '../../../report/report.ts';
import { entry, type Form } from '../../../storage/entry.ts';
import { approve } from '../../approvals/approve.ts';
import { rejectAll } from '../../approvals/rejectApproval.ts';
import { isForWindow, isOpen } from '../../approvals/store/storedApproval.ts';
import type { Wallet } from '../../wallet.ts';
import type { UiHandlers } from './uiHandler.ts';

/**
 * The pending approval that the approval window showed last, and all that it could have shown then.
 */
interface Shown {
  readonly id: string;
  readonly open: readonly string[];
}

const form = once((): Form<Shown> => z.object({ id: z.string(), open: z.array(z.string()) }));
const shown = ({ ports }: Pick<Wallet, 'ports'>) => entry(ports, 'session', 'approval-shown', form);

/** Reads the approval that the window showed last, from `storage.session`. */
export const lastShown = (wallet: Pick<Wallet, 'ports'>): Promise<Shown | undefined> => shown(wallet).read();

const views = {
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
    // Closing the window is a no to what it showed, never to an approval request of the popup, and
    // to nothing when that was decided. Not waited for: the window is being drawn.
    if (isForWindow(view) && isOpen(view))
      shown(wallet)
        .write({ id, open: open.map((one) => one.id) })
        .catch(reported('approvals: show'));
    // Not waited for either: when its page is gone, the window hears that it changed. The click
    // waits for it.
    if (isOpen(view)) wallet.leftPages.endIf(id).catch(reported('approvals: show'));
    return view;
  },
} satisfies UiHandlers<'approvals' | 'leftPages' | 'ports' | 'returnLate' | 'viewOf'>;

const approval = {
  async approve(wallet, decision) {
    await approve(wallet, decision);
    return wallet.viewOf(decision.id);
  },
} satisfies UiHandlers<'approvals' | 'approveConnection' | 'approveRequest' | 'leftPages' | 'vault' | 'viewOf'>;

const rejection = {
  async rejectAll(wallet, { ids }) {
    await rejectAll(wallet, ids);
    return null;
  },
} satisfies UiHandlers<'approvals' | 'closing' | 'requestRate'>;

const decisions = {
  async reject(wallet, { id, block }) {
    await wallet.reject(id, block);
    return null;
  },

  async retryApproval(wallet, { id }) {
    await wallet.prepare(id);
    await wallet.carryOut(id);
    return wallet.viewOf(id);
  },

  async showApproval({ showWindow }, { id }) {
    await showWindow(id);
    return null;
  },
} satisfies UiHandlers<'carryOut' | 'prepare' | 'reject' | 'showWindow' | 'viewOf'>;

export const approvalHandlers = { ...views, ...approval, ...rejection, ...decisions };
