import type { BalanceView, PricesView, Stored } from '../../../messaging/views.ts';
import { t, tCount } from '../../i18n.ts';
import { percent } from '../../shared/format.ts';
import { Ago, useNow } from '../../shared/Time.tsx';
import { OLD_MS, totalWorth } from '../../shared/values.ts';
import { Worth } from '../../shared/Worth.tsx';
import { hrefTo } from '../router.ts';

interface TotalValueProps {
  /** `undefined` until they are known. */
  readonly balances: readonly BalanceView[] | undefined;
  readonly prices: Stored<PricesView> | undefined;
  readonly currency: string;
}

function Change({ bips }: { readonly bips: number }) {
  return (
    <p class={bips < 0 ? 'total-down' : 'total-up'}>
      {t('homeChange', { change: `${bips < 0 ? '−' : '+'}${percent(Math.abs(bips))}` })}
    </p>
  );
}

/**
 * Shows the total value, whose prices it uses, and which tokens are missing from it. Has its three
 * lines before anything is known, so that nothing moves.
 */
export function TotalValue({ balances, prices, currency }: TotalValueProps) {
  const now = useNow();
  // Prices that could not be asked for are not known to be none.
  const known = prices?.data != null || prices?.problem === null;
  const total = balances && prices && known ? totalWorth(balances, prices.data) : undefined;
  const at = prices?.at ?? null;
  const isOld = at !== null && now - at > OLD_MS;
  return (
    <section class="total" aria-label={t('homeTotal')}>
      {total !== undefined && total.now !== null ? (
        <>
          <p class="total-value">
            <Worth value={total.now} currency={currency} />
          </p>
          {!isOld && total.changeBips !== null && <Change bips={total.changeBips} />}
          <p class="soft total-source">
            {t('homePricesOf')}
            {isOld && (
              <>
                , <Ago milliseconds={at} />
              </>
            )}
            {total.without > 0 && ` · ${tCount('homeWithout', total.without)}`}
          </p>
        </>
      ) : total === undefined ? null : (
        <p class="soft">
          {t('homeNoPrices', { currency })} <a href={hrefTo('settings')}>{t('tabSettings')}</a>
        </p>
      )}
    </section>
  );
}
