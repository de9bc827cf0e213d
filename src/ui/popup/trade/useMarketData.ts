import { useEffect, useState } from 'preact/hooks';
import type { ChartInterval } from '../../../messaging/chartIntervals.ts';
import type { MarketDataView } from '../../../messaging/views.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { useRefresh } from '../../shared/useRefresh.ts';

/**
 * Milliseconds between two polls; relayers keep a book for a second and take five requests in each.
 */
const pollEveryMs = 3_000;

/**
 * Reads the exchange's data of a market, again and again while the page is visible. A failed poll
 * leaves what was read before.
 */
export function useMarketData(account: string, market: string, interval: ChartInterval) {
  const { data, error, reload } = useQuery('getMarketData', { account, market, interval });
  const { refreshing, refresh } = useRefresh(reload);
  const [last, setLast] = useState<MarketDataView>();
  useEffect(() => {
    if (data !== undefined) setLast(data);
  }, [data]);
  useEffect(() => {
    let isPolling = false;
    const timer = setInterval(() => {
      if (isPolling || document.visibilityState !== 'visible') return;
      isPolling = true;
      void reload().then(() => {
        isPolling = false;
      });
    }, pollEveryMs);
    return () => clearInterval(timer);
  }, [reload]);
  // While candles of another length are read, or cannot be read, the rest stays.
  return { data: data ?? last, isRead: data !== undefined, error, refreshing, refresh };
}
