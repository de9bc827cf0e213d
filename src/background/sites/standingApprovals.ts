import type { Journal, RuleState, Spend } from '../../journal/index.ts';
import { type AnyOperation, findOperation, placesOrder } from '../../operations/index.ts';
import { isGrave } from '../../operations/severity.ts';
import type { Vault } from '../../vault/index.ts';
import type { StoredApproval, StoredDraft } from '../approvals/store/storedApproval.ts';
import type { Ports } from '../ports.ts';
import { type CountedApproval, SOLD, type StandingApprovals, type StandingEnd } from './standingStore.ts';

interface Rooms {
  readonly standing: StandingApprovals;
  readonly journal: Journal;
  readonly vault: Pick<Vault, 'isUnlocked'>;
  readonly ports: Pick<Ports, 'toAllPages' | 'toUi'>;
}

/** Base units sold so far, at worst. */
export const soldOf = ({ spent }: RuleState): bigint => spent[SOLD] ?? 0n;

/** Computes the most that the answer to an approval request takes from a standing approval. */
export function spendOf(standingId: string, operation: AnyOperation, draft: StoredDraft): Spend {
  const sold = operation.standing?.sells?.(draft);
  return { ruleId: standingId, amounts: sold === undefined ? {} : { [SOLD]: sold } };
}

/**
 * Standing approvals that could answer an approval request, before its facts are known. None
 * answers what was drawn for the user once, also after it was put back or could not be read again.
 */
export async function standingCandidates(
  { standing, vault }: Pick<Rooms, 'standing' | 'vault'>,
  { kind, operation, origin, account, byHand, review }: StoredApproval,
): Promise<readonly CountedApproval[]> {
  const isCovered = kind === 'operation' && operation !== undefined && findOperation(operation)?.standing !== undefined;
  if (!isCovered || byHand || review || account === undefined) return [];
  const active = await standing.active({ origin, account });
  // The deadline of the lock is data; an approval that ends with it must not outlive it.
  return active.length > 0 && (await vault.isUnlocked()) ? active : [];
}

/**
 * The standing approval that answers an approval request, if one does: within all limits, with a
 * market price that its own could be compared with, and nothing about it that the user would be
 * warned of as a danger. The journal compares the counters again when it counts.
 */
export async function standingAnswer(
  { journal }: Pick<Rooms, 'journal'>,
  candidates: readonly CountedApproval[],
  approval: Pick<StoredApproval, 'operation' | 'origin' | 'draft' | 'review'>,
): Promise<string | undefined> {
  const { operation, origin, draft, review } = approval;
  if (!draft || !review || review.warnings.some(isGrave)) return undefined;
  const standing = operation === undefined ? undefined : findOperation(operation)?.standing;
  if (!standing) return undefined;
  const sold = standing.sells?.(draft) ?? 0n;
  const order = standing.ownOrder?.(draft);
  if (order !== undefined) {
    // The record of a cancellation has the hash of the order too, whoever placed that.
    const signed = await journal.list({ origin, hashes: [order] });
    if (!signed.some((record) => placesOrder(record.operation))) return undefined;
  }
  for (const { approval, state } of candidates) {
    const { terms } = approval;
    if (state.recent >= terms.rate.requests || soldOf(state) + sold > BigInt(terms.totalVolume)) continue;
    if (standing.covers(approval, draft)) return approval.id;
  }
  return undefined;
}

/**
 * Ends standing approvals for good; nothing is signed under them once this resolves, apart from
 * what was counted before.
 * @param which - All of an origin, of an account, or of both; one by its id; all without any.
 */
export async function endStandingApprovals(
  { standing, ports }: Pick<Rooms, 'standing' | 'ports'>,
  which: { readonly origin?: string; readonly account?: string; readonly id?: string; readonly withLock?: true },
  reason: StandingEnd,
): Promise<void> {
  const over = await standing.end(
    ({ id, origin, account, endsWithLock }) =>
      (which.id ?? id) === id &&
      (which.origin ?? origin) === origin &&
      (which.account ?? account) === account &&
      (which.withLock !== true || endsWithLock),
    reason,
  );
  for (const { id, origin, ended } of over)
    await ports.toAllPages(origin, {
      event: 'message',
      data: { type: 'relayer_standingApproval', data: { id, status: 'ended', reason: ended?.reason } },
    });
  if (over.length > 0) ports.toUi();
}

/**
 * Ends what is bound to the lock when the wallet is locked, however that came (its deadline passes
 * while nobody looks), and what has expired, so that a clock that is set back does not bring it to
 * life again.
 */
export async function endOver({ vault, journal, ...wallet }: Rooms): Promise<void> {
  if (!(await vault.isUnlocked())) await endStandingApprovals(wallet, { withLock: true }, 'lock');
  for (const { id, ended } of await wallet.standing.list())
    if (!ended && (await journal.getRule(id))?.status !== 'open') await endStandingApprovals(wallet, { id }, 'expired');
}
