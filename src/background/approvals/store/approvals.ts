import { promisifyRequest, type UseStore } from 'idb-keyval';
import { OWN_ORIGIN } from '../../../messaging/ownOrigin.ts';
import { findOperation } from '../../../operations/index.ts';
import type { Text } from '../../../operations/review.ts';
import { once } from '../../../protocol/once.ts';
import { DAY_MS, HOUR_MS } from '../../../protocol/time.ts';
import { z } from '../../../protocol/zod.ts';
import { type Form, readStored } from '../../../storage/entry.ts';
import { isRecord } from '../../../storage/lenient.ts';
import type { StoredKey } from '../../../storage/storedValues.ts';
import { inTransaction, keysUnder } from '../../../storage/transaction.ts';
import { type Answer, requestKey, type StoredRequest, storedRequest } from './requests.ts';
import { isOpen, isSettled, type StoredApproval, stages, storedApproval } from './storedApproval.ts';

/** Approval requests that are not over, by id. */
const UNSETTLED = 'approval:' satisfies StoredKey<'requests'>;
/**
 * Settled approvals by id. They have a prefix of their own, so that listing the pending ones does
 * not read thousands of old ones.
 */
const ENDED = 'ended:' satisfies StoredKey<'requests'>;
/** Ids of those, by the time from which they are kept for a day. */
const END = 'end:' satisfies StoredKey<'requests'>;
/** In the key of one that a look would have forgotten: the time is that look's. */
const FOUND_OLD = '!';
/** Id of the approval request that has a site's own name. */
const NAMED = 'named:' satisfies StoredKey<'requests'>;
const SENTENCE = 'sentence:' satisfies StoredKey<'requests'>;
const KEEP_SENTENCES = 1_000;
/** In one transaction, for which others wait. */
const MOST_FORGOTTEN_AT_ONCE = 500;

interface KeptSentence {
  /** Unix milliseconds of the approval request. */
  readonly at: number;
  readonly sentence: Text;
}

const idForm = once(() => z.string());
const sentenceForm = once(
  (): Form<KeptSentence> =>
    z.object({ at: z.number(), sentence: z.custom<Text>((text) => isRecord(text) && typeof text.key === 'string') }),
);

/** Unix milliseconds that are sorted as text. */
const sortable = (time: number): string => String(time).padStart(15, '0');
const endKeyAt = (time: number, id: string, mark = ''): string => `${END}${sortable(time)}${mark} ${id}`;
const endKey = ({ createdAt, id }: StoredApproval): string => endKeyAt(createdAt, id);
const idOfEnd = (key: string): string => key.slice(key.indexOf(' ') + 1);
const namedKey = (origin: string, idempotencyKey: string): string => `${NAMED}${origin} ${idempotencyKey}`;

/** Id of the approval request that has a site's own key. */
const idNamed = async (objects: IDBObjectStore, origin: string, idempotencyKey: string): Promise<string | undefined> =>
  readStored(NAMED, idForm(), await promisifyRequest<unknown>(objects.get(namedKey(origin, idempotencyKey))));

/** Before it is read by its schema. */
const find = async (objects: IDBObjectStore, id: string): Promise<unknown> =>
  (await promisifyRequest<unknown>(objects.get(UNSETTLED + id))) ??
  (await promisifyRequest<unknown>(objects.get(ENDED + id)));

/**
 * Every approval request is written here: it has one place, and the entries that lead to it are
 * written with it.
 */
function keep(objects: IDBObjectStore, approval: StoredApproval): void {
  const { id, origin, idempotencyKey } = approval;
  if (isSettled(approval)) {
    objects.put(approval, ENDED + id);
    objects.put(id, endKey(approval));
    objects.delete(UNSETTLED + id);
  } else {
    objects.put(approval, UNSETTLED + id);
    objects.delete(ENDED + id);
    objects.delete(endKey(approval));
  }
  if (idempotencyKey !== undefined) objects.put(id, namedKey(origin, idempotencyKey));
}

/**
 * Writes the next stage of an approval.
 * @throws {Error} for a stage that cannot follow the current one
 */
