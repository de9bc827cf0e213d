import type { StoredApproval } from '../../src/background/approvals/store/storedApproval.ts';
import type { PageMessage, ProviderErrorShape } from '../../src/inpage/protocol.ts';
import type { Text } from '../../src/operations/review.ts';
import { PASSWORD } from '../support/wallet.ts';
import type { Browser, Tab } from './browser.ts';
import { WorkerGone } from './life.ts';

export { PASSWORD };

export type Answer = { readonly result: unknown } | { readonly error: ProviderErrorShape };

/** One request of a page, kept as the content script keeps it: sent again until it is answered. */
export interface PageRequest {
  readonly browser: Browser;
  readonly tab: Tab;
  readonly id: string;
  readonly method: string;
  readonly params: unknown;
  /** All answers that reached the page; the content script passes on the first. */
  readonly answers: Answer[];
  inFlight: boolean;
}

/** A request that a page has not sent yet. */
export const newRequest = (
  browser: Browser,
  tab: Tab,
  { method, params }: { readonly method: string; readonly params?: unknown },
): PageRequest => ({ browser, tab, id: crypto.randomUUID(), method, params, answers: [], inFlight: false });

export function openTab(browser: Browser, id: number, origin: string, requests: PageRequest[]): Tab {
  const tab: Tab = {
    id,
    origin,
    receive(message) {
      if (!('id' in message)) return;
      const request = requests.find((candidate) => candidate.id === message.id && candidate.tab === tab);
      request?.answers.push(answerOf(message));
    },
  };
  browser.tabs.set(id, tab);
  return tab;
}

const answerOf = (message: Extract<PageMessage, { id: string }>): Answer =>
  'error' in message ? { error: message.error } : { result: message.result };

/** Sends a request, or sends it again. */
export async function deliver(request: PageRequest): Promise<void> {
  const { browser, tab, id, method, params } = request;
  if (request.inFlight) return;
  request.inFlight = true;
  try {
    const sent = { type: 'page', id, method, documentId: String(tab.id), ...(params === undefined ? {} : { params }) };
    const reply = (await browser.message(sent, browser.pageSender(tab))) as PageMessage | { later: true };
    browser.toPages.push(JSON.stringify(reply));
    if ('id' in reply) request.answers.push(answerOf(reply));
  } catch (error) {
    if (!(error instanceof WorkerGone)) throw error;
  } finally {
    request.inFlight = false;
  }
}

/**
 * What the user does at a question that is complete, one after the other. Behind a `+` stands what
 * happens in another window in the same instant: the same question is rejected, or its site is
 * disconnected.
 */
export type Step = 'approve' | 'reject' | 'lock' | 'approve+reject' | 'approve+revoke';
type Click = 'approve' | 'reject' | 'revoke';

/**
 * Sets the clock of the machine right when the wallet says that it is behind the relayer's, which
 * never moves.
 */
export function setClock({ clock, jumps, now, plan }: Browser, { problem }: { readonly problem: Text | null }): void {
  if (problem?.key !== 'error_clockBehind') return;
  clock.ahead += Date.now() - now();
  jumps.push(plan.trace.length);
}

