import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalView } from '../../messaging/views.ts';
import { call } from '../background.ts';
import { t } from '../i18n.ts';
import { ApproveHash } from '../shared/ApproveHash.tsx';
import { Banner } from '../shared/Banner.tsx';
import { Button } from '../shared/Button.tsx';
import { sentenceText } from '../shared/format.ts';
import { Icon, type IconName } from '../shared/Icon.tsx';
import { Phrase } from '../shared/Phrase.tsx';
import { Problem } from '../shared/Problem.tsx';
import { refusalCode } from '../shared/refusalCode.ts';
import { requestName } from '../shared/requestName.ts';
import { Hex } from '../shared/Shortened.tsx';
import { isMeaningSaid, requestStatus, statusTexts } from '../shared/status.ts';
import { useAction } from '../shared/useAction.ts';
import { CalmFooter } from './CalmFooter.tsx';

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

/**
 * An approval that ended without a submission: what sends nothing was done, everything else was not
 * signed.
 */
const endOf: Readonly<Record<ApprovalView['kind'], EndText>> = {
  connect: { label: 'outcomeConnected', meaning: 'outcomeConnectedMeaning', tone: 'good' },
  unlock: { label: 'outcomeUnlocked', meaning: 'outcomeUnlockedMeaning', tone: 'good' },
  operation: statusTexts.abandoned,
  standing: { label: 'outcomeAllowed', meaning: 'outcomeAllowedMeaning', tone: 'good' },
};

/** What was signed before and can still be carried out, when nothing of this approval was sent. */
const signedEarlier = ({ result, signedBefore }: ApprovalView) =>
  result === null || result.status === 'abandoned' ? signedBefore : null;

/** Outcome of an approved request, and the tone in which it is said. */
function outcomeOf(view: ApprovalView): EndText {
  const { kind, problem, result } = view;
  if (signedEarlier(view)) return { label: 'approvalGone', meaning: '', tone: 'danger' };
  const failed = problem === null ? endOf[kind] : statusTexts.abandoned;
  const end = result === null ? failed : requestStatus(result);
  return problem === null ? end : { ...end, tone: 'danger' };
}

/** The outcome in one line, for readers. */
export function outcomeText(view: ApprovalView): string {
  const { label, meaning } = outcomeOf(view);
  return `${t(label)}. ${sentenceText(signedEarlier(view) ?? { key: meaning })}`;
}

/**
 * Shows the outcome of an approved request. What went well gives way by itself, everything else
 * waits for the user.
 */
export function Outcome({ view, onNext, onChecked }: OutcomeProps) {
  const { result } = view;
  const { label, meaning, tone } = outcomeOf(view);
  const earlier = signedEarlier(view);
  const refused = refusalCode(result?.problem ?? null);
  const problem = result?.problem ?? view.problem;
  // Whoever reads, selects or opens something here is not to lose it.
  const [isUsed, setUsed] = useState(false);
  const [isUnderPointer, setUnderPointer] = useState(false);
  const isHandedOver = tone === 'neutral' && result?.handsOver === true;
  // Nothing is asked of the user while the exchange carries out what it took.
  const isWell = isHandedOver || (problem === null && (tone === 'good' || result?.status === 'acknowledged'));
  const moveOn = isWell && !isUsed && !isUnderPointer;
  const heading = useRef<HTMLHeadingElement>(null);
  const check = useAction(async () => {
    if (result !== null) await call('checkSubmission', { id: result.id });
    await onChecked();
  });

  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (!moveOn) return;
    const timer = setTimeout(onNext, shownMs);
    const stay = () => setUsed(true);
    const until = new AbortController();
    for (const use of ['pointerdown', 'keydown', 'focusin']) document.addEventListener(use, stay, until);
    return () => {
      clearTimeout(timer);
      until.abort();
    };
  }, [moveOn, onNext]);

  return (
    <>
      <main
        class="approval-content outcome"
        onPointerMove={() => setUnderPointer(true)}
        onPointerLeave={() => setUnderPointer(false)}
      >
        <span class={`outcome-picture outcome-${tone}`}>
          <Icon name={pictures[tone]} />
        </span>
        <h1 ref={heading} tabIndex={-1}>
          {t(label)}
        </h1>
        {earlier ? (
          <Banner tone="danger">
            <Phrase text={earlier} />
          </Banner>
        ) : (
          !isMeaningSaid(result?.problem ?? null) && <p class="soft">{t(meaning)}</p>
        )}
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
            {result.approveHash !== null && <ApproveHash {...result.approveHash} />}
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
      <CalmFooter>
        {result !== null && result.status === 'unknown' && (
          <Button icon="refresh" busy={check.busy} onClick={check.run}>
            {t('activityCheck')}
          </Button>
        )}
        <Button onClick={onNext}>{view.waiting > 0 ? t('approvalNext') : t('approvalClose')}</Button>
      </CalmFooter>
    </>
  );
}
