import type { ComponentChildren } from 'preact';
import type { Text } from '../../operations/review.ts';
import { t } from '../i18n.ts';
import { Phrase } from './Phrase.tsx';

interface RowProps {
  /** The name, or only its key. */
  readonly label: Text | string;
  readonly children: ComponentChildren;
}

/** A name and its value, in a list of the class `rows`. */
export function Row({ label, children }: RowProps) {
  return (
    <div class="row" data-fold={typeof label === 'string' ? undefined : label.key}>
      <dt>{typeof label === 'string' ? t(label) : <Phrase text={label} />}</dt>
      <dd>{children}</dd>
    </div>
  );
}
