import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import { isStale } from '../../messaging/reviewAge.ts';
import { approvalDigest } from '../../operations/approvalDigest.ts';
import { askedAgain, reviewOf } from '../../operations/askedAgain.ts';
import { approvableNamed, findOperation } from '../../operations/index.ts';
import { ChoiceNeeded, IntentError } from '../../operations/operation.ts';
import type { Text } from '../../operations/review.ts';
import { VaultError } from '../../vault/index.ts';
import { RpcError } from '../errors/rpcError.ts';
import { toText } from '../errors/uiFailure.ts';
import { standingAnswer } from '../sites/standingApprovals.ts';
import type { CountedApproval } from '../sites/standingStore.ts';
import type { Wallet } from '../wallet.ts';
import { closingAnswer } from './answerPages.ts';
import {
  ended,
  isRequest,
  type Pending,
  type PendingRequest,
  type ReadyRequest,
  type StoredApproval,
} from './store/storedApproval.ts';

const isToPrepare = ({ stage }: StoredApproval) => stage === 'waiting' || stage === 'unavailable';

/** To be prepared, or again because its review is too old. */
const isDue = (approval: StoredApproval, now: number): approval is Pending =>
  isToPrepare(approval) || (approval.stage === 'ready' && isStale(approval.reviewedAt, now));

/** Whether what was prepared from `before` is still asked for: an approval request that was decided or made tighter meanwhile stays as it is. */
const isStillAsked = (current: StoredApproval, before: PendingRequest): current is PendingRequest =>
  isRequest(current) &&
  (isToPrepare(current) || (current.stage === 'ready' && before.stage === 'ready' && current.digest === before.digest));

/** Keeps the review that the user saw before the approval request was prepared again. */
const firstReview = ({ first, review, reviewedAt }: PendingRequest): Pick<PendingRequest, 'first'> =>
  first ? { first } : review && reviewedAt !== undefined ? { first: { review, reviewedAt } } : {};

/**
 * Completes a stored approval request, and prepares one again whose review is too old: reads the facts, makes draft, review and digest. An approval request that cannot be asked at all
 * (a field of the intent is wrong) is closed and the page is told; one whose facts cannot be read now stays.
 * @param asking - Called when the relayer is asked: what can be known to be wrong without it is not.
 */
export async function prepareApproval(
  wallet: Pick<Wallet, 'approvals' | 'vault' | 'ports' | 'answerUnlock' | 'prepareOperation' | 'keepProblem'>,
  id: string,
  asking?: () => void,
): Promise<void> {
  const { approvals, vault, ports } = wallet;
  const [approval, isUnlocked] = await Promise.all([approvals.get(id), vault.isUnlocked()]);
  if (!approval || !isDue(approval, ports.now())) return;
  if (approval.kind === 'unlock') return wallet.answerUnlock(id);
  if (approval.kind === 'connect') {
    await approvals.update(id, (current) =>
      current.kind === 'connect' && current.stage === 'waiting'
        ? { ...current, stage: 'ready', digest: approvalDigest(current, '') }
        : null,
    );
    ports.toUi();
    return;
  }
  if (!isUnlocked) return;
  try {
    await wallet.prepareOperation(approval, asking);
  } catch (error) {
    // Locked meanwhile: the approval request waits for the password, and goes on by itself after it.
    if (!(error instanceof VaultError && error.code === 'locked')) await wallet.keepProblem(approval, error);
  }
  ports.toUi();
}

/** Completes all approval requests that waited for the password, or whose worker was stopped before; a wizard's too. */
export async function prepareWaiting(wallet: Pick<Wallet, 'approvals' | 'prepare'>): Promise<void> {
  for (const { id, stage } of await wallet.approvals.underWay()) if (stage === 'waiting') await wallet.prepare(id);
}

