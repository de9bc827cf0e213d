import type { PreviewView } from '../../../messaging/views.ts';
import { Row } from '../../shared/Row.tsx';
import { SkeletonLine } from '../../shared/Skeleton.tsx';
import { ValueView } from '../../shared/ValueView.tsx';

interface PreviewRowsProps {
  readonly preview: PreviewView | null;
  /** Of the review's rows; each has its place before its value is known. */
  readonly labels: readonly string[];
}

/** Rows of the review that decide already in the form. */
export function PreviewRows({ preview, labels }: PreviewRowsProps) {
  return (
    <dl class="rows card">
      {labels.map((key) => {
        const row = preview?.review?.rows.find(({ label }) => label.key === key);
        return (
          <Row key={key} label={key}>
            {row === undefined ? <SkeletonLine width={6} /> : <ValueView value={row.value} />}
          </Row>
        );
      })}
    </dl>
  );
}
