import { RpcError } from '../errors/rpcError.ts';
import type { PageDocument } from '../sites/sender.ts';
import type { Wallet } from '../wallet.ts';
import { closingAnswer } from './answerFor.ts';
import type { StoredRequest } from './store/requests.ts';
import { isForWindow, isOpen, isPerhapsSigned, type StoredApproval } from './store/storedApproval.ts';

type Rooms = Pick<Wallet, 'approvals' | 'ports' | 'requests'>;

/** How long a document has to answer while a user or a site waits, milliseconds. */
const HURRIED_MS = 300;
/** And while nobody waits: on a busy machine the browser finds only late that nobody answers. */
const UNHURRIED_MS = 10_000;

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
  { approvals, requests, ports }: Rooms,
  asked: StoredApproval,
  withinMs: number,
  gone?: PageDocument,
): Promise<boolean> {
  // What may be signed already is for the user to look at, whoever is gone.
  if (!isForWindow(asked) || !isOpen(asked) || isPerhapsSigned(asked)) return false;
  const waiting = await requests.waitingFor(asked);
  // A damaged store proves nothing about a page; what was changed there is found when the approval
  // is compared with its digest.
  if (waiting.length === 0) return false;
  if (gone && !waiting.some((request) => isOf(gone, request))) return false;
  const present = waiting.map(async (request) => {
    const { tabId, documentId } = request;
    if (documentId === undefined || (gone && isOf(gone, request))) return false;
    return ports.isPresent(tabId, documentId, withinMs);
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
  return asked !== undefined && endWithout(rooms, asked, HURRIED_MS);
}

/**
 * Ends all pending approvals whose pages are gone. A page says so as it goes, and nobody hears it
 * when the worker or the tab was stopped.
 * @param which.gone - The document that just went; only what it waits for is checked.
 * @param which.isAwaited - Somebody waits for this, so that a slow answer counts as a busy page.
 */
export async function endLeft(
  rooms: Rooms,
  { gone, isAwaited = false }: { readonly gone?: PageDocument; readonly isAwaited?: boolean } = {},
): Promise<void> {
  const withinMs = isAwaited ? HURRIED_MS : UNHURRIED_MS;
  const pending = (await rooms.approvals.unsettled()).filter(({ origin }) => !gone || origin === gone.origin);
  await Promise.all(pending.map((asked) => endWithout(rooms, asked, withinMs, gone)));
}
