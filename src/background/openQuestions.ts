import { promisifyRequest, type UseStore } from 'idb-keyval';
import { OWN_ORIGIN } from '../messaging/ownOrigin.ts';
import type { StoredApproval } from './approvals.ts';

export const APPROVAL_PREFIX = 'approval:';

export const isOpen = ({ stage }: Pick<StoredApproval, 'stage'>): boolean =>
  stage === 'waiting' || stage === 'unavailable' || stage === 'choosing' || stage === 'ready';

/** Open, and not a key update that the person started; its wizard shows that one, the approval window never does. */
export const isToBeShown = (approval: Pick<StoredApproval, 'stage' | 'origin' | 'operation'>): boolean =>
  isOpen(approval) && !(approval.origin === OWN_ORIGIN && approval.operation === 'updateAccountKey');

/** What `approvals.open()` gives, as far as it takes to count: without reading the questions by their schema. */
export const openQuestions = (store: UseStore): Promise<readonly unknown[]> =>
  store('readonly', async (objects) => {
    const range = IDBKeyRange.bound(APPROVAL_PREFIX, `${APPROVAL_PREFIX}\uffff`);
    return (await promisifyRequest<StoredApproval[]>(objects.getAll(range))).filter(isToBeShown);
  });
