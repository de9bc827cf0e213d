import { useEffect, useState } from 'preact/hooks';
import type { PricesView, Stored } from '../../messaging/views.ts';
import { call } from '../background.ts';
import { useNow } from './Time.tsx';
import { OLD_MS } from './values.ts';

interface AskedPrices {
  readonly of: string;
  readonly stored: Stored<PricesView>;
}

/** Milliseconds between two readings on a screen that stays open. */
const pollIntervalMs = 60_000;

/**
 * The exchange's prices in the currency of the settings: those that were read last, then today's.
 * @param account - Whose exchange is asked; `undefined` while nobody is to be asked.
 * @returns `undefined` until it is known whether there are any.
 */
export function usePrices(account: string | undefined, currency: string): Stored<PricesView> | undefined {
  const of = account === undefined || currency === '' ? undefined : `${currency} ${account}`;
  const [found, setFound] = useState<AskedPrices>();
  useEffect(() => {
    if (account === undefined || of === undefined) return;
    let isAsked = true;
    const take = (refresh: boolean) =>
      call('getPrices', { account, refresh }).then(
        (stored) => {
          if (isAsked && (refresh || stored.data !== null)) setFound({ of, stored });
        },
        // Prices that could not be read are not known to be none.
        () => undefined,
      );
    void take(false).then(() => take(true));
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void take(true);
    }, pollIntervalMs);
    return () => {
      isAsked = false;
      clearInterval(timer);
    };
  }, [account, of]);
  return found !== undefined && found.of === of ? found.stored : undefined;
}

/**
 * Prices to value something by that is shown without their age.
 * @returns `null` where there are none or they are old, `undefined` until that is known.
 */
export function useCurrentPrices(account: string | undefined, currency: string): PricesView | null | undefined {
  const prices = usePrices(account, currency);
  const now = useNow();
  return prices && (now - (prices.at ?? 0) <= OLD_MS ? prices.data : null);
}
