import { useId } from 'preact/hooks';
import type { TokenFacts } from '../../../operations/review.ts';
import { t } from '../../i18n.ts';
import { amountText, symbolText } from '../../shared/format.ts';

interface AmountFieldProps {
  readonly token: TokenFacts;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** `Amount` when absent. */
  readonly label?: string;
  /** Base units that can be sent, where that bounds it. */
  readonly available?: bigint;
  readonly onMax?: () => void;
  /** A value beside the name that goes into the field when it is pressed. */
  readonly offer?: { readonly text: string; readonly onTake: () => void };
  /** A sentence; `null` when all is well. */
  readonly error: string | null;
}

/** An amount with what is there of it, and a button that takes all. */
export function AmountField({ token, text, onText, label, available, onMax, offer, error }: AmountFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <div class="field-head">
        <label for={id}>{label ?? t('moveAmount')}</label>
        <span class="soft" id={`${id}-hint`}>
          {available !== undefined &&
            t('moveAvailable', { amount: amountText({ volume: String(available), token, least: true }) })}
        </span>
        {offer !== undefined && (
          <button type="button" class="field-link field-offer" onClick={offer.onTake}>
            {offer.text}
          </button>
        )}
      </div>
      <div class="field-box amount-box">
        <input
          id={id}
          class="amount-input"
          type="text"
          inputMode="decimal"
          autocomplete="off"
          spellcheck={false}
          maxLength={100}
          placeholder="0"
          value={text}
          aria-invalid={error !== null}
          aria-describedby={error === null ? `${id}-hint` : `${id}-hint ${id}-error`}
          onInput={(event) => onText(event.currentTarget.value)}
        />
        <bdi class="amount-unit">{symbolText(token)}</bdi>
        {onMax !== undefined && (
          <button
            type="button"
            class="button button-secondary button-small"
            disabled={available === undefined || available <= 0n}
            onClick={onMax}
          >
            {t('moveMax')}
          </button>
        )}
      </div>
      {error !== null && (
        <p class="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
