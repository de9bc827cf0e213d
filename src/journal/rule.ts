import type { z } from '../protocol/zod.ts';
import { keys, read } from './database.ts';
import { JournalError } from './errors.ts';
import { ruleSchema } from './record.ts';

/**
 * The limits of a standing approval that are counted; everything else about it is compared before.
 */
export interface RuleTerms {
  /**
   * Counter name (such as `sell`) to the most that all submissions together may use, in the token's
   * smallest unit.
   */
  readonly limits: Readonly<Record<string, bigint>>;
  /** At most `most` submissions within any `perMs` milliseconds. */
  readonly rate: { readonly most: number; readonly perMs: number };
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Amounts that one submission uses of a standing approval, at worst. */
export interface Spend {
  readonly ruleId: string;
  readonly amounts: Readonly<Record<string, bigint>>;
}

/** Where the counters of a standing approval stand. */
export interface RuleState {
  readonly spent: Readonly<Record<string, bigint>>;
  /** Submissions within the last `perMs`. */
  readonly recent: number;
  /** All submissions. */
  readonly count: number;
  /** An expired rule lives again when the clock is set back, unless it is closed. */
  readonly status: 'open' | 'closed' | 'expired';
}

type StoredRule = z.output<ReturnType<typeof ruleSchema>>;

const readRule = (objects: IDBObjectStore, ruleId: string) => read(objects, keys.rule(ruleId), ruleSchema());

/**
 * The clock as this rule knows it: not before its last count, or a clock that was set back would
 * empty the window of the rate. A read stores nothing, so a rule that has expired since can live
 * again until it is closed (`endOver`).
 */
const clockOf = (rule: StoredRule, now: number) => Math.max(rule.seenAt, now);

const recentOf = ({ times, rate }: StoredRule, at: number) => times.filter((time) => time > at - rate.perMs);

/**
 * Starts the counters, unless they have counted something: a rule that was closed is never opened
 * again. Counters of an opening that broke off get the limits that were approved last.
 */
export async function openRule(
  objects: IDBObjectStore,
  ruleId: string,
  { limits, rate, expiresAt }: RuleTerms,
  now: number,
): Promise<void> {
  const earlier = await readRule(objects, ruleId);
  if (earlier && (earlier.closed || earlier.count > 0)) return;
  const rule = {
    version: 1,
    limits: Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, limit.toString()])),
    rate,
    expiresAt,
    amounts: {},
    count: 0,
    times: [],
    seenAt: earlier ? clockOf(earlier, now) : now,
    closed: false,
  } satisfies StoredRule;
  if (!ruleSchema().safeParse(rule).success)
    throw new JournalError('bad-input', `the limits of rule ${ruleId} have a wrong shape`);
  objects.put(rule, keys.rule(ruleId));
}

/** Ends a rule for good. What it counted stays. */
export async function closeRule(objects: IDBObjectStore, ruleId: string): Promise<void> {
  const rule = await readRule(objects, ruleId);
  if (rule) objects.put({ ...rule, closed: true }, keys.rule(ruleId));
}

/**
 * Adds to the counters of a standing approval inside the caller's write transaction, before
 * anything is signed. Nothing is ever given back: a submission that fails may still have been
 * signed.
 * @throws {JournalError} `rule-closed`; `limit-exceeded`; `bad-input` for a negative amount or one
 *   without a limit.
 */
export async function consume(objects: IDBObjectStore, { ruleId, amounts }: Spend, now: number): Promise<void> {
  const rule = await readRule(objects, ruleId);
  if (!rule || rule.closed) throw new JournalError('rule-closed', `rule ${ruleId} is not in force`);
  const at = clockOf(rule, now);
  if (at >= rule.expiresAt) throw new JournalError('rule-closed', `rule ${ruleId} has expired`);
  const recent = recentOf(rule, at);
  if (recent.length >= rule.rate.most)
    throw new JournalError(
      'limit-exceeded',
      `rule ${ruleId}: ${rule.rate.most} were signed in the last ${rule.rate.perMs} ms`,
    );
  const after: Record<string, string> = { ...rule.amounts };
  for (const [name, amount] of Object.entries(amounts)) {
    const limit = rule.limits[name];
    if (limit === undefined || amount < 0n) {
      throw new JournalError('bad-input', `rule ${ruleId}: ${name} needs a limit and an amount of at least 0`);
    }
    const total = BigInt(rule.amounts[name] ?? '0') + amount;
    if (total > BigInt(limit)) {
      throw new JournalError('limit-exceeded', `rule ${ruleId}: ${name} would reach ${total} of ${limit}`);
    }
    after[name] = total.toString();
  }
  const next: StoredRule = { ...rule, amounts: after, count: rule.count + 1, times: [...recent, at], seenAt: at };
  objects.put(next, keys.rule(ruleId));
}

/** `undefined` when there never was such a rule. */
export async function ruleState(objects: IDBObjectStore, ruleId: string, now: number): Promise<RuleState | undefined> {
  const rule = await readRule(objects, ruleId);
  if (!rule) return undefined;
  const at = clockOf(rule, now);
  return {
    spent: Object.fromEntries(Object.keys(rule.limits).map((name) => [name, BigInt(rule.amounts[name] ?? '0')])),
    recent: recentOf(rule, at).length,
    count: rule.count,
    status: rule.closed ? 'closed' : at >= rule.expiresAt ? 'expired' : 'open',
  };
}
