import { promisifyRequest, type UseStore } from 'idb-keyval';
import { OWN_ORIGIN } from '../../../messaging/ownOrigin.ts';
import { findOperation } from '../../../operations/index.ts';
import type { StoredKey } from '../../../storage/storedValues.ts';
import { keysUnder } from '../../../storage/transaction.ts';
import { isOpen, type StoredApproval } from './storedApproval.ts';

/** Keys of approval requests that are not over. */
export const UNSETTLED = 'approval:' satisfies StoredKey<'requests'>;

type Listable = Pick<StoredApproval, 'stage' | 'origin' | 'operation'>;

/**
 * Asked by the wallet's own pages and decided in steps of their own: the approval window never
 * shows it.
 */
const isOfWizard = ({ origin, operation }: Listable): boolean =>
  origin === OWN_ORIGIN && operation !== undefined && findOperation(operation)?.shownBy === 'wizard';

const isToBeShown = (approval: Listable): boolean => isOpen(approval) && !isOfWizard(approval);

/** To be shown, or approved and not carried out. */
export const isListed = (approval: Listable): boolean =>
  (isOpen(approval) || approval.stage === 'approved') && !isOfWizard(approval);

/** Reads the approvals that `approvals.open()` gives, without parsing them by their schema. */
export const pendingApprovals = async (store: UseStore): Promise<readonly StoredApproval[]> =>
  (
    await store('readonly', (objects) => promisifyRequest<StoredApproval[]>(objects.getAll(keysUnder(UNSETTLED))))
  ).filter(isToBeShown);
