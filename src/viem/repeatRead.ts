import type { EventSource } from './actions/watchSubmission.ts';
import { delayOf } from './delayOf.ts';
import { tell } from './tell.ts';

export interface RepeatReadParameters {
  /** Told whether the repetition has ended meanwhile. */
  readonly read: (isStopped: () => boolean) => Promise<void>;
  readonly onError?: ((error: Error) => void) | undefined;
  readonly provider?: EventSource | undefined;
  /**
   * Begins after a read that succeeded. Calls `again` when a read is worth it, and `ended` when it
   * ends by itself, such as by the lock; it then begins again after the next read.
   * @returns What ends it.
   */
  readonly follow?: ((again: () => void, ended: () => void) => () => void) | undefined;
  /** Milliseconds between reads. */
  readonly pollingInterval: number;
}

/**
 * Reads at once, when the wallet tells of a request of the site or of its lock, and at each
 * interval; never twice at the same time.
 * @returns What ends it.
 */
export function repeatRead({ read, onError, provider, follow, pollingInterval }: RepeatReadParameters): () => void {
  let isReading = false;
  let again = false;
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unfollow: (() => void) | undefined;

  const start = async () => {
    clearTimeout(timer);
    again = isReading;
    if (isReading) return;
    isReading = true;
    try {
      await read(() => over);
      if (!over)
        unfollow ??= follow?.(start, () => {
          unfollow = undefined;
        });
    } catch (error) {
      if (!over) void tell(onError, error as Error);
    }
    isReading = false;
    if (over) return;
    if (again) void start();
    else timer = setTimeout(start, delayOf(pollingInterval));
  };
  const onMessage = ({ type }: { readonly type: string }) => {
    if (type === 'relayer_status' || type === 'relayer_lock') void start();
  };
  provider?.on('message', onMessage);
  void start();
  return () => {
    over = true;
    clearTimeout(timer);
    unfollow?.();
    provider?.removeListener('message', onMessage);
  };
}
