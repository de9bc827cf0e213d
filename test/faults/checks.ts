import type { StoredApproval } from '../../src/background/approvals/store/storedApproval.ts';
import type { SubmissionRecord } from '../../src/journal/index.ts';
import { storageSlot } from '../../src/protocol/index.ts';
import type { Browser } from './browser.ts';
import type { Answer, User } from './people.ts';
import type { Scenario } from './scenario.ts';
import { secretsIn, textOf } from './secrets.ts';
import type { Stage } from './stage.ts';

/** What has to hold after every schedule; the names are printed. */
export const checkNames = [
  'one payload per storage id',
  'one effect per approval',
  'relayer and journal agree',
  'one answer per request',
  'answers are true',
  'one question per request',
  'approvals are carried out',
  'nothing is signed late',
  'cursors are ahead',
  'amounts fit',
  'no secret leaks',
  'nothing stays half-done',
  'nothing fails unseen',
] as const;
type CheckName = (typeof checkNames)[number];

export interface Problem {
  readonly check: CheckName;
  readonly what: string;
}

export interface Finish {
  readonly stage: Stage;
  readonly scenario: Scenario;
  readonly users: readonly User[];
  /** Nothing but ends of the worker happened: every approved request must succeed. */
  readonly onlyKills: boolean;
  /** Reasons why the schedule did not come to rest. */
  readonly unfinished: readonly string[];
  readonly console: readonly string[];
  readonly unhandled: readonly string[];
}

interface StorageUse {
  readonly key: string;
  readonly bytes: string;
}

interface Moved {
  readonly storageId?: number;
  readonly sellToken?: { readonly tokenId: number };
  readonly token?: { readonly tokenId: number };
}
interface SignedBody extends Moved {
  /** Pays a deployment. */
  readonly transfer?: Moved;
  /** What a mint is counted by. */
  readonly maxFee?: { readonly tokenId: number };
  readonly poolAddress?: string;
  readonly storageIds?: readonly number[];
  readonly joinTokens?: { readonly pooled: readonly { readonly tokenId: number }[] };
}

/**
 * The storage ids that a request body uses, each in the counter of its token, and the whole body as
 * the payload. A body that leaves a pool names the pool and not the token of its shares.
 */
function storageUses(bodyText: string): StorageUse[] {
  if (bodyText === '') return [];
  const body = JSON.parse(bodyText) as SignedBody;
  const { storageIds, joinTokens, maxFee, poolAddress } = body;
  if (storageIds && joinTokens)
    return joinTokens.pooled.map(({ tokenId }, place) => ({ key: `${tokenId}/${storageIds[place]}`, bytes: bodyText }));
  const { storageId, sellToken, token } = body.transfer ?? body;
  if (storageId === undefined) return [];
  const counter = (sellToken ?? token ?? maxFee)?.tokenId ?? poolAddress;
  return [{ key: `${counter}/${storageId}`, bytes: bodyText }];
}

const submissionsOf = async (browser: Browser): Promise<SubmissionRecord[]> =>
  (await browser.dump('journal'))
    .filter(([key]) => (key as unknown as unknown[])[0] === 'submission')
    .map(([, value]) => value as SubmissionRecord);

const sameHash = (a: string, b: string) => BigInt(a) === BigInt(b);
/** The relayer took it, as the journal has it; what expired without an answer never arrived. */
const wasTaken = ({ state, ack }: SubmissionRecord) =>
  ['acknowledged', 'processed', 'cancelled', 'failed'].includes(state) || (state === 'expired' && ack !== undefined);

async function checkStorageIds(browser: Browser, records: readonly SubmissionRecord[]): Promise<string[]> {
  const uses = [
    ...browser.network.left.flatMap(({ body }) => storageUses(body)),
    ...records.flatMap(({ wire }) => storageUses(wire?.bodyText ?? '')),
  ];
  const payloads = new Map<string, Set<string>>();
  for (const { key, bytes } of uses) payloads.set(key, (payloads.get(key) ?? new Set()).add(bytes));
  return [...payloads].filter(([, known]) => known.size > 1).map(([key, known]) => `${key} has ${known.size} payloads`);
}

/**
 * An id that is used up: below the cursor of its kind, or, when it was taken in a slot on purpose,
 * barred by that slot's entry.
 */
async function checkCursors(browser: Browser, records: readonly SubmissionRecord[]): Promise<string[]> {
  const stored = new Map(
    (await browser.dump('journal')).map(([key, value]) => {
      const [kind, , , ...rest] = key as unknown as (string | number)[];
      return [[kind, ...rest].join('/'), value as { next?: number; highest?: number }];
    }),
  );
  return records.flatMap(({ slot }) => {
    if (!slot) return [];
    const { tokenId, parity, storageId } = slot;
    const next = stored.get(`cursor/${tokenId}/${parity}`)?.next ?? 0;
    const highest = stored.get(`slot/${tokenId}/${storageSlot(storageId)}`)?.highest ?? -1;
    return next > storageId || highest >= storageId ? [] : [`${next} after id ${storageId}`];
  });
}

