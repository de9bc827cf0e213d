import { RpcError } from '../errors/rpcError.ts';
import type { PageDocument } from '../sites/sender.ts';
import type { Wallet } from '../wallet.ts';
import { closingAnswer } from './answerPages.ts';
import type { StoredRequest } from './store/requests.ts';
import { isForWindow, isOpen, type StoredApproval } from './store/storedApproval.ts';

type Rooms = Pick<Wallet, 'approvals' | 'badge' | 'ports' | 'requests'>;

const pageLeft = () =>
  new RpcError('rejected', 'The page was closed or left before the user decided. Nothing was signed.', {
    reason: 'pageLeft',
    status: 'withdrawn',
  });

const isOf = (document: PageDocument, { tabId, documentId }: StoredRequest): boolean =>
  tabId === document.tabId && documentId === document.documentId;

/**
 * Ends a pending approval when none of the documents that wait for it is there any more.
 * @returns Whether it did.
 */
async function endWithout(
  { approvals, requests, ports }: Omit<Rooms, 'badge'>,
  asked: StoredApproval,
  gone?: PageDocument,
): Promise<boolean> {
  if (!isForWindow(asked) || !isOpen(asked)) return false;
  const waiting = await requests.waitingFor(asked);
  // A damaged store proves nothing about a page; what was changed there is found when the approval
  // is compared with its digest.
  if (waiting.length === 0) return false;
  if (gone && !waiting.some((request) => isOf(gone, request))) return false;
  const present = waiting.map(async (request) => {
    const { tabId, documentId } = request;
    if (documentId === undefined || (gone && isOf(gone, request))) return false;
    return ports.isPresent(tabId, documentId);
  });
  if ((await Promise.all(present)).includes(true)) return false;
  const ended = await approvals.settle(asked.id, (current) =>
    // Another page may have joined meanwhile; what was decided goes on.
    isOpen(current) && current.requestIds.length === asked.requestIds.length
      ? {
          approval: { ...current, stage: 'closed', decidedAt: ports.now(), left: true },
          answer: closingAnswer(current, pageLeft()),
        }
      : null,
  );
  return ended !== null;
}

/** Ends the pending approval of an id when its pages are gone. @returns Whether it did. */
export async function endIfLeft(rooms: Rooms, id: string): Promise<boolean> {
  const asked = await rooms.approvals.get(id);
  if (!asked || !(await endWithout(rooms, asked))) return false;
  await rooms.badge.refresh();
  return true;
}

/**
 * Ends all pending approvals whose pages are gone. A page says so as it goes, and nobody hears it
 * when the worker or the tab was stopped.
 * @param gone - The document that just went; only what it waits for is checked.
 */
export async function endLeft(rooms: Rooms, gone?: PageDocument): Promise<void> {
  const pending = (await rooms.approvals.unsettled()).filter(({ origin }) => !gone || origin === gone.origin);
  const ended = await Promise.all(pending.map((asked) => endWithout(rooms, asked, gone)));
  if (ended.includes(true)) await rooms.badge.refresh();
}
