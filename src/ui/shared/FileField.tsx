import { useId, useState } from 'preact/hooks';
import { t } from '../i18n.ts';
import { visibleText } from './visibleText.ts';

/** Characters of a file's name that are shown. */
const NAME_LIMIT = 60;

interface FileFieldProps {
  readonly label: string;
  /** Largest file that is read, in bytes. */
  readonly maxBytes: number;
  /** Receives `null` when no file is chosen, and for one that is too large or cannot be read. */
  readonly onText: (text: string | null) => void;
}

/**
 * Takes the text of one file. The browser's own control lies over the box, unseen: clicks, files
 * that are dropped and screen readers meet that.
 */
export function FileField({ label, maxBytes, onText }: FileFieldProps) {
  const id = useId();
  const [chosen, setChosen] = useState<{ readonly name: string; readonly isRead: boolean } | null>(null);
  async function take(file: File | undefined): Promise<void> {
    // What cannot be read has its sentence below.
    const text = file === undefined || file.size > maxBytes ? null : await file.text().catch(() => null);
    setChosen(file === undefined ? null : { name: file.name, isRead: text !== null });
    onText(text);
  }
  const isUnfit = chosen?.isRead === false;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="file-box">
        <input
          id={id}
          class="file-input"
          type="file"
          accept=".json,application/json,text/plain"
          aria-invalid={isUnfit}
          {...(isUnfit ? { 'aria-describedby': `${id}-error` } : {})}
          // So that the same file can be chosen again, such as with another password.
          onClick={(event) => {
            event.currentTarget.value = '';
          }}
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
        <span class="button button-secondary button-small" aria-hidden="true">
          {t('fileChoose')}
        </span>
        <bdi class={chosen === null ? 'soft' : 'file-name'} aria-hidden="true">
          {chosen === null ? t('fileNone') : visibleText(chosen.name, NAME_LIMIT)}
        </bdi>
      </div>
      {isUnfit && (
        <p class="field-error" id={`${id}-error`} role="alert">
          {t('fileUnfit')}
        </p>
      )}
    </div>
  );
}
