import { useEffect, useRef } from 'preact/hooks';
import type { ActivityItem, ApprovalView } from '../../messaging/views.ts';
import { call } from '../background.ts';
import { t } from '../i18n.ts';
import { ApproveHash } from '../shared/ApproveHash.tsx';
import { Button } from '../shared/Button.tsx';
import { Icon, type IconName } from '../shared/Icon.tsx';
import { Phrase } from '../shared/Phrase.tsx';
import { Problem } from '../shared/Problem.tsx';
import { refusalCode } from '../shared/refusalCode.ts';
import { requestName } from '../shared/requestName.ts';
import { Hex } from '../shared/Shortened.tsx';
import { statusTexts } from '../shared/status.ts';
import { useAction } from '../shared/useAction.ts';

/** How long a good result stands before the window goes on by itself, in milliseconds. */
const shownMs = 3_500;

interface OutcomeProps {
  readonly view: ApprovalView;
  readonly onNext: () => void;
  readonly onChecked: () => Promise<void>;
}

const pictures: Readonly<Record<'neutral' | 'good' | 'notice' | 'danger', IconName>> = {
  neutral: 'clock',
  good: 'check',
  notice: 'clock',
  danger: 'cross',
};

interface EndText {
  readonly label: string;
  readonly meaning: string;
  readonly tone: keyof typeof pictures;
}

/** An approval that ended without a submission: what sends nothing was done, everything else was not signed. */
const endOf: Readonly<Record<ApprovalView['kind'], EndText>> = {
  connect: { label: 'outcomeConnected', meaning: 'outcomeConnectedMeaning', tone: 'good' },
  unlock: { label: 'outcomeUnlocked', meaning: 'outcomeUnlockedMeaning', tone: 'good' },
  operation: statusTexts.abandoned,
  standing: { label: 'outcomeAllowed', meaning: 'outcomeAllowedMeaning', tone: 'good' },
};

/**
 * Shows the outcome of an approved request. Good results give way by themselves, everything else waits for the user.
 */
export function Outcome({ view, onNext, onChecked }: OutcomeProps) {
  const result: ActivityItem | null = view.result;
  const failed = view.problem === null ? endOf[view.kind] : statusTexts.abandoned;
  const end = result === null ? failed : statusTexts[result.status];
  const refused = refusalCode(result?.problem ?? null);
  const tone = view.problem !== null ? 'danger' : end.tone;
  const moveOn = tone === 'good';
  const problem = result?.problem ?? view.problem;
  const heading = useRef<HTMLHeadingElement>(null);
  const check = useAction(async () => {
    if (result !== null) await call('checkSubmission', { id: result.id });
    await onChecked();
  });

  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (!moveOn) return;
    const timer = setTimeout(onNext, shownMs);
    // Whoever reads, selects or opens something here is not to lose it.
    const stay = () => clearTimeout(timer);
    document.addEventListener('pointerdown', stay);
    document.addEventListener('keydown', stay);
    return () => {
      stay();
      document.removeEventListener('pointerdown', stay);
      document.removeEventListener('keydown', stay);
    };
  }, [moveOn, onNext]);

  return (
    <>
      <main class="approval-content outcome">
        <span class={`outcome-picture outcome-${tone}`}>
          <Icon name={pictures[tone]} />
        </span>
        <h1 ref={heading} tabIndex={-1}>
          {t(end.label)}
        </h1>
        <p class="soft" role="status">
          {t(end.meaning)}
        </p>
        {problem !== null && (
          <p class="outcome-problem">
            <Phrase text={problem} />
          </p>
        )}
        {result !== null && (
          <div class="outcome-facts">
            <p>
              <Phrase text={requestName(result.sentence)} />
            </p>
            {result.approveHash !== null && <ApproveHash hash={result.approveHash} />}
            {refused !== null && (
              <p class="outcome-hash">
                <span class="soft">{t('refusalCode')}</span> {refused}
              </p>
            )}
            {result.hash !== null && (
              <p class="outcome-hash">
                <span class="soft">{t('activityHash')}</span> <Hex hex={result.hash} />
              </p>
            )}
          </div>
        )}
        <Problem error={check.error} />
      </main>
      <footer class="decision">
        <div class="decision-buttons decision-calm">
          {result !== null && result.status === 'unknown' && (
            <Button icon="refresh" busy={check.busy} onClick={check.run}>
              {t('activityCheck')}
            </Button>
          )}
          <Button onClick={onNext}>{view.waiting > 0 ? t('approvalNext') : t('approvalClose')}</Button>
        </div>
      </footer>
    </>
  );
}
