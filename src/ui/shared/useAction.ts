import { useCallback, useRef, useState } from 'preact/hooks';
import { leaveTrace } from '../leaveTrace.ts';

export interface Action<A extends unknown[]> {
  readonly run: (...args: A) => void;
  readonly busy: boolean;
  readonly error: unknown;
  readonly clear: () => void;
}

/** Runs one piece of work at a time and holds its failure for the screen. */
export function useAction<A extends unknown[]>(work: (...args: A) => Promise<void>): Action<A> {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null });
  const running = useRef(false);
  const run = (...args: A) => {
    if (running.current) return;
    running.current = true;
    setState({ busy: true, error: null });
    void work(...args)
      .then(
        () => null,
        (error: unknown) => {
          leaveTrace('action', error);
          return error;
        },
      )
      .then((error) => {
        running.current = false;
        setState({ busy: false, error });
      });
  };
  const clear = useCallback(() => setState((old) => (old.error === null ? old : { ...old, error: null })), []);
  return { run, busy: state.busy, error: state.error, clear };
}

/** Keeps what is typed or chosen, and clears the last failure of the actions that use it. */
export const typing =
  <T>(set: (value: T) => void, ...actions: readonly Pick<Action<never>, 'clear'>[]) =>
  (value: T): void => {
    set(value);
    for (const { clear } of actions) clear();
  };
