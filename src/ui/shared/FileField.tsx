import { useId } from 'preact/hooks';

interface FileFieldProps {
  readonly label: string;
  readonly hint?: string;
  /** Largest file that is read, in bytes; a larger one gives no text. */
  readonly maxBytes: number;
  readonly onText: (text: string | null) => void;
}

/** Takes the text of one file. */
export function FileField({ label, hint, maxBytes, onText }: FileFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="file-input"
        type="file"
        accept=".json,application/json,text/plain"
        {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file === undefined || file.size > maxBytes) onText(null);
          else
            file.text().then(onText, () => {
              onText(null);
            });
        }}
      />
      {hint !== undefined && (
        <div class="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
    </div>
  );
}
