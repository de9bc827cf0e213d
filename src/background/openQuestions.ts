import { promisifyRequest, type UseStore } from 'idb-keyval';
import { OWN_ORIGIN } from '../messaging/ownOrigin.ts';
import type { StoredApproval } from './approvals.ts';

/** Keys of questions that are not over. */
export const UNDER_WAY = 'approval:';

export const isOpen = ({ stage }: Pick<StoredApproval, 'stage'>): boolean =>
  stage === 'waiting' || stage === 'unavailable' || stage === 'choosing' || stage === 'ready';

/** Open, and not a key update that the person started; its wizard shows that one, the approval window never does. */
const isToBeShown = (approval: Pick<StoredApproval, 'stage' | 'origin' | 'operation'>): boolean =>
  isOpen(approval) && !(approval.origin === OWN_ORIGIN && approval.operation === 'updateAccountKey');

/** All keys that begin so. */
export const rangeOf = (prefix: string): IDBKeyRange => IDBKeyRange.bound(prefix, `${prefix}\uffff`);

/** Those that `approvals.open()` gives, not read by their schema. */
export const openQuestions = async (store: UseStore): Promise<readonly StoredApproval[]> =>
  (await store('readonly', (objects) => promisifyRequest<StoredApproval[]>(objects.getAll(rangeOf(UNDER_WAY))))).filter(
    isToBeShown,
  );
