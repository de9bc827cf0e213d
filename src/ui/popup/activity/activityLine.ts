import type { ActivityItem, HistoryEvent, SubmissionStatus } from '../../../messaging/views.ts';
import type { IconName } from '../../shared/Icon.tsx';
import { requestName } from '../../shared/requestName.ts';

/**
 * A line of the activity: a request of this wallet, or something else that happened to the account.
 */
export interface ActivityLine
  extends Pick<
    ActivityItem,
    'id' | 'operation' | 'group' | 'origin' | 'account' | 'sentence' | 'status' | 'hash' | 'storageId' | 'createdAt'
  > {
  readonly block: number | null;
  /** The request, which has tools. */
  readonly item?: ActivityItem;
  /** The exchange's event of the request, once it is done. */
  readonly move?: HistoryEvent;
  readonly event?: HistoryEvent;
}

const statuses: Readonly<Record<string, SubmissionStatus>> = {
  received: 'acknowledged',
  processing: 'acknowledged',
  processed: 'processed',
  failed: 'failed',
};

const isFill = ({ kind }: HistoryEvent): boolean => kind === 'bought' || kind === 'sold';

const groupOf = (event: HistoryEvent): 'nfts' | 'orders' | 'moves' =>
  isFill(event) ? 'orders' : event.nftData === undefined ? 'moves' : 'nfts';

/** Came to the account, rather than left it. */
export const isIncoming = ({ kind }: HistoryEvent): boolean =>
  kind === 'received' || kind === 'deposited' || kind === 'minted' || kind === 'bought';

export const iconOf = ({ group, picture }: Pick<ActivityItem, 'group' | 'picture'>): IconName =>
  picture ?? (group === null ? 'list' : groupIcons[group]);

export const eventIcon = (event: HistoryEvent): IconName => eventIcons[event.kind] ?? groupIcons[groupOf(event)];

const eventIcons: Readonly<Partial<Record<HistoryEvent['kind'], IconName>>> = {
  received: 'receive',
  deposited: 'receive',
  sent: 'send',
  withdrew: 'withdraw',
};
const groupIcons: Readonly<Record<NonNullable<ActivityItem['group']>, IconName>> = {
  orders: 'candles',
  moves: 'send',
  nfts: 'picture',
  pools: 'pool',
  keys: 'key',
  texts: 'book',
};

/**
 * Requests of this wallet and events of the exchange in one list, newest first. What the wallet
 * asked for itself and the exchange lists too stands once, with its block; an event of its own is a
 * fill, beside its order, and what the exchange says of a request whose end the wallet does not
 * know.
 */
export function linesOf(
  items: readonly ActivityItem[],
  events: readonly HistoryEvent[],
  account: string,
): readonly ActivityLine[] {
  const own = new Set(
    items.flatMap(({ hash, isEndUnknown }) => (hash === null || isEndUnknown ? [] : [hash.toLowerCase()])),
  );
  const isOwn = (event: HistoryEvent) => !isFill(event) && own.has(event.hash.toLowerCase());
  const moves = new Map(events.filter(isOwn).map((event) => [event.hash.toLowerCase(), event] as const));
  const others = events.filter((event) => !isOwn(event));
  return [
    ...items.map((item) => {
      const move = moves.get(item.hash?.toLowerCase() ?? '');
      const isDone = move !== undefined && item.status === 'processed';
      return {
        ...item,
        sentence: requestName(item.sentence),
        item,
        block: move?.block ?? null,
        ...(isDone ? { move } : {}),
      };
    }),
    ...others.map((event) => ({
      id: event.id,
      operation: event.kind,
      group: groupOf(event),
      origin: '',
      account,
      sentence: event.sentence,
      status: statuses[event.status] ?? 'unknown',
      hash: event.hash,
      storageId: null,
      createdAt: event.at,
      block: event.block,
      event,
    })),
  ].sort((a, b) => b.createdAt - a.createdAt);
}
