import { RelayerClientError } from '../../client/index.ts';
import { isFinal, JournalError, type SubmissionRecord } from '../../journal/index.ts';
import type { NetworkView } from '../../messaging/views.ts';
import { operationNamed } from '../../operations/index.ts';
import { FactsChanged, type Slot } from '../../operations/operation.ts';
import type { Text } from '../../operations/review.ts';
import type { StandingTerms } from '../../operations/standing.ts';
import type { StandingShown } from '../../operations/standingApproval.ts';
import { type RelayerErrorName, storageSlot } from '../../protocol/index.ts';
import { VaultError } from '../../vault/index.ts';
import { RpcError, unauthorized } from '../errors/rpcError.ts';
import { toText } from '../errors/uiFailure.ts';
import { settleRotation } from '../keyUpdate/rotation.ts';
import { readsFor } from '../relayers/reads.ts';
import { nextStorageId, openSlots } from '../relayers/storageIds.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import { permissionsOf } from '../sites/permissionsOf.ts';
import { spendOf } from '../sites/standingApprovals.ts';
import { ownersSeen } from '../sites/visibleAccounts.ts';
import { planWake } from '../submissions/planWake.ts';
import { refusalNameOf, submittedRequest } from '../submissions/submissionRecord.ts';
import type { Wallet } from '../wallet.ts';
import { answerFor } from './answerFor.ts';
import { closingAnswer, errorAnswer, pushAnswers } from './answerPages.ts';
import { hasEffect } from './approvalEffect.ts';
import { ApprovalLapsed, claim, claimSignature } from './beforeSigning.ts';
import { isLate } from './decisionAge.ts';
import { putBack } from './putBack.ts';
import { grantsChanged } from './siteRights.ts';
import type { Answer } from './store/requests.ts';
import { type ApprovedConnection, type ApprovedRequest, ended, type StoredApproval } from './store/storedApproval.ts';
import { currentTurn, type Turn, turnAfter } from './turns.ts';

/**
 * Signatures of one request within a standing approval, each counted by its limits: the first, and again under a new id when
 * another browser used the storage id. What the user approved by hand is asked again instead.
 */
const COPIES_WITHIN_LIMITS = 3;
/** Looks at a request that ends at once, before the answer is given as it stands. */
const LOOKS = 8;
const LOOK_AGAIN_MS = 300;
/** Invalid or used order id, nonce, storage id: another browser used the slot. */
const ID_TAKEN: readonly (RelayerErrorName | undefined)[] = [
  'ORDER_ID_INVALID',
  'ORDER_EXISTS',
  'NONCE_INVALID',
  'STORAGE_ID_INVALID',
];

/**
 * Carries an approved question to its answer: reserve → sign → send, each step on disk before the next. Can be called at
 * any time and after any stop; it goes on where the journal says the last life ended.
 */
export function executeApproval(wallet: Wallet, id: string): Promise<void> {
  const { executing, signing } = wallet;
  let work = executing.get(id);
  if (!work) {
    work = execute(wallet, id)
      .catch(async (error: unknown) => {
        // Such as a full disk. The approval stays as it is, and the next wake-up goes on with it.
        await planWake(wallet);
        throw error;
      })
      .finally(() => {
        executing.delete(id);
        signing.delete(id);
      });
    executing.set(id, work);
  }
  return work;
}

