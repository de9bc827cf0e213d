import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { UiMethod, UiParams, UiResults } from '../../messaging/uiMethods.ts';
import { call, onChanged } from '../background.ts';
import { seeEarly } from '../early.ts';
import { useInOrder } from './useInOrder.ts';

export interface Query<T> {
  /** The last answer; stays while a newer one is being read, so that nothing jumps. */
  readonly data: T | undefined;
  readonly error: unknown;
  readonly reload: () => Promise<void>;
  readonly set: (data: T) => void;
}

/**
 * Reads a method of the background, and again whenever something changed. Answers to a
 * read before the one that is shown, and those about earlier parameters, are dropped.
 * @param params - `null` asks nothing.
 */
export function useQuery<M extends UiMethod>(method: M, params: UiParams<M> | null): Query<UiResults[M]> {
  const key = params === null ? '' : JSON.stringify(params);
  const [state, setState] = useState<{ key: string; data: UiResults[M] | undefined; error: unknown }>(() => ({
    key,
    data: params === null ? undefined : seeEarly(method, params),
    error: null,
  }));
  const begin = useInOrder();
  const asked = useRef(key);
  asked.current = key;

  const reload = useCallback(async () => {
    if (key === '' || asked.current !== key) return;
    const isShown = begin();
    const isNext = () => asked.current === key && isShown(true);
    try {
      const data = await call(method, JSON.parse(key) as UiParams<M>);
      if (isNext())
        setState((old) =>
          old.key === key && old.data === data && old.error === null ? old : { key, data, error: null },
        );
    } catch (error) {
      // What is known stays on the screen beside the sentence about the failure, unless it is about
      // other parameters.
      if (isNext()) setState((old) => ({ key, data: old.key === key ? old.data : undefined, error }));
    }
  }, [method, key]);

  // Before the page is painted: what was asked early is there, or about to be.
  useLayoutEffect(() => {
    void reload();
    return onChanged(() => void reload());
  }, [reload]);

  const set = useCallback(
    (data: UiResults[M]) => {
      if (asked.current !== key) return;
      begin()(true);
      setState({ key, data, error: null });
    },
    [key],
  );
  const current = state.key === key;
  return { data: current ? state.data : undefined, error: current ? state.error : null, reload, set };
}
