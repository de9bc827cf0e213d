import { t } from '../../i18n.ts';
import { Problem } from '../../shared/Problem.tsx';
import { Skeleton } from '../../shared/Skeleton.tsx';
import { useQuery } from '../../shared/useQuery.ts';
import { ActivityList } from './ActivityList.tsx';

/** The newest entries; the background keeps all of them. */
const shownCount = 100;

export function ActivityScreen() {
  const activity = useQuery('getActivity', { limit: shownCount });
  return (
    <main class="tab">
      <h1 tabIndex={-1}>{t('activityTitle')}</h1>
      <Problem error={activity.error} />
      {activity.data === undefined ? (
        <Skeleton lines={[10, 10, 10, 10]} />
      ) : activity.data.length === 0 ? (
        <p class="empty">{t('activityEmpty')}</p>
      ) : (
        <ActivityList items={activity.data} onChanged={activity.reload} />
      )}
    </main>
  );
}
