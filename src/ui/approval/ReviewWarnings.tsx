import type { Review, Warning } from '../../operations/review.ts';
import type { ReviewChanges } from '../../operations/reviewChanges.ts';
import type { Severity } from '../../operations/severity.ts';
import { t, tCount } from '../i18n.ts';
import { Banner } from '../shared/Banner.tsx';
import { Phrase } from '../shared/Phrase.tsx';

interface WarningsProps {
  readonly review: Review;
  /** Differences from the review that the user saw before. */
  readonly changes: ReviewChanges | null;
}

const ofSeverity = ({ warnings }: Review, severity: Severity) => warnings.filter((one) => one.severity === severity);

function Line({
  warning: { rule, choice, text },
  changes,
}: { readonly warning: Warning } & Pick<WarningsProps, 'changes'>) {
  return (
    <>
      {changes?.newWarnings.includes(rule) && <span class="row-changed">{t('approvalNew')} </span>}
      {choice !== undefined && (
        <strong class="warning-choice">
          {t('review_choice')} {choice}
        </strong>
      )}
      <Phrase text={text} />
    </>
  );
}

/** Warnings of one severity in one box. */
function Box({
  tone,
  warnings,
  changes,
}: { readonly tone: 'notice' | 'danger' | 'stop'; readonly warnings: readonly Warning[] } & Pick<
  WarningsProps,
  'changes'
>) {
  const [first, ...more] = warnings;
  if (first === undefined) return null;
  const count = tone === 'notice' && more.length > 0 ? { title: tCount('approvalToCheck', warnings.length) } : {};
  const title = tone === 'stop' ? { title: t('approvalStop') } : count;
  return (
    <Banner tone={tone} {...title}>
      {more.length === 0 ? (
        <Line warning={first} changes={changes} />
      ) : (
        <ul class="warning-list">
          {warnings.map((warning) => (
            <li key={warning.rule}>
              <Line warning={warning} changes={changes} />
            </li>
          ))}
        </ul>
      )}
    </Banner>
  );
}

/**
 * Shows the dangers. They stand first, where no length of a site's text can push them out of sight.
 */
export function Dangers({ id, review, changes }: WarningsProps & { readonly id: string }) {
  return (
    <div class="dangers" id={id} data-fold="warning">
      <Box tone="stop" warnings={ofSeverity(review, 'stop')} changes={changes} />
      <Box tone="danger" warnings={ofSeverity(review, 'danger')} changes={changes} />
    </div>
  );
}

/** Shows what to check. */
export const Notices = ({ review, changes }: WarningsProps) => (
  <Box tone="notice" warnings={ofSeverity(review, 'notice')} changes={changes} />
);

/** Plain facts, for those who read the details. */
export function Notes({ review, changes }: WarningsProps) {
  const notes = ofSeverity(review, 'note');
  return notes.length === 0 ? null : (
    <ul class="review-notes soft">
      {notes.map((warning) => (
        <li key={warning.rule}>
          <Line warning={warning} changes={changes} />
        </li>
      ))}
    </ul>
  );
}
