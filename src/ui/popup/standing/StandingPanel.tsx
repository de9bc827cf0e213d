import { useState } from 'preact/hooks';
import type { AccountView, StandingView } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t, tCount } from '../../i18n.ts';
import { Amount } from '../../shared/Amount.tsx';
import { Button } from '../../shared/Button.tsx';
import { LimitPrice } from '../../shared/Price.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { Row } from '../../shared/Row.tsx';
import { Site } from '../../shared/Site.tsx';
import { Time } from '../../shared/Time.tsx';
import { useAction } from '../../shared/useAction.ts';
import type { Query } from '../../shared/useQuery.ts';
import { visibleText } from '../../shared/visibleText.ts';

/**
 * Sold part of the total in percent, rounded up: a meter that is full at the wrong moment warns too
 * early, not too late.
 */
function partOf({ soldVolume, totalVolume }: StandingView): number {
  return Number((BigInt(soldVolume) * 100n + BigInt(totalVolume) - 1n) / BigInt(totalVolume));
}

function Entry({
  approval,
  accounts,
  onChanged,
}: {
  readonly approval: StandingView;
  readonly accounts: readonly AccountView[];
  readonly onChanged: (all: readonly StandingView[]) => void;
}) {
  const stop = useAction(async () => onChanged(await call('stopStanding', { id: approval.id })));
  const setLock = useAction(async (endsWithLock: boolean) =>
    onChanged(await call('setStanding', { id: approval.id, endsWithLock })),
  );
  const [base, quote] = approval.side === 'SELL' ? [approval.sell, approval.buy] : [approval.buy, approval.sell];
  const part = partOf(approval);
  return (
    <li class="card standing-entry">
      <div class="standing-head">
        <Site origin={approval.origin} />
        <span class="chip chip-good">{visibleText(approval.market, 40)}</span>
      </div>
      {approval.orders && (
        <div class="standing-meter">
          <p class="standing-amounts">
            <Amount volume={approval.soldVolume} token={approval.sell} />
            <span class="soft">{t('standing_of')}</span>
            <Amount volume={approval.totalVolume} token={approval.sell} />
          </p>
          <meter
            class={part >= 90 ? 'standing-bar standing-bar-high' : 'standing-bar'}
            min={0}
            max={100}
            value={part}
            aria-label={t('standing_meter', { percent: part })}
          />
        </div>
      )}
      <dl class="rows">
        <Row label="approvalAccount">
          <bdi>{visibleText(accounts.find(({ id }) => id === approval.account)?.label ?? approval.account, 40)}</bdi>
        </Row>
        {approval.orders && (
          <Row label="review_standingOrder">
            <Amount volume={approval.orderVolume} token={approval.sell} />
          </Row>
        )}
        {approval.orders &&
          (['minPrice', 'maxPrice'] as const).map((limit) => {
            const value = approval[limit];
            if (value === null) return null;
            const paid = limit === 'maxPrice';
            const price = { value, exact: true, quote: quote.symbol, base: base.symbol, paid };
            return (
              <Row key={limit} label={paid ? 'review_standingMaxPrice' : 'review_standingMinPrice'}>
                <LimitPrice price={price} />
              </Row>
            );
          })}
        <Row label="standing_signed">
          {t('standing_rate', {
            recent: approval.recent,
            most: approval.rate.requests,
            seconds: approval.rate.seconds,
          })}{' '}
          <span class="soft">{tCount('standing_count', approval.count)}</span>
        </Row>
        <Row label="review_standingUntil">
          <Time milliseconds={approval.validUntil * 1000} />
        </Row>
      </dl>
      <label class="standing-lock">
        <input
          type="checkbox"
          checked={approval.endsWithLock}
          onChange={(event) => setLock.run(event.currentTarget.checked)}
        />
        <span>{t('standing_endsWithLock')}</span>
      </label>
      <Problem error={stop.error ?? setLock.error} />
      <Button small busy={stop.busy} onClick={stop.run}>
        {t('standing_stop')}
      </Button>
    </li>
  );
}

/**
 * Standing approvals in force, each as a meter, with one button that ends them all. Nothing while
 * there are none.
 */
export function StandingPanel({
  query,
  accounts,
}: {
  readonly query: Query<readonly StandingView[]>;
  readonly accounts: readonly AccountView[];
}) {
  const [asking, setAsking] = useState(false);
  const stopAll = useAction(async () => {
    query.set(await call('stopStanding', { id: null }));
    setAsking(false);
  });
  const approvals = query.data ?? [];
  if (approvals.length === 0) return <Problem error={query.error} />;
  return (
    <section class="standing" aria-labelledby="standing-title">
      <div class="standing-title">
        <h2 id="standing-title">{t('standing_title')}</h2>
        <Button small tone="danger" busy={stopAll.busy} onClick={() => (asking ? stopAll.run() : setAsking(true))}>
          {t(asking ? 'standing_stopAllSure' : 'standing_stopAll')}
        </Button>
      </div>
      <p class="soft">{t('standing_meaning')}</p>
      <Problem error={stopAll.error ?? query.error} />
      <ul class="standing-list">
        {approvals.map((approval) => (
          <Entry key={approval.id} approval={approval} accounts={accounts} onChanged={query.set} />
        ))}
      </ul>
    </section>
  );
}
