import { delMany, entries, get, set, type UseStore, update } from 'idb-keyval';
import { z } from 'zod';
import type { PageMessage } from '../inpage/protocol.ts';

/** A page's request that waits for an approval, or its answer once there is one. Persisted; the page may ask again by id. */
const storedRequest = z.object({
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
const keyOf = (origin: string, id: string) => `${PREFIX}${origin} ${id}`;
/** An answered request is kept this long for a page that comes back for it. */
const KEEP_ANSWERED_MS = 24 * 3_600_000;
const KEEP_ANSWERED = 500;

export function createRequests(store: UseStore) {
  const all = async (): Promise<StoredRequest[]> =>
    (await entries<string, unknown>(store))
      .filter(([key]) => key.startsWith(PREFIX))
      .map(([, value]) => storedRequest.parse(value));

  return {
    async find(origin: string, id: string): Promise<StoredRequest | undefined> {
      const stored = await get<unknown>(keyOf(origin, id), store);
      return stored === undefined ? undefined : storedRequest.parse(stored);
    },
    add: (request: StoredRequest) => set(keyOf(request.origin, request.id), request, store),
    open: async () => (await all()).filter(({ answer }) => answer === null),
    /** The first answer stays; a second one is ignored. */
    answer: (origin: string, id: string, answer: Answer) =>
      update<StoredRequest>(
        keyOf(origin, id),
        (stored) => {
          const request = storedRequest.parse(stored);
          return request.answer ? request : { ...request, answer };
        },
        store,
      ),
    /** Forgets answers that nobody came back for. */
    async trim(now: number): Promise<void> {
      const answered = (await all()).filter(({ answer }) => answer !== null).sort((a, b) => b.createdAt - a.createdAt);
      const old = answered.filter(
        ({ createdAt }, index) => index >= KEEP_ANSWERED || now - createdAt > KEEP_ANSWERED_MS,
      );
      await delMany(
        old.map(({ origin, id }) => keyOf(origin, id)),
        store,
      );
    },
  };
}

export type Requests = ReturnType<typeof createRequests>;

/** An answer as the content script passes it on. */
export const toPageMessage = (id: string, answer: Answer): PageMessage =>
  'error' in answer ? { id, error: answer.error } : { id, result: answer.result };
