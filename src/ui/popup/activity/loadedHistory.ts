import type { HistoryEvent, HistoryPage, HistorySource, HistoryView } from '../../../messaging/views.ts';
import type { KindGroup } from './filterActivity.ts';

const sources: readonly HistorySource[] = ['request', 'fill', 'nft'];

const sourceOf = ({ id }: HistoryEvent) => id.slice(0, id.indexOf(':'));

/** Each event once; of two with one id the first, which is newer. */
function joined(...lists: readonly (readonly HistoryEvent[])[]): HistoryEvent[] {
  const byId = new Map<string, HistoryEvent>();
  for (const event of lists.flat()) if (!byId.has(event.id)) byId.set(event.id, event);
  return [...byId.values()].sort((a, b) => b.at - a.at);
}

/**
 * Newer first pages in the place of the ones before. Older pages of a list stay where its new first
 * page goes on with what is known; else there would be a gap between the two, and they are read
 * again on demand.
 */
export function withNewest(known: HistoryView | null, newest: HistoryView): HistoryView {
  if (known === null) return newest;
  const ids = new Set(known.events.map(({ id }) => id));
  const kept = sources.filter(
    (source) =>
      newest.reached[source].next !== null &&
      newest.events.some((event) => sourceOf(event) === source && ids.has(event.id)),
  );
  const older = known.events.filter((event) => kept.some((source) => source === sourceOf(event)));
  return {
    events: joined(newest.events, older),
    reached: { ...newest.reached, ...Object.fromEntries(kept.map((source) => [source, known.reached[source]])) },
  };
}

/**
 * An older page beside what is known. Rows that moved on by newer ones come twice, and stand once.
 * @param asked - What was known when the page was asked for; nothing is added when the list has
 *   begun anew since, because rows between the two were never read.
 */
export function withOlder(known: HistoryView, source: HistorySource, asked: HistoryView, page: HistoryPage) {
  const reach = known.reached[source];
  if (reach !== asked.reached[source]) return known;
  return {
    events: joined(known.events, page.events),
    reached: { ...known.reached, [source]: { next: page.reach.next, oldest: page.reach.oldest ?? reach.oldest } },
  };
}

/** Lists in which events of a kind stand. */
const sourcesOf: Readonly<Partial<Record<KindGroup, readonly HistorySource[]>>> = {
  all: sources,
  moves: ['request'],
  orders: ['fill'],
  nfts: ['nft'],
};

/**
 * Lists that have older events of a kind, and the time since when all events of the kind are known.
 */
export function unread({ reached }: HistoryView, kind: KindGroup) {
  const left = (sourcesOf[kind] ?? []).filter((source) => reached[source].next !== null);
  return { left, since: left.length === 0 ? null : Math.max(...left.map((source) => reached[source].oldest ?? 0)) };
}
