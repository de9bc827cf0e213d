import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { SubmissionState, SubmissionView } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { locale, t } from '../../i18n.ts';
import { ApproveHash } from '../../shared/ApproveHash.tsx';
import { Button } from '../../shared/Button.tsx';
import { dateTime } from '../../shared/format.ts';
import { Icon } from '../../shared/Icon.tsx';
import { Phrase } from '../../shared/Phrase.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { ReviewedRow, sectionsOf } from '../../shared/ReviewRows.tsx';
import { HexRow, Row } from '../../shared/Row.tsx';
import { refusalCode } from '../../shared/refusalCode.ts';
import { requestName } from '../../shared/requestName.ts';
import { Site } from '../../shared/Site.tsx';
import { Skeleton } from '../../shared/Skeleton.tsx';
import { saveFile } from '../../shared/saveFile.ts';
import { isMeaningSaid, requestStatus, type StatusText } from '../../shared/status.ts';
import { useAction } from '../../shared/useAction.ts';
import { useQuery } from '../../shared/useQuery.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { Page } from '../PageHead.tsx';

/** Ends of which the exchange may know more: a signature is still valid. */
const stillUsable = new Set<string | undefined>([
  'problem_endedUntil',
  'problem_onlyCancelled',
  'warning_validityLong',
]);

/** Milliseconds between two polls of an open entry while the user watches it. */
const lookEveryMs = 3_000;

const stepTexts: Readonly<Record<SubmissionState, string>> = {
  approved: 'stepApproved',
  reserved: 'stepReserved',
  signed: 'stepSigned',
  sent: 'stepSent',
  acknowledged: 'stepAcknowledged',
  processed: 'statusProcessed',
  cancelled: 'statusCancelled',
  expired: 'statusExpired',
  failed: 'statusFailed',
  refused: 'statusRefused',
  abandoned: 'statusAbandoned',
};

const pictures = { good: 'check', neutral: 'info', notice: 'clock', danger: 'cross' } as const;

const timeOfDay = (milliseconds: number): string =>
  new Intl.DateTimeFormat(locale(), { timeStyle: 'medium', numberingSystem: 'latn' }).format(milliseconds);

const sameDay = (a: number, b: number): boolean => new Date(a).toDateString() === new Date(b).toDateString();

interface TimelineProps extends Pick<SubmissionView, 'steps'> {
  readonly status: StatusText;
}

function Timeline({ steps, status }: TimelineProps) {
  // Of two, the order went to its site first.
  const end = steps.findLastIndex(({ state }) => state === 'processed');
  const label = (state: (typeof steps)[number]['state'], index: number) =>
    state !== 'processed' ? stepTexts[state] : index === end ? status.label : 'statusHandedOver';
  return (
    <ol class="timeline" aria-label={t('detailTimeline')}>
      {steps.map(({ state, at }, index) => (
        <li key={index} class="step-done">
          <span>{t(label(state, index))}</span>
          <time class="soft" dateTime={new Date(at).toISOString()} title={dateTime(at)}>
            <bdi>{index === 0 || !sameDay(at, steps[index - 1]?.at ?? 0) ? dateTime(at) : timeOfDay(at)}</bdi>
          </time>
        </li>
      ))}
      {!status.final && (
        <li class="step-next">
          <span>{t('detailWaiting')}</span>
        </li>
      )}
    </ol>
  );
}

