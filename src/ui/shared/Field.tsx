import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../i18n.ts';
import { Icon } from './Icon.tsx';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /**
   * Secrets can be looked at with the eye button and are kept from spell checkers and form memory.
   */
  readonly secret?: 'new-password' | 'current-password' | 'key';
  /** Another form of the secret, below it while it is looked at. */
  readonly revealed?: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
  readonly focusFirst?: boolean;
  readonly inputMode?: 'text' | 'url';
  readonly maxLength?: number;
  readonly mono?: boolean;
  readonly disabled?: boolean;
}

export function Field({
  label,
  value,
  onInput,
  secret,
  revealed,
  hint,
  error = null,
  focusFirst = false,
  inputMode = 'text',
  maxLength = 1024,
  mono = false,
  disabled = false,
}: FieldProps) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // `autofocus` counts only once in a document, and not while something else has the focus.
  useEffect(() => {
    if (focusFirst) input.current?.focus();
  }, []);
  const masked = secret !== undefined && !shown;
  // The element's types separate inputs by kind; this one changes between two that take the same
  // attributes.
  const type = (masked ? 'password' : 'text') as 'text';
  const described = [hint !== undefined && `${id}-hint`, error !== null && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="field-box">
        <input
          ref={input}
          id={id}
          class={mono ? 'mono' : ''}
          type={type}
          inputMode={inputMode}
          value={value}
          maxLength={maxLength}
          disabled={disabled}
          // Browsers store what a text field holds with the tab, on the disk, unless it is off.
          autocomplete={secret === undefined || secret === 'key' || shown ? 'off' : secret}
          spellcheck={false}
          autocapitalize="off"
          aria-invalid={error !== null}
          {...(described === '' ? {} : { 'aria-describedby': described })}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        {secret !== undefined && (
          <button
            type="button"
            class="icon-button"
            aria-pressed={shown}
            aria-label={t('fieldReveal', { what: label })}
            onClick={() => setShown(!shown)}
          >
            <Icon name="eye" />
          </button>
        )}
      </div>
      {shown && revealed}
      {hint !== undefined && (
        <div class="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {error !== null && (
        <p class="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