function checkSecrets({ stage, console: printed, unhandled }: Finish, dumps: readonly string[]): string[] {
  const { secrets, browsers } = stage;
  const found: string[] = [];
  const look = (where: string, text: string, allowed: readonly string[] = []) => {
    for (const name of secretsIn(text, secrets)) if (!allowed.includes(name)) found.push(`${name} in ${where}`);
  };
  for (const { toPages, toUi, local, copy, session, network } of browsers) {
    look('a message to a page', toPages.join('\n'));
    look('an answer to the wallet’s own pages', toUi.join('\n'));
    look('the database of the state', [...local].join('\n'));
    look('the second copies', [...copy].join('\n'));
    look('storage.session', [...session].join('\n'), ['data key']);
    look('a request', network.left.map(({ body, query, signature }) => `${body} ${query} ${signature}`).join('\n'));
    const signatures = network.left.map(({ signature }) => signature).filter((signature) => signature !== '');
    const told = [...toPages, ...toUi].join('\n');
    if (signatures.some((signature) => told.includes(signature))) found.push('a request signature in an answer');
  }
  look('a database', dumps.join('\n'));
  look('the console', [...printed, ...unhandled].join('\n'));
  return found;
}

/**
 * What an answer says about the effect of its request; what was refused may still be carried out
 * until it expires.
 */
function claimOf(answer: Answer): 'done' | 'not done' | 'refused' | 'unknown' {
  if ('result' in answer) return 'done';
  const { data } = answer.error as { data?: { status?: string; validUntil?: number } };
  if (data?.status === 'unknown') return 'unknown';
  return data?.validUntil === undefined ? 'not done' : 'refused';
}

/** A click counts for this long, milliseconds. */
const CLICK_MS = 120_000;

/**
 * What was signed more than two minutes after the click that it stands on, or by a clock that went
 * back behind it. A jump after the last look at the approval, which is a moment before the
 * signature, comes too late to be seen.
 */
function lateSignatures(browser: Browser, user: User | undefined, records: readonly SubmissionRecord[]): string[] {
  return records.flatMap(({ requestId, history, rule }) => {
    const signed = history.find(({ state }) => state === 'signed')?.at;
    const [approval = ''] = requestId.split('/');
    const clicks = user?.clickedAt.get(approval) ?? [];
    if (signed === undefined || rule !== undefined || clicks.length === 0) return [];
    const write = browser.journalWrites.find(({ at }) => at >= signed && at - signed < 1_000)?.point ?? 0;
    const click = clicks.filter(({ point }) => point < write).at(-1);
    const lookedAt =
      browser.claims.findLast((look) => look.approval === approval && look.point < write)?.point ?? write;
    if (!click || browser.jumps.some((point) => point > lookedAt && point <= write)) return [];
    const waited = signed - click.at;
    return waited < 0 || waited > CLICK_MS ? [`signed ${waited / 1000} s after the click`] : [];
  });
}

