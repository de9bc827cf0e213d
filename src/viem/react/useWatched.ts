'use client';
import { useEffect, useMemo, useState } from 'react';

/** Value of a hook. After an error `data` stays what it was. */
export interface Watched<Data> {
  /** Undefined before the first answer. */
  readonly data: Data | undefined;
  /** Of the last try; undefined once it succeeds again. */
  readonly error: Error | undefined;
}

const NOTHING = { data: undefined, error: undefined };

/** Events of a provider: those of an `EventSource`, and of another account or exchange. */
type Change = 'message' | 'accountsChanged' | 'chainChanged';

interface ChangeSource {
  on(event: Change, listener: () => void): unknown;
  removeListener(event: Change, listener: () => void): unknown;
}

interface Listener<Data> {
  readonly onData: (data: Data) => void;
  readonly onError: (error: Error) => void;
}

/**
 * Watches something while a component is mounted.
 * @param start - Starts the watch and returns what ends it; `null` watches nothing.
 * @param of - What is watched: when one of these changes, the watch starts anew and shows nothing
 *   of the one before.
 * @param provider - One of `of`. The watch starts anew also when the site sees another account or
 *   exchange.
 */
export function useWatched<Data>(
  start: ((listener: Listener<Data>) => () => void) | null,
  of: readonly unknown[],
  provider?: ChangeSource,
): Watched<Data> {
  // biome-ignore lint/correctness/useExhaustiveDependencies: callers name what they watch
  const watch = useMemo(() => ({ start, provider }), of);
  const [known, setKnown] = useState<Watched<Data> & { readonly of?: unknown }>(NOTHING);
  useEffect(() => {
    const begin = () =>
      watch.start?.({
        onData: (data) => setKnown({ data, error: undefined, of: watch }),
        onError: (error) => setKnown((before) => ({ ...(before.of === watch ? before : NOTHING), error, of: watch })),
      });
    let stop = begin();
    const beginAnew = () => {
      stop?.();
      setKnown(NOTHING);
      stop = begin();
    };
    watch.provider?.on('accountsChanged', beginAnew);
    watch.provider?.on('chainChanged', beginAnew);
    return () => {
      stop?.();
      watch.provider?.removeListener('accountsChanged', beginAnew);
      watch.provider?.removeListener('chainChanged', beginAnew);
    };
  }, [watch]);
  return known.of === watch ? known : NOTHING;
}
