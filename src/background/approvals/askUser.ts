import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import type { PermissionKind } from '../../messaging/views.ts';
import { digestOf } from '../../operations/canonicalJson.ts';
import { RpcError } from '../errors/rpcError.ts';
import type { PageCaller } from '../sites/sender.ts';
import { standingCandidates } from '../sites/standingApprovals.ts';
import type { Wallet } from '../wallet.ts';
import { planWake } from '../worker/planWake.ts';
import { blocked, pushAnswers } from './answerPages.ts';
import { KeyReused } from './approvals.ts';
import { executeApproval } from './executeApproval.ts';
import { checkOpenBounds } from './openBounds.ts';
import { prepareApproval } from './prepareApproval.ts';
import { refreshBadgeSoon } from './refreshBadge.ts';
import { isForWindow, isOpen, type StoredApproval } from './storedApproval.ts';

/** Three rejections within 30 s silence an origin for 60 s. */
const REJECTIONS = 3;
const REJECTION_WINDOW_MS = 30_000;
const COOL_DOWN_MS = 60_000;
/** Questions in a row that end without the user, such as those that a site takes back itself; one more every two seconds. */
const BURST = 20;
const ONE_MORE_MS = 2_000;
/** The window opens no later than this, also while facts are slow that are not the relayer's. */
const OPEN_WINDOW_AFTER_MS = 600;

const rejectionsKey = (origin: string) => `rejections:${origin}`;
const bucketKey = (origin: string) => `questions:${origin}`;

interface Rejections {
  readonly times: readonly number[];
  readonly silentUntil: number;
}

/** Questions that a site had left at a time, Unix milliseconds. */
interface Bucket {
  readonly left: number;
  readonly at: number;
}

export type Question =
  | {
      readonly kind: 'connect';
      readonly kinds: readonly PermissionKind[];
      /** Network that the site wants to go on with; accounts of it can be chosen. */
      readonly switchTo?: string;
      /** The answer lists the permissions of EIP-2255, not the accounts. */
      readonly answers?: 'permissions';
    }
  | { readonly kind: 'unlock' }
  | {
      /** `standing`: a standing approval is asked for; `operation` is its name. */
      readonly kind: 'operation' | 'standing';
      readonly operation: string;
      readonly account: string;
      readonly intent: unknown;
      readonly idempotencyKey?: string;
    };

/** Counts a rejection towards the cool-down of its origin. Kept in `storage.session`. */
export async function countRejection({ ports }: Wallet, origin: string): Promise<void> {
  // Whoever says no to their own question may ask again.
  if (origin === OWN_ORIGIN) return;
  const key = rejectionsKey(origin);
  const stored = (await ports.session.get(key)) as Rejections | undefined;
  const now = ports.now();
  const times = [...(stored?.times ?? []).filter((time) => now - time < REJECTION_WINDOW_MS), now];
  const silentUntil = times.length >= REJECTIONS ? now + COOL_DOWN_MS : (stored?.silentUntil ?? 0);
  await ports.session.set({ [key]: { times, silentUntil } satisfies Rejections });
}

/** Questions that a site has left after one (`-1`), or after one was given back (`1`); below zero it has none. */
function leftAfter(stored: unknown, now: number, change: 1 | -1): number {
  const { left, at } = (stored as Bucket | undefined) ?? { left: BURST, at: now };
  // A clock that was set back fills nothing and empties nothing.
  return Math.min(BURST, left + Math.max(0, now - at) / ONE_MORE_MS + change);
}

/** In `storage.session`. A convenience like the cool-down: what cannot be counted is still asked. */
const keepLeft = ({ session }: Wallet['ports'], origin: string, left: number, now: number): Promise<void> =>
  session.set({ [bucketKey(origin)]: { left, at: now } satisfies Bucket }).catch(() => {});

/** The user decided, so the question was no flood. */
export const countDecision = ({ ports, asking }: Wallet, origin: string): Promise<void> =>
  asking(async () => {
    const now = ports.now();
    await keepLeft(ports, origin, leftAfter(await ports.session.get(bucketKey(origin)), now, 1), now);
  });

/** @throws {RpcError} `unauthorized`, `limitExceeded` */
function admit(now: number, site: { readonly blocked: boolean } | undefined, rejections: Rejections | undefined): void {
  if (site?.blocked) throw blocked();
  if (rejections && now < rejections.silentUntil)
    throw new RpcError('limitExceeded', 'The user rejected several requests. Wait a minute before asking again.');
}

/**
 * Puts a question of a page to the user. Everything is stored before a window opens. The same request id is never a
 * second question, and an equal question that is still open takes the request in.
 * @returns Id of the question, or `null` when this request id was asked before.
 * @throws {RpcError} `unauthorized`, `limitExceeded`
 */
export async function askUser(
  wallet: Wallet,
  caller: PageCaller,
  requestId: string,
  question: Question,
): Promise<string | null> {
  const { approvals, requests, ports } = wallet;
  const { origin, tabId } = caller;
  const stored = await wallet.asking(async () => {
    const createdAt = ports.now();
    const [known, open, site, rejections, bucket] = await Promise.all([
      requests.find(origin, requestId),
      approvals.open(),
      wallet.grants.of(origin),
      ports.session.get(rejectionsKey(origin)),
      ports.session.get(bucketKey(origin)),
    ]);
    if (known) return null;
    admit(createdAt, site, rejections as Rejections | undefined);
    await checkOpenBounds(wallet, caller, open);
    const asked = {
      version: 1,
      id: ports.uuid(),
      stage: 'waiting',
      origin,
      requestIds: [],
      createdAt,
      askedDigest: digestOf({ origin, ...question, idempotencyKey: undefined }),
      ...question,
      ...('kinds' in question ? { kinds: [...question.kinds] } : {}),
    } as StoredApproval;
    // What a standing approval may answer has a rate of its own.
    const isLimited = (await standingCandidates(wallet, asked)).length === 0;
    const left = leftAfter(bucket, createdAt, -1);
    if (isLimited && left < 0)
      throw new RpcError('limitExceeded', 'This site asks too often. Wait before asking again.');
    if (question.kind === 'operation') wallet.accountKeys.readApiKeyAhead(question.account);
    const counted = isLimited ? keepLeft(ports, origin, left, createdAt) : undefined;
    try {
      const entered = await approvals.ask(asked, { id: requestId, origin, tabId, createdAt });
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
  const prepared = prepareApproval(wallet, asked.id, () => relayerAsked())
    .then(async () => {
      const isAnswered = (await approvals.get(asked.id))?.rule !== undefined;
      if (isAnswered) executeApproval(wallet, asked.id).catch(() => {});
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