/** Looks at everything that a schedule left behind. */
export async function check(finish: Finish): Promise<Problem[]> {
  const { stage, scenario, users, onlyKills } = finish;
  const problems: Problem[] = [];
  const report = (name: CheckName, texts: readonly string[]) => {
    for (const what of texts) problems.push({ check: name, what });
  };
  report('nothing stays half-done', finish.unfinished);
  report('nothing fails unseen', finish.unhandled);

  const happened = await scenario.atRelayer(stage);
  const dumps: string[] = [];
  const all: { record: SubmissionRecord; browser: Browser }[] = [];
  const approvals = new Map<string, StoredApproval>();
  for (const [index, browser] of stage.browsers.entries()) {
    const records = await submissionsOf(browser);
    all.push(...records.map((record) => ({ record, browser })));
    for (const store of ['journal', 'requests', 'vault'] as const) dumps.push(textOf(await browser.dump(store)));
    report('one payload per storage id', await checkStorageIds(browser, records));
    report('cursors are ahead', await checkCursors(browser, records));
    report('nothing is signed late', lateSignatures(browser, users[index], records));
    await users[index]?.storedApprovals();
    for (const [id, approval] of users[index]?.seen ?? []) approvals.set(id, approval);
  }

  // Relayer against journal, in both directions and without repeats.
  const { madeBefore } = stage.memory;
  const ours = all.filter(
    ({ record: { operation, hash } }) =>
      (operation === scenario.operation || operation === scenario.besides) &&
      !(madeBefore && hash && sameHash(hash, madeBefore)),
  );
  if (new Set(happened.map(BigInt)).size !== happened.length)
    report('relayer and journal agree', [`the relayer did something twice: ${happened.join()}`]);
  for (const hash of happened)
    if (!ours.some(({ record }) => record.hash && sameHash(record.hash, hash) && wasTaken(record)))
      report('relayer and journal agree', [`the relayer has ${hash}, the journal ${ours.map((r) => r.record.state)}`]);
  for (const { record } of ours)
    if (wasTaken(record) && !happened.some((hash) => record.hash && sameHash(hash, record.hash)))
      report('relayer and journal agree', [`the journal has ${record.hash} as ${record.state}, the relayer not`]);

  let expected = 0;
  const answeredApprovals = new Set<string>();
  for (const request of stage.requests) {
    const { answers, id, browser } = request;
    const questions = [...approvals.values()].filter(({ requestIds }) => requestIds.includes(id));
    const user = users[stage.browsers.indexOf(browser)];
    const click = questions.flatMap((question) => [...(user?.clicked.get(question.id) ?? [])]);
    const approved = questions.some(({ stage: at }) => at === 'approved' || at === 'done');
    if (questions.length > 1) report('one question per request', [`${id} was asked ${questions.length} times`]);
    const [first, ...others] = answers;
    // A page that was told that nothing is known hears no more; the wallet still says how it ended.
    const isSettled = first !== undefined && claimOf(first) !== 'unknown';
    if (isSettled && others.some((other) => JSON.stringify(other) !== JSON.stringify(first)))
      report('one answer per request', [`${id} has different answers: ${JSON.stringify(answers)}`]);
    if (!first) {
      const open = questions.some(({ stage: at }) =>
        ['waiting', 'unavailable', 'choosing', 'ready', 'approved'].includes(at),
      );
      report('one answer per request', [`${id} has no answer; its question is ${open ? 'open' : 'closed'}`]);
      continue;
    }
    const claim = claimOf(first);
    const code = 'error' in first ? first.error.code : 0;
    if (click.includes('reject') && !approved && onlyKills && code !== 4001)
      report('answers are true', [`a rejected request got ${JSON.stringify(first)}`]);
    if (code === 4001 && !click.includes('reject'))
      report('answers are true', ['a request was rejected without the user']);
    // The id was taken by the other browser, and the answer that said so was lost: what the repeat
    // is told proves nothing.
    const isLostInRace = claim === 'unknown' && stage.browsers.length > 1;
    // What was also rejected, or whose site was disconnected, may have been taken back in time.
    const isApproved = click.includes('approve') && !click.includes('reject') && !click.includes('revoke');
    if (onlyKills && isApproved && claim !== 'done' && !isLostInRace)
      report('approvals are carried out', [`an approved request got ${JSON.stringify(first)}`]);
    const [question] = questions;
    if (scenario.carriedOut) {
      const isDone = await scenario.carriedOut(browser, question);
      // What was done and then lost with its store cannot be found any more; there is no second
      // copy of connections.
      const isForgotten = claim === 'done' && !isDone && browser.gone.has('local');
      // A request that nobody was asked about did nothing, and can be told that it holds already.
      const isFalse = question ? isDone !== (claim === 'done') : claim === 'done' && !isDone;
      if (claim !== 'unknown' && isFalse && !isForgotten)
        report('answers are true', [`${isDone ? 'carried out' : 'not carried out'}, and the page was told ${claim}`]);
      continue;
    }
    if (claim === 'done' && !question) report('answers are true', ['a result without a question']);
    const effects = ours.filter(
      ({ record }) =>
        question &&
        record.requestId.split('/')[0] === question.id &&
        record.state !== 'abandoned' &&
        happened.some((hash) => record.hash && sameHash(hash, record.hash)),
    );
    const clicks = Math.max(1, (question && user?.approvals.get(question.id)) ?? 0);
    if (effects.length > clicks && !scenario.alternatives)
      report('one effect per approval', [`${effects.length} effects of ${clicks} approvals`]);
    if (claim === 'done' && effects.length === 0)
      report('answers are true', [`the page was told ${JSON.stringify(first)}, the relayer has nothing`]);
    if (claim === 'not done' && effects.length > 0)
      report('answers are true', [`the page was told ${JSON.stringify(first)}, the relayer has ${happened.join()}`]);
    if ('result' in first) {
      const { hash } = first.result as { hash?: string };
      const last = effects.sort((a, b) => a.record.seq - b.record.seq).at(-1)?.record.hash;
      if (hash !== undefined && last !== hash)
        report('answers are true', [`the page got the hash ${hash} for ${last}`]);
    }
    if (question && !answeredApprovals.has(question.id)) {
      answeredApprovals.add(question.id);
      expected += effects.length;
    }
  }
  if (stage.requests.length > 0 && expected !== happened.length)
    report('relayer and journal agree', [`${happened.length} at the relayer, ${expected} of them were asked for`]);
  report('amounts fit', (await scenario.audit?.(stage, happened.length)) ?? []);
  report('no secret leaks', checkSecrets(finish, dumps));
  return problems;
}
