import { preferFastCore } from '../crypto/fast.ts';
import type { PageRequest } from '../inpage/protocol.ts';
import { faultOf, isRequestId, jsonOf } from '../inpage/requestShape.ts';
import { type UiAnswer, type UiMethod, uiMethods } from '../messaging/uiMethods.ts';
import { listenForReports, metElsewhere, report, reported, reportedAs } from '../report/report.ts';
import { finishRightsChanges } from './approvals/siteRights.ts';
import { isForWindow, isOpen } from './approvals/store/storedApproval.ts';
import { fieldOf } from './errors/fieldOf.ts';
import { toProviderError, unauthorized } from './errors/rpcError.ts';
import { invalidInput, toUiError, UiFailure } from './errors/uiFailure.ts';
import { createGate } from './lifecycle/gate.ts';
import { keepStartupSnapshot } from './lifecycle/keepStartupSnapshot.ts';
import { createReports } from './lifecycle/reports.ts';
import { resumeStored, tidyUp } from './lifecycle/resume.ts';
import { takeOver } from './lifecycle/takeOver.ts';
import { finishWipe, markWipe } from './lifecycle/wipeWallet.ts';
import type { Ports } from './ports.ts';
import { pageMethods } from './rpc/page/index.ts';
import { createPageRouter } from './rpc/page/router.ts';
import { lastShown } from './rpc/ui/approvals.ts';
import { hostOf } from './rpc/ui/hostOf.ts';
import { uiHandlers } from './rpc/ui/index.ts';
import { lockAfterMs } from './settings/config.ts';
import { callerOf, type PageDocument, type Sender } from './sites/sender.ts';
import { tellErased, tellMissed, toldSites } from './sites/visibility.ts';
import type { Wallet } from './wallet.ts';
import { pageRooms, wire } from './wire.ts';

/**
 * Longest time that the rest of a start waits for what woke the worker, and then for the page that
 * it opened, milliseconds.
 */
const WAIT_FOR_FIRST_MS = 1_000;
const WAIT_FOR_PAGE_MS = 250;
/** Characters of a UUID. */
const MAX_DOCUMENT_ID = 36;

/** As the content script names its document; anything else names none. */
const documentIdOf = (named: unknown): string | undefined =>
  typeof named === 'string' && named.length <= MAX_DOCUMENT_ID ? named : undefined;

// Loaded at the first hash or signature; a wake-up that computes nothing pays nothing.
preferFastCore();

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function answerUi(wallet: Wallet, name: unknown, params: unknown): Promise<UiAnswer> {
  if (typeof name !== 'string' || !Object.hasOwn(uiMethods, name))
    return { ok: false, error: toUiError(invalidInput('method')) };
  const method = name as UiMethod;
  const parsed = uiMethods[method].params().safeParse(params);
  if (!parsed.success) return { ok: false, error: toUiError(invalidInput(fieldOf(parsed.error))) };
  try {
    const handle = uiHandlers[method] as (wallet: Wallet, params: unknown) => Promise<never>;
    return { ok: true, result: await handle(wallet, parsed.data) };
  } catch (error) {
    return {
      ok: false,
      error: toUiError(error, await hostOf(wallet, parsed.data).catch(reportedAs('worker: name of a host', ''))),
    };
  }
}

/**
 * The full background over its ports. Every entry waits for `ready`, which closes what the last
 * worker left unfinished. After that, work that needs the password continues when the wallet is
 * unlocked. A wipe discards the running wallet and starts a new one. Leaves what the next cold
 * worker answers first.
 * @param self - Our extension id and the base URL of our own pages.
 * @param quietMs - See `keepStartupSnapshot`.
 */
