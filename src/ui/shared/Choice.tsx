import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface ChoiceProps<T extends string | number> {
  readonly legend: string;
  /** Without one the legend is for screen readers alone; `null` shows the legend by itself. */
  readonly hint?: ComponentChildren;
  readonly options: readonly T[];
  readonly text: (option: T) => ComponentChildren;
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}

/** One of a few, side by side. */
export function Choice<T extends string | number>({ legend, hint, options, text, chosen, onChoose }: ChoiceProps<T>) {
  const id = useId();
  return (
    <fieldset class="setting">
      <legend class={hint === undefined ? 'visually-hidden' : undefined}>{legend}</legend>
      <div class={`segments segments-${options.length}`}>
        {options.map((option) => (
          <label key={option} class="segment">
            <input
              type="radio"
              name={id}
              checked={option === chosen}
              aria-describedby={hint == null ? undefined : `${id}-hint`}
              onChange={() => onChoose(option)}
            />
            <span>{text(option)}</span>
          </label>
        ))}
      </div>
      {hint != null && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}
