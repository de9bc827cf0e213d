import { promisifyRequest, type UseStore } from 'idb-keyval';
import type { FinalState } from '../protocol/states.ts';
import { DAY_SECONDS } from '../protocol/time.ts';
import { z } from '../protocol/zod.ts';
import { reported } from '../report/report.ts';
import { type CursorKey, type CursorRef, keys, rangeOf, read, readOnly, readSubmission, transact } from './database.ts';
import { JournalError } from './errors.ts';
import { type Exchange, moveToExchange, networksOf, notMoved, usedExchanges } from './exchange.ts';
import type { SubmissionState } from './lifecycle.ts';
import {
  cursorVersion,
  recordVersion,
  type SubmissionDraft,
  type SubmissionError,
  type SubmissionRecord,
  submissionDraftSchema,
  submissionErrorSchema,
  submissionRecordSchema,
  type Wire,
  watchSchema,
  wireSchema,
} from './record.ts';
import { occupySlot, readCursor, releaseSlot, reserveSlot, type SlotRequest } from './reserveSlot.ts';
import { closeRule, consume, openRule, type RuleState, type RuleTerms, ruleState, type Spend } from './rule.ts';
import { checkJump, checkStorageId } from './storageIds.ts';
import {
  advance,
  isDropped,
  isFinal,
  isUnknown,
  lastChangeAt,
  mayStillHappen,
  outcomeAmong,
  sendsOf,
} from './transitions.ts';

export interface JournalOptions {
  /** Of strict durability, in a database of its own (`createStores`). */
  readonly store: UseStore;
  /** The exchange that a network leads to. */
  readonly exchangeOf: (networkId: string) => Promise<Exchange>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
  /** Final submissions. */
  readonly history?: {
    /**
     * Beyond it those that ended first are forgotten. Open ones never are; as many again that are
     * still looked up, or were cancelled, are not while their signatures are valid.
     */
    readonly limit?: number;
    /**
     * One that is not forgotten yet, however many there are.
     * @param isWatched - It is still looked up.
     */
    readonly isNeeded?: (record: SubmissionRecord, isWatched: boolean) => boolean;
    /**
     * One that its site can still bring to the relayer: until its `validUntil` its slot is passed
     * over, and it is not forgotten.
     */
    readonly isHandedOver?: (record: SubmissionRecord) => boolean;
  };
}

export interface ReserveOptions {
  /** Absent for operations without a storage id, such as a cancellation. */
  readonly slot?: SlotRequest | undefined;
  /** Absent when the user approved it. */
  readonly spend?: Spend | undefined;
  /**
   * Signatures that this request may have in all, those of refused submissions counted; 1 when
   * absent.
   */
  readonly copies?: number;
  /** Submission before it, of another request of the same approval. */
  readonly after?: string | undefined;
}

export interface ListFilter {
  readonly networkId?: string;
  /** A network: submissions of every network that leads to its exchange, removed ones too. */
  readonly exchangeOf?: string;
  readonly accountId?: number;
  readonly origin?: string;
  /** Names of operations. */
  readonly operations?: readonly string[];
  readonly states?: readonly SubmissionState[];
  /** Of the signed requests, lower case. */
  readonly hashes?: readonly string[];
  /** Time of the last change at the earliest, Unix milliseconds. */
  readonly changedSince?: number;
  /** 1 or more; all when absent. */
  readonly limit?: number;
}

/**
 * The write-ahead record of everything that is signed and sent, and the only place that moves
 * storage-id cursors. Every method that changes something resolves after the change is on disk and
 * rejects when nothing was changed.
 * @throws {JournalError} From every method; `reserve` also what the functions of its `slot` throw.
 */
export type Journal = ReturnType<typeof createJournal>;

/** Submissions that one round of reads takes, when the next ones may not be needed. */
const READ_AT_ONCE = 16;

type StepChanges = NonNullable<Parameters<typeof advance>[3]>;

