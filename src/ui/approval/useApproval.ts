import { useCallback, useEffect, useState } from 'preact/hooks';
import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import type { ApprovalView } from '../../messaging/views.ts';
import { call } from '../background.ts';
import { platform } from '../platform.ts';
import { useAskAgain } from '../shared/useAskAgain.ts';
import { type Query, useQuery } from '../shared/useQuery.ts';

export interface OpenApproval {
  readonly id: string | null;
  readonly query: Query<ApprovalView>;
  /** Goes to the oldest request that still waits, or closes the window. */
  readonly next: () => Promise<void>;
}

/**
 * A window opens while the relayer is asked, and its answer may show that the request is wrong; or
 * the site takes the request back while the browser opens the window. Younger than this, in
 * milliseconds, the window goes again by itself: there was nothing to decide, and the site is told
 * why.
 */
const GOES_BY_ITSELF_MS = 1_500;

/** The approval that the window was opened for, then the one that it shows. */
const idInAddress = (): string | null => new URLSearchParams(location.search).get('id');

/** One approval, asked for again while it moves. */
export function useOneApproval(id: string | null): Query<ApprovalView> {
  const query = useQuery('getApproval', id === null ? null : { id });
  const { stage, needsPassword } = query.data ?? {};
  useAskAgain((stage === 'waiting' || stage === 'approved') && !needsPassword, query.reload);
  return query;
}

/**
 * Calls `show` when the user picks a request in the popup while this window is open: the browser
 * delivers what a page asks of the background to every page of the wallet.
 */
function onPicked(show: (id: string) => void): () => void {
  const { onMessage } = platform().runtime;
  const handle = (message: unknown, { url }: chrome.runtime.MessageSender): undefined => {
    const { method, params } = (message ?? {}) as {
      readonly method?: unknown;
      readonly params: { readonly id: string };
    };
    // Content scripts can send as well.
    if (method === 'showApproval' && url?.startsWith(`${location.origin}/`)) show(params.id);
  };
  onMessage.addListener(handle);
  return () => onMessage.removeListener(handle);
}

/**
 * The approval of this window: the one in its address, then what the user picks in the popup, or
 * the next of the queue.
 */
export function useApproval(): OpenApproval {
  const [id, setId] = useState(idInAddress);
  const query = useOneApproval(id);
  const { reload } = query;
  const show = useCallback((shown: string) => {
    history.replaceState(null, '', `?id=${encodeURIComponent(shown)}`);
    setId(shown);
  }, []);
  useEffect(() => onPicked(show), [show]);

  const next = useCallback(async () => {
    // Without a list there is nothing to go on with: the window closes, and the badge still counts
    // what waits.
    const list = await call('listApprovals', {}).catch(() => []);
    // The user has picked another request meanwhile.
    if (idInAddress() !== id) return;
    const waiting = list
      // What the wallet's own screens ask, they show themselves.
      .filter((item) => item.id !== id && item.origin !== OWN_ORIGIN && item.approvedAt === null)
      .toSorted((a, b) => a.createdAt - b.createdAt);
    const first = waiting[0];
    if (first === undefined) {
      window.close();
      // In a tab, which stays open: the state of the request as it is now.
      await reload();
      return;
    }
    show(first.id);
  }, [id, reload, show]);

  const isClosed = query.data?.stage === 'closed';
  useEffect(() => {
    if (isClosed && performance.now() < GOES_BY_ITSELF_MS) void next();
  }, [isClosed, next]);

  return { id, query, next };
}
