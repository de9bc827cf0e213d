import type { Journal, RuleState } from '../../journal/index.ts';
import { type StandingTerms, standingOperations } from '../../operations/standing.ts';
import type { StandingShown } from '../../operations/standingApproval.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';
import { reported } from '../../report/report.ts';
import { readableOf } from '../../storage/lenient.ts';
import type { Ports } from '../ports.ts';
import { tokenForm } from '../relayers/tokenForm.ts';

/** Why a standing approval is over. */
const standingEnds = ['user', 'site', 'lock', 'key', 'permission', 'account', 'expired'] as const;
export type StandingEnd = (typeof standingEnds)[number];

const amount = once(() => z.string().check(z.regex(/^\d{1,78}$/)));
const price = once(() => z.string().check(z.regex(/^\d+(\.\d+)?$/)));

const terms = once(() =>
  z.looseObject({
    operations: z.array(z.enum(standingOperations)),
    sellTokenId: z.int().check(z.minimum(0)),
    buyTokenId: z.int().check(z.minimum(0)),
    minPrice: z.optional(price()),
    maxPrice: z.optional(price()),
    orderVolume: amount(),
    totalVolume: amount(),
    rate: z.object({ requests: z.int().check(z.minimum(1)), seconds: z.int().check(z.minimum(1)) }),
    validUntil: z.int(),
  }),
);

const token = once(() => z.looseObject(tokenForm().shape));

const shown = once(() =>
  z.looseObject({ sell: token(), buy: token(), market: z.string(), side: z.enum(['BUY', 'SELL']) }),
);

const stored = once(() =>
  z.object({
    version: z.literal(1),
    id: z.string(),
    origin: z.string(),
    account: z.string(),
    /** Unix milliseconds. */
    createdAt: z.number(),
    /** Ended as soon as the wallet is locked. */
    endsWithLock: z.boolean(),
    terms: terms() as z.ZodMiniType<StandingTerms>,
    shown: shown() as z.ZodMiniType<StandingShown>,
    ended: z.nullable(z.object({ at: z.number(), reason: z.enum(standingEnds) })),
  }),
);

export type StandingApproval = z.infer<ReturnType<typeof stored>>;

const KEY = 'standing';
/** In `storage.session`: what had to end with the lock could not be ended. */
const UNENDED = 'standing-unended';
/** Ended ones kept, so that the activity list can name them. */
const KEEP_ENDED = 100;
/** Journal counter: what was sold, at worst. */
export const SOLD = 'sold';

export interface CountedApproval {
  readonly approval: StandingApproval;
  readonly state: RuleState;
}

/**
 * Standing approvals: the limits in `local`, the counters in the journal. The journal decides
 * whether one is in force, since it alone counts and closes in one transaction; this list says what
 * it was about.
 */
export function createStandingApprovals(
  { local, lock, now, session }: Pick<Ports, 'local' | 'lock' | 'now' | 'session'>,
  journal: Journal,
) {
  /**
   * One that cannot be read answers nothing: without its terms the journal's counters are of no
   * use.
   */
  const list = async (): Promise<StandingApproval[]> => readableOf(stored(), await local.get(KEY));
  const change = (edit: (approvals: StandingApproval[]) => Promise<StandingApproval[]>) =>
    lock('standing', async () => {
      const approvals = await edit(await list());
      const ended = approvals
        .filter((approval) => approval.ended)
        .sort((a, b) => (b.ended?.at ?? 0) - (a.ended?.at ?? 0));
      const kept = new Set(ended.slice(0, KEEP_ENDED).map(({ id }) => id));
      await local.set({ [KEY]: approvals.filter(({ id, ended: end }) => !end || kept.has(id)) });
    });

  async function end(which: (approval: StandingApproval) => boolean, reason: StandingEnd): Promise<StandingApproval[]> {
    const over: StandingApproval[] = [];
    // Nobody waits for a lock when there is nothing to end.
    if (!(await list()).some((approval) => !approval.ended && which(approval))) return over;
    await change(async (approvals) => {
      for (const approval of approvals) {
        if (approval.ended || !which(approval)) continue;
        // Whatever ends it now: it was over before.
        const hasExpired = (await journal.getRule(approval.id))?.status === 'expired';
        over.push({ ...approval, ended: { at: now(), reason: hasExpired ? 'expired' : reason } });
      }
      // Closed before anything else is written: from here on nothing is signed under it.
      for (const { id } of over) await journal.closeRule(id);
      return approvals.map((approval) => over.find(({ id }) => id === approval.id) ?? approval);
    });
    return over;
  }

  /** Lists the standing approvals in force, newest first, with their counters. */
  async function active(of: { readonly origin?: string; readonly account?: string } = {}): Promise<CountedApproval[]> {
    const found: CountedApproval[] = [];
    const approvals = await list();
    if (approvals.some(({ ended }) => !ended) && (await session.get(UNENDED)) === true) {
      await end(({ endsWithLock }) => endsWithLock, 'lock');
      await session.remove([UNENDED]);
      return active(of);
    }
    for (const approval of approvals.reverse()) {
      if (
        approval.ended ||
        (of.origin ?? approval.origin) !== approval.origin ||
        (of.account ?? approval.account) !== approval.account
      )
        continue;
      const state = await journal.getRule(approval.id);
      if (state?.status === 'open') found.push({ approval, state });
    }
    return found;
  }

  return {
    list,

    async get(id: string): Promise<StandingApproval | undefined> {
      return (await list()).find((approval) => approval.id === id);
    },

    /**
     * Opens the counters before the approval is listed. Can be repeated after a stop, also with
     * other limits: what was not listed has answered nothing.
     */
    open: (approval: Omit<StandingApproval, 'version' | 'ended' | 'createdAt'>): Promise<void> =>
      change(async (approvals) => {
        if (approvals.some(({ id }) => id === approval.id)) return approvals;
        const { totalVolume, rate, validUntil } = approval.terms;
        await journal.openRule(approval.id, {
          limits: { [SOLD]: BigInt(totalVolume) },
          rate: { most: rate.requests, perMs: rate.seconds * 1000 },
          expiresAt: validUntil * 1000,
        });
        return [...approvals, { version: 1, createdAt: now(), ended: null, ...approval }];
      }),

    /** @returns The ones that ended now. */
    async end(which: (approval: StandingApproval) => boolean, reason: StandingEnd): Promise<StandingApproval[]> {
      try {
        return await end(which, reason);
      } catch (error) {
        // The wallet opens all the same; until those are ended, none answers.
        if (reason === 'lock')
          await session.set({ [UNENDED]: true }).catch(reported('standing approvals: end with the lock'));
        throw error;
      }
    },

    setEndsWithLock: (id: string, endsWithLock: boolean): Promise<void> =>
      change(async (approvals) =>
        approvals.map((approval) => (approval.id === id ? { ...approval, endsWithLock } : approval)),
      ),

    active,
  };
}

export type StandingApprovals = ReturnType<typeof createStandingApprovals>;
