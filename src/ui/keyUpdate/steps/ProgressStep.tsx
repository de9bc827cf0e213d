import { useEffect, useRef } from 'preact/hooks';
import type { KeyUpdateView } from '../../../messaging/views.ts';
import { call } from '../../background.ts';
import { t } from '../../i18n.ts';
import { ApproveHash } from '../../shared/ApproveHash.tsx';
import { Banner } from '../../shared/Banner.tsx';
import { Button } from '../../shared/Button.tsx';
import { Icon } from '../../shared/Icon.tsx';
import { Phrase } from '../../shared/Phrase.tsx';
import { Problem } from '../../shared/Problem.tsx';
import { HexRow, Row } from '../../shared/Row.tsx';
import { refusalCode } from '../../shared/refusalCode.ts';
import { Hex } from '../../shared/Shortened.tsx';
import { requestStatus } from '../../shared/status.ts';
import { useAction } from '../../shared/useAction.ts';

/** Milliseconds between two polls of the relayer while the user watches. */
const POLL_INTERVAL_MS = 1_500;

const stages = ['stored', 'sent', 'registered', 'inPlace'] as const;

/** Number of stages that are over. */
function reached({ approval, newKey }: KeyUpdateView): number {
  const status = approval?.result?.status;
  if (newKey?.inPlace) return 4;
  if (status === 'processed') return 3;
  if (status === 'acknowledged') return 2;
  return 1;
}

interface ProgressStepProps {
  readonly view: KeyUpdateView;
  readonly onLook: () => Promise<void>;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

/**
 * Shows the progress and the outcome. A key that the account had stays in use until the new
 * one is registered, and the screen says so.
 */
export function ProgressStep({ view, onLook, onAgain, onClose }: ProgressStepProps) {
  const { approval, newKey, key } = view;
  const result = approval?.result ?? null;
  const ended = result !== null && ['refused', 'failed', 'expired', 'abandoned'].includes(result.status);
  const refused = refusalCode(result?.problem ?? null);
  const hasKey = BigInt(key.publicKey.x) !== 0n;
  const at = reached(view);
  const isDone = at === stages.length;
  const open = !ended && !isDone;
  const look = useAction(async () => {
    if (result !== null && ['unknown', 'acknowledged'].includes(result.status))
      await call('checkSubmission', { id: result.id });
    await onLook();
  });
  const newest = useRef(look.run);
  newest.current = look.run;
  useEffect(() => {
    if (!open) return;
    const timer = setInterval(() => newest.current(), POLL_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [open, result?.id]);
  // Another registration has used its nonce, and not with the key that is shown as in use.
  const isReplaced = result?.status === 'failed';
  const unknownEnd = result?.isEndUnknown && requestStatus(result);
  const [endedTitle, endedMeaning] = unknownEnd
    ? [unknownEnd.label, unknownEnd.meaning]
    : isReplaced
      ? ['attentionKind_keymismatch', 'attentionMeaning_keymismatch']
      : hasKey
        ? ['keyUpdateEnded', 'keyUpdateEndedMeaning']
        : ['keyUpdateFirstEnded', 'keyUpdateFirstEndedMeaning'];
  const meaning = isDone
    ? 'keyUpdateDoneMeaning'
    : ended
      ? endedMeaning
      : result?.approveHash
        ? 'problem_awaitsApproval'
        : result === null || ['approved', 'reserved'].includes(result.status)
          ? approval?.asksOtherWallet
            ? 'extensionWaiting'
            : 'statusApprovedMeaning'
          : hasKey
            ? 'keyUpdateInProgressMeaning'
            : 'accountActivating';
  return (
    <div>
      <h1 tabIndex={-1}>{t(isDone ? 'keyUpdateDone' : ended ? endedTitle : 'keyUpdateInProgress')}</h1>
      <p class="lead" role="status">
        {t(meaning)}
      </p>
      {!ended && (
        <ol class="stages">
          {stages.map((stage, index) => (
            <li key={stage} class={index < at ? 'stage-past' : index === at ? 'stage-here' : ''}>
              <span class="stage-mark" aria-hidden="true">
                {index < at ? <Icon name="check" /> : index === at ? <span class="spinner" /> : null}
              </span>
              <span>{t(`keyUpdateStage_${stage}`)}</span>
            </li>
          ))}
        </ol>
      )}
      {result !== null && result.approveHash !== null && <ApproveHash {...result.approveHash} />}
      {result?.status === 'unknown' && result.approveHash === null && (
        <Banner tone="notice" role="status" title={t('keyUpdateNoAnswer')}>
          {t('keyUpdateNoAnswerMeaning')}
        </Banner>
      )}
      {ended && result?.problem && (
        <Banner tone="danger" role="alert">
          <Phrase text={result.problem} />
        </Banner>
      )}
      <dl class="rows">
        {!isReplaced && !unknownEnd && (
          <Row label="keyInUse">{hasKey ? <Hex hex={key.publicKey.x} /> : t('keyNone')}</Row>
        )}
        {ended && refused !== null && <Row label="refusalCode">{refused}</Row>}
        {!isDone && !ended && <HexRow label="review_newKey" hex={newKey?.publicKey.x} />}
      </dl>
      <Problem error={look.error} />
      <div class="step-buttons">
        {ended && <Button onClick={onAgain}>{t('commonTryAgain')}</Button>}
        <Button tone={isDone || ended ? 'primary' : 'secondary'} onClick={onClose}>
          {t('approvalClose')}
        </Button>
      </div>
    </div>
  );
}
