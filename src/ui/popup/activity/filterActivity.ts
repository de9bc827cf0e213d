import type { ActivityItem, SubmissionStatus } from '../../../messaging/views.ts';
import { sentenceText } from '../../shared/format.ts';
import type { ActivityLine } from './activityLine.ts';

const statusGroups = {
  all: null,
  open: ['approved', 'reserved', 'unknown', 'acknowledged'],
  done: ['processed', 'cancelled', 'expired'],
  failed: ['failed', 'refused', 'abandoned'],
} as const satisfies Readonly<Record<string, readonly SubmissionStatus[] | null>>;
const openStatuses: readonly SubmissionStatus[] = statusGroups.open;
/** Not settled yet. */
export const isOpen = ({ status }: Pick<ActivityLine, 'status'>): boolean => openStatuses.includes(status);

export type StatusGroup = keyof typeof statusGroups;

export type KindGroup = 'all' | NonNullable<ActivityItem['group']>;

export interface ActivityFilter {
  readonly text: string;
  readonly status: StatusGroup;
  readonly kind: KindGroup;
}

/** Lines that fit; the text is looked for in sentence, site, hash, storage id, token and memo. */
export function filterActivity(lines: readonly ActivityLine[], { text, status, kind }: ActivityFilter): ActivityLine[] {
  const wanted = text.trim().toLowerCase();
  const statuses: readonly SubmissionStatus[] | null = statusGroups[status];
  return lines.filter((line) => {
    const event = line.event ?? line.move;
    return (
      (statuses === null || statuses.includes(line.status)) &&
      (kind === 'all' || line.group === kind) &&
      (wanted === '' ||
        [
          sentenceText(line.sentence),
          line.origin,
          line.hash ?? '',
          String(line.storageId ?? ''),
          event?.amount.token?.symbol ?? event?.nftData ?? '',
          event?.memo ?? '',
        ].some((part) => part.toLowerCase().includes(wanted)))
    );
  });
}
