import type { ActivityItem, SubmissionStatus } from '../../../messaging/views.ts';
import { sentenceText } from '../../shared/format.ts';

export const statusGroups = {
  all: null,
  open: ['approved', 'reserved', 'unknown', 'acknowledged'],
  done: ['processed', 'cancelled', 'expired'],
  failed: ['failed', 'refused', 'abandoned'],
} as const satisfies Readonly<Record<string, readonly SubmissionStatus[] | null>>;
export type StatusGroup = keyof typeof statusGroups;

export type KindGroup = 'all' | NonNullable<ActivityItem['group']>;

export interface ActivityFilter {
  readonly text: string;
  readonly status: StatusGroup;
  readonly kind: KindGroup;
}

/** Entries that fit; the text is looked for in sentence, site, hash and storage id. */
export function filterActivity(items: readonly ActivityItem[], { text, status, kind }: ActivityFilter): ActivityItem[] {
  const wanted = text.trim().toLowerCase();
  const statuses: readonly SubmissionStatus[] | null = statusGroups[status];
  return items.filter(
    (item) =>
      (statuses === null || statuses.includes(item.status)) &&
      (kind === 'all' || item.group === kind) &&
      (wanted === '' ||
        [sentenceText(item.sentence), item.origin, item.hash ?? '', String(item.storageId ?? '')].some((part) =>
          part.toLowerCase().includes(wanted),
        )),
  );
}
