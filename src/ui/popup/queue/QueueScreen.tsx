import { useState } from 'preact/hooks';
import { OWN_ORIGIN } from '../../../messaging/ownOrigin.ts';
import type { QueuedApproval } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t, tCount } from '../../i18n.ts';
import { Button } from '../../shared/Button.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { Site } from '../../shared/Site.tsx';
import { Skeleton } from '../../shared/Skeleton.tsx';
import { Ago } from '../../shared/Time.tsx';
import { useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { useOpenQueued } from '../move/useAsk.ts';
import { Page } from '../PageHead.tsx';
import type { ScreenProps } from '../screenProps.ts';

const titles = {
  connect: 'approvalConnect',
  operation: 'approvalAsks',
  standing: 'standing_new',
  unlock: 'unlockButton',
};

const titleOf = ({ kind, operation }: QueuedApproval) =>
  t(operation === null ? titles[kind] : `operation_${operation}`);

/** One button that says no to what sites ask; the second press is on one that says to how much. */
function RejectAll({ ids, onRejected }: { readonly ids: readonly string[]; readonly onRejected: () => Promise<void> }) {
  const count = ids.length;
  const present = ids.toSorted().join();
  // The requests that were confirmed: what comes in between is asked about anew.
  const [asked, setAsked] = useState('');
  const reject = useAction(async () => {
    await call('rejectAll', { ids: [...ids] });
    setAsked('');
    await onRejected();
  });
  const sure = asked === present;
  return (
    <>
      <Problem error={reject.error} />
      <Button tone="danger" busy={reject.busy} onClick={() => (sure ? reject.run() : setAsked(present))}>
        {tCount(sure ? 'queueRejectAllSure' : 'queueRejectAll', count)}
      </Button>
    </>
  );
}

/**
 * Every approval request that waits or is not carried out yet, oldest first: the order in which the
 * approval window shows them.
 */
export function QueueScreen({ wallet }: ScreenProps) {
  const queue = useQuery('listApprovals', {});
  const open = useOpenQueued();
  const rejectable = queue.data?.filter(({ origin, approvedAt }) => origin !== OWN_ORIGIN && approvedAt === null) ?? [];
  return (
    <Page title={t('queueTitle')} back={['home']}>
      <p class="soft">{t('queueMeaning')}</p>
      <Problem error={queue.error ?? open.error} />
      {queue.data === undefined ? (
        <Skeleton lines={[10, 6, 10, 6]} />
      ) : queue.data.length === 0 ? (
        <p class="empty">{t('queueEmpty')}</p>
      ) : (
        <ol class="menu">
          {queue.data
            .toSorted((a, b) => a.createdAt - b.createdAt)
            .map((item) => (
              <li key={item.id}>
                <button type="button" class="menu-item" onClick={() => open.run(item)}>
                  <span class="menu-text">
                    <span class="menu-name">{titleOf(item)}</span>
                    <Site origin={item.origin} />
                    <span class="menu-note">
                      {item.account !== null && (
                        <>
                          <bdi>
                            {visibleText(wallet.accounts.find(({ id }) => id === item.account)?.label ?? '', 28)}
                          </bdi>
                          {' · '}
                        </>
                      )}
                      {item.approvedAt !== null && <>{t('attentionKind_approved')} · </>}
                      <Ago milliseconds={item.approvedAt ?? item.createdAt} />
                    </span>
                  </span>
                  <Icon name={item.origin === OWN_ORIGIN ? 'forward' : 'external'} />
                </button>
              </li>
            ))}
        </ol>
      )}
      {rejectable.length > 0 && <RejectAll ids={rejectable.map(({ id }) => id)} onRejected={queue.reload} />}
    </Page>
  );
}
