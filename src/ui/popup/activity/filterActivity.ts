import type { ActivityItem, SubmissionStatus } from '../../../messaging/views.ts';
import { sentenceText } from '../../shared/format.ts';
import { statusTexts } from '../../shared/status.ts';
import type { ActivityLine } from './activityLine.ts';

const failures: readonly SubmissionStatus[] = ['failed', 'refused', 'abandoned'];

/** Not settled yet. */
export const isOpen = ({ status }: Pick<ActivityLine, 'status'>): boolean => !statusTexts[status].final;

type StatusGroup = 'all' | 'open' | 'done' | 'failed';

const groupOf = (line: Pick<ActivityLine, 'status'>): StatusGroup => {
  if (isOpen(line)) return 'open';
  return failures.includes(line.status) ? 'failed' : 'done';
};

export type KindGroup = 'all' | NonNullable<ActivityItem['group']>;

export interface ActivityFilter {
  readonly text: string;
  readonly status: StatusGroup;
  readonly kind: KindGroup;
}

/** Lines that fit; the text is looked for in sentence, site, hash, storage id, token and memo. */
export function filterActivity(lines: readonly ActivityLine[], { text, status, kind }: ActivityFilter): ActivityLine[] {
  const wanted = text.trim().toLowerCase();
  const fits = (part: string) => part.toLowerCase().includes(wanted);
  return lines.filter((line) => {
    const event = line.event ?? line.move;
    return (
      (status === 'all' || status === groupOf(line)) &&
      (kind === 'all' || line.group === kind) &&
      (wanted === '' ||
        [
          line.origin,
          line.hash ?? '',
          String(line.storageId ?? ''),
          event?.amount.token?.symbol ?? event?.nftData ?? '',
          event?.memo ?? '',
        ].some(fits) ||
        // The slowest to make.
        fits(sentenceText(line.sentence)))
    );
  });
}