function advance(objects: IDBObjectStore, from: StoredApproval, to: StoredApproval): void {
  if (from.stage !== to.stage && !stages[from.stage].includes(to.stage))
    throw new Error(`approvals: ${from.stage} to ${to.stage}`);
  keep(objects, to);
}

/** Leaves what of it was submitted as a sentence for the activity. */
async function forget(objects: IDBObjectStore, approval: StoredApproval): Promise<void> {
  const { id, origin, createdAt, idempotencyKey, submissionId, review } = approval;
  if (submissionId && review)
    objects.put({ at: createdAt, sentence: review.sentence } satisfies KeptSentence, SENTENCE + id);
  objects.delete(ENDED + id);
  objects.delete(endKey(approval));
  if (idempotencyKey === undefined) return;
  if ((await idNamed(objects, origin, idempotencyKey)) === id) objects.delete(namedKey(origin, idempotencyKey));
}

async function forgetOldSentences(objects: IDBObjectStore): Promise<void> {
  const surplus = (await promisifyRequest(objects.count(keysUnder(SENTENCE)))) - KEEP_SENTENCES;
  if (surplus <= 0) return;
  const keys = await promisifyRequest(objects.getAllKeys(keysUnder(SENTENCE)));
  const sentences = await promisifyRequest<unknown[]>(objects.getAll(keysUnder(SENTENCE)));
  const oldest = keys
    .map((key, index) => ({ key, at: readStored(SENTENCE, sentenceForm(), sentences[index])?.at ?? 0 }))
    .sort((a, b) => a.at - b.at)
    .slice(0, surplus);
  for (const { key } of oldest) objects.delete(key);
}

/** A stored request, or `undefined` when there is none that can be read. */
const read = async (objects: IDBObjectStore, key: string): Promise<StoredRequest | undefined> =>
  storedRequest().safeParse(await promisifyRequest<unknown>(objects.get(key))).data;

/** Without those of another version, one of which must not keep the wallet from all others. */
const readable = (stored: readonly unknown[]): StoredApproval[] =>
  stored.flatMap((value) => storedApproval(value).safeParse(value).data ?? []);

/**
 * Asked by the wallet's own pages and decided in steps of their own: the approval window never
 * shows it.
 */
const isOfWizard = ({ origin, operation }: StoredApproval): boolean =>
  origin === OWN_ORIGIN && operation !== undefined && findOperation(operation)?.shownBy === 'wizard';

/**
 * A site's key names one request: equal approval requests are one while open, those with the same
 * key are one always.
 */
function isSame(stored: StoredApproval, other: StoredApproval): boolean {
  if (stored?.origin !== other.origin || stored.idempotencyKey !== other.idempotencyKey) return false;
  return other.idempotencyKey !== undefined || (isOpen(stored) && stored.askedDigest === other.askedDigest);
}

/** A site used its key for two different requests, or for one whose answer is forgotten. */
export class KeyReused extends Error {
  override readonly name = 'KeyReused';
  /** Number of the request that the key names. */
  readonly requestId: string;

  constructor(requestId: string) {
    super();
    this.requestId = requestId;
  }
}

/** @throws When it cannot be read. */
async function readApproval(objects: IDBObjectStore, id: string): Promise<StoredApproval | undefined> {
  const stored = await find(objects, id);
  return stored === undefined ? undefined : storedApproval(stored).parse(stored);
}

type Change = (current: StoredApproval) => StoredApproval | null;

const changeIn = (store: UseStore, id: string, change: Change): Promise<StoredApproval | undefined> =>
  inTransaction(store, async (objects) => {
    const current = await readApproval(objects, id);
    const changed = current && change(current);
    if (changed) advance(objects, current, changed);
    return changed ?? current;
  });

/**
 * The approval request of an origin that a key means without being its own key: a page that lost an
 * answer names it by the id of its request, and one that learned of an unknown outcome by the id
 * that the answer names.
 * @throws {KeyReused} The request is known, its approval request is not.
 */
async function meantBy(
  objects: IDBObjectStore,
  origin: string,
  idempotencyKey: string,
): Promise<StoredApproval | undefined> {
  const earlier = await read(objects, requestKey(origin, idempotencyKey));
  const [meant] = readable([await find(objects, earlier?.approvalId ?? idempotencyKey)]);
  if (meant?.origin === origin) return meant;
  if (earlier) throw new KeyReused(earlier.approvalId);
  return undefined;
}