interface Found {
  /** Oldest first. */
  readonly records: SubmissionRecord[];
  /** Ids of those that cannot be read. */
  readonly damaged: string[];
}

/** Time in which a submission may find its end by itself. */
const GRACE_MS = 60_000;

/** The records that can be read, and the ids of the others. */
function readable(ids: readonly string[], values: readonly unknown[]): Found {
  const records: SubmissionRecord[] = [];
  const damaged: string[] = [];
  for (const [index, value] of values.entries()) {
    const parsed = submissionRecordSchema().safeParse(value);
    if (parsed.success) records.push(parsed.data);
    else damaged.push(ids[index] ?? '');
  }
  return { records: records.sort((a, b) => a.seq - b.seq), damaged };
}

const isObject = (value: unknown): value is Partial<SubmissionRecord> => typeof value === 'object' && value !== null;

const isOfNewerVersion = (value: unknown): boolean =>
  isObject(value) && typeof value.version === 'number' && value.version > recordVersion;

const isAskedFor = (
  record: Partial<SubmissionRecord>,
  { networkId, accountId, origin, operations, states, hashes, changedSince = 0 }: ListFilter,
  networkIds: readonly unknown[] | undefined,
): boolean =>
  (networkId === undefined || record.networkId === networkId) &&
  (networkIds === undefined || networkIds.includes(record.networkId)) &&
  (accountId === undefined || record.accountId === accountId) &&
  (origin === undefined || record.origin === origin) &&
  (operations === undefined || operations.some((name) => name === record.operation)) &&
  (states === undefined || states.some((state) => state === record.state)) &&
  (hashes === undefined || hashes.includes(String(record.hash).toLowerCase())) &&
  (changedSince === 0 ||
    lastChangeAt({ history: Array.isArray(record.history) ? record.history : [] }) >= changedSince);

const idsIn = async (objects: IDBObjectStore): Promise<string[]> =>
  (await promisifyRequest(objects.getAllKeys(rangeOf('submission')))).map((key) => String((key as string[])[1]));

