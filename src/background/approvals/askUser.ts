import { metElsewhere, report, reported } from '../../report/report.ts';
import { RpcError } from '../errors/rpcError.ts';
import type { PageDocument } from '../sites/sender.ts';
import type { Wallet } from '../wallet.ts';
import { blocked } from './answerPages.ts';
import { checkOpenBounds } from './openBounds.ts';
import { type ApprovalRequest, askedDigestOf } from './store/approvalRequest.ts';
import { KeyReused } from './store/approvals.ts';
import { isForWindow, isOpen, type StoredApproval } from './store/storedApproval.ts';

/** The window opens no later than this, also while facts are slow that are not the relayer's. */
const OPEN_WINDOW_AFTER_MS = 600;

type Asked = Pick<StoredApproval, 'version' | 'id' | 'origin' | 'requestIds' | 'createdAt' | 'askedDigest'>;

/** An approval request as it is stored first. */
const asApproval = (request: ApprovalRequest, asked: Asked & { readonly stage: 'waiting' }): StoredApproval =>
  request.kind === 'connect' ? { ...asked, ...request, kinds: [...request.kinds] } : { ...asked, ...request };

/** Pending approvals whose pages went unheard take nobody's place. @throws {RpcError} `limitExceeded` */
async function checkBounds(
  { approvals, requests, leftPages }: Pick<Wallet, 'approvals' | 'leftPages' | 'requests'>,
  caller: PageDocument,
  open: readonly StoredApproval[],
): Promise<void> {
  try {
    await checkOpenBounds({ requests }, caller, open);
  } catch {
    // Only a full queue asks the pages whether they are still there; the second check throws for good.
    await leftPages.end();
    await checkOpenBounds({ requests }, caller, await approvals.open());
  }
}

/**
 * Whether a site may ask now.
 * @returns `null` when this request id was asked before; else its rate, and what is pending.
 * @throws {RpcError} `unauthorized`, `limitExceeded`
 */
export async function admit(
  wallet: Pick<Wallet, 'approvals' | 'grants' | 'leftPages' | 'requestRate' | 'requests'>,
  caller: PageDocument,
  requestId: string,
  createdAt: number,
) {
  const { approvals, requests, grants, requestRate } = wallet;
  const { origin } = caller;
  const rating = requestRate.countRequest(origin, createdAt);
  // Awaited below; a request that is known or of a blocked site does not wait for it.
  rating.catch(metElsewhere);
  const [known, open, site] = await Promise.all([
    requests.find(origin, requestId),
    approvals.open(),
    grants.of(origin),
  ]);
  if (known) return null;
  if (site?.blocked) throw blocked();
  const rate = await rating;
  await checkBounds(wallet, caller, open);
  return { rate, open };
}

/**
 * Stores the request of a page as a pending approval. The same request id is never a second one, and an equal one that is still
 * pending takes the request in.
 * @returns The approval and the one that the window shows first; `null` when this request id was asked before.
 * @throws {RpcError} `unauthorized`, `limitExceeded`
 */
export async function storeAsked(
  wallet: Pick<Wallet, 'accountKeys' | 'admit' | 'approvals' | 'candidates' | 'ports'>,
  caller: PageDocument,
  requestId: string,
  request: ApprovalRequest,
): Promise<{ readonly entered: StoredApproval; readonly first: string } | null> {
  const { approvals, ports } = wallet;
  const { origin, tabId, documentId } = caller;
  const createdAt = ports.now();
  const admitted = await wallet.admit(caller, requestId, createdAt);
  if (!admitted) return null;
  const { rate, open } = admitted;
  const asked = asApproval(request, {
    version: 1,
    id: ports.uuid(),
    stage: 'waiting',
    origin,
    requestIds: [],
    createdAt,
    askedDigest: askedDigestOf(origin, request),
  });
  // What a standing approval may answer has a rate of its own.
  const isLimited = (await wallet.candidates(asked)).length === 0;
  if (isLimited && rate.isSpent)
    throw new RpcError('limitExceeded', 'This site asks too often. Wait before asking again.');
  if (request.kind === 'operation') wallet.accountKeys.readApiKeyAhead(request.account);
  const counted = isLimited ? rate.keep() : undefined;
  try {
    const entered = await approvals.ask(asked, { id: requestId, origin, tabId, documentId, createdAt });
    await counted;
    return { entered, first: open.find(isForWindow)?.id ?? entered.id };
  } catch (error) {
    if (!(error instanceof KeyReused)) throw error;
    throw new RpcError('invalidParams', 'idempotencyKey: names another request of this site');
  }
}

/**
 * Puts an approval request of a page to the user. Everything is stored before a window opens.
 * @returns Id of the approval request, or `null` when this request id was asked before.
 * @throws {RpcError} `unauthorized`, `limitExceeded`
 */
export async function askUser(
  wallet: Pick<Wallet, 'planWake' | 'requestRate' | 'show' | 'storeAsked'>,
  caller: PageDocument,
  requestId: string,
  request: ApprovalRequest,
): Promise<string | null> {
  const stored = await wallet.requestRate.alone(() => wallet.storeAsked(caller, requestId, request));
  if (stored === null) return null;
  // The approval request is stored, so from here on its answer comes from the user: what fails now is left to the next wake-up.
  await wallet.show(stored.entered, stored.first).catch((error: unknown) => {
    report('approvals: show', error);
    return wallet.planWake();
  });
  return stored.entered.id;
}

/**
 * Prepares what was asked just now; what a standing approval answers is carried out.
 * @returns Whether one answered it.
 */
export async function prepareAsked(
  { approvals, prepare, carryOut, planWake }: Pick<Wallet, 'approvals' | 'prepare' | 'carryOut' | 'planWake'>,
  id: string,
  relayerAsked: () => void,
): Promise<boolean> {
  try {
    await prepare(id, relayerAsked);
    const isAnswered = (await approvals.get(id))?.rule !== undefined;
    if (isAnswered) carryOut(id).catch(reported('approvals: carry out'));
    return isAnswered;
  } catch (error) {
    report('approvals: prepare', error);
    await planWake();
    return false;
  }
}

/**
 * The oldest that the window has to show now that `asked` was prepared.
 * @returns `undefined` when that one has ended: what else is open has opened its own window, or a standing approval may yet answer it.
 */
async function oldestForWindow(
  { approvals, candidates }: Pick<Wallet, 'approvals' | 'candidates'>,
  asked: string,
): Promise<string | undefined> {
  const open = (await approvals.open()).filter(isForWindow);
  if (!open.some(({ id }) => id === asked)) return undefined;
  for (const one of open)
    if (one.id === asked || one.stage !== 'waiting' || (await candidates(one)).length === 0) return one.id;
  return undefined;
}

/** @param first - The oldest pending approval, which the window shows before this one. */
export async function show(
  wallet: Pick<Wallet, 'approvals' | 'badge' | 'candidates' | 'prepareAsked' | 'pushAnswers' | 'showWindow'>,
  asked: StoredApproval,
  first: string,
): Promise<void> {
  if (!isOpen(asked)) return wallet.pushAnswers(asked);
  const mayBeAnswered = (await wallet.candidates(asked)).length > 0;
  let relayerAsked = () => {};
  const prepared = wallet.prepareAsked(asked.id, () => relayerAsked());
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
  shown ??= await oldestForWindow(wallet, asked.id);
  if (shown && isForWindow(asked)) await wallet.showWindow(shown);
  wallet.badge.refreshSoon();
}