const answerTo = async (objects: IDBObjectStore, { origin, requestIds: [first] }: StoredApproval) =>
  first === undefined ? undefined : (await read(objects, requestKey(origin, first)))?.answer;

/**
 * Takes the site's own key from an approval request of which nothing left the wallet, and whose
 * site is told to ask again.
 * @param now - The answer of what was signed, by now; the stored one counts where there is none.
 * @returns Whether it has given up the key.
 */
async function freesKey(
  objects: IDBObjectStore,
  approval: StoredApproval,
  now: Answer | '' | undefined,
): Promise<boolean> {
  const { idempotencyKey: _, ...others } = approval;
  const answer = isSettled(approval) && (now || (await answerTo(objects, approval)));
  if (!answer || !('error' in answer)) return false;
  if ((answer.error.data as { status?: unknown } | undefined)?.status !== 'not-signed') return false;
  keep(objects, others);
  return true;
}

/**
 * Approval requests to the user, stored before a window opens and after every step, so that a
 * stopped worker loses none.
 * @param undecided - The same store, for what a power cut may undo.
 * @param settled - Hears of each approval that has ended, before its caller goes on.
 * @param isUnresolved - Whether one that has ended can still be carried out.
 * @param answerNow - The answer of what was signed for one that has ended, by now.
 */
