import { Fragment } from 'preact';
import type { ActivityItem, HistoryEvent } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { ApproveHash } from '../../shared/ApproveHash.tsx';
import { Button } from '../../shared/Button.tsx';
import { Phrase } from '../../shared/Phrase.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { HexRow, Row } from '../../shared/Row.tsx';
import { requestName } from '../../shared/requestName.ts';
import { Site } from '../../shared/Site.tsx';
import { isMeaningSaid, requestStatus } from '../../shared/status.ts';
import { Ago, Time } from '../../shared/Time.tsx';
import { useAction } from '../../shared/useAction.ts';
import { EntryFrame } from '../EntryFrame.tsx';
import { OrderTools } from '../orders/OrderTools.tsx';
import { hrefTo } from '../router.ts';
import { type ActivityLine, iconOf } from './activityLine.ts';
import { HistoryEntry, HistoryHead } from './HistoryEntry.tsx';

interface EntryProps {
  readonly item: ActivityItem;
  readonly move: HistoryEvent | undefined;
  readonly block: number | null;
  readonly onChanged: () => Promise<void>;
}

function Entry({ item, move, block, onChanged }: EntryProps) {
  const status = requestStatus(item);
  const check = useAction(async () => {
    await call('checkSubmission', { id: item.id });
    await onChanged();
  });
  return (
    <EntryFrame
      icon={iconOf(item)}
      head={
        // Of what costs a payment, such as a deployment, the event is that payment.
        move && (item.group === 'moves' || move.nftData !== undefined) ? (
          <HistoryHead event={move} status={item.status} />
        ) : (
          <span class="entry-sentence">
            <Phrase text={requestName(item.sentence)} />
          </span>
        )
      }
      status={status}
      aside={<Ago milliseconds={item.createdAt} />}
    >
      {!isMeaningSaid(item.problem) && <p>{t(status.meaning)}</p>}
      {item.problem !== null && (
        <p class="entry-problem">
          <Phrase text={item.problem} />
        </p>
      )}
      {item.approveHash !== null && <ApproveHash {...item.approveHash} />}
      <dl class="rows">
        <Row label="activitySite">
          <Site origin={item.origin} />
        </Row>
        <Row label="activityTime">
          <Time milliseconds={item.createdAt} />
        </Row>
        {item.standing !== undefined && (
          <Row label="activityRule">
            <span>
              <Phrase text={item.standing} />
            </span>
          </Row>
        )}
        <HexRow label="activityHash" hex={item.hash} />
        {block !== null && <Row label="historyBlock">{block}</Row>}
        {item.storageId !== null && <Row label="activityStorageId">{item.storageId}</Row>}
      </dl>
      <Problem error={check.error} />
      {item.isOpenOrder && item.hash !== null && (
        <OrderTools account={item.account} hash={item.hash} isOpen canEnd canReplace />
      )}
      <div class="site-buttons">
        {!status.final && (
          <Button small icon="refresh" busy={check.busy} onClick={check.run}>
            {t('activityCheck')}
          </Button>
        )}
        <a class="button button-quiet button-small" href={hrefTo('activity', item.id)}>
          {t('approvalDetails')}
        </a>
      </div>
    </EntryFrame>
  );
}

interface ActivityListProps {
  readonly lines: readonly ActivityLine[];
  readonly onChanged: () => Promise<void>;
}

/**
 * Lists signed requests with their outcomes, and other events of the account; each entry opens in
 * place.
 */
export function ActivityList({ lines, onChanged }: ActivityListProps) {
  return (
    <ul class="entries">
      {lines.map(({ id, item, move, event, block, status }) => (
        <Fragment key={id}>
          {item !== undefined && <Entry item={item} move={move} block={block} onChanged={onChanged} />}
          {event !== undefined && <HistoryEntry event={event} status={status} />}
        </Fragment>
      ))}
    </ul>
  );
}
