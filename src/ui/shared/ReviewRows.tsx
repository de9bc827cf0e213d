import type { ComponentChildren } from 'preact';
import type { ReviewRow, Text } from '../../operations/review.ts';
import { t } from '../i18n.ts';
import { Phrase } from './Phrase.tsx';
import { Row } from './Row.tsx';
import { ValueView } from './ValueView.tsx';

interface ReviewedRowProps {
  readonly row: ReviewRow;
  readonly turned?: boolean;
  /** Stands between the value and what is said of it. */
  readonly children?: ComponentChildren;
}

/** A row of a review, with what is said below its value. */
export function ReviewedRow({ row, turned, children }: ReviewedRowProps) {
  return (
    <Row label={row.label}>
      <ValueView value={row.value} {...(turned === undefined ? {} : { turned })} />
      {children}
      {row.note !== undefined && (
        <span class="row-note">
          <Phrase text={row.note} />
        </span>
      )}
      {row.unsigned && <span class="row-note">{t('review_unsigned')}</span>}
    </Row>
  );
}

/** Rows that follow each other under one title. */
export function sectionsOf<Placed extends { readonly row: ReviewRow }>(
  rows: readonly Placed[],
): { title: Text | undefined; rows: Placed[] }[] {
  const sections: { title: Text | undefined; rows: Placed[] }[] = [];
  for (const placed of rows) {
    const { section } = placed.row;
    const last = sections.at(-1);
    if (last && last.title?.key === section?.key) last.rows.push(placed);
    else sections.push({ title: section, rows: [placed] });
  }
  return sections;
}
