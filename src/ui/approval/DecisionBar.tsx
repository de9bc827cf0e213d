import type { RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../i18n.ts';
import type { Hold } from './Arming.ts';
import { useArming } from './useArming.ts';

const hints: Readonly<Record<Exclude<Hold, null>, string>> = {
  content: 'approvalHoldStill',
  hidden: 'approvalHoldFocus',
  unfocused: 'approvalHoldFocus',
  end: 'approvalHoldEnd',
  pointer: 'approvalHoldPointer',
  still: 'approvalHoldStill',
};

interface DecisionBarProps {
  /** Of the approval. */
  readonly id: string;
  /** Names everything that is on the screen; `null` while there is nothing to decide. */
  readonly contentKey: string | null;
  readonly content: RefObject<HTMLElement | null>;
  /** The end of what is decided upon was in view. */
  readonly endSeen: boolean;
  readonly approveText: string;
  /** Shown in the line above the buttons once they answer, and while the answer is carried out. */
  readonly readyText: string;
  readonly danger: boolean;
  readonly busy: boolean;
  /** It is busy with the rejection. */
  readonly isRejecting: boolean;
  /** The approval is being carried out, and is taken back by what otherwise rejects it. */
  readonly canTakeBack: boolean;
  readonly onApprove: () => void;
  readonly onReject: () => void;
}

export function DecisionBar(props: DecisionBarProps) {
  const { id, contentKey, content, endSeen, approveText, readyText, danger, busy, onApprove, onReject } = props;
  const { isRejecting, canTakeBack } = props;
  const button = useRef<HTMLButtonElement>(null);
  const hintId = useId();
  const { hold, handlers } = useArming(busy ? null : contentKey, endSeen, content, button, onApprove);
  const waiting = hold !== null;
  const isApproving = busy && !isRejecting;
  /**
   * Presses without effect. Each one says the hint once more, or a user who cannot see it would
   * hear nothing.
   */
  const [presses, setPresses] = useState(0);
  const [byEnter, setByEnter] = useState(false);
  useEffect(() => setByEnter(false), [contentKey]);
  const pressed = (isEnter: boolean) => {
    setByEnter(isEnter && !waiting);
    if (waiting || isEnter) setPresses(presses + 1);
  };
  return (
    <footer class="decision">
      <p class="decision-hint" id={hintId} role="status">
        <span key={presses}>
          {busy
            ? readyText
            : hold !== null && contentKey !== null
              ? t(hints[hold])
              : byEnter && contentKey !== null
                ? t('approvalHoldEnter')
                : readyText}
        </span>
      </p>
      <div class="decision-buttons">
        <button
          type="button"
          class="button button-secondary"
          data-rejects={id}
          disabled={busy && !canTakeBack}
          onClick={(event) => {
            // The second click of a double click was meant for the request before this one.
            if (event.detail <= 1) onReject();
          }}
        >
          {t(canTakeBack ? 'attentionAction_takeback' : 'approvalReject')}
        </button>
        <button
          ref={button}
          type="button"
          data-testid="approve"
          class={`button ${danger ? 'button-danger' : 'button-primary'} approve ${hold === 'still' ? 'approve-arming' : ''}`}
          aria-disabled={waiting || busy ? 'true' : 'false'}
          aria-busy={isApproving}
          aria-describedby={hintId}
          {...handlers}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.repeat && !busy) pressed(true);
            handlers.onKeyDown(event);
          }}
          onClick={(event) => {
            if (!busy) pressed(false);
            handlers.onClick(event);
          }}
        >
          {isApproving && <span class="spinner" aria-hidden="true" />}
          <span>{approveText}</span>
        </button>
      </div>
    </footer>
  );
}
