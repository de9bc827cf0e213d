import { digestOf } from '../../operations/canonicalJson.ts';
import { RpcError } from '../errors/rpcError.ts';
import type { PageDocument } from '../sites/sender.ts';
import { standingCandidates } from '../sites/standingApprovals.ts';
import { planWake } from '../submissions/planWake.ts';
import type { Wallet } from '../wallet.ts';
import { blocked, pushAnswers } from './answerPages.ts';
import { endLeft } from './leftPages.ts';
import { checkOpenBounds } from './openBounds.ts';
import type { Question } from './question.ts';
import { refreshBadgeSoon } from './refreshBadge.ts';
import { countRequest } from './requestRate.ts';
import { KeyReused } from './store/approvals.ts';
import { isForWindow, isOpen, type StoredApproval } from './store/storedApproval.ts';

/** The window opens no later than this, also while facts are slow that are not the relayer's. */
const OPEN_WINDOW_AFTER_MS = 600;

type Asked = Pick<StoredApproval, 'version' | 'id' | 'origin' | 'requestIds' | 'createdAt' | 'askedDigest'>;

/** A question as it is stored first. */
const asApproval = (question: Question, asked: Asked & { readonly stage: 'waiting' }): StoredApproval =>
  question.kind === 'connect' ? { ...asked, ...question, kinds: [...question.kinds] } : { ...asked, ...question };

/** Pending approvals whose pages went unheard take nobody's place. @throws {RpcError} `limitExceeded` */
async function admit(
  wallet: Pick<Wallet, 'approvals' | 'ports' | 'requests'>,
  caller: PageDocument,
  open: readonly StoredApproval[],
): Promise<void> {
  try {
    await checkOpenBounds(wallet, caller, open);
  } catch {
    await endLeft(wallet);
    await checkOpenBounds(wallet, caller, await wallet.approvals.open());
  }
}

/**
 * Puts a question of a page to the user. Everything is stored before a window opens. The same request id is never a
 * second question, and an equal question that is still open takes the request in.
 * @returns Id of the question, or `null` when this request id was asked before.
 * @throws {RpcError} `unauthorized`, `limitExceeded`
 */
export async function askUser(
  wallet: Wallet,
  caller: PageDocument,
  requestId: string,
  question: Question,
): Promise<string | null> {
  const { approvals, requests, ports } = wallet;
  const { origin, tabId, documentId } = caller;
  const stored = await wallet.asking(async () => {
    const createdAt = ports.now();
    const rating = countRequest(ports, origin, createdAt);
    // Awaited below; a request that is known or of a blocked site does not wait for it.
    rating.catch(() => {});
    const [known, open, site] = await Promise.all([
      requests.find(origin, requestId),
      approvals.open(),
      wallet.grants.of(origin),
    ]);
    if (known) return null;
    if (site?.blocked) throw blocked();
    const rate = await rating;
    await admit(wallet, caller, open);
    const asked = asApproval(question, {
      version: 1,
      id: ports.uuid(),
      stage: 'waiting',
      origin,
      requestIds: [],
      createdAt,
      askedDigest: digestOf({ origin, ...question, idempotencyKey: undefined }),
    });
    // What a standing approval may answer has a rate of its own.
    const isLimited = (await standingCandidates(wallet, asked)).length === 0;
    if (isLimited && rate.isSpent)
      throw new RpcError('limitExceeded', 'This site asks too often. Wait before asking again.');
    if (question.kind === 'operation') wallet.accountKeys.readApiKeyAhead(question.account);
    const counted = isLimited ? rate.keep() : undefined;
    try {
      const entered = await approvals.ask(asked, { id: requestId, origin, tabId, documentId, createdAt });
      await counted;
      return { entered, first: open.find(isForWindow)?.id ?? entered.id };
    } catch (error) {
      if (!(error instanceof KeyReused)) throw error;
      throw new RpcError('invalidParams', 'idempotencyKey: names another request of this site');
    }
  });
  if (stored === null) return null;
  // The question is stored, so from here on its answer comes from the user: what fails now is left to the next wake-up.
  try {
    await showQuestion(wallet, stored.entered, stored.first);
  } catch {
    await planWake(wallet);
  }
  return stored.entered.id;
}

/** @param first - The oldest open question, which the window shows before this one. */
async function showQuestion(wallet: Wallet, asked: StoredApproval, first: string): Promise<void> {
  const { approvals, ports } = wallet;
  if (!isOpen(asked)) return pushAnswers(wallet, asked);
  const mayBeAnswered = (await standingCandidates(wallet, asked)).length > 0;
  let relayerAsked = () => {};
  const prepared = wallet
    .prepare(asked.id, () => relayerAsked())
    .then(async () => {
      const isAnswered = (await approvals.get(asked.id))?.rule !== undefined;
      if (isAnswered) wallet.carryOut(asked.id).catch(() => {});
      return isAnswered;
    })
    .catch(async () => {
      await planWake(wallet);
      return false;
    });
  let shown: string | undefined;
  if (mayBeAnswered) {
    // What is answered so opens no window, however slow the facts are.
    if (await prepared) return;
  } else {
    shown = await new Promise((open) => {
      // It is still open, because only the relayer's answers can close it now.
      relayerAsked = () => open(first);
      void prepared.then(() => open(undefined));
      setTimeout(open, OPEN_WINDOW_AFTER_MS, undefined);
    });
  }
  shown ??= (await approvals.open()).find(isForWindow)?.id;
  if (shown && isForWindow(asked)) await ports.showApproval(shown);
  refreshBadgeSoon(wallet);
}
