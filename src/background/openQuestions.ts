import { promisifyRequest, type UseStore } from 'idb-keyval';
import { OWN_ORIGIN } from '../messaging/ownOrigin.ts';
import type { StoredApproval } from './approvals.ts';

export const APPROVAL_PREFIX = 'approval:';

export const isOpen = ({ stage }: Pick<StoredApproval, 'stage'>): boolean =>
  stage === 'waiting' || stage === 'unavailable' || stage === 'choosing' || stage === 'ready';

/** Open, and not a key update that the person started; its wizard shows that one, the approval window never does. */
export const isToBeShown = (approval: Pick<StoredApproval, 'stage' | 'origin' | 'operation'>): boolean =>
  isOpen(approval) && !(approval.origin === OWN_ORIGIN && approval.operation === 'updateAccountKey');

export const approvalRange = (): IDBKeyRange => IDBKeyRange.bound(APPROVAL_PREFIX, `${APPROVAL_PREFIX}\uffff`);

/** All questions as they are stored, not read by their schema. */
export const storedApprovals = (store: UseStore): Promise<StoredApproval[]> =>
  store('readonly', (objects) => promisifyRequest<StoredApproval[]>(objects.getAll(approvalRange())));

/** Those of them that `approvals.open()` gives. */
export const openQuestions = async (store: UseStore): Promise<readonly StoredApproval[]> =>
  (await storedApprovals(store)).filter(isToBeShown);
