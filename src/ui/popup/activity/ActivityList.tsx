import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { ActivityItem } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { ApproveHash } from '../../shared/ApproveHash.tsx';
import { Button } from '../../shared/Button.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { Phrase } from '../../shared/Phrase.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { Hex } from '../../shared/Shortened.tsx';
import { Site } from '../../shared/Site.tsx';
import { statusTexts } from '../../shared/status.ts';
import { Ago, Time } from '../../shared/Time.tsx';
import { useAction } from '../../shared/useAction.ts';
import { OrderTools } from '../orders/OrderTools.tsx';
import { hrefTo } from '../router.ts';
import type { ActivityLine } from './activityLine.ts';
import { HistoryEntry } from './HistoryEntry.tsx';

interface EntryProps {
  readonly item: ActivityItem;
  readonly block: number | null;
  readonly onChanged: () => Promise<void>;
}

function Entry({ item, block, onChanged }: EntryProps) {
  const [open, setOpen] = useState(false);
  const status = statusTexts[item.status];
  const check = useAction(async () => {
    await call('checkSubmission', { id: item.id });
    await onChanged();
  });
  return (
    <li class="entry">
      <button type="button" class="entry-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="entry-sentence">
          <Phrase text={item.sentence} />
        </span>
        <span class="entry-line">
          <span class={`chip chip-${status.tone}`}>{t(status.label)}</span>
          <span class="soft entry-time">
            <Ago milliseconds={item.createdAt} />
          </span>
          <Icon name="down" />
        </span>
      </button>
      {open && (
        <div class="entry-body">
          <p>{t(status.meaning)}</p>
          {item.problem !== null && (
            <p class="entry-problem">
              <Phrase text={item.problem} />
            </p>
          )}
          {item.approveHash !== null && <ApproveHash hash={item.approveHash} />}
          <dl class="rows">
            <div class="row">
              <dt>{t('activitySite')}</dt>
              <dd>
                <Site origin={item.origin} />
              </dd>
            </div>
            <div class="row">
              <dt>{t('activityTime')}</dt>
              <dd>
                <Time milliseconds={item.createdAt} />
              </dd>
            </div>
            {item.rule !== undefined && (
              <div class="row">
                <dt>{t('activityRule')}</dt>
                <dd>
                  <span>
                    <Phrase text={item.rule} />
                  </span>
                </dd>
              </div>
            )}
            {item.hash !== null && (
              <div class="row">
                <dt>{t('activityHash')}</dt>
                <dd>
                  <Hex hex={item.hash} />
                </dd>
              </div>
            )}
            {block !== null && (
              <div class="row">
                <dt>{t('historyBlock')}</dt>
                <dd>{block}</dd>
              </div>
            )}
            {item.storageId !== null && (
              <div class="row">
                <dt>{t('activityStorageId')}</dt>
                <dd>{item.storageId}</dd>
              </div>
            )}
          </dl>
          <Problem error={check.error} />
          {item.isOpenOrder && item.hash !== null && (
            <OrderTools account={item.account} hash={item.hash} isOpen canReplace />
          )}
          <div class="site-buttons">
            {!status.final && (
              <Button small icon="refresh" busy={check.busy} onClick={check.run}>
                {t('activityCheck')}
              </Button>
            )}
            <a class="button button-quiet button-small" href={hrefTo('activity', item.id)}>
              {t('activityDetails')}
            </a>
          </div>
        </div>
      )}
    </li>
  );
}

interface ActivityListProps {
  readonly lines: readonly ActivityLine[];
  readonly onChanged: () => Promise<void>;
}

/** What was signed and what became of it, and what else happened to the account; each entry opens in place. */
export function ActivityList({ lines, onChanged }: ActivityListProps) {
  return (
    <ul class="entries">
      {lines.map(({ id, item, event, block, status }) => (
        <Fragment key={id}>
          {item !== undefined && <Entry item={item} block={block} onChanged={onChanged} />}
          {event !== undefined && <HistoryEntry event={event} status={status} />}
        </Fragment>
      ))}
    </ul>
  );
}
