import { type RelayerClient, RelayerClientError } from '../../client/index.ts';
import {
  ENDED_UNSEEN,
  isCancelledEarly,
  isFinal,
  isUnknown,
  type Journal,
  JournalError,
  lastChangeAt,
  mayHaveArrivedBefore,
  mayStillHappen,
  type SubmissionError,
  type SubmissionRecord,
  sendsOf,
} from '../../journal/index.ts';
import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import { findOperation, operationNamed } from '../../operations/index.ts';
import type { Outcome } from '../../operations/settlement.ts';
import { type EndpointName, endpoints, relayerErrors } from '../../protocol/index.ts';
import { metElsewhere, report, reported } from '../../report/report.ts';
import { UiFailure } from '../errors/uiFailure.ts';
import { ownAccount } from '../relayers/accountOfOwner.ts';
import type { ApiKeys } from '../relayers/apiKeys.ts';
import { type ReadPurpose, readsFor } from '../relayers/reads.ts';
import { type Relayers, refusedWith } from '../relayers/relayers.ts';
import { sideBySide } from '../relayers/sideBySide.ts';
import type { AccountOnNetwork, Config } from '../settings/config.ts';
import { accountIdOf } from '../settings/storedConfig.ts';
import { isLate } from './isLate.ts';
import {
  awaitedHash,
  awaitsPage,
  ENDED_HANDED_OVER,
  isHandedOver,
  isOfOldKey,
  lastTakenAt,
  OTHER_HASH,
  refusalNameOf,
  submittedRequest,
} from './submissionRecord.ts';

/**
 * Waits before the same bytes are sent again while the user is watching; afterwards the alarm goes
 * on.
 */
const RESEND_AFTER_MS = [0, 1_000, 3_000];
/** An open submission is checked after a quarter of its age, within these bounds. */
const FIRST_CHECK_MS = 2_000;
const LAST_CHECK_MS = 600_000;
/** The longest wait where a wallet contract may have approved the hash meanwhile. */
const APPROVAL_CHECK_MS = 60_000;
/**
 * Submissions of one site at one network that are checked in one round; those that are due the
 * longest come first.
 */
const CHECKS_PER_SITE = 8;

const TOO_LATE = 'too late to be sent';
const WITH_SITE = 'the signature went to the site';

/** For a list that was read before: a record can be forgotten, or removed with all, meanwhile. */
const unlessForgotten =
  (where: string) =>
  (error: unknown): void => {
    if (!(error instanceof JournalError && error.code === 'not-found')) report(where, error);
  };

/** What a site causes counts for its share of what may be sent. */
const shareOf = (origin: string): ReadPurpose => (origin === OWN_ORIGIN ? {} : { origin });

interface Parts {
  readonly clock: {
    /** Unix milliseconds. */
    now(): number;
    sleep(ms: number): Promise<void>;
  };
  readonly journal: Journal;
  readonly config: Config;
  readonly relayers: Relayers;
  readonly accountKeys: ApiKeys;
  readonly requests: {
    /** Whether the answer to its pages was made from this record. */
    readonly isAnswered: (record: SubmissionRecord) => Promise<boolean>;
    /** Closes the approval of what the user gave up, or its next run would sign again. */
    readonly close: (record: SubmissionRecord) => Promise<unknown>;
    /** Called after each change of a record that somebody may be waiting for. */
    readonly changed: (record: SubmissionRecord) => Promise<void>;
  };
}

/**
 * Takes a signed submission to its end: sends the journal's bytes, asks before it sends them again,
 * follows what was acknowledged. Never signs, never builds a request.
 */
