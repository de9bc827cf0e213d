import type { ComponentChildren } from 'preact';
import type { Text } from '../../operations/review.ts';
import { t } from '../i18n.ts';
import { Phrase } from './Phrase.tsx';
import { Hex } from './Shortened.tsx';

interface RowProps {
  /** The name, or only its key. */
  readonly label?: Text | string;
  /** A name of another kind, in place of `label`. */
  readonly name?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A name and its value, in a list of the class `rows`. */
export function Row({ label, name, children }: RowProps) {
  return (
    <div class="row" data-fold={typeof label === 'object' ? label.key : undefined}>
      <dt>{typeof label === 'object' ? <Phrase text={label} /> : label === undefined ? name : t(label)}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface HexRowProps {
  readonly label: string;
  readonly hex: string | null | undefined;
}

/** A name and a hexadecimal value; nothing without the value. */
export function HexRow({ label, hex }: HexRowProps) {
  return hex ? (
    <Row label={label}>
      <Hex hex={hex} />
    </Row>
  ) : null;
}