/** One submission: where it stands, how it got there, what was approved. */
export function ActivityDetail({ id }: { readonly id: string }) {
  const query = useQuery('getSubmission', { id });
  const { data, reload } = query;
  const status = data === undefined ? undefined : requestStatus(data.item);
  const isOpen = status !== undefined && !status.final;
  const check = useAction(async () => {
    await call('checkSubmission', { id });
    await reload();
  });
  const receipt = useAction(async () => {
    const { fileName, text } = await call('exportReceipt', { id });
    saveFile(fileName, 'application/json', text);
  });
  const offer = useAction(async () => {
    const { text } = await call('exportReceipt', { id });
    const { request } = JSON.parse(text) as { request: { bodyText?: string } | null };
    await navigator.clipboard.writeText(request?.bodyText ?? '');
    setCopied(true);
  });
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => {
      // What fails here is asked again in a moment, or by the button, which says why.
      if (document.visibilityState === 'visible') call('checkSubmission', { id }).then(reload, () => undefined);
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [id, isOpen, reload]);
  if (data === undefined || status === undefined)
    return (
      <Page title={t('activityTitle')} back={['activity']}>
        {query.error === null ? (
          <Skeleton lines={[6, 10, 10, 4, 10, 10]} />
        ) : (
          <Problem error={query.error} onRetry={reload} />
        )}
      </Page>
    );
  const { item, steps, rows, network } = data;
  const refused = refusalCode(item.problem);
  return (
    <Page title={t(`operation_${item.operation}`)} back={['activity']}>
      <div class="detail-head">
        <span class={`outcome-picture outcome-${status.tone}`}>
          <Icon name={isOpen ? 'clock' : pictures[status.tone]} />
        </span>
        <p class="detail-sentence">
          <Phrase text={requestName(item.sentence)} />
        </p>
        <p role="status">
          <span class={`chip chip-${status.tone}`}>{t(status.label)}</span>
        </p>
        {!isMeaningSaid(item.problem) && <p class="soft">{t(status.meaning)}</p>}
        {item.problem !== null && (
          <p class="soft">
            <Phrase text={item.problem} />
          </p>
        )}
        {item.approveHash !== null && <ApproveHash {...item.approveHash} />}
        <Problem error={check.error} />
        {(isOpen || stillUsable.has(item.problem?.key)) && (
          <Button small icon="refresh" busy={check.busy} onClick={check.run}>
            {t('activityCheck')}
          </Button>
        )}
      </div>
      <section aria-labelledby="detail-timeline">
        <div class="section-head">
          <h2 id="detail-timeline">{t('detailTimeline')}</h2>
        </div>
        <Timeline steps={steps} status={status} />
      </section>
      {rows !== null && rows.length > 0 && (
        <section aria-labelledby="detail-approved">
          <div class="section-head">
            <h2 id="detail-approved">{t('detailApproved')}</h2>
          </div>
          {sectionsOf(rows.map((row) => ({ row }))).map(({ title, rows: placed }, index) => (
            <Fragment key={index}>
              {title !== undefined && (
                <h3 class="rows-title">
                  <Phrase text={title} />
                </h3>
              )}
              <dl class="rows card">
                {placed.map(({ row }, place) => (
                  <ReviewedRow key={place} row={row} />
                ))}
              </dl>
            </Fragment>
          ))}
        </section>
      )}
      <section aria-labelledby="detail-facts">
        <div class="section-head">
          <h2 id="detail-facts">{t('detailFacts')}</h2>
        </div>
        <dl class="rows card">
          <Row label="activitySite">
            <Site origin={item.origin} />
          </Row>
          {item.standing !== undefined && (
            <Row label="activityRule">
              <span>
                <Phrase text={item.standing} />
              </span>
            </Row>
          )}
          <Row label="approvalAccount">
            {t('accountNumber', { id: data.accountId })}
            {network !== null && <span class="row-note">{visibleText(network.name, 60)}</span>}
          </Row>
          {refused !== null && <Row label="refusalCode">{refused}</Row>}
          <HexRow label="activityHash" hex={item.hash} />
          {item.storageId !== null && <Row label="activityStorageId">{item.storageId}</Row>}
        </dl>
      </section>
      {/* Before a signature there is nothing that a receipt could show. */}
      {steps.some(({ state }) => state === 'signed') && (
        <section class="receipt-offer">
          {item.handsOver && (
            <>
              <Button small icon={copied ? 'check' : 'copy'} busy={offer.busy} onClick={offer.run}>
                {t(copied ? 'commonCopied' : 'nftOfferCopy')}
              </Button>
              <p class="soft small-note">{t('nftOfferMeaning')}</p>
            </>
          )}
          <Button small icon="download" busy={receipt.busy} onClick={receipt.run}>
            {t('detailReceipt')}
          </Button>
          <p class="soft small-note">
            {t('detailReceiptMeaning')}{' '}
            <a href="receipt.html" target="_blank" rel="noopener">
              {t('receiptTitle')}
            </a>
          </p>
          <Problem error={receipt.error ?? offer.error} />
        </section>
      )}
    </Page>
  );
}
