import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Choice {
  readonly value: string;
  readonly title: ComponentChildren;
  readonly note?: ComponentChildren;
}

interface ChoicesProps {
  readonly legend: string;
  readonly choices: readonly Choice[];
  readonly chosen: string | null;
  readonly onChoose: (value: string) => void;
}

/** One of several, as cards. */
export function Choices({ legend, choices, chosen, onChoose }: ChoicesProps) {
  const id = useId();
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {choices.map(({ value, title, note }) => (
        <label key={value} class="choice">
          <input type="radio" name={id} value={value} checked={chosen === value} onChange={() => onChoose(value)} />
          <span class="choice-text">
            <span>{title}</span>
            {note !== undefined && <span class="soft">{note}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
