import { useEffect, useState } from 'preact/hooks';
import type { ApprovalView, BalanceView } from '../../messaging/views.ts';
import { call } from '../background.ts';

/**
 * Reads the balances of the account with each review that takes something from it; `null` when they
 * cannot be read.
 */
export function useReviewBalances(view: ApprovalView): readonly BalanceView[] | null | undefined {
  const account = view.review?.rows.some(({ leaves }) => leaves) ? view.account?.id : undefined;
  const [found, setFound] = useState<{ of: string; balances: readonly BalanceView[] | null }>();
  useEffect(() => {
    if (account === undefined) return;
    let asked = true;
    void call('getBalances', { account })
      // The line of the balance then stays empty; warnings come with the review.
      .catch(() => null)
      .then((balances) => {
        if (asked) setFound({ of: account, balances });
      });
    return () => {
      asked = false;
    };
  }, [account, view.reviewedAt]);
  return found?.of === account ? found?.balances : undefined;
}