export function createApprovals(
  store: UseStore,
  undecided: UseStore,
  settled: (approval: StoredApproval) => Promise<void> = async () => {},
  isUnresolved: (approval: StoredApproval) => Promise<boolean> = async () => false,
  answerNow?: (id: string) => Promise<Answer | undefined>,
) {
  /** Oldest first. */
  const sorted = (stored: readonly unknown[]): StoredApproval[] =>
    readable(stored).toSorted((a, b) => a.createdAt - b.createdAt);
  const allUnder = (...prefixes: string[]): Promise<unknown[]> =>
    store('readonly', async (objects) =>
      (
        await Promise.all(prefixes.map((prefix) => promisifyRequest<unknown[]>(objects.getAll(keysUnder(prefix)))))
      ).flat(),
    );
  const unsettled = async (): Promise<StoredApproval[]> => sorted(await allUnder(UNSETTLED));

  return {
    /** All of the last day, and older ones that can still be carried out; oldest first. */
    list: async (): Promise<StoredApproval[]> => sorted(await allUnder(UNSETTLED, ENDED)),
    /**
     * The newest of a site, newest first. Reads nothing of other sites, and only what it gives by
     * its schema: there may be thousands.
     */
    ofSite: (origin: string, most: number): Promise<StoredApproval[]> =>
      store('readonly', async (objects) => {
        const requests = await promisifyRequest<unknown[]>(objects.getAll(keysUnder(requestKey(origin, ''))));
        const ids = new Set(requests.flatMap((request) => (isRecord(request) ? String(request.approvalId) : [])));
        const found = await Promise.all([...ids].map((id) => find(objects, id)));
        const own = found.filter(isRecord).filter((approval) => approval.origin === origin);
        return readable(own.sort((a, b) => Number(b.createdAt) - Number(a.createdAt)).slice(0, most));
      }),
    /** Those of the ids that have an approval. */
    kept: (ids: readonly string[]): Promise<ReadonlySet<string>> =>
      store('readonly', async (objects) => {
        const found = [UNSETTLED, ENDED].flatMap((prefix) =>
          ids.map(async (id) => ((await promisifyRequest(objects.getKey(prefix + id))) === undefined ? [] : id)),
        );
        return new Set((await Promise.all(found)).flat());
      }),
    /** Open, or approved and not carried out; oldest first. */
    unsettled,
    /** Not decided yet, oldest first; without what the user decides in a page of its own. */
    open: async () => (await unsettled()).filter((approval) => isOpen(approval) && !isOfWizard(approval)),
    /** The same, and what is approved and not carried out yet. */
    listed: async () => (await unsettled()).filter((approval) => !isSettled(approval) && !isOfWizard(approval)),
    get: (id: string): Promise<StoredApproval | undefined> => store('readonly', (objects) => readApproval(objects, id)),
    /** Id of the approval request that has a site's own key. */
    idOfKey: (origin: string, idempotencyKey: string): Promise<string | undefined> =>
      store('readonly', (objects) => idNamed(objects, origin, idempotencyKey)),
    /**
     * Stores an approval request together with the page's request: an approval request whose
     * request is not known would be asked again when the page repeats it. An equal approval request
     * of the origin that is still open takes the request in, and so does any approval request under
     * the same key of the site, and the one that has this key for its id, or was asked by a request
     * of that id; one that is over answers it as it answered before, and one of which nothing
     * left the wallet gives up its key.
     * @throws {KeyReused}
     * @returns The approval request that stands for the request, as it is stored now.
     */
    async ask(
      entering: StoredApproval,
      request: Omit<StoredRequest, 'approvalId' | 'answer'>,
    ): Promise<StoredApproval> {
      const { origin, idempotencyKey } = entering;
      // Before the transaction, which would not wait for another store.
      const earlier = idempotencyKey && (await this.idOfKey(origin, idempotencyKey));
      const now = earlier && (await answerNow?.(earlier));
      return inTransaction(undecided, async (objects) => {
        const stored = await promisifyRequest<StoredApproval[]>(objects.getAll(keysUnder(UNSETTLED)));
        if (idempotencyKey !== undefined) {
          const id = await idNamed(objects, origin, idempotencyKey);
          const named = id === undefined ? undefined : await find(objects, id);
          if (named !== undefined) stored.push(named as StoredApproval);
        }
        // Only an equal one is read by its schema.
        const [equal] = readable(stored.filter((other) => isSame(other, entering)));
        const meant = equal || idempotencyKey === undefined ? equal : await meantBy(objects, origin, idempotencyKey);
        const isFree = equal !== undefined && (await freesKey(objects, equal, now));
        const asked = isFree || !meant ? entering : meant;
        if (asked.askedDigest !== entering.askedDigest) throw new KeyReused(asked.id);
        const answer = isSettled(asked) ? ((await answerTo(objects, asked)) ?? undefined) : null;
        if (answer === undefined) throw new KeyReused(asked.id);
        const joined = { ...asked, requestIds: [...asked.requestIds, request.id] };
        keep(objects, joined);
        objects.put(
          { ...request, approvalId: asked.id, answer } satisfies StoredRequest,
          requestKey(request.origin, request.id),
        );
        return joined;
      });
    },
    /** Stores an approval request of the user's own; no page waits for it. */
    put: (approval: StoredApproval): Promise<void> =>
      inTransaction(store, async (objects) => keep(objects, storedApproval(approval).parse(approval))),
    /**
     * Changes one approval in one transaction. `change` returns `null` to leave it as it is.
     * @returns The approval as it is now, or `undefined` when there is none.
     */
    update: (id: string, change: Change) => changeIn(store, id, change),
    /** Like `update`, with relaxed durability: for an approval that stays undecided. */
    complete: (id: string, change: Change) => changeIn(undecided, id, change),
    /**
     * Makes another request of an approval, which may have a site's own key.
     * @throws {KeyReused} The key names a request already.
     */
    become: (id: string, change: Change): Promise<void> =>
      inTransaction(store, async (objects) => {
        const current = await readApproval(objects, id);
        const next = current && change(current);
        if (!next) return;
        const { origin, idempotencyKey } = next;
        if (idempotencyKey !== undefined) {
          const named =
            (await idNamed(objects, origin, idempotencyKey)) ?? (await meantBy(objects, origin, idempotencyKey))?.id;
          if (named !== undefined) throw new KeyReused(named);
        }
        advance(objects, current, next);
      }),
    /**
     * Ends an approval and answers all page requests that it stands for, in one transaction: an
     * approval request that is over and a request without an answer would leave the page waiting
     * for ever. The first answer of a request stays.
     * @param end - The approval as it ends, and the answer; `null` to leave everything as it is.
     * @returns The approval, or `null` when nothing was changed.
     */
    async settle(
      id: string,
      end: (current: StoredApproval) => { readonly approval: StoredApproval; readonly answer: Answer } | null,
    ): Promise<StoredApproval | null> {
      const over = await inTransaction(store, async (objects) => {
        const current = await readApproval(objects, id);
        const ended = current && end(current);
        if (!ended) return null;
        const { approval, answer } = ended;
        advance(objects, current, approval);
        for (const requestId of approval.requestIds) {
          const key = requestKey(approval.origin, requestId);
          const found = await read(objects, key);
          if (found && !found.answer) objects.put({ ...found, answer }, key);
        }
        return approval;
      });
      if (over) await settled(over);
      return over;
    },
    /** Reads the sentence of each approval by its id, also of approvals that were deleted since. */
    sentences: (ids: readonly string[]): Promise<ReadonlyMap<string, Text>> =>
      store('readonly', async (objects) => {
        const found = await Promise.all(
          [...new Set(ids)].map(async (id) => {
            const asked = (await find(objects, id)) as Partial<StoredApproval> | undefined;
            const kept = asked ? undefined : await promisifyRequest<unknown>(objects.get(SENTENCE + id));
            const sentence = asked?.review?.sentence ?? readStored(SENTENCE, sentenceForm(), kept)?.sentence;
            return sentence === undefined ? [] : [[id, sentence] as const];
          }),
        );
        return new Map(found.flat());
      }),
    /**
     * Forgets what was asked a day ago and is over, when a second call a day later finds the same:
     * the clock may be wrong at one call, or have been wrong when it was asked. Of what was
     * submitted, the sentence stays for the activity. One that can still be carried out is kept, so
     * that a repeat under its key or its number makes no second request, and is looked at again an
     * hour later.
     */
    async trim(now: number): Promise<void> {
      for (let after: string | undefined = END; after !== undefined; ) after = await trimSome(now, after);
    },
  };

  /** @returns The last key that was looked at, when there may be more behind it. */
  async function trimSome(now: number, after: string): Promise<string | undefined> {
    const upTo = IDBKeyRange.bound(after, END + sortable(now - DAY_MS), true);
    const [old, misplaced, sentences] = await store('readonly', (objects) =>
      Promise.all([
        promisifyRequest(objects.getAllKeys(upTo, MOST_FORGOTTEN_AT_ONCE)).then((keys) => keys.map(String)),
        promisifyRequest<unknown[]>(objects.getAll(keysUnder(UNSETTLED))).then((all) =>
          readable(all).flatMap((approval) => (isSettled(approval) ? approval.id : [])),
        ),
        promisifyRequest(objects.count(keysUnder(SENTENCE))),
      ]),
    );
    // Each start passes here, and a transaction that writes costs it more than the look.
    if (old.length === 0 && misplaced.length === 0 && sentences <= KEEP_SENTENCES) return undefined;
    const settledIn = async (objects: IDBObjectStore, id: string) => {
      const [approval] = readable([await find(objects, id)]);
      return approval && isSettled(approval) ? approval : undefined;
    };
    // Asked before the transaction, which would not wait for another store.
    const settled = await store('readonly', (objects) =>
      Promise.all(old.map((key) => settledIn(objects, idOfEnd(key)))),
    );
    const kept = new Set<string>();
    for (const approval of settled) if (approval && (await isUnresolved(approval))) kept.add(approval.id);
    await inTransaction(store, async (objects) => {
      // Earlier versions left what is over among what is not settled.
      for (const id of misplaced) {
        const approval = await settledIn(objects, id);
        if (approval) keep(objects, approval);
      }
      for (const key of old) {
        const id = idOfEnd(key);
        const approval = await settledIn(objects, id);
        if (approval && kept.has(id)) objects.put(id, endKeyAt(now - DAY_MS + HOUR_MS, id));
        else if (approval && !key.includes(FOUND_OLD)) objects.put(id, endKeyAt(now, id, FOUND_OLD));
        else if (approval) await forget(objects, approval);
        if (approval || (await find(objects, id)) === undefined) objects.delete(key);
      }
      await forgetOldSentences(objects);
    });
    return old[MOST_FORGOTTEN_AT_ONCE - 1];
  }
}

export type Approvals = ReturnType<typeof createApprovals>;
