import { call } from '../../background.ts';
import { t, tCount } from '../../i18n.ts';
import { Freshness } from '../../shared/Freshness.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { Notice } from '../../shared/Notice.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { SkeletonList } from '../../shared/SkeletonList.tsx';
import { useAction } from '../../shared/useAction.ts';
import { usePrices } from '../../shared/usePrices.ts';
import { ActivityList } from '../activity/ActivityList.tsx';
import { linesOf } from '../activity/activityLine.ts';
import { useOpenQueued } from '../move/useAsk.ts';
import { goTo, hrefTo } from '../router.ts';
import type { ScreenProps } from '../screenProps.ts';
import { screenNamed } from '../screens.ts';
import { Attention } from './Attention.tsx';
import { Balances } from './Balances.tsx';
import { TotalValue } from './TotalValue.tsx';
import { useFreshHome } from './useFreshHome.ts';

/** Entries of the activity on this screen. */
const recentCount = 3;

function QuickActions() {
  return (
    <ul class="quick" aria-label={t('homeQuick')}>
      {['send', 'receive', 'withdraw', 'trade'].map(screenNamed).map(({ name, label, icon }) => (
        <li key={name}>
          <a class="quick-action" href={hrefTo(name)}>
            <span class="quick-picture">
              <Icon name={icon} />
            </span>
            <span>{t(label)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

export function HomeScreen({ wallet }: ScreenProps) {
  const home = useFreshHome(wallet.selectedAccount);
  const open = useOpenQueued();
  const openFirst = useAction(async () => {
    const list = await call('listApprovals', {});
    if (list.length > 1) return goTo('queue');
    const first = list.toSorted((a, b) => a.createdAt - b.createdAt)[0];
    if (first !== undefined) open.run(first);
  });
  const data = home.data;
  // Balances that were never read are not known to be none.
  const balances = data === undefined || data.balancesAt === null ? undefined : data.balances;
  const { currency } = wallet.settings;
  // After the balances: nothing waits for what is only looked at.
  const prices = usePrices(data?.account.id, currency);
  const recent = linesOf((data?.activity ?? []).slice(0, recentCount), [], data?.account.id ?? '');

  return (
    <main class="home">
      <h1 class="visually-hidden" tabIndex={-1}>
        {t('tabHome')}
      </h1>
      {wallet.openApprovals > 0 && (
        <button type="button" class="attention" onClick={openFirst.run}>
          <Icon name="clock" />
          <span>
            <strong>{tCount('homeApprovals', wallet.openApprovals)}</strong>
            <span>{t('homeApprovalsMeaning')}</span>
          </span>
          <Icon name="forward" />
        </button>
      )}
      <Attention />
      <Problem error={openFirst.error ?? open.error} />
      <Notice text={data?.problem} />
      <Problem error={data === undefined ? home.error : null} />

      {currency !== '' && <TotalValue balances={balances} prices={prices} currency={currency} />}
      <QuickActions />

      <section aria-labelledby="home-balances">
        <div class="section-head">
          <h2 id="home-balances">{t('homeBalances')}</h2>
          {data?.noProofs && (
            <a class="section-aside" href={hrefTo('proofs', data.account.id)}>
              {t('homeNoProofs')}
            </a>
          )}
          <Freshness at={data?.balancesAt ?? null} refreshing={home.refreshing} onRefresh={home.refresh} />
        </div>
        {balances === undefined ? (
          data?.problem == null && <SkeletonList rows={3} picture />
        ) : (
          <Balances balances={balances} prices={prices?.data ?? null} currency={currency} />
        )}
        {balances?.length === 0 && (
          // Never the bare address: tokens that are sent to it on layer 1 do not arrive in this
          // account.
          <a class="button button-primary button-wide add-tokens" href={hrefTo('receive')}>
            {t('homeAddTokens')}
          </a>
        )}
      </section>

      <section aria-labelledby="home-activity">
        <div class="section-head">
          <h2 id="home-activity">{t('homeActivity')}</h2>
          <a class="button button-quiet button-small" href={hrefTo('activity')}>
            {t('homeAllActivity')}
          </a>
        </div>
        {data === undefined ? (
          <SkeletonList rows={3} />
        ) : recent.length === 0 ? (
          <p class="empty">{t('homeNoRequests')}</p>
        ) : (
          <ActivityList lines={recent} onChanged={home.reload} />
        )}
      </section>
    </main>
  );
}
