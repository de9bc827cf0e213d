import { useCallback, useEffect, useState } from 'preact/hooks';
import type { UiParams, UiResults } from '../../messaging/uiMethods.ts';
import type { Text } from '../../operations/review.ts';
import { call } from '../background.ts';
import { useAfterChanges } from './useAfterChanges.ts';
import { useInOrder } from './useInOrder.ts';
import { useQuery } from './useQuery.ts';
import { useRefresh } from './useRefresh.ts';

type StoredMethod = 'getHistory' | 'getOrders' | 'getNfts' | 'getPools';

export interface StoredQuery<T> {
  /** `undefined` while the stored state is being read; `null` when there never was any. */
  readonly data: T | null | undefined;
  readonly at: number | null;
  readonly problem: Text | null;
  readonly error: unknown;
  readonly refreshing: boolean;
  /** The relayer has answered since the screen opened. */
  readonly isFresh: boolean;
  readonly refresh: () => void;
}

/** All of these methods take the same two parameters; a generic `UiParams<M>` does not say so. */
const paramsOf = <M extends StoredMethod>(account: string, refresh: boolean) => {
  const params: UiParams<StoredMethod> = { account, refresh };
  return params as UiParams<M>;
};

/**
 * Gives the last stored answer at once, then the relayer's present one.
 * @param pollIntervalMs - asks again at this interval while the page is visible.
 */
export function useStored<M extends StoredMethod>(
  method: M,
  account: string,
  pollIntervalMs?: number,
): StoredQuery<NonNullable<UiResults[M]['data']>> {
  const query = useQuery(method, paramsOf<M>(account, false));
  const [freshOf, setFreshOf] = useState<string | null>(null);
  const { reload, set } = query;
  const begin = useInOrder();
  const ask = useCallback(() => {
    const isNext = begin();
    return call(method, paramsOf<M>(account, true)).then(
      (answer) => {
        const isAnswer = answer.problem === null;
        if (!isNext(isAnswer)) return;
        if (isAnswer) setFreshOf(account);
        set(answer);
      },
      () => reload(),
    );
  }, [method, account, reload, set, begin]);
  const { refreshing, refresh } = useRefresh(ask);
  useEffect(refresh, [refresh]);
  useAfterChanges(ask);
  useEffect(() => {
    if (pollIntervalMs === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void ask();
    }, pollIntervalMs);
    return () => clearInterval(timer);
  }, [ask, pollIntervalMs]);
  const stored = query.data as UiResults[M] | undefined;
  return {
    data: stored?.data as NonNullable<UiResults[M]['data']> | null | undefined,
    at: stored?.at ?? null,
    problem: stored?.problem ?? null,
    error: query.error,
    refreshing,
    isFresh: freshOf === account,
    refresh,
  };
}
