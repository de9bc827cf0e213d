import { delMany, get, getMany, promisifyRequest, type UseStore } from 'idb-keyval';
import type { PageMessage } from '../../../inpage/protocol.ts';
import { once } from '../../../protocol/once.ts';
import { DAY_MS } from '../../../protocol/time.ts';
import { z } from '../../../protocol/zod.ts';
import { keysUnder } from '../../../storage/transaction.ts';
import type { StoredApproval } from './storedApproval.ts';

/**
 * A page's request that waits for an approval, or its answer once there is one. Persisted; the page
 * may ask again by id.
 */
export const storedRequest = once(() =>
  z.object({
    id: z.string(),
    origin: z.string(),
    tabId: z.number(),
    /**
     * The document that waits, by the name that its content script gave itself; earlier versions
     * kept none.
     */
    documentId: z.optional(z.string()),
    approvalId: z.string(),
    createdAt: z.number(),
    answer: z.nullable(
      z.union([
        z.object({ result: z.unknown() }),
        z.object({ error: z.object({ code: z.number(), message: z.string(), data: z.optional(z.unknown()) }) }),
      ]),
    ),
  }),
);

export type StoredRequest = z.infer<ReturnType<typeof storedRequest>>;
export type Answer = NonNullable<StoredRequest['answer']>;

const PREFIX = 'request:';
export const requestKey = (origin: string, id: string) => `${PREFIX}${origin} ${id}`;
/**
 * Answered requests of a site kept for pages that come back for them. Not by age alone: a machine
 * that slept for days wakes with its pages still waiting, and a request whose answer is forgotten
 * would be put to the user a second time. Each site by itself, so that none has the answers of
 * another forgotten.
 */
const KEEP_ANSWERED = 500;

const originOf = (key: string): string => key.slice(PREFIX.length, key.indexOf(' '));

/** Written by `approvals`, always together with the approval request that a request belongs to. */
export function createRequests(store: UseStore) {
  return {
    async find(origin: string, id: string): Promise<StoredRequest | undefined> {
      const stored = await get<unknown>(requestKey(origin, id), store);
      return stored === undefined ? undefined : storedRequest().parse(stored);
    },
    /** The tab that each approval was asked from, in the order of the approvals. */
    async tabsOf(approvals: readonly Pick<StoredApproval, 'origin' | 'requestIds'>[]): Promise<(number | undefined)[]> {
      const first = approvals.map(({ origin, requestIds: [id = ''] }) => requestKey(origin, id));
      return (await getMany<unknown>(first, store)).map((stored) => storedRequest().safeParse(stored).data?.tabId);
    },
    /** The requests of an approval that have no answer yet. */
    async waitingFor({ origin, requestIds }: Pick<StoredApproval, 'origin' | 'requestIds'>): Promise<StoredRequest[]> {
      const keys = requestIds.map((id) => requestKey(origin, id));
      const stored = (await getMany<unknown>(keys, store)).flatMap((one) => storedRequest().safeParse(one).data ?? []);
      return stored.filter(({ answer }) => answer === null);
    },
    /**
     * Forgets the oldest answers of each site, none of the last day: a page that lost one names its
     * approval by the request. More than the keys is read only of sites with too many.
     * @param keptOf - Which of these approvals are kept: a repeat of their requests gets this
     *   answer.
     */
    async trim(now: number, keptOf: (approvalIds: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
      const keys = await store('readonly', (objects) =>
        promisifyRequest(objects.getAllKeys(keysUnder(PREFIX)) as IDBRequest<string[]>),
      );
      const ofSite = new Map<string, string[]>();
      for (const key of keys) {
        const own = ofSite.get(originOf(key)) ?? [];
        own.push(key);
        ofSite.set(originOf(key), own);
      }
      for (const own of ofSite.values()) {
        if (own.length <= KEEP_ANSWERED) continue;
        const old = (await getMany<unknown>(own, store))
          .flatMap((stored) => storedRequest().safeParse(stored).data ?? [])
          .filter(({ answer }) => answer !== null)
          .sort((a, b) => b.createdAt - a.createdAt)
          .slice(KEEP_ANSWERED)
          .filter(({ createdAt }) => createdAt <= now - DAY_MS);
        const kept = await keptOf(old.map(({ approvalId }) => approvalId));
        const forgotten = old.filter(({ approvalId }) => !kept.has(approvalId));
        await delMany(
          forgotten.map(({ origin, id }) => requestKey(origin, id)),
          store,
        );
      }
    },
  };
}

export type Requests = ReturnType<typeof createRequests>;

/** An answer as the content script passes it on. */
export const toPageMessage = (id: string, answer: Answer): PageMessage =>
  'error' in answer ? { id, error: answer.error } : { id, result: answer.result };
