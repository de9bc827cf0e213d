import { approvalDigest } from '../../operations/approvalDigest.ts';
import { askedAgain, reviewOf } from '../../operations/askedAgain.ts';
import { approvableNamed, findOperation } from '../../operations/index.ts';
import { ClockBehind, IntentError } from '../../operations/operation.ts';
import { standingAnswer } from '../sites/standingApprovals.ts';
import type { CountedApproval } from '../sites/standingStore.ts';
import { signedAlready } from '../submissions/signedAlready.ts';
import type { Wallet } from '../wallet.ts';
import {
  isPerhapsSigned,
  isRequest,
  type PendingRequest,
  type ReadyRequest,
  type StoredApproval,
} from './store/storedApproval.ts';

export const isToPrepare = ({ stage }: StoredApproval) => stage === 'waiting' || stage === 'unavailable';

/** What a draft is made from, and what keeps standing approvals from answering it. */
const inputsOf = ({ intent, choice, idJump, signedBefore, byHand }: StoredApproval): string =>
  JSON.stringify([intent, choice, idJump, signedBefore, byHand]);

/**
 * Whether what was prepared from `before` is still asked for: an approval request that was decided,
 * put back or made tighter meanwhile stays as it is.
 */
export const isStillAsked = (current: StoredApproval, before: PendingRequest): current is PendingRequest =>
  isRequest(current) &&
  inputsOf(current) === inputsOf(before) &&
  (isToPrepare(current) || (current.stage === 'ready' && before.stage === 'ready' && current.digest === before.digest));

/** Keeps the review that the user saw before the approval request was prepared again. */
const firstReview = ({ first, review, reviewedAt }: PendingRequest): Pick<PendingRequest, 'first'> =>
  !first && review && reviewedAt !== undefined ? { first: { review, reviewedAt } } : {};

/** Reads the facts of a request and makes its draft, review and digest. */
export async function prepareOperation(
  wallet: Pick<Wallet, 'approvals' | 'candidates' | 'config' | 'factsOf' | 'journal' | 'ports'>,
  approval: PendingRequest,
  asking?: () => void,
): Promise<void> {
  const { config, approvals, journal, ports } = wallet;
  const { account, network } = await config.place(approval.account);
  if (!account || !network) throw new IntentError('account', 'is not in this wallet any more');
  const operation = approvableNamed(approval.operation);
  const facts = {
    ...wallet.factsOf(account, network, approval.origin, asking),
    ...(approval.choice ? { newKey: approval.choice } : {}),
  };
  // From before the facts are read: a machine that sleeps meanwhile makes them no newer.
  const reviewedAt = facts.now;
  const candidates = await wallet.candidates(approval);
  const drawn = async (intent: unknown) => {
    const asked = await operation.prepare(intent, facts);
    // The journal counts the copies of this request too. None: it was lost, which is said first.
    const signedBefore = isPerhapsSigned(approval)
      ? approval.signedBefore
      : ((await signedAlready(journal, account, approval.operation, asked, ports.now())) ?? approval.signedBefore);
    const draft = askedAgain(asked, { ...approval, signedBefore });
    const drafted = { draft, reviewedAt, review: reviewOf(operation, draft, reviewedAt) };
    return { drafted, standingId: await standingAnswer(wallet, candidates, { ...approval, ...drafted }) };
  };
  let answered: Awaited<ReturnType<typeof drawn>> | undefined;
  for (const intent of withinLives(approval, candidates, facts.now))
    if (answered?.standingId === undefined) answered = await drawn(intent).catch(ignoreClockBehind);
  const { drafted, standingId } = answered?.standingId === undefined ? await drawn(approval.intent) : answered;
  const store = standingId === undefined ? approvals.complete : approvals.update;
  await store(approval.id, (current) => {
    if (!isStillAsked(current, approval)) return null;
    // Drawn meanwhile.
    if (standingId !== undefined && current.review) return null;
    const { problem: _, ...rest } = current;
    const digest = approvalDigest({ ...rest, ...drafted }, network.exchangeAddress);
    const ready: ReadyRequest = { ...rest, ...firstReview(current), ...drafted, digest, stage: 'ready' };
    return standingId === undefined ? ready : { ...ready, stage: 'approved', decidedAt: ports.now(), rule: standingId };
  });
}

/** An end that the wallet chose itself may come too soon for the relayer's clock. */
function ignoreClockBehind(error: unknown): undefined {
  if (!(error instanceof ClockBehind)) throw error;
}

/**
 * The intent with an end within each standing approval that may answer it, the latest first; none
 * when it stays as it is.
 */
function withinLives(
  { operation, intent }: PendingRequest,
  candidates: readonly CountedApproval[],
  now: number,
): readonly unknown[] {
  const standing = findOperation(operation)?.standing;
  const latestFirst = candidates.map(({ approval }) => approval.terms).sort((a, b) => b.validUntil - a.validUntil);
  return latestFirst.flatMap((terms) => standing?.endingBy?.(intent, terms, now) ?? []);
}