async function execute(wallet: Wallet, id: string): Promise<void> {
  const { accountKeys, approvals, vault, config, journal, ports } = wallet;
  const approval = await approvals.get(id);
  if (approval?.stage !== 'approved' || !(await vault.isUnlocked())) return;
  const isTooLate = isLate(approval.decidedAt, ports.now()) && !(await hasEffect(wallet, approval));
  if (approval.kind !== 'operation') {
    if (isTooLate) return putBack(wallet, approval, 'late');
    if ((await claim(wallet, id)) === 'taken-back') return;
    return approval.kind === 'connect' ? connect(wallet, approval) : openStanding(wallet, approval);
  }
  const placed = await config.place(approval.account);
  const { network } = placed;
  let { account } = placed;
  const { asksAgainAfter = [], alternatives } = operationNamed(approval.operation);
  let record: SubmissionRecord | undefined;
  let turn = await currentTurn(journal, approval);
  /** Turns before the last one, of which nothing came. */
  const passed: SubmissionRecord[] = [];
  if (!account || !network) {
    record = await journal.byRequest(approval.origin, turn.requestId);
    const gone = unauthorized('revoked', 'The account of this request was removed from the wallet.');
    return finish(wallet, approval, {}, record?.wire ? answerFor(approval, record) : errorAnswer(gone));
  }
  if (isTooLate) return putBack(wallet, approval, 'late');
  // Ready when the signature is on the disk.
  accountKeys.readApiKeyAhead(account.id);
  try {
    if (asksAgainAfter.length === 0) await settleRotation(wallet, account);
    // A key update may have ended just now: the record names the key that signs.
    account = (await config.account(account.id)) ?? account;
    for (let next: Turn | null = turn; next; next = alternatives ? nextTurn(approval, turn, record) : null) {
      if (record) passed.push(record);
      turn = next;
      record = await submitOnce(wallet, approval, turn, account, network);
      while (await isUsedElsewhere(wallet, record, account, network)) {
        if (!approval.rule) return putBack(wallet, approval, 'by-hand');
        if (copyOf(record) >= COPIES_WITHIN_LIMITS) break;
        record = await submitOnce(wallet, approval, turn, account, network);
      }
      if (record && alternatives?.endsAtOnce(turn.draft.body)) record = await endOf(wallet, record);
    }
  } catch (error) {
    // The password is missing: the approval stays, and the next unlock goes on.
    if (error instanceof VaultError && error.code === 'locked') return;
    const latest = await journal.byRequest(approval.origin, turn.requestId);
    const jump = error instanceof JournalError ? error.jump : undefined;
    if (jump) return putBack(wallet, approval, { idJump: { ...jump } });
    if (approval.rule && isOutOfLimits(error)) return putBack(wallet, approval, 'by-hand');
    // A later turn that could not be signed leaves the answer of the one before.
    record = latest?.wire || !alternatives ? latest : record;
    if (!record?.wire && error instanceof ApprovalLapsed)
      return error.reason === 'late' ? putBack(wallet, approval, 'late') : undefined;
    if (!record?.wire)
      return asksAgainAfter.length > 0
        ? putBack(wallet, approval, { why: problemOf(error, network) })
        : giveUp(wallet, approval, network, error);
  }
  if (!record) return;
  const refusal = refusalNameOf(record);
  if (record.state === 'refused' && refusal !== undefined && asksAgainAfter.includes(refusal))
    return putBack(wallet, approval, 'by-hand');
  await finish(wallet, approval, { submissionId: record.id }, answerFor(approval, record));
  for (const one of [...passed, record]) await wallet.tellStatus(one);
  await lookAtReplaced(wallet, record);
  await planWake(wallet);
  ports.toUi();
}

/** The turn after this one, when this one was refused or ended with nothing done. An unknown outcome is neither. */
function nextTurn(approval: ApprovedRequest, turn: Turn, record: SubmissionRecord | undefined): Turn | null {
  if (!record) return null;
  const { alternatives } = operationNamed(approval.operation);
  const nothing =
    record.state === 'refused' || (isFinal(record.state) && alternatives?.cameToNothing(submittedRequest(record)));
  return nothing ? turnAfter(approval, turn, record) : null;
}

/** Looks at a request that the relayer ends at once, until it has. */
async function endOf(
  { submissions }: Pick<Wallet, 'submissions'>,
  record: SubmissionRecord,
): Promise<SubmissionRecord> {
  let latest = record;
  for (let look = 0; look < LOOKS && latest.state === 'acknowledged'; look++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    latest = await submissions.check(record.id);
  }
  return latest;
}

/** What lost its slot to this request has ended at the relayer; the next look would come much later. */
async function lookAtReplaced(
  { journal, submissions }: Pick<Wallet, 'journal' | 'submissions'>,
  { id, slot, networkId, accountId }: SubmissionRecord,
) {
  if (!slot) return;
  const place = storageSlot(slot.storageId);
  for (const other of await journal.list({ networkId, accountId, states: ['acknowledged'] }))
    if (other.id !== id && other.slot?.tokenId === slot.tokenId && storageSlot(other.slot.storageId) === place)
      await submissions.check(other.id).catch(() => {});
}

