import { delMany, entries, get, type UseStore } from 'idb-keyval';
import { z } from 'zod';
import type { PageMessage } from '../inpage/protocol.ts';

/** A page's request that waits for an approval, or its answer once there is one. Persisted; the page may ask again by id. */
export const storedRequest = z.object({
  id: z.string(),
  origin: z.string(),
  tabId: z.number(),
  approvalId: z.string(),
  createdAt: z.number(),
  answer: z
    .union([
      z.object({ result: z.unknown() }),
      z.object({ error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }) }),
    ])
    .nullable(),
});

export type StoredRequest = z.infer<typeof storedRequest>;
export type Answer = NonNullable<StoredRequest['answer']>;

const PREFIX = 'request:';
export const requestKey = (origin: string, id: string) => `${PREFIX}${origin} ${id}`;
/**
 * Answered requests of a site kept for pages that come back for them. Not by age: a machine that slept for days wakes with its
 * pages still waiting, and a request whose answer is forgotten would be put to the user a second time. Each site by itself, so
 * that none has the answers of another forgotten.
 */
const KEEP_ANSWERED = 500;

/** Written by `approvals`, always together with the question that a request belongs to. */
export function createRequests(store: UseStore) {
  const all = async (): Promise<StoredRequest[]> =>
    (await entries<string, unknown>(store))
      .filter(([key]) => key.startsWith(PREFIX))
      .map(([, value]) => storedRequest.parse(value));

  return {
    async find(origin: string, id: string): Promise<StoredRequest | undefined> {
      const stored = await get<unknown>(requestKey(origin, id), store);
      return stored === undefined ? undefined : storedRequest.parse(stored);
    },
    /** Forgets the oldest answers of each site. */
    async trim(): Promise<void> {
      const answered = (await all()).filter(({ answer }) => answer !== null).sort((a, b) => b.createdAt - a.createdAt);
      const kept = new Map<string, number>();
      const forgotten = answered.filter(({ origin }) => {
        const count = (kept.get(origin) ?? 0) + 1;
        kept.set(origin, count);
        return count > KEEP_ANSWERED;
      });
      if (forgotten.length === 0) return;
      await delMany(
        forgotten.map(({ origin, id }) => requestKey(origin, id)),
        store,
      );
    },
  };
}

export type Requests = ReturnType<typeof createRequests>;

/** An answer as the content script passes it on. */
export const toPageMessage = (id: string, answer: Answer): PageMessage =>
  'error' in answer ? { id, error: answer.error } : { id, result: answer.result };
