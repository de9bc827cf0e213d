import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { HomeView } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { useAfterChanges } from '../../shared/useAfterChanges.ts';
import { useInOrder } from '../../shared/useInOrder.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { useRefresh } from '../../shared/useRefresh.ts';

interface FreshHome {
  readonly data: HomeView | undefined;
  readonly error: unknown;
  readonly refreshing: boolean;
  readonly refresh: () => void;
  readonly reload: () => Promise<void>;
}

/**
 * The stored state at once, then the relayer's, and again after changes; a new account starts
 * again.
 */
export function useFreshHome(account: string | null): FreshHome {
  const query = useQuery('getHome', { refresh: false });
  const [asked, setAsked] = useState<HomeView>();
  const { reload, set } = query;
  const present = useRef(account);
  present.current = account;
  const begin = useInOrder();
  const ask = useCallback(() => {
    const isNext = begin();
    // A failed refresh shows in the stored view's `problem`.
    return call('getHome', { refresh: true }).then(
      (view) => {
        // It is about the account that was selected when it was asked.
        if (view.account.id !== present.current || !isNext(view.problem === null)) return;
        setAsked(view);
        set(view);
      },
      () => reload(),
    );
  }, [reload, set, begin]);
  const { refreshing, refresh } = useRefresh(ask);
  useEffect(refresh, [refresh, account]);
  useAfterChanges(ask);
  const own = query.data?.account.id === account ? query.data : undefined;
  // The stored view says nothing of the last refresh, which may have failed.
  const isSame = asked?.account.id === account && asked?.balancesAt === own?.balancesAt;
  const problem = own?.problem ?? (isSame ? asked?.problem : null) ?? null;
  return { data: own && { ...own, problem }, error: query.error, refreshing, refresh, reload };
}
