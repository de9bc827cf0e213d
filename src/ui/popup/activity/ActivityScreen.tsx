import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { HistoryView } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Disclosure } from '../../shared/Disclosure.tsx';
import { Freshness } from '../../shared/Freshness.tsx';
import { dateTime } from '../../shared/format.ts';
import { Icon } from '../../shared/Icon.tsx';
import { Notice } from '../../shared/Notice.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { SkeletonList } from '../../shared/SkeletonList.tsx';
import { saveFile } from '../../shared/saveFile.ts';
import { useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { useStored } from '../../shared/useStored.ts';
import { Page } from '../PageHead.tsx';
import type { ScreenProps } from '../screenProps.ts';
import { selectedAccount } from '../selectedAccount.ts';
import { ActivityDetail } from './ActivityDetail.tsx';
import { ActivityList } from './ActivityList.tsx';
import { type ActivityLine, linesOf } from './activityLine.ts';
import { dayOf } from './dayOf.ts';
import { activityCsv, activityJson } from './exportActivity.ts';
import { type ActivityFilter, filterActivity, isOpen } from './filterActivity.ts';
import { unread, withNewest, withOlder } from './loadedHistory.ts';

/**
 * Requests read, searched and exported, as `activityExportMeaning` says: the newest, and all that
 * are open.
 */
const readCount = 1_000;
/** Entries drawn at first, and with each press on "more". */
const drawnCount = 40;

/** What the lists of the filter offer: values and their texts. */
const offered: {
  readonly [Field in 'status' | 'kind']: Readonly<Record<ActivityFilter[Field], string>>;
} = {
  status: { all: 'activityAllStates', open: 'activityOpen', done: 'activityDone', failed: 'activityFailed' },
  kind: {
    all: 'activityAllKinds',
    orders: 'tabOrders',
    moves: 'activityMoves',
    nfts: 'tabNfts',
    pools: 'poolsTitle',
    keys: 'activityKeys',
    texts: 'activityTexts',
  },
};

/**
 * Groups the first `count` lines: pending ones under a heading of their own, whatever is newer than
 * they are, then the days.
 */
function grouped(lines: readonly ActivityLine[], count: number): [string, ActivityLine[]][] {
  const groups = new Map<string, ActivityLine[]>();
  const now = Date.now();
  const ordered = [...lines.filter(isOpen), ...lines.filter((line) => !isOpen(line))];
  for (const line of ordered.slice(0, count)) {
    const heading = isOpen(line) ? t('activityOpen') : dayOf(line.createdAt, now);
    groups.set(heading, [...(groups.get(heading) ?? []), line]);
  }
  return [...groups];
}

function Filters({
  filter,
  onFilter,
}: {
  readonly filter: ActivityFilter;
  readonly onFilter: (filter: ActivityFilter) => void;
}) {
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
      {(['status', 'kind'] as const).map((field) => (
        <select
          key={field}
          aria-label={t(field === 'status' ? 'activityStates' : 'activityKinds')}
          value={filter[field]}
          onChange={(event) => onFilter({ ...filter, [field]: event.currentTarget.value })}
        >
          {Object.entries(offered[field]).map(([value, label]) => (
            <option key={value} value={value}>
              {t(label)}
            </option>
          ))}
        </select>
      ))}
    </search>
  );
}

function ActivityIndex({ wallet }: Pick<ScreenProps, 'wallet'>) {
  const { id: account } = selectedAccount(wallet);
  const activity = useQuery('getActivity', { limit: readCount, account });
  const [filter, setFilter] = useState<ActivityFilter>({ text: '', status: 'all', kind: 'all' });
  const [drawn, setDrawn] = useState(drawnCount);
  const history = useStored('getHistory', account);
  /** The exchange's lists as far as they were read: newest pages, and older ones on demand. */
  const [loaded, setLoaded] = useState<HistoryView | null>(null);
  const newest = history.data;
  useLayoutEffect(() => {
    if (newest) setLoaded((known) => withNewest(known, newest));
  }, [newest]);
  const known = loaded ?? newest ?? null;
  const lines = useMemo(
    () => activity.data && linesOf(activity.data, known?.events ?? [], account),
    [activity.data, known, account],
  );
  const { left, since } = known === null ? { left: [], since: null } : unread(known, filter.kind);
  const older = useAction(async () => {
    for (const source of left) {
      const offset = known?.reached[source].next;
      if (!known || typeof offset !== 'number') continue;
      const page = await call('getHistoryPage', { account, source, offset });
      setLoaded((now) => now && withOlder(now, source, known, page));
    }
    setDrawn((count) => count + drawnCount);
  });
  const found = lines === undefined ? [] : filterActivity(lines, filter);
  const save = (kind: 'csv' | 'json') => {
    const name = `countersign-activity-${new Date().toISOString().slice(0, 10)}.${kind}`;
    if (kind === 'csv') saveFile(name, 'text/csv', activityCsv(found));
    else saveFile(name, 'application/json', activityJson(found));
  };
  return (
    <Page
      title={t('activityTitle')}
      action={<Freshness at={history.at} refreshing={history.refreshing} onRefresh={history.refresh} />}
    >
      <Problem error={activity.error ?? history.error} />
      <Notice text={history.problem} />
      {/* Both lists at once: events that come later would push apart what is being read. */}
      {lines === undefined || (history.data === undefined && history.error === null) ? (
        <SkeletonList rows={6} />
      ) : lines.length === 0 && since === null ? (
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
          {grouped(found, drawn).map(([heading, group]) => (
            <section key={heading} aria-label={heading}>
              <h2 class="day">{heading}</h2>
              <ActivityList lines={group} onChanged={activity.reload} />
            </section>
          ))}
          {(found.length > drawn || since !== null) && (
            <Button
              wide
              busy={older.busy}
              onClick={found.length > drawn ? () => setDrawn(drawn + drawnCount) : older.run}
            >
              {t('activityMore')}
            </Button>
          )}
          <Problem error={older.error} />
          {since !== null && <p class="soft small-note">{t('historyMore', { time: dateTime(since) })}</p>}
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
    </Page>
  );
}

/** Shows signed requests and their outcomes; `activity/id` is one entry. */
export function ActivityScreen({ wallet, rest }: ScreenProps) {
  const [id] = rest;
  return id === undefined ? <ActivityIndex key={wallet.selectedAccount} wallet={wallet} /> : <ActivityDetail id={id} />;
}