export function createJournal({
  store,
  now,
  uuid,
  exchangeOf,
  history: { limit: historyLimit = 1000, isNeeded = () => false, isHandedOver = () => false } = {},
}: JournalOptions) {
  /** Reserved by this instance and not signed yet: alive, so `resume` leaves them alone. */
  const alive = new Set<string>();
  /** What this instance moved last, as it left it; another one may have moved it since. */
  let latest: SubmissionRecord | undefined;
  /**
   * By number, what `forget` found kept for its signature alone, and until when that is valid, Unix
   * seconds: such a record is read once, until a look at the relayer moves it.
   */
  const keptFor = new Map<number, { readonly validUntil: number; readonly isWatched: boolean }>();

  /** The place of a network's cursors; those of an earlier version are moved there first. */
  async function exchangeIdOf(networkId: string): Promise<string> {
    const exchange = await exchangeOf(networkId);
    const from = await readOnly(store, (objects) => notMoved(objects, exchange));
    if (from.length > 0) await transact(store, (objects) => moveToExchange(objects, exchange));
    return exchange.id;
  }

  /** Applies one step of the state machine in one transaction. */
  async function step(
    id: string,
    state: SubmissionState,
    changes: StepChanges | ((record: SubmissionRecord) => StepChanges) = {},
    note?: string,
  ): Promise<SubmissionRecord> {
    const record = await transact(store, async (objects) => {
      const record = await readSubmission(objects, id);
      const next = advance(record, state, now(), typeof changes === 'function' ? changes(record) : changes, note);
      objects.put(next, keys.submission(id));
      if (isFinal(record.state)) objects.delete(keys.watch(record.seq));
      if (isFinal(state)) await finish(objects, next);
      else if (isFinal(record.state)) await reopen(objects, next);
      return next;
    });
    alive.delete(id);
    keptFor.delete(record.seq);
    latest = record;
    return record;
  }

  /** The relayer has what it refused or called ended. */
  async function reopen(objects: IDBObjectStore, record: SubmissionRecord): Promise<void> {
    objects.delete(keys.final(record.seq));
    if (record.slot) await occupySlot(objects, record, record.slot, record.id);
  }

  async function finish(objects: IDBObjectStore, record: SubmissionRecord): Promise<void> {
    const heldUntil = isHandedOver(record) ? record.validUntil : undefined;
    if (record.slot) await releaseSlot(objects, record, record.slot, record.id, heldUntil);
    objects.put(record.id, keys.final(record.seq));
    if (mayStillHappen(record) || isHandedOver(record))
      objects.put({ id: record.id, lookedAt: lastChangeAt(record) }, keys.watch(record.seq));
    const surplus = (await promisifyRequest(objects.count(rangeOf('final')))) - historyLimit;
    if (surplus > 0) await forget(objects, surplus, record.id);
  }

  const isHeld = (record: SubmissionRecord): boolean =>
    isHandedOver(record) && now() < (record.validUntil ?? Number.POSITIVE_INFINITY) * 1000;

  /**
   * Forgets final submissions, those that ended first. It looks only among the ones that were
   * reserved first, because the whole history takes too long to read; what stays there makes the
   * next call look among more. What is still looked up stays, and what was cancelled while its
   * signature is valid, because its record is needed to end it for good: as many as `historyLimit`.
   * So does what follows one of these, which alone would say what became of their approval.
   * @param ending - Id of the submission that ends now, which stays.
   */
  async function forget(objects: IDBObjectStore, surplus: number, ending: string): Promise<void> {
    const range = rangeOf('final');
    const oldest = (await promisifyRequest(objects.getAllKeys(range, surplus + READ_AT_ONCE))).map(
      (key) => (key as [string, number])[1],
    );
    const at = now();
    const endOf = (seq: number) => (keptFor.get(seq)?.validUntil ?? 0) * 1000;
    const isKept = (seq: number) => keptFor.get(seq)?.isWatched === true || at < endOf(seq);
    const candidates = await Promise.all(
      oldest.map(async (seq) => {
        if (isKept(seq)) return [];
        const id = await endedIn(objects, seq);
        const [old, watch] = await Promise.all([
          promisifyRequest<unknown>(objects.get(keys.submission(id))),
          promisifyRequest<unknown>(objects.get(keys.watch(seq))),
        ]);
        const { data } = submissionRecordSchema().safeParse(old);
        const before = await beforeOf(objects, old);
        const isWatched = watch !== undefined && !(data && isHandedOver(data));
        if (id === ending || isOfNewerVersion(old) || (data && (isNeeded(data, isWatched) || isHeld(data)))) return [];
        if (data && (isWatched || data.state === 'cancelled'))
          keptFor.set(seq, { validUntil: data.validUntil ?? 0, isWatched });
        else if (before) keptFor.set(seq, { validUntil: before.validUntil ?? 0, isWatched: false });
        return before || isKept(seq) ? [] : [{ seq, endedAt: data ? lastChangeAt(data) : 0 }];
      }),
    );
    const first = candidates.flat().sort((a, b) => a.endedAt - b.endedAt);
    const over = first.slice(0, surplus).map(({ seq }) => seq);
    const kept = oldest.filter(isKept).sort((a, b) => endOf(b) - endOf(a) || b - a);
    for (const seq of [...over, ...kept.slice(Math.max(historyLimit, kept.length - surplus + over.length))])
      await forgetOne(objects, seq);
  }

  /** Id of a final submission; a damaged row names none, and is forgotten like the others. */
  const endedIn = async (objects: IDBObjectStore, seq: number) =>
    String(await promisifyRequest<unknown>(objects.get(keys.final(seq))));

  /** The submission before one, of the same approval, while it is kept. */
  const beforeOf = async (objects: IDBObjectStore, value: unknown): Promise<Partial<SubmissionRecord> | undefined> =>
    isObject(value) && typeof value.after === 'string'
      ? promisifyRequest(objects.get(keys.submission(value.after)))
      : undefined;

  async function forgetOne(objects: IDBObjectStore, seq: number): Promise<void> {
    const id = await endedIn(objects, seq);
    const old = await promisifyRequest<Partial<SubmissionRecord> | undefined>(objects.get(keys.submission(id)));
    if (await beforeOf(objects, old)) return;
    keptFor.delete(seq);
    objects.delete(keys.final(seq));
    objects.delete(keys.watch(seq));
    objects.delete(keys.submission(id));
    if (!old?.origin || !old.requestId) return;
    const requestKey = keys.request(old.origin, old.requestId);
    if ((await promisifyRequest(objects.get(requestKey))) === id) objects.delete(requestKey);
  }

  async function allIn(objects: IDBObjectStore): Promise<Found> {
    const [ids, values] = await Promise.all([
      idsIn(objects),
      promisifyRequest<unknown[]>(objects.getAll(rangeOf('submission'))),
    ]);
    return readable(ids, values);
  }

  /** Number of the last submission; counted anew when it cannot be read. */
  async function lastSeq(objects: IDBObjectStore): Promise<number> {
    const { data } = z.int().safeParse(await promisifyRequest<unknown>(objects.get(keys.sequence)));
    if (data !== undefined) return data;
    const [{ records }, ended] = await Promise.all([
      allIn(objects),
      promisifyRequest(objects.getAllKeys(rangeOf('final'))),
    ]);
    return Math.max(records.at(-1)?.seq ?? 0, Number((ended.at(-1) as [string, number] | undefined)?.[1] ?? 0));
  }

  async function copiesIn(objects: IDBObjectStore, origin: string, requestId: string): Promise<SubmissionRecord[]> {
    const values = await promisifyRequest<unknown[]>(objects.getAll(rangeOf('submission')));
    const isMeant = (value: unknown) => isObject(value) && value.origin === origin && value.requestId === requestId;
    return readable([], values.filter(isMeant)).records;
  }

  async function latestIn(
    objects: IDBObjectStore,
    origin: string,
    requestId: string,
  ): Promise<SubmissionRecord | undefined> {
    const id = await promisifyRequest<string | undefined>(objects.get(keys.request(origin, requestId)));
    return id === undefined ? undefined : readSubmission(objects, id);
  }

  /** See `outcomeOf`. Reads all submissions only when nothing came of a further copy. */
  async function outcomeIn(
    objects: IDBObjectStore,
    origin: string,
    requestId: string,
  ): Promise<SubmissionRecord | undefined> {
    const latest = await latestIn(objects, origin, requestId);
    if (latest?.copy === undefined || !isDropped(latest)) return latest;
    return outcomeAmong(await copiesIn(objects, origin, requestId));
  }

  /**
   * Ids of submissions that are not settled yet; reads no settled record, however long the history
   * is.
   */
  async function openIds(objects: IDBObjectStore): Promise<string[]> {
    const [ids, ended] = await Promise.all([
      idsIn(objects),
      promisifyRequest<string[]>(objects.getAll(rangeOf('final'))),
    ]);
    const over = new Set(ended);
    return ids.filter((id) => !over.has(id));
  }

  const valuesOf = (objects: IDBObjectStore, ids: readonly string[]): Promise<readonly unknown[]> =>
    Promise.all(ids.map((id) => promisifyRequest<unknown>(objects.get(keys.submission(id)))));

  const openValues = (): Promise<readonly unknown[]> =>
    readOnly(store, async (objects) => valuesOf(objects, await openIds(objects)));

  const readOpen = async (): Promise<SubmissionRecord[]> => readable([], await openValues()).records;

  return {
    /**
     * Records an approved submission and takes its storage id and its share of a standing approval,
     * before anything is signed: all in one transaction, since IndexedDB runs write transactions
     * one after another, also those of other contexts of the extension.
     * @throws {JournalError} `request-exists` when the same page request has a submission that is
     *   open or that was ever answered other than by a definite refusal; `signed-before` when it
     *   was refused and no further copy was approved; `cursor-unknown`, `ids-exhausted`,
     *   `slots-exhausted`, `limit-exceeded`, `rule-closed`, `bad-input`, `storage-full`, `storage`.
     *   Nothing is written then.
     */
    async reserve(submission: SubmissionDraft, options: ReserveOptions = {}): Promise<SubmissionRecord> {
      const draft = parseInput(submissionDraftSchema(), submission, 'the submission');
      const { slot, spend, copies = 1, after } = options;
      const exchange = await exchangeIdOf(draft.networkId);
      const floors = slot ? await floorsOf({ exchange, accountId: draft.accountId }, slot) : [];
      const attempt = async (foreign?: readonly number[]) => {
        const id = uuid();
        if (alive.has(id)) throw new JournalError('storage', `submission ${id} is being signed`);
        alive.add(id);
        return transact(store, async (objects) => {
          const earlier = await outcomeIn(objects, draft.origin, draft.requestId);
          let copy = 1;
          if (earlier !== undefined) {
            const submissionId = earlier.id;
            if (!isDropped(earlier))
              throw new JournalError(
                'request-exists',
                `request ${draft.requestId} is submission ${submissionId} already`,
                { submissionId },
              );
            copy = (earlier.copy ?? 1) + (earlier.state === 'refused' ? 1 : 0);
            if (copy > copies)
              throw new JournalError('signed-before', `request ${draft.requestId} was signed ${copy - 1} times`, {
                submissionId,
              });
          }
          const before = earlier?.id ?? after;
          const seq = (await lastSeq(objects)) + 1;
          const taken = slot && (await reserveSlot(objects, draft, { ...slot, floors, foreign, now: now() }, id));
          if (spend) await consume(objects, spend, now());
          const at = now();
          const next: SubmissionRecord = {
            version: recordVersion,
            id,
            seq,
            ...draft,
            state: 'reserved',
            ...(taken ? { slot: taken } : {}),
            ...(spend ? { rule: spend.ruleId } : {}),
            ...(copy > 1 ? { copy } : {}),
            ...(before === undefined ? {} : { after: before }),
            history: [
              { state: 'approved', at },
              { state: 'reserved', at },
            ],
          };
          objects.put(seq, keys.sequence);
          objects.put(id, keys.request(draft.origin, draft.requestId));
          // `add` refuses an id that exists: a broken random source must not overwrite a record.
          objects.add(next, keys.submission(id));
          return next;
        }).catch((error: unknown) => {
          alive.delete(id);
          throw error;
        });
      };
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof JournalError && error.code === 'slots-unread' && slot?.openSlots)) throw error;
        // Outside of the transaction, like every request to the relayer.
        return await attempt(await slot.openSlots());
      }
    },

    /**
     * Stores the exact bytes, the payload's hash and the key that signed, when it is another than
     * the reserved one. Only after this resolves may they leave.
     * @throws {JournalError} `already-signed`: the submission has a payload, whether the same or
     *   another.
     */
    async markSigned(
      id: string,
      { hash, publicKey, ...payload }: { readonly wire: Wire } & Pick<SubmissionRecord, 'hash' | 'publicKey'>,
    ): Promise<SubmissionRecord> {
      const wire = parseInput(wireSchema(), payload.wire, 'the signed request');
      return step(id, 'signed', {
        wire,
        ...(hash === undefined ? {} : { hash }),
        ...(publicKey === undefined ? {} : { publicKey }),
      });
    },

    /** The bytes leave, and may arrive; again for each time the same bytes are sent. */
    markSent: (id: string) => step(id, 'sent', (record) => ({ sends: sendsOf(record) + 1 })),

    /** The relayer took it, or told of progress. `ack` is its answer. */
    markAcknowledged: (id: string, ack: z.input<ReturnType<typeof z.json>>, note?: string) =>
      step(id, 'acknowledged', { ack }, note),

    /** The relayer refused the only copy that it was sent. */
    markRefused: async (id: string, error: SubmissionError) =>
      step(id, 'refused', { error: parseInput(submissionErrorSchema(), error, 'the error') }),

    /**
     * Submissions of which nothing came or that their site has, and whose signature is still valid,
     * with the time of the last check, Unix milliseconds; what cannot be read is left out.
     */
    watched: (): Promise<{ readonly record: SubmissionRecord; readonly lookedAt: number }[]> =>
      readOnly(store, async (objects) => {
        const entries = await promisifyRequest<unknown[]>(objects.getAll(rangeOf('watch')));
        const found = await Promise.all(
          entries.map(async (entry) => {
            const watch = watchSchema().safeParse(entry).data;
            if (!watch) return [];
            const record = await promisifyRequest<unknown>(objects.get(keys.submission(watch.id)));
            const { data } = submissionRecordSchema().safeParse(record);
            return data ? [{ record: data, lookedAt: watch.lookedAt }] : [];
          }),
        );
        return found.flat();
      }),

    /** Notes that one of them was polled; with `null` it is not polled any more. */
    markWatched: ({ id, seq }: Pick<SubmissionRecord, 'id' | 'seq'>, lookedAt: number | null): Promise<void> =>
      transact(store, async (objects) => {
        if ((await promisifyRequest<unknown>(objects.get(keys.watch(seq)))) === undefined) return;
        if (lookedAt === null) {
          objects.delete(keys.watch(seq));
          keptFor.delete(seq);
        } else objects.put({ id, lookedAt }, keys.watch(seq));
      }),

    /** All submissions of one request, each with a signature of its own; oldest first. */
    copiesOf: (origin: string, requestId: string): Promise<SubmissionRecord[]> =>
      readOnly(store, (objects) => copiesIn(objects, origin, requestId)),

    /** The submission that says what became of a page's request: see `outcomeAmong`. */
    outcomeOf: (origin: string, requestId: string): Promise<SubmissionRecord | undefined> =>
      readOnly(store, (objects) => outcomeIn(objects, origin, requestId)),

    /** The relayer's final word. */
    markFinal: (
      id: string,
      state: FinalState,
      { ack, note }: { ack?: z.input<ReturnType<typeof z.json>>; note?: string | undefined } = {},
    ) => step(id, state, ack === undefined ? {} : { ack }, note),

    /** Ends a submission whose bytes certainly did not arrive. Its storage id stays used. */
    markAbandoned: (id: string, note: string) => step(id, 'abandoned', {}, note),

    /**
     * Keeps the reason why there is no answer; the state stays `signed` or `sent`, which is
     * *unknown*.
     * @param isNotKept - The copy that left last did not arrive, or the relayer did not keep it.
     */
    async markUnanswered(
      id: string,
      error: SubmissionError,
      isNotKept = error.outcome === 'not-sent',
    ): Promise<SubmissionRecord> {
      const checked = parseInput(submissionErrorSchema(), error, 'the error');
      return transact(store, async (objects) => {
        const record = await readSubmission(objects, id);
        if (!isUnknown(record)) {
          throw new JournalError(
            'illegal-transition',
            `submission ${id} is ${record.state}, not waiting for an answer`,
            {
              submissionId: id,
            },
          );
        }
        const sends = Math.max(0, (record.sends ?? 0) - Number(isNotKept));
        const next = { ...record, error: checked, ...(record.sends === undefined ? {} : { sends }) };
        objects.put(next, keys.submission(id));
        return next;
      });
    },

    /**
     * Moves a cursor up to what the relayer reports; never down.
     * @param most - How far ahead of a known cursor it is believed; a million when absent.
     * @returns The next id.
     * @throws {JournalError} `id-jump`
     */
    async resyncCursor({ networkId, ...of }: CursorRef, nextFromRelayer: number, most?: number): Promise<number> {
      checkStorageId(nextFromRelayer, of.parity, 'the relayer’s next storage id');
      const ref: CursorKey = { exchange: await exchangeIdOf(networkId), ...of };
      return transact(store, async (objects) => {
        const known = await readCursor(objects, ref);
        checkJump(nextFromRelayer, known.next, undefined, known.cursor && most);
        const next = Math.max(known.next, nextFromRelayer);
        objects.put({ ...known.cursor, version: cursorVersion, next }, keys.cursor(ref));
        return next;
      });
    },

    get: (id: string): Promise<SubmissionRecord | undefined> =>
      readOnly(store, (objects) => read(objects, keys.submission(id), submissionRecordSchema())),

    /** The latest submission of a page's request, also one that was given up. */
    byRequest: (origin: string, requestId: string): Promise<SubmissionRecord | undefined> =>
      readOnly(store, (objects) => latestIn(objects, origin, requestId)),

    /**
     * Submissions, newest first. Records that cannot be read are left out; `everything` names them.
     */
    async list(filter: ListFilter = {}): Promise<SubmissionRecord[]> {
      const { exchangeOf: of } = filter;
      const exchange = of === undefined ? undefined : await exchangeOf(of);
      const [stored, networkIds] = await readOnly(store, (objects) =>
        Promise.all([
          promisifyRequest<unknown[]>(objects.getAll(rangeOf('submission'))),
          exchange && networksOf(objects, exchange),
        ]),
      );
      const newestFirst = stored.filter(isObject).sort((a, b) => (b.seq ?? 0) - (a.seq ?? 0));
      const found: SubmissionRecord[] = [];
      // Only what is asked for is read by its schema: a thousand take a tenth of a second.
      for (const record of newestFirst) {
        if (found.length === filter.limit) break;
        const { data } = isAskedFor(record, filter, networkIds) ? submissionRecordSchema().safeParse(record) : {};
        if (data) found.push(data);
      }
      return found;
    },

    /**
     * All submissions, and the ids of those that cannot be read; `exportAll` has them as they are.
     */
    everything: (): Promise<Found> => readOnly(store, allIn),

    /** Everything that is not final, oldest first. */
    pending: readOpen,

    /**
     * The earliest time of all submissions that are not final. Stops reading at the first that is
     * early enough, and reads nothing when that is the one that this instance moved last: with
     * hundreds open, reading all of them costs more than an order.
     * @param timeOf - `undefined` for one that does not count.
     * @param enough - A time for which it does not matter how much earlier others are.
     */
    async earliestPending(
      timeOf: (record: SubmissionRecord) => number | undefined,
      enough: number,
    ): Promise<number | undefined> {
      const known = latest === undefined || isFinal(latest.state) ? undefined : timeOf(latest);
      if (known !== undefined && known <= enough) return known;
      return readOnly(store, async (objects) => {
        const ids = await openIds(objects);
        let earliest: number | undefined;
        for (let start = 0; start < ids.length && (earliest ?? Infinity) > enough; start += READ_AT_ONCE) {
          const values = await valuesOf(objects, ids.slice(start, start + READ_AT_ONCE));
          for (const time of readable([], values).records.map(timeOf))
            if (time !== undefined) earliest = Math.min(time, earliest ?? time);
        }
        return earliest;
      });
    },

    /** False for a journal that the browser made anew because the one before was lost. */
    isBegun: (): Promise<boolean> =>
      readOnly(store, async (objects) => (await promisifyRequest<unknown>(objects.get(keys.sequence))) !== undefined),

    /** With the vault, or once it is known that records are lost; nothing that it holds changes. */
    begin: (): Promise<void> =>
      transact(store, async (objects) => {
        objects.put(await lastSeq(objects), keys.sequence);
      }),

    /** Ids of the exchanges that something was signed for, also of removed networks. */
    usedExchanges: (): Promise<readonly string[]> => readOnly(store, usedExchanges),

    /**
     * Submissions that a user should look at: reserved and left there, without an answer after an
     * error or for `GRACE_MS`, or acknowledged and still not final `GRACE_MS` after they expired;
     * what has no end of its own expires after a day.
     */
    async needsAttention(): Promise<SubmissionRecord[]> {
      const at = now();
      return (await readOpen()).filter((record) => {
        if (record.state === 'reserved') return !alive.has(record.id) && at - lastChangeAt(record) > GRACE_MS;
        if (isUnknown(record)) return record.error !== undefined || at - lastChangeAt(record) > GRACE_MS;
        const { validUntil = (record.history[0]?.at ?? 0) / 1000 + DAY_SECONDS } = record;
        return at > validUntil * 1000 + GRACE_MS;
      });
    },

    /**
     * Called at each start of the worker: closes what was reserved by one that stopped before
     * signing. Settled submissions are not read: a long history must not slow down a start.
     * @returns What was closed, in the order of reservation. What cannot be read or closed stays as
     *   it is.
     */
    async resume(): Promise<SubmissionRecord[]> {
      const abandoned: SubmissionRecord[] = [];
      // Every start waits for this, and most find none; what else is open is read by those who need
      // it.
      const reserved = (await openValues()).filter((value) => isObject(value) && value.state === 'reserved');
      for (const { id } of readable([], reserved).records)
        if (!alive.has(id))
          await step(id, 'abandoned', {}, 'stopped before signing').then(
            (record) => abandoned.push(record),
            reported('journal: close what was reserved'),
          );
      return abandoned;
    },

    /**
     * Starts the counters of a standing approval; does nothing when they have counted something or
     * were closed.
     */
    openRule: (ruleId: string, terms: RuleTerms): Promise<void> =>
      transact(store, (objects) => openRule(objects, ruleId, terms, now())),

    /**
     * Ends a standing approval: once this resolves, nothing more is counted and so nothing more is
     * signed under it.
     */
    closeRule: (ruleId: string): Promise<void> => transact(store, (objects) => closeRule(objects, ruleId)),

    /** Where a standing approval stands; `undefined` when there never was one of this id. */
    getRule: (ruleId: string): Promise<RuleState | undefined> =>
      readOnly(store, (objects) => ruleState(objects, ruleId, now())),

    /**
     * Everything that the journal holds, as JSON data; records that cannot be read are included as
     * they are.
     */
    exportAll: () =>
      readOnly(store, async (objects) => {
        const [submissions, cursorKeys, cursors] = await Promise.all([
          promisifyRequest<unknown[]>(objects.getAll(rangeOf('submission'))),
          promisifyRequest(objects.getAllKeys(rangeOf('cursor'))),
          promisifyRequest<{ next?: unknown }[]>(objects.getAll(rangeOf('cursor'))),
        ]);
        return {
          format: 'countersign-journal' as const,
          version: recordVersion,
          exportedAt: now(),
          submissions,
          cursors: cursorKeys.map((key, index) => {
            const [, exchange, accountId, tokenId, parity] = key as unknown[];
            return { exchange, accountId, tokenId, parity, next: cursors[index]?.next };
          }),
        };
      }),
  };

  /** Asked before the transaction, which can wait for nothing else; the maximum is taken there. */
  async function floorsOf(
    account: Pick<CursorKey, 'exchange' | 'accountId'>,
    slot: SlotRequest,
  ): Promise<readonly (number | undefined)[]> {
    const floors = [];
    for (const { tokenId, nextFromRelayer } of slot.also ? [slot, slot.also] : [slot]) {
      if (typeof nextFromRelayer !== 'function') {
        floors.push(nextFromRelayer);
        continue;
      }
      const ref: CursorKey = { ...account, tokenId, parity: slot.parity };
      const { cursor, isDamaged } = await readOnly(store, (objects) => readCursor(objects, ref));
      const isKnown = cursor !== undefined || (slot.reuse !== undefined && !isDamaged);
      floors.push(isKnown ? undefined : await nextFromRelayer());
    }
    return floors;
  }
}

function parseInput<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.length ? ` at ${issue.path.map(String).join('.')}` : '';
  throw new JournalError('bad-input', `${what} has a wrong shape${where}: ${issue?.message}`);
}
