import { useEffect } from 'preact/hooks';
import { onChanged } from '../background.ts';

/** Milliseconds without another change. */
const SETTLE_MS = 400;

/**
 * Something changed here, so it may have changed at the relayer: calls `ask` once for a burst of
 * changes.
 */
export function useAfterChanges(ask: () => unknown): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onChanged(() => {
      clearTimeout(timer);
      timer = setTimeout(ask, SETTLE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [ask]);
}