/** The person at one browser: looks at the oldest question and does one thing. */
export function createUser(
  browser: Browser,
  stepsFor: (approval: StoredApproval) => readonly Step[],
  /** Rejects what was signed and refused before; else it is approved once more. */
  isCareful: boolean,
) {
  /** Approving clicks that the wallet took, by approval: each stands for one signature. */
  const approvals = new Map<string, number>();
  /**
   * When approving clicks were made, by approval, Unix milliseconds of this browser and points
   * reached by then.
   */
  const clickedAt = new Map<string, { readonly at: number; readonly point: number }[]>();
  /** Click that came back because it was too old to be signed, Unix milliseconds, by approval. */
  const returned = new Map<string, number>();
  /** Steps that are done, by approval. */
  const done = new Map<string, number>();
  const clicked = new Map<string, Set<Click>>();
  /**
   * What was asked under an id: a site that is to be connected first asks two questions under one.
   */
  const kinds = new Map<string, string>();
  /** Every question that was ever there, as it was last; old ones are forgotten by the wallet. */
  const seen = new Map<string, StoredApproval>();

  async function storedApprovals(): Promise<StoredApproval[]> {
    const stored = (await browser.dump('requests'))
      .filter(([key]) => /^(?:approval|ended):/.test(String(key)))
      .map(([, value]) => value as StoredApproval);
    for (const approval of stored) seen.set(approval.id, approval);
    return stored.sort((a, b) => a.createdAt - b.createdAt);
  }

  const note = (id: string, click: Click) => clicked.set(id, (clicked.get(id) ?? new Set()).add(click));
  const advance = (id: string) => done.set(id, (done.get(id) ?? 0) + 1);

  async function lockWhenPlanned(approval: StoredApproval): Promise<void> {
    if (stepsFor(approval)[done.get(approval.id) ?? 0] !== 'lock') return;
    advance(approval.id);
    await browser.uiAnswer('lock', {});
  }

  async function look(approval: StoredApproval): Promise<boolean> {
    const { id } = approval;
    if ((kinds.get(id) ?? approval.kind) !== approval.kind)
      for (const of of [approvals, clickedAt, done]) of.delete(id);
    kinds.set(id, approval.kind);
    const seen = await browser.uiAnswer('getApproval', { id });
    if (!seen.ok) return false;
    const view = seen.result;
    const isAskedAgain = view.review?.warnings.some(({ rule }) => rule === 'signed-before') ?? false;
    // Approved too late to be signed: that click stands for nothing, and the user gives it again.
    if (approval.again && returned.get(id) !== approval.again.approvedAt) {
      returned.set(id, approval.again.approvedAt);
      approvals.set(id, (approvals.get(id) ?? 0) - 1);
    }
    const planned = stepsFor(approval)[done.get(id) ?? 0] ?? (approval.again ? 'approve' : undefined);
    const step = isAskedAgain ? (isCareful ? 'reject' : 'approve') : planned;
    if (view.needsPassword) return (await browser.uiAnswer('unlock', { password: PASSWORD })).ok;
    if (view.stage === 'unavailable') {
      setClock(browser, view);
      return (await browser.uiAnswer('retryApproval', { id })).ok;
    }
    if (view.stage === 'choosing' && step === 'reject')
      return (await browser.uiAnswer('reject', { id, block: false })).ok;
    if (view.stage === 'choosing') {
      const account = view.account?.id ?? '';
      return (await browser.uiAnswer('startKeyUpdate', { account, approval: id, kind: 'derived', feeTokenId: null }))
        .ok;
    }
    if (view.stage === 'approved') {
      await lockWhenPlanned(approval);
      return false;
    }
    if (view.stage !== 'ready' || step === undefined) return false;
    if (step === 'lock') {
      await lockWhenPlanned(approval);
      return true;
    }
    const [click, beside] = step.split('+') as [Click, Click | undefined];
    for (const one of beside ? [click, beside] : [click]) note(id, one);
    if (click === 'approve')
      clickedAt.set(id, [...(clickedAt.get(id) ?? []), { at: browser.now(), point: browser.plan.trace.length }]);
    const accounts = view.connect?.accounts.map((account) => account.id);
    const reject = () => browser.uiAnswer('reject', { id, block: false });
    const [answer] = await Promise.all([
      click === 'reject'
        ? reject()
        : browser.uiAnswer('approve', {
            id,
            digest: view.digest ?? '',
            account: view.account?.id ?? null,
            password: PASSWORD,
            ...(accounts ? { accounts } : {}),
          }),
      beside === 'reject' && reject(),
      beside === 'revoke' && browser.uiAnswer('revokeSite', { origin: approval.origin }),
    ]);
    if (!answer.ok) return true;
    // A review that was too old was prepared again by the click, or could not be, and the click
    // approved nothing.
    if (answer.result?.stage === 'unavailable' || answer.result?.needsPassword) return true;
    if (answer.result?.stage === 'ready' && answer.result.changes !== null) return true;
    advance(id);
    if (click === 'approve') approvals.set(id, (approvals.get(id) ?? 0) + 1);
    await lockWhenPlanned(approval);
    return true;
  }

  return {
    storedApprovals,
    seen,
    clicked,
    clickedAt,
    approvals,
    /** @returns False when there was nothing to do. */
    async act(): Promise<boolean> {
      const open = (await storedApprovals()).find(({ stage }) =>
        ['waiting', 'unavailable', 'choosing', 'ready', 'approved'].includes(stage),
      );
      if (!open) return false;
      try {
        return await look(open);
      } catch (error) {
        if (error instanceof WorkerGone) return true;
        throw error;
      }
    },
  };
}

export type User = ReturnType<typeof createUser>;
