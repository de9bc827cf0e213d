import { useId } from 'preact/hooks';

interface SelectProps<T extends string> {
  readonly label: string;
  readonly hint?: string;
  readonly options: readonly (readonly [value: T, text: string, language?: string])[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
  /** The label stands beside it, as in a group of settings. */
  readonly isLine?: boolean;
}

/** One of several, in a list that opens. */
export function Select<T extends string>({ label, hint, options, chosen, onChoose, isLine = false }: SelectProps<T>) {
  const id = useId();
  return (
    <div class={isLine ? 'setting setting-line' : 'field'}>
      <label for={id}>{label}</label>
      <select
        id={id}
        value={chosen}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChoose(event.currentTarget.value as T)}
      >
        {options.map(([value, text, language]) => (
          <option key={value} value={value} lang={language}>
            {text}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <span class="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}
