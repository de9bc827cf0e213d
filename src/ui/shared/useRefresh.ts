import { useCallback, useState } from 'preact/hooks';

/** Reads on demand, and says while it does. */
export function useRefresh(ask: () => Promise<unknown>) {
  const [refreshing, setRefreshing] = useState(false);
  const refresh = useCallback(() => {
    setRefreshing(true);
    void ask().finally(() => setRefreshing(false));
  }, [ask]);
  return { refreshing, refresh };
}
