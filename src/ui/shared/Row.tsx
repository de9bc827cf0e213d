import type { ComponentChildren } from 'preact';
import { t } from '../i18n.ts';

interface RowProps {
  /** Key of the name's text. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A name and its value, in a list of the class `rows`. */
export function Row({ label, children }: RowProps) {
  return (
    <div class="row">
      <dt>{t(label)}</dt>
      <dd>{children}</dd>
    </div>
  );
}