async function submitOnce(
  wallet: Wallet,
  approval: ApprovedRequest,
  turn: Turn,
  account: StoredAccount,
  network: NetworkView,
): Promise<SubmissionRecord> {
  const { journal, submissions } = wallet;
  const known = await journal.byRequest(approval.origin, turn.requestId);
  if (known?.state === 'refused') {
    if (copyOf(known) >= copiesOf(approval)) return known;
    // Looked up once more, right before there is another signature.
    const latest = await submissions.check(known.id);
    if (latest.state !== 'refused') return latest;
  } else if (known && known.state !== 'abandoned' && known.state !== 'reserved') {
    return known.state === 'signed' || known.state === 'sent' ? submissions.check(known.id) : known;
  }
  const signed = await signOnce(wallet, approval, turn, account, network);
  return submissions.send(signed.id);
}

async function signOnce(
  wallet: Pick<Wallet, 'accountKeys' | 'approvals' | 'journal' | 'ports' | 'relayers' | 'signing'>,
  approval: ApprovedRequest,
  { requestId, draft, reuse: before }: Turn,
  account: StoredAccount,
  network: NetworkView,
): Promise<SubmissionRecord> {
  const { journal, relayers, accountKeys, ports } = wallet;
  const operation = operationNamed(approval.operation);
  const { digest } = approval;
  const slot: Slot | null = operation.slot(draft);
  const validUntil = operation.validUntil
    ? operation.validUntil(draft.body)
    : (draft.body as { validUntil?: number }).validUntil;
  const reserved = await journal.reserve(
    {
      networkId: network.id,
      accountId: account.accountId,
      origin: approval.origin,
      requestId,
      operation: operation.name,
      draft: draft.body,
      reviewDigest: digest,
      shown: JSON.parse(JSON.stringify(draft.shown ?? null)),
      ...(approval.reviewedAt === undefined ? {} : { reviewedAt: approval.reviewedAt }),
      publicKey: account.publicKey,
      ...(validUntil === undefined ? {} : { validUntil }),
    },
    {
      ...(slot
        ? {
            slot: {
              tokenId: slot.tokenId,
              parity: slot.parity,
              reuse: before ?? slot.reuse,
              nextFromRelayer: approval.idJump
                ? approval.idJump.named
                : () => nextStorageId({ relayers, accountKeys }, slot, account, network),
              accepted: approval.idJump?.named,
              ...(slot.parity === 'order'
                ? { openSlots: () => openSlots({ relayers, accountKeys }, slot.tokenId, account, network) }
                : {}),
            },
          }
        : {}),
      ...(approval.rule ? { spend: spendOf(approval.rule, operation, draft) } : {}),
      copies: copiesOf(approval),
    },
  );
  try {
    await operation.recheck?.(draft, readsFor(account, network, { relayers, accountKeys, now: ports.now }));
    await claimSignature(wallet, approval.id);
    const { hash, ...wire } = await operation.sign(
      draft,
      reserved.slot?.storageId ?? null,
      { baseUrl: network.baseUrl, chainId: network.chainId },
      accountKeys.keysOf(account),
    );
    return await journal.markSigned(reserved.id, { wire, hash });
  } catch (error) {
    const reason = error instanceof FactsChanged ? error.message : 'no signature left the wallet';
    await journal.markAbandoned(reserved.id, reason);
    throw error;
  }
}

const copyOf = ({ copy = 1 }: SubmissionRecord) => copy;
const copiesOf = ({ rule, copies = 1 }: ApprovedRequest) => (rule ? COPIES_WITHIN_LIMITS : copies);

const isIdTaken = (record: SubmissionRecord) => record.state === 'refused' && ID_TAKEN.includes(refusalNameOf(record));

/**
 * True when the id of a refused request was used by another browser; the cursor is moved past it. If not, the refusal has
 * another reason, such as a client order id that exists, and signing again would not help.
 */