export function createSubmissions({
  clock,
  journal,
  config,
  relayers,
  accountKeys,
  requests: { isAnswered, close, changed },
}: Parts) {
  /** One worker at a time per submission, within this life of the background. */
  const busy = new Map<string, Promise<SubmissionRecord>>();
  /**
   * Unix milliseconds of the last check of what is open, or whose check failed; lost with the
   * worker, which then checks once more. Of what is settled the journal knows it.
   */
  const checkedAt = new Map<string, number>();

  /** Signed, never sent, and too old to be sent for the first time. */
  const isStale = (record: SubmissionRecord) => record.state === 'signed' && isLate(lastChangeAt(record), clock.now());

  /** Its page has it: the answer was made, and its end is not written yet. */
  const isWithPage = async (record: SubmissionRecord) => awaitsPage(record) && (await isAnswered(record));

  /** Ends what ends without the relayer: its page has it, or it is too late to leave. */
  async function endHere(record: SubmissionRecord): Promise<SubmissionRecord> {
    if (await isWithPage(record)) return journal.markFinal(record.id, 'processed', { note: WITH_SITE });
    return isStale(record) ? journal.markAbandoned(record.id, TOO_LATE) : record;
  }

  async function ownerOf(record: SubmissionRecord): Promise<AccountOnNetwork> {
    const { account, network } = await config.place(accountIdOf(record));
    if (!network || !account) throw new Error(`submission ${record.id} belongs to no account of this wallet`);
    return { account, network };
  }

  /**
   * @param leaving - Called when nothing holds the bytes back any more, before they leave; again
   *   when they leave with a renewed API key.
   */
  async function post(
    { id, origin, wire }: SubmissionRecord,
    { account, network }: AccountOnNetwork,
    leaving: () => Promise<unknown>,
  ): Promise<Record<string, unknown>> {
    if (!wire) throw new Error(`submission ${id} has no bytes to send`);
    const { endpoint, ...request } = wire;
    const client = relayers.client(network);
    const method = client[endpoint as keyof RelayerClient] as (input: object) => Promise<Record<string, unknown>>;
    const send = (key: object) => method({ ...request, ...key, ...shareOf(origin), leaving });
    if (endpoints[endpoint as EndpointName].apiKey === 'none') return send({});
    return accountKeys.withApiKey(account, network, (apiKey) => send({ apiKey }));
  }

  /**
   * `null`: the relayer does not list it; `undefined`: it no longer knows the account, or the order
   * whose cancellation it took, or past the record's end the account's number has another owner, so
   * no list was seen.
   */
  async function find(
    record: SubmissionRecord,
    { account, network }: AccountOnNetwork,
    purpose: ReadPurpose,
  ): Promise<Outcome | null | undefined> {
    // Who asks for the account of somebody else is refused in as many ways as there are look-ups.
    if (clock.now() > lastTakenAt(record) && !(await ownAccount(relayers.client(network), account, purpose)))
      return undefined;
    const reads = readsFor(account, network, { relayers, accountKeys, ports: clock }, purpose);
    try {
      const { settle } = operationNamed(record.operation);
      return settle.find ? await settle.find(submittedRequest(record), reads) : null;
    } catch (error) {
      if (refusedWith(error, 'ACCOUNT_NOT_FOUND')) return undefined;
      throw error;
    }
  }

  /**
   * Applies the outcome that the relayer reports; `open` leaves an acknowledged record as it is.
   */
  async function take(record: SubmissionRecord, { state, ack, note }: Outcome): Promise<SubmissionRecord> {
    if (state !== 'open') return journal.markFinal(record.id, state, { ack: asJson(ack), note });
    return record.state === 'acknowledged' ? record : journal.markAcknowledged(record.id, asJson(ack), note);
  }

  /**
   * Outcome that the stored acknowledgement implies: the worker may have been stopped before it
   * recorded the end.
   */
  const acknowledgedOutcome = (record: SubmissionRecord): Outcome =>
    operationNamed(record.operation).settle.outcomeOf(submittedRequest(record).ack);

  async function takeAnswer(record: SubmissionRecord, ack: Record<string, unknown>): Promise<SubmissionRecord> {
    const settlement = operationNamed(record.operation).settle;
    const { hash } = ack as { hash?: string };
    const honest = !settlement.reportsHash || BigInt(hash ?? '0x0') === BigInt(record.hash ?? '0x0');
    const next = await journal.markAcknowledged(
      record.id,
      asJson(ack),
      honest ? undefined : `${OTHER_HASH} ${hash}, the signed one is ${record.hash}`,
    );
    return take(next, settlement.outcomeOf(ack));
  }

  async function takeFailure(
    record: SubmissionRecord,
    owner: AccountOnNetwork,
    error: RelayerClientError,
  ): Promise<SubmissionRecord> {
    const failure = submissionError(error);
    // The relayer keeps no copy of what a contract has not approved yet.
    const isNotKept = error.outcome === 'not-sent' || awaitedHash({ ...record, error: failure }) !== null;
    const unanswered = await journal.markUnanswered(record.id, failure, isNotKept);
    if (error.outcome !== 'refused' || error.relayerCode === undefined) return unanswered;
    try {
      return (await lookUp(unanswered, owner)) ?? unanswered;
    } catch (failed) {
      // Nothing was seen, so nothing is known: the next check decides.
      if (failed instanceof RelayerClientError) return unanswered;
      throw failed;
    }
  }

  async function sendOnce(record: SubmissionRecord, owner: AccountOnNetwork): Promise<SubmissionRecord> {
    let sent: SubmissionRecord | undefined;
    let isTooLate = false;
    let ack: Record<string, unknown>;
    try {
      ack = await post(record, owner, async () => {
        // The API key, or the wallet's own queue, may have taken minutes.
        isTooLate = !sent && isStale(record);
        if (isTooLate) throw new Error(TOO_LATE);
        sent ??= await journal.markSent(record.id);
      });
    } catch (error) {
      if (isTooLate) return journal.markAbandoned(record.id, TOO_LATE);
      if (!(error instanceof RelayerClientError)) throw error;
      if (sent) return takeFailure(sent, owner, error);
      // The API key could not be had, or the own queue is full. Of what was sent before, the reason
      // why there is no answer stays.
      if (record.state !== 'signed') throw error;
      return journal.markUnanswered(record.id, { ...submissionError(error), outcome: 'not-sent' });
    }
    return takeAnswer(record, ack);
  }

  /** Past its end by both clocks: one that is wrong must not end what the relayer still takes. */
  async function hasExpired(record: SubmissionRecord, { network }: AccountOnNetwork): Promise<boolean> {
    const last = lastTakenAt(record);
    return clock.now() > last && (await relayers.client(network).getTimestamp({})).timestamp > last;
  }

  /**
   * Looks the submission up at the relayer; `null` when the relayer does not know it and the bytes
   * have to go again.
   */
  async function lookUp(
    record: SubmissionRecord,
    owner: AccountOnNetwork,
    purpose: ReadPurpose = {},
  ): Promise<SubmissionRecord | null> {
    const found = await find(record, owner, purpose);
    if (found) return take(record, found);
    if (found === null && isRefused(record, owner)) return journal.markRefused(record.id, record.error);
    if (!(await hasExpired(record, owner))) return null;
    // What was not there before the clocks were read may have come since, also while the machine
    // slept.
    const last = await find(record, owner, purpose);
    if (last) return take(record, last);
    const isUnseen = found === undefined || last === undefined;
    return journal.markFinal(record.id, 'expired', {
      note: isUnseen ? ENDED_UNSEEN : 'unknown to the relayer after its expiry',
    });
  }

  async function work(given: SubmissionRecord, known: 'new' | 'maybe-sent'): Promise<SubmissionRecord> {
    let record = await endHere(given);
    // It is complete with the answer.
    if (awaitsPage(record)) return record;
    if (isFinal(record.state)) {
      await changed(record);
      return record;
    }
    const owner = await ownerOf(record);
    for (const [attempt, pause] of RESEND_AFTER_MS.entries()) {
      if (!isUnknown(record) || (attempt > 0 && awaitedHash(record) !== null)) break;
      if (pause > 0) await clock.sleep(pause);
      try {
        // The user may have asked about what was sent before.
        const purpose: ReadPurpose = known === 'new' ? shareOf(record.origin) : {};
        const isUnsent = attempt === 0 && known === 'new';
        const found: SubmissionRecord | null = isUnsent ? null : await lookUp(record, owner, purpose);
        record = found ?? (await sendOnce(record, owner));
      } catch (error) {
        if (!(error instanceof RelayerClientError)) throw error;
      }
    }
    await changed(record);
    return record;
  }

  async function follow(record: SubmissionRecord): Promise<SubmissionRecord> {
    const owner = await ownerOf(record);
    const findIt = () => find(record, owner, { priority: 'poll', origin: record.origin });
    const listed = await findIt();
    const found = listed ?? acknowledgedOutcome(record);
    // The relayer took it and has lost it: a signature that nobody can use any more is no open
    // request.
    const isLost = !listed && found.state !== 'processed' && (listed === undefined || record.slot !== undefined);
    const next =
      isLost && (await hasExpired(record, owner)) && (await findIt()) === listed
        ? await journal.markFinal(record.id, 'expired', {
            note: listed === undefined ? ENDED_UNSEEN : 'acknowledged, and unknown to the relayer after its expiry',
          })
        : await take(record, found);
    if (next !== record) await changed(next);
    return next;
  }

  /**
   * Looks whether the relayer has what it refused or called ended, or has carried out what a site
   * has, as long as the signature is valid.
   */
  async function watch(record: SubmissionRecord): Promise<SubmissionRecord> {
    if (!(await config.account(accountIdOf(record)))) {
      // The user removed the account and may add it again until the signature ends.
      await journal.markWatched(record, clock.now() > lastTakenAt(record) ? null : clock.now());
      return record;
    }
    const owner = await ownerOf(record);
    const isPast = await hasExpired(record, owner);
    const found = await find(record, owner, { priority: 'poll', origin: record.origin });
    const isHanded = isHandedOver(record);
    if (!found || (isHanded ? found.ack.status !== 'processed' : found.state === record.state)) {
      if (isPast && isHanded) {
        const note = found ? `${ENDED_HANDED_OVER}: ${found.state}` : ENDED_HANDED_OVER;
        const ended = await journal.markFinal(record.id, 'processed', { note });
        await changed(ended);
        return ended;
      }
      await journal.markWatched(record, isPast ? null : clock.now());
      return record;
    }
    const next = await take(record, found);
    await changed(next);
    return next;
  }

  function alone(id: string, run: () => Promise<SubmissionRecord>): Promise<SubmissionRecord> {
    let running = busy.get(id);
    if (!running) {
      running = run().finally(() => {
        busy.delete(id);
        checkedAt.set(id, clock.now());
      });
      running.then(({ state }) => isFinal(state) && checkedAt.delete(id), metElsewhere);
      busy.set(id, running);
    }
    return running;
  }

  /** Waits for what is being done with a submission, where `alone` would take part in it. */
  async function inTurn(id: string, run: () => Promise<SubmissionRecord>): Promise<SubmissionRecord> {
    for (let running = busy.get(id); running; running = busy.get(id)) await running.catch(metElsewhere);
    return alone(id, run);
  }

  /**
   * When an open or watched submission is due for a check, Unix milliseconds.
   * @param stored - Time of the last check or change, for the first check of this worker lifetime.
   */
  function dueAt(record: SubmissionRecord, stored = lastChangeAt(record)): number {
    const last = checkedAt.get(record.id) ?? stored;
    // The clock was set back: waiting for a time that was written before could take as long as it
    // was wrong.
    if (last > clock.now()) return clock.now();
    const since = record.history[0]?.at ?? last;
    // The clock was ahead when it was placed: it counts as old.
    const age = Math.max(last - since, Math.min(since - last, 4 * LAST_CHECK_MS));
    // What nothing came of is looked up again whenever its age has doubled.
    if (isFinal(record.state)) return last + Math.max(FIRST_CHECK_MS, age);
    // A newer version of this wallet may have signed it: what it waits for is unknown, and all
    // others go on.
    const pollIntervalMs = findOperation(record.operation)?.settle.pollIntervalMs;
    // After an hour the fixed interval grows as well.
    if (pollIntervalMs !== undefined && !isUnknown(record))
      return last + Math.max(pollIntervalMs, Math.min(LAST_CHECK_MS, age / 240));
    const longest = awaitedHash(record) === null ? LAST_CHECK_MS : APPROVAL_CHECK_MS;
    return last + Math.min(longest, Math.max(FIRST_CHECK_MS, age / 4));
  }

  /**
   * Gives up what was signed: it certainly never left.
   * @throws {UiFailure} `already-sent`
   */
  async function giveUp(id: string): Promise<SubmissionRecord> {
    const record = await journal.get(id);
    if (record?.state !== 'signed' || (await isWithPage(record)))
      throw new UiFailure('already-sent', 'error_alreadySent');
    const ended = await journal.markAbandoned(id, 'given up before it was sent');
    await close(ended).catch(reported('submissions: close what was given up'));
    await changed(ended);
    return ended;
  }

  return {
    /** Waits for what is being done with it, because that may send it. @throws As `giveUp`. */
    abandon: (id: string) => inTurn(id, () => giveUp(id)),

    /** Sends what was just signed. Ends with an answer, or unknown after three tries. */
    send: (record: SubmissionRecord) => alone(record.id, () => work(record, 'new')),

    /**
     * Answers the page that a signature goes to, unless it was given up or is too late: that is
     * decided here, while nobody else ends it.
     * @returns The record before its answer.
     */
    handOver: (sent: SubmissionRecord, answer: (record: SubmissionRecord) => Promise<void>) =>
      inTurn(sent.id, async () => {
        const record = await endHere((await journal.get(sent.id)) ?? sent);
        if (record.state !== 'abandoned') await answer(record);
        return record;
      }),

    /**
     * Ends a signature that goes to the page alone, once its answer is on the disk; called within
     * `handOver`, which tells of it after the answer.
     */
    async answered(id: string): Promise<void> {
      const record = await journal.get(id);
      if (record && awaitsPage(record)) await endHere(record);
    },

    /** Asks about one submission now, whatever its schedule says. */
    async check(id: string): Promise<SubmissionRecord> {
      const record = await journal.get(id);
      if (!record) throw new JournalError('not-found', `there is no submission ${id}`, { submissionId: id });
      if (record.state === 'refused' || mayStillHappen(record) || isCancelledEarly(record) || isHandedOver(record))
        return alone(id, () => watch(record));
      // A reservation has no bytes that the relayer could know.
      if (isFinal(record.state) || record.state === 'reserved') return record;
      return alone(id, () => (isUnknown(record) ? work(record, 'maybe-sent') : follow(record)));
    },

    /**
     * Asks now about open submissions, whatever their schedule says, networks side by side. A
     * failure leaves its record as it is.
     * @param isMeant - Which of them.
     * @param most - How many of them.
     */
    async checkOpen(isMeant: (record: SubmissionRecord) => boolean, most: number): Promise<void> {
      const open = (await journal.pending()).filter((record) => record.state !== 'reserved' && isMeant(record));
      await sideBySide(
        open.slice(0, most),
        ({ networkId }) => networkId,
        ({ id }) => this.check(id).catch(unlessForgotten('submissions: check what is open')),
      );
    },

    /**
     * Checks what is due, open and watched, sites and networks side by side and each within its
     * budget: a site with hundreds of requests keeps those of others waiting no longer. A failure
     * leaves its record as it is, for the next time.
     */
    async checkDue(): Promise<void> {
      const due = [
        ...(await journal.watched()).map(({ record, lookedAt: last }) => ({ record, at: dueAt(record, last) })),
        ...(await journal.pending())
          .filter(({ state }) => state !== 'reserved')
          .map((record) => ({ record, at: dueAt(record) })),
      ].filter(({ at }) => at <= clock.now());
      await sideBySide(
        due.sort((a, b) => a.at - b.at),
        ({ record }) => `${record.networkId} ${record.origin}`,
        ({ record }) => this.check(record.id).catch(unlessForgotten('submissions: check what is due')),
        CHECKS_PER_SITE,
      );
    },

    /** When the next check is due, Unix milliseconds; `undefined` when nothing is open. */
    async nextDueAt(): Promise<number | undefined> {
      const soonest = clock.now() + FIRST_CHECK_MS;
      const open = await journal.earliestPending(
        (record) => (record.state === 'reserved' ? undefined : dueAt(record)),
        soonest,
      );
      if (open !== undefined && open <= soonest) return soonest;
      const watched = await journal.watched();
      const due = [open ?? [], watched.map(({ record, lookedAt: last }) => dueAt(record, last))].flat();
      return due.length > 0 ? Math.max(soonest, Math.min(...due)) : undefined;
    },
  };
}

