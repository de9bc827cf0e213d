import { useId, useState } from 'preact/hooks';
import type { ActivityItem } from '../../../messaging/views.ts';
import { locale, t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Disclosure } from '../../shared/Disclosure.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { SkeletonList } from '../../shared/SkeletonList.tsx';
import { useQuery } from '../../shared/useQuery.ts';
import { PageHead } from '../PageHead.tsx';
import type { ScreenProps } from '../screenProps.ts';
import { selectedAccount } from '../selectedAccount.ts';
import { ActivityDetail } from './ActivityDetail.tsx';
import { ActivityList } from './ActivityList.tsx';
import { activityCsv, activityJson, saveFile } from './exportActivity.ts';
import { type ActivityFilter, filterActivity, type KindGroup, type StatusGroup } from './filterActivity.ts';

/** Entries read and searched; the background keeps all of them. */
const readCount = 1_000;
/** Entries drawn at first, and with each press on "more". */
const drawnCount = 40;

const statusOptions = [
  ['all', 'activityAllStates'],
  ['open', 'activityOpen'],
  ['done', 'activityDone'],
  ['failed', 'activityFailed'],
] as const satisfies readonly (readonly [StatusGroup, string])[];
const kindOptions = [
  ['all', 'activityAllKinds'],
  ['orders', 'ordersTitle'],
  ['moves', 'activityMoves'],
  ['nfts', 'nftsTitle'],
  ['pools', 'poolsTitle'],
  ['keys', 'activityKeys'],
  ['texts', 'activityTexts'],
] as const satisfies readonly (readonly [KindGroup, string])[];

/** The day of an entry in words. */
const dayOf = (milliseconds: number): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'full', numberingSystem: 'latn' }).format(milliseconds);

function byDay(items: readonly ActivityItem[]): [string, ActivityItem[]][] {
  const days = new Map<string, ActivityItem[]>();
  for (const item of items) {
    const day = dayOf(item.createdAt);
    days.set(day, [...(days.get(day) ?? []), item]);
  }
  return [...days];
}

function Filters({
  filter,
  onFilter,
}: {
  readonly filter: ActivityFilter;
  readonly onFilter: (filter: ActivityFilter) => void;
}) {
  const id = useId();
  return (
    <search class="filters">
      <div class="field-box search-box">
        <span class="search-icon">
          <Icon name="search" />
        </span>
        <input
          type="search"
          aria-label={t('activitySearch')}
          placeholder={t('activitySearch')}
          value={filter.text}
          maxLength={100}
          onInput={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
        />
      </div>
      <select
        id={`${id}-status`}
        aria-label={t('activityStates')}
        value={filter.status}
        onChange={(event) => onFilter({ ...filter, status: event.currentTarget.value as StatusGroup })}
      >
        {statusOptions.map(([value, label]) => (
          <option key={value} value={value}>
            {t(label)}
          </option>
        ))}
      </select>
      <select
        id={`${id}-kind`}
        aria-label={t('activityKinds')}
        value={filter.kind}
        onChange={(event) => onFilter({ ...filter, kind: event.currentTarget.value as KindGroup })}
      >
        {kindOptions.map(([value, label]) => (
          <option key={value} value={value}>
            {t(label)}
          </option>
        ))}
      </select>
    </search>
  );
}

function ActivityIndex({ wallet }: Pick<ScreenProps, 'wallet'>) {
  const { id: account } = selectedAccount(wallet);
  const activity = useQuery('getActivity', { limit: readCount, account });
  const [filter, setFilter] = useState<ActivityFilter>({ text: '', status: 'all', kind: 'all' });
  const [drawn, setDrawn] = useState(drawnCount);
  const { data } = activity;
  const found = data === undefined ? [] : filterActivity(data, filter);
  const save = (kind: 'csv' | 'json') => {
    const name = `countersign-activity-${new Date().toISOString().slice(0, 10)}.${kind}`;
    if (kind === 'csv') saveFile(name, 'text/csv', activityCsv(found));
    else saveFile(name, 'application/json', activityJson(found));
  };
  return (
    <main class="tab">
      <PageHead title={t('activityTitle')} />
      <Problem error={activity.error} />
      {data === undefined ? (
        <SkeletonList rows={6} />
      ) : data.length === 0 ? (
        <p class="empty">{t('activityEmpty')}</p>
      ) : (
        <>
          <Filters
            filter={filter}
            onFilter={(next) => {
              setFilter(next);
              setDrawn(drawnCount);
            }}
          />
          {found.length === 0 && (
            <p class="empty" role="status">
              {t('activityNoMatch')}
            </p>
          )}
          {byDay(found.slice(0, drawn)).map(([day, items]) => (
            <section key={day} aria-label={day}>
              <h2 class="day">{day}</h2>
              <ActivityList items={items} onChanged={activity.reload} />
            </section>
          ))}
          {found.length > drawn && (
            <Button wide onClick={() => setDrawn(drawn + drawnCount)}>
              {t('activityMore')}
            </Button>
          )}
          {found.length > 0 && (
            <Disclosure title={t('activityExport')}>
              <p class="soft">{t('activityExportMeaning')}</p>
              <div class="site-buttons">
                <Button small icon="download" onClick={() => save('csv')}>
                  {t('activityCsv')}
                </Button>
                <Button small icon="download" onClick={() => save('json')}>
                  {t('activityJson')}
                </Button>
              </div>
            </Disclosure>
          )}
        </>
      )}
    </main>
  );
}

/** What was signed and what became of it; `activity/id` is one entry. */
export function ActivityScreen({ wallet, rest }: ScreenProps) {
  const [id] = rest;
  return id === undefined ? <ActivityIndex wallet={wallet} /> : <ActivityDetail id={id} />;
}
