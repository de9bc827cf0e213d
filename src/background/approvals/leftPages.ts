import { RpcError } from '../errors/rpcError.ts';
import type { Ports } from '../ports.ts';
import type { PageDocument } from '../sites/sender.ts';
import { closingAnswer } from './answerPages.ts';
import { refreshBadge } from './refreshBadge.ts';
import type { Approvals } from './store/approvals.ts';
import type { Requests, StoredRequest } from './store/requests.ts';
import { isForWindow, isOpen, type StoredApproval } from './store/storedApproval.ts';

interface Rooms {
  readonly approvals: Pick<Approvals, 'get' | 'open' | 'settle' | 'underWay'>;
  readonly requests: Pick<Requests, 'waitingFor'>;
  readonly ports: Pick<Ports, 'isPresent' | 'now' | 'setBadge' | 'toUi'>;
}

const pageLeft = () =>
  new RpcError('rejected', 'The page was closed or left before the user decided. Nothing was signed.', {
    reason: 'pageLeft',
    status: 'withdrawn',
  });

const isOf = (document: PageDocument, { tabId, documentId }: StoredRequest): boolean =>
  tabId === document.tabId && documentId === document.documentId;

/** Ends a pending approval when none of the documents that wait for it is there any more. @returns Whether it did. */
async function endWithout(
  { approvals, requests, ports }: Rooms,
  asked: StoredApproval,
  gone?: PageDocument,
): Promise<boolean> {
  if (!isForWindow(asked) || !isOpen(asked)) return false;
  const waiting = await requests.waitingFor(asked);
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
  await refreshBadge(rooms);
  return true;
}

/**
 * Ends all pending approvals whose pages are gone. A page says so as it goes, and nobody hears it when the worker or the tab
 * was stopped.
 * @param gone - The document that just went; only what it waits for is looked at.
 */
export async function endLeft(rooms: Rooms, gone?: PageDocument): Promise<void> {
  const pending = (await rooms.approvals.underWay()).filter(({ origin }) => !gone || origin === gone.origin);
  const ended = await Promise.all(pending.map((asked) => endWithout(rooms, asked, gone)));
  if (ended.includes(true)) await refreshBadge(rooms);
}
