import { useId } from 'preact/hooks';

interface SwitchProps {
  readonly label: string;
  readonly hint: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/**
 * Something that is on or off, and takes effect at once. Drawn as a slide; to keyboard and readers
 * it is the browser's checkbox.
 */
export function Switch({ label, hint, checked, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div class="toggle">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        class="toggle-input"
        checked={checked}
        aria-checked={checked}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span class="field-hint" id={`${id}-hint`}>
        {hint}
      </span>
    </div>
  );
}