async function isUsedElsewhere(
  wallet: Pick<Wallet, 'accountKeys' | 'journal' | 'relayers'>,
  record: SubmissionRecord,
  account: StoredAccount,
  network: NetworkView,
): Promise<boolean> {
  if (!isIdTaken(record) || !record.slot) return false;
  const { tokenId, parity, storageId } = record.slot;
  const { networkId, accountId } = record;
  const next = await nextStorageId(wallet, { tokenId, parity }, account, network);
  await wallet.journal.resyncCursor({ networkId, accountId, tokenId, parity }, next);
  // Ids of other requests of this wallet raise the relayer's counter as well, and say nothing about this one.
  const own = (await wallet.journal.list({ networkId, accountId }))
    .filter(({ slot, state }) => slot?.tokenId === tokenId && slot.parity === parity && state !== 'refused')
    .map(({ slot }) => (slot?.storageId ?? 0) + 2);
  return next > storageId && next > Math.max(0, ...own);
}

/** Ends an approved question with its answer. Done last, so that a worker that stops before comes back to the same end. */
async function finish(
  wallet: Pick<Wallet, 'approvals' | 'grants' | 'ports' | 'requests'>,
  { id }: StoredApproval,
  end: { readonly submissionId?: string; readonly problem?: Text },
  answer: Answer,
): Promise<void> {
  const done = await wallet.approvals.settle(id, (current) =>
    current.stage === 'approved' ? { approval: ended(current, 'done', end), answer } : null,
  );
  if (done) await pushAnswers(wallet, done);
}

/** Writes the grant, then the answer; both again after a stop between them, with the same outcome. */
async function connect(wallet: Wallet, approval: ApprovedConnection): Promise<void> {
  const { config, grants, ports } = wallet;
  const { accounts, kinds } = approval.chosen;
  const known = (await config.read()).accounts.filter(({ id }) => accounts.includes(id));
  const ids = known.map(({ id }) => id);
  await (approval.switchTo === undefined ? grants.grant : grants.prefer)(approval.origin, ids, kinds);
  const answer = approval.answers === 'permissions' ? permissionsOf : ownersSeen;
  const result = approval.switchTo === undefined ? await answer(wallet, approval.origin) : null;
  await finish(wallet, approval, {}, { result });
  await grantsChanged(wallet, approval.origin);
  ports.toUi();
}

/** Opens the counters, writes the rule, then the answer; all again after a stop between them, with the same outcome. */
async function openStanding(wallet: Wallet, approval: ApprovedRequest): Promise<void> {
  const { id, origin, account, draft } = approval;
  const terms = draft.body as StandingTerms;
  await wallet.standing.open({ id, origin, account, terms, shown: draft.shown as StandingShown, endsWithLock: true });
  await finish(wallet, approval, {}, { result: { id, validUntil: terms.validUntil } });
  await grantsChanged(wallet, origin);
  wallet.ports.toUi();
}

const isOutOfLimits = (error: unknown) =>
  error instanceof JournalError && (error.code === 'limit-exceeded' || error.code === 'rule-closed');

const problemOf = (error: unknown, { baseUrl }: NetworkView): Text =>
  error instanceof FactsChanged ? error.text : toText(error, new URL(baseUrl).host);

/** Something failed before there was a signature: the page may simply ask again. */
async function giveUp(
  wallet: Pick<Wallet, 'approvals' | 'grants' | 'ports' | 'requests'>,
  approval: ApprovedRequest,
  network: NetworkView,
  error: unknown,
): Promise<void> {
  const changed = error instanceof FactsChanged;
  const unreachable = error instanceof RelayerClientError && error.kind !== 'refused';
  const status = { status: 'not-signed' };
  const told = changed
    ? new RpcError('disconnected', `${error.message} Nothing was signed.`, status)
    : unreachable
      ? new RpcError('disconnected', 'The relayer could not be reached. Nothing was signed.', status)
      : new RpcError('internal', 'The request could not be completed. Nothing was signed.', status);
  await finish(wallet, approval, { problem: problemOf(error, network) }, closingAnswer(approval, told));
  wallet.ports.toUi();
}