const submissionError = ({
  kind,
  relayerCode,
  relayerName,
  message,
  outcome,
}: RelayerClientError): SubmissionError => ({
  code: relayerCode ?? kind,
  ...(relayerName === undefined ? {} : { name: relayerName }),
  message: message.slice(0, 2000),
  outcome,
});

/**
 * The relayer said no, with a reason, to the only copy that left, and the same bytes would be
 * refused again.
 */
function isRefused(
  record: SubmissionRecord,
  { account }: AccountOnNetwork,
): record is SubmissionRecord & { readonly error: SubmissionError } {
  if (record.error?.outcome !== 'refused' || typeof record.error.code !== 'number') return false;
  // A list can be behind. The first copy may have used the storage id or the balance that the
  // repeat is refused for.
  if (mayHaveArrivedBefore(record)) return false;
  const name = refusalNameOf(record);
  if (name === undefined) return true;
  // Also said of a hash that the contract has not approved yet: the same bytes go again until it
  // has, or until they expire. Of an old key's signature the approval changes nothing.
  if (awaitedHash(record) !== null) return sendsOf(record) === 0 && isOfOldKey(record, account);
  return relayerErrors[name].retry !== 'same-bytes';
}

export type Submissions = ReturnType<typeof createSubmissions>;

/**
 * Most characters of an answer that a record keeps; an honest one about fifty orders has some
 * thousand. Records are read together, so one relayer must not be able to make them large.
 */
const LONGEST_ACK = 16_384;

/** What the journal keeps of the relayer's answer: nothing of one that is too long. */
// biome-ignore lint/suspicious/noExplicitAny: an answer of the relayer is JSON by its transport
function asJson(value: unknown): any {
  const text = JSON.stringify(value);
  return text.length > LONGEST_ACK ? {} : JSON.parse(text);
}