export function createBackground(given: Ports, self: { id: string; baseUrl: string }, quietMs?: number) {
  const snapshot = keepStartupSnapshot<Wallet>(given, quietMs);
  const { ports } = snapshot;
  // Beside the gate: what a wipe interrupts leaves its trace too.
  const reports = createReports(ports);
  listenForReports(reports.add);
  /** The message that woke the worker. */
  let waking: Promise<unknown> | undefined;
  let wiping: Promise<Wallet> | undefined;
  let life = begin(Promise.resolve());
  snapshot.begin(
    async () => {
      await life.ready;
      return life.wallet;
    },
    (wallet) => uiHandlers.getHome(wallet, { refresh: false }),
  );

  /** @param before - What has to end first. */
  function begin(before: Promise<void>) {
    const wiped = before.then(() => takeOver(ports)).then(() => finishWipe(ports, () => wire(ports, reports, wipe)));
    const gate = createGate(ports, wiped);
    const wallet = wire(gate.ports, reports, wipe);
    const ready = wiped
      .then(() => resumeStored(wallet))
      .then(() => finishRightsChanges(wallet).catch(reported('worker: resume')));
    ready.then(() => goOn(wallet)).catch(reported('worker: start'));
    return { wallet, ready, gate, answerPage: createPageRouter(wallet, pageRooms(wallet), pageMethods) };
  }

  /**
   * Deferred work of a start. It runs after the first message has been answered, because no user
   * waits for it.
   */
  async function goOn(wallet: Wallet): Promise<void> {
    if (waking) {
      const first = waking.then(() => Promise.allSettled(wallet.executing.values())).catch(metElsewhere);
      await Promise.race([first, pause(WAIT_FOR_FIRST_MS)]);
      await pause(WAIT_FOR_PAGE_MS);
    }
    const work = [
      tidyUp(wallet),
      wallet.goOn(),
      lockAfterMs(wallet).then(ports.watchIdle),
      tellMissed(wallet),
      wallet.tellAgain(),
    ];
    await Promise.all(work.map((one) => one.catch(reported('worker: start'))));
  }

  /**
   * Concurrent wipes share one promise, because a second one would discard the wallet that the
   * first has just started.
   */
  function wipe(): Promise<Wallet> {
    wiping ??= wipeOnce().finally(() => {
      wiping = undefined;
    });
    return wiping;
  }

  async function wipeOnce(): Promise<Wallet> {
    await markWipe(ports);
    const told = await toldSites(life.wallet).catch(reportedAs('wipe: tell pages', []));
    // Connections stay open otherwise: what they carry is not written, but still heard.
    const { accountKeys, follow, subscriptions } = life.wallet;
    accountKeys.forgetAhead();
    follow.stop();
    subscriptions.stop();
    life = begin(life.gate.close());
    // What a page asks when it hears of it waits for the wallet that begins now.
    for (const origin of told) tellErased(ports, origin).catch(reported('wipe: tell pages'));
    return started();
  }

  async function startedLife() {
    const mine = life;
    try {
      await mine.ready;
    } catch (error) {
      // A disk that failed at the start may work by now.
      if (life === mine) life = begin(mine.gate.close());
      throw error;
    }
    return mine;
  }

  const started = async (): Promise<Wallet> => (await startedLife()).wallet;

  function documentLeft(wallet: Wallet, gone: PageDocument): Promise<void> {
    wallet.subscriptions.left(gone);
    return wallet.leftPages.end({ gone });
  }

  async function answer(message: unknown, sender: Sender): Promise<unknown> {
    const { type, ...rest } = (message ?? {}) as { type?: unknown; documentId?: unknown } & Partial<PageRequest>;
    const caller = callerOf(sender, self);
    if (type === 'ui') {
      if (caller.kind !== 'ui') return undefined;
      return answerUi(await started(), rest.method, rest.params);
    }
    const documentId = documentIdOf(rest.documentId);
    if (type === 'gone' && caller.kind === 'page' && documentId !== undefined)
      return documentLeft(await started(), { ...caller, documentId });
    if (type !== 'page' || caller.kind === 'ui' || !isRequestId(rest.id)) return undefined;
    const { id, method = '', params } = rest;
    try {
      if (caller.kind === 'refused') throw unauthorized('unsupportedDocument', `Refused: ${caller.reason}.`);
      // The content script has checked the same, and a compromised renderer speaks without it.
      const error = faultOf(rest.method, jsonOf(params));
      if (error) return { id, error };
      const { answerPage } = await startedLife();
      return await answerPage({ ...caller, documentId }, { id, method, params });
    } catch (error) {
      return { id, error: toProviderError(error, id) };
    }
  }

  return {
    get wallet() {
      return life.wallet;
    },
    get ready() {
      return life.ready;
    },

    storageChanged: snapshot.storageChanged,

    /**
     * One message of `runtime.onMessage`; `undefined` for messages that are not for the background.
     */
    onMessage(message: unknown, sender: Sender): Promise<unknown> {
      const answered = answer(message, sender);
      waking ??= answered;
      return answered;
    },

    /**
     * The machine was left or locked, which it also is before it sleeps; or the browser has just
     * started. A deadline that passed while nothing ran is found at the next use, with or without
     * this.
     */
    async onAway(): Promise<void> {
      // Not after `ready`: nothing that the start has to repair may hold the lock up.
      await life.wallet.locking.lock();
    },

    /**
     * The browser says that the machine is idle, by whatever interval it kept: a minute, when it
     * forgot ours with the last worker. Locks when the machine was left for as long as the user
     * chose.
     */
    async onIdle(): Promise<void> {
      const { wallet } = life;
      if (await ports.idleFor(await lockAfterMs(wallet))) await wallet.locking.lock();
    },

    /** The alarm, or a timer of the worker. */
    async onWake(): Promise<void> {
      await (await started()).goOn();
    },

    /**
     * The user closed the approval window: that is a no to the approval request it showed. Others
     * that it could have shown keep waiting; one that came while it was closing, when bringing it
     * to front was in vain, gets a window of its own.
     */
    async onApprovalWindowClosed(): Promise<void> {
      const wallet = await started();
      const last = await lastShown(wallet);
      const shown = last && (await wallet.approvals.get(last.id));
      // It may end by itself meanwhile; those that came since have to be shown either way.
      if (shown && isOpen(shown))
        await wallet.reject(shown.id, false).catch((error: unknown) => {
          if (!(error instanceof UiFailure)) report('approvals: window closed', error);
        });
      for (const pending of await wallet.approvals.open()) {
        if (!isForWindow(pending) || last?.open.includes(pending.id)) continue;
        // One that a standing approval may answer is shown when none does, by who asked it.
        if (pending.stage === 'waiting' && (await wallet.candidates(pending)).length > 0) continue;
        return wallet.showWindow(pending.id);
      }
    },
  };
}

export type Background = ReturnType<typeof createBackground>;
