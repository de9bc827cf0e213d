import { t } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { statusTexts } from '../../shared/status.ts';
import { useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { ActivityList } from '../activity/ActivityList.tsx';
import { openApproval } from '../openPages.ts';

interface AskedProps {
  /** The question in the approval window. */
  readonly id: string;
  readonly onAgain: () => void;
  readonly againText: string;
}

/** After the form: the question waits in the approval window, then what became of it. */
export function Asked({ id, onAgain, againText }: AskedProps) {
  const open = useQuery('listApprovals', {});
  const activity = useQuery('getActivity', { limit: 20 });
  const front = useAction(() => openApproval(id));
  const waits = open.data?.some((approval) => approval.id === id) ?? true;
  const item = activity.data?.find(({ requestId }) => requestId === id);
  const status = item && statusTexts[item.status];
  return (
    <section class="asked" aria-live="polite">
      <span class={`outcome-picture ${status === undefined ? '' : `outcome-${status.tone}`}`}>
        <Icon name={waits ? 'external' : status === undefined || status.tone === 'danger' ? 'cross' : 'check'} />
      </span>
      {waits ? (
        <>
          <h2>{t('askedWaits')}</h2>
          <p class="soft">{t('askedWaitsMeaning')}</p>
          <Button tone="primary" icon="external" onClick={front.run}>
            {t('askedShow')}
          </Button>
        </>
      ) : item === undefined ? (
        <>
          <h2>{t('askedClosed')}</h2>
          <p class="soft">{t('askedClosedMeaning')}</p>
          <Button onClick={onAgain}>{againText}</Button>
        </>
      ) : (
        <>
          <h2>{t(status?.tone === 'danger' ? 'askedFailed' : 'askedDone')}</h2>
          <ActivityList items={[item]} onChanged={activity.reload} />
          <Button onClick={onAgain}>{againText}</Button>
        </>
      )}
    </section>
  );
}
