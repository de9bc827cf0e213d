import { useEffect, useState } from 'preact/hooks';
import { isStale, REVIEW_HOLDS_MS } from '../../messaging/reviewAge.ts';
import type { ApprovalView } from '../../messaging/views.ts';
import { call } from '../background.ts';

/** How long after a renewal without an answer the next one is tried. */
const AGAIN_MS = 5_000;

type Reviewed = Pick<ApprovalView, 'id' | 'stage' | 'needsPassword' | 'reviewedAt'>;

/**
 * Has a review that is too old prepared again while somebody looks at it.
 * @param onRenewed - Takes the renewed approval request.
 * @returns True while what is on the screen is too old to be approved.
 */
export function useRenewal(view: Reviewed | null, onRenewed: (view: ApprovalView) => void): boolean {
  const reviewedAt = view?.stage === 'ready' && !view.needsPassword ? view.reviewedAt : null;
  const id = view?.id ?? '';
  const [stale, setStale] = useState<number | null>(null);
  useEffect(() => {
    if (reviewedAt === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking = false;
    const until = new AbortController();
    const look = async () => {
      clearTimeout(timer);
      const now = Date.now();
      if (!isStale(reviewedAt, now)) {
        timer = setTimeout(look, REVIEW_HOLDS_MS + 1 - (now - reviewedAt * 1000));
        return;
      }
      setStale(reviewedAt);
      if (asking || document.visibilityState !== 'visible' || !document.hasFocus()) return;
      asking = true;
      try {
        onRenewed(await call('retryApproval', { id }));
      } catch {
        // What is too old stays so, and is not approved, until it is prepared again.
        if (!until.signal.aborted) timer = setTimeout(look, AGAIN_MS);
      } finally {
        asking = false;
      }
    };
    void look();
    window.addEventListener('focus', look, until);
    document.addEventListener('visibilitychange', look, until);
    return () => {
      until.abort();
      clearTimeout(timer);
    };
  }, [id, reviewedAt, onRenewed]);
  return reviewedAt !== null && stale === reviewedAt;
}