/** Reads the facts of a request and makes its draft, review and digest. */
export async function prepareOperation(
  wallet: Pick<Wallet, 'approvals' | 'candidates' | 'config' | 'factsOf' | 'journal' | 'ports'>,
  approval: PendingRequest,
  asking?: () => void,
): Promise<void> {
  const { config, approvals, ports } = wallet;
  const { account, network } = await config.place(approval.account);
  if (!account || !network) throw new IntentError('account', 'is not in this wallet any more');
  const operation = approvableNamed(approval.operation);
  const facts = {
    ...wallet.factsOf(account, network, approval.origin, asking),
    ...(approval.choice ? { newKey: approval.choice } : {}),
  };
  // From before the facts are read: a machine that sleeps meanwhile makes them no newer.
  const reviewedAt = facts.now;
  const drawn = async (intent: unknown) => {
    const draft = askedAgain(await operation.prepare(intent, facts), approval);
    return { draft, reviewedAt, review: reviewOf(operation, draft, reviewedAt) };
  };
  // What lies before the user is the user's to answer.
  const candidates = approval.stage === 'ready' ? [] : await wallet.candidates(approval);
  const limited = withinLife(approval, candidates, facts.now);
  let drafted = await drawn(limited ?? approval.intent);
  const rule = await standingAnswer(wallet, candidates, { ...approval, ...drafted });
  if (rule === undefined && limited) drafted = await drawn(approval.intent);
  const store = rule === undefined ? approvals.complete : approvals.update;
  await store(approval.id, (current) => {
    if (!isStillAsked(current, approval)) return null;
    const { problem: _, ...rest } = current;
    const digest = approvalDigest({ ...rest, ...drafted }, network.exchangeAddress);
    const ready: ReadyRequest = { ...rest, ...firstReview(current), ...drafted, digest, stage: 'ready' };
    return rule === undefined ? ready : { ...ready, stage: 'approved', decidedAt: ports.now(), rule };
  });
}

/** The intent with an end within the standing approvals that may answer it. `undefined`: it stays as it is. */
function withinLife(
  { operation, intent }: PendingRequest,
  candidates: readonly CountedApproval[],
  now: number,
): unknown {
  if (candidates.length === 0) return undefined;
  const longest = Math.max(...candidates.map(({ rule }) => rule.terms.validUntil));
  return findOperation(operation)?.standing?.endingBy?.(intent, longest, now) ?? undefined;
}

/** Nothing of it can be approved any more; the review stays, to be compared with the next one. */
function withoutDraft(current: PendingRequest, stage: 'choosing' | 'unavailable'): PendingRequest {
  const { draft: _, digest: __, ...rest } = current;
  return { ...rest, stage };
}

/** Stores why a request could not be prepared; one that can never be is closed, and its pages are told. */
export async function keepProblem(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'pushAnswers'>,
  approval: PendingRequest,
  error: unknown,
): Promise<void> {
  const { approvals, config } = wallet;
  if (error instanceof ChoiceNeeded) {
    await approvals.update(approval.id, (current) =>
      isStillAsked(current, approval) ? withoutDraft(current, 'choosing') : null,
    );
    return;
  }
  if (error instanceof IntentError) {
    const key = approval.origin === OWN_ORIGIN ? 'problem_ownIntent' : 'problem_intent';
    const problem: Text = { key, values: { reason: { kind: 'text', text: error.message } } };
    const answer = closingAnswer(approval, new RpcError('invalidParams', error.message, { field: error.field }));
    const closed = await approvals.settle(approval.id, (current) =>
      isStillAsked(current, approval) ? { approval: ended(current, 'closed', { problem }), answer } : null,
    );
    if (closed) await wallet.pushAnswers(closed);
    return;
  }
  const { network } = await config.place(approval.account);
  const problem = toText(error, network ? new URL(network.baseUrl).host : '');
  await approvals.update(approval.id, (current) =>
    isStillAsked(current, approval) ? { ...withoutDraft(current, 'unavailable'), problem } : null,
  );
}
