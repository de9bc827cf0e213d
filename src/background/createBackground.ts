import type { PageRequest } from '../inpage/protocol.ts';
import { createJournal } from '../journal/index.ts';
import { type UiAnswer, type UiMethod, uiMethods } from '../messaging/uiMethods.ts';
import { createVault } from '../vault/index.ts';
import { reject } from './approvals/decideApproval.ts';
import { endFound } from './approvals/endFound.ts';
import { executeApproval } from './approvals/executeApproval.ts';
import { endLeft } from './approvals/leftPages.ts';
import { prepareApproval } from './approvals/prepareApproval.ts';
import { createApprovals } from './approvals/store/approvals.ts';
import { createRequests } from './approvals/store/requests.ts';
import { isForWindow, isOpen } from './approvals/store/storedApproval.ts';
import { RpcError, toProviderError, unauthorized } from './errors/rpcError.ts';
import { toUiError } from './errors/uiFailure.ts';
import { createAccountKeys } from './keys/accountKeys.ts';
import { createKeyUse } from './keys/keyUse.ts';
import { createL1Signer } from './keys/l1Signer.ts';
import { createStagedKeys } from './keys/stagedKeys.ts';
import { keyRegistered, keyUpdateEnded } from './keyUpdate/rotation.ts';
import { createGate } from './lifecycle/gate.ts';
import { createTurn } from './lifecycle/inTurn.ts';
import { lockWallet } from './lifecycle/lockWallet.ts';
import { resumeStored, resumeUnlocked, tidyUp } from './lifecycle/resume.ts';
import { takeOver } from './lifecycle/takeOver.ts';
import { finishWipe, markWipe } from './lifecycle/wipeWallet.ts';
import type { Ports } from './ports.ts';
import { createExchangeOf } from './relayers/exchangeOf.ts';
import { createNftMetadata } from './relayers/nftMetadata.ts';
import { createRelayers } from './relayers/relayers.ts';
import { createPageRouter } from './rpc/page/router.ts';
import { lastShown } from './rpc/ui/approvals.ts';
import { hostOf } from './rpc/ui/hostOf.ts';
import { uiHandlers } from './rpc/ui/index.ts';
import { createConfig, lockAfterMs } from './settings/config.ts';
import { createContacts } from './settings/contacts.ts';
import { createGrants } from './sites/grants.ts';
import { callerOf, type Sender } from './sites/sender.ts';
import { standingCandidates } from './sites/standingApprovals.ts';
import { createStandingApprovals } from './sites/standingStore.ts';
import { tellMissed } from './sites/visibility.ts';
import { approvalIdOf, createStatusEvents } from './submissions/events.ts';
import { wakeSoon } from './submissions/planWake.ts';
import { createSubmissions } from './submissions/submissions.ts';
import type { Wallet } from './wallet.ts';

/** Longest time that the rest of a start waits for what woke the worker, and then for the page that it opened, milliseconds. */
const WAIT_FOR_FIRST_MS = 1_000;
const WAIT_FOR_PAGE_MS = 250;
/** Characters of a UUID. */
const MAX_DOCUMENT_ID = 36;

/** As the content script names its document; anything else names none. */
const documentIdOf = (named: unknown): string | undefined =>
  typeof named === 'string' && named.length <= MAX_DOCUMENT_ID ? named : undefined;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function wire(ports: Ports, wipe: Wallet['wipe']): Wallet {
  const { now, uuid, lock, local, copy, session } = ports;
  const config = createConfig(local, copy, lock);
  const vault = createVault({
    store: ports.vaultStore,
    copy,
    session,
    now,
    randomBytes: ports.randomBytes,
    lock,
    ...(ports.kdfCost ? { kdfCost: ports.kdfCost } : {}),
  });
  const journal = createJournal({ store: ports.journalStore, lock, now, uuid, exchangeOf: createExchangeOf(config) });
  const relayers = createRelayers(ports);
  const l1Signer = createL1Signer({
    vault,
    config,
    uuid,
    randomBytes: ports.randomBytes,
    connectWallet: ports.connectWallet,
  });
  const keyUse = createKeyUse(ports);
  const stagedKeys = createStagedKeys(vault);
  const accountKeys = createAccountKeys(vault, relayers, l1Signer, keyUse, stagedKeys.holds);
  const grants = createGrants(local, lock);
  const approvals = createApprovals(ports.requestStore, ports.questionStore);
  const tellStatus = createStatusEvents({ config, grants, approvals, ports });
  const wallet: Wallet = {
    ports,
    config,
    vault,
    journal,
    relayers,
    accountKeys,
    keyUse,
    stagedKeys,
    grants,
    contacts: createContacts(local, lock),
    approvals,
    tellStatus,
    requests: createRequests(ports.requestStore),
    l1Signer,
    nftMetadata: createNftMetadata(ports, config),
    standing: createStandingApprovals(local, lock, journal, now, session),
    prepare: (id, asking) => prepareApproval(wallet, id, asking),
    carryOut: (id) => executeApproval(wallet, id),
    goOn: () => resumeUnlocked(wallet),
    executing: new Map(),
    signing: new Set(),
    asking: createTurn(),
    wipe,
    submissions: createSubmissions({
      ports,
      journal,
      config,
      relayers,
      accountKeys,
      sleep: pause,
      changed: async (record) => {
        // What cannot be done now (locked, disk full) is done at the next unlock or wake-up.
        await keyRegistered(wallet, record).catch(() => {});
        await endFound(wallet, approvalIdOf(record)).catch(() => {});
        await tellStatus(record);
        await keyUpdateEnded(wallet, record).catch(() => {});
        ports.toUi();
      },
    }),
  };
  return wallet;
}

async function answerUi(wallet: Wallet, name: unknown, params: unknown): Promise<UiAnswer> {
  if (typeof name !== 'string' || !Object.hasOwn(uiMethods, name))
    return { ok: false, error: { code: 'invalid-input', key: 'error_invalidInput', values: { field: 'method' } } };
  const method = name as UiMethod;
  const parsed = uiMethods[method].params.safeParse(params);
  if (!parsed.success)
    return {
      ok: false,
      error: {
        code: 'invalid-input',
        key: 'error_invalidInput',
        values: { field: String(parsed.error.issues[0]?.path.join('.') ?? '') },
      },
    };
  try {
    const handle = uiHandlers[method] as (wallet: Wallet, params: unknown) => Promise<never>;
    return { ok: true, result: await handle(wallet, parsed.data) };
  } catch (error) {
    return { ok: false, error: toUiError(error, await hostOf(wallet, parsed.data).catch(() => '')) };
  }
}

/**
 * The whole background over its ports. Every entry waits for `ready`, which closes what the last life left half-done; after
 * that, work that needs the password goes on by itself when the wallet is unlocked. A wipe ends one life and begins another.
 * @param self - Our extension id and the base URL of our own pages.
 */
export function createBackground(ports: Ports, self: { id: string; baseUrl: string }) {
  /** The message that woke the worker. */
  let waking: Promise<unknown> | undefined;
  let wiping: Promise<Wallet> | undefined;
  let life = begin(Promise.resolve());

  /** @param before - What has to end first. */
  function begin(before: Promise<void>) {
    const wiped = before.then(() => takeOver(ports)).then(() => finishWipe(ports, () => wire(ports, wipe)));
    const gate = createGate(ports, wiped);
    const wallet = wire(gate.ports, wipe);
    const ready = wiped.then(() => resumeStored(wallet));
    ready.then(() => goOn(wallet)).catch(() => {});
    return { wallet, ready, gate, answerPage: createPageRouter(wallet) };
  }

  /** The rest of a start. A person waits for the first message and what it set going, for the rest nobody does. */
  async function goOn(wallet: Wallet): Promise<void> {
    if (waking) {
      const first = waking.then(() => Promise.allSettled(wallet.executing.values())).catch(() => {});
      await Promise.race([first, pause(WAIT_FOR_FIRST_MS)]);
      await pause(WAIT_FOR_PAGE_MS);
    }
    const rest = [
      tidyUp(wallet),
      resumeUnlocked(wallet).catch(() => wakeSoon(ports)),
      lockAfterMs(wallet).then(ports.watchIdle),
      tellMissed(wallet),
    ];
    await Promise.allSettled(rest);
  }

  /** One that is asked for while another is under way is the same: it would end the life that the other begins. */
  function wipe(): Promise<Wallet> {
    wiping ??= wipeOnce().finally(() => {
      wiping = undefined;
    });
    return wiping;
  }

  async function wipeOnce(): Promise<Wallet> {
    await markWipe(ports);
    life = begin(life.gate.close());
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

  async function answer(message: unknown, sender: Sender): Promise<unknown> {
    const { type, ...rest } = (message ?? {}) as { type?: unknown; documentId?: unknown } & Partial<PageRequest>;
    const caller = callerOf(sender, self);
    if (type === 'ui') {
      if (caller.kind !== 'ui') return undefined;
      return answerUi(await started(), rest.method, rest.params);
    }
    const documentId = documentIdOf(rest.documentId);
    if (type === 'gone' && caller.kind === 'page' && documentId !== undefined)
      return endLeft(await started(), { ...caller, documentId });
    if (type !== 'page' || caller.kind === 'ui' || typeof rest.id !== 'string') return undefined;
    const { id, method, params } = rest;
    try {
      if (caller.kind === 'refused') throw unauthorized('unsupportedDocument', `Refused: ${caller.reason}.`);
      if (typeof method !== 'string') throw new RpcError('invalidRequest', 'method is not a text');
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

    /** One message of `runtime.onMessage`; `undefined` for messages that are not for the background. */
    onMessage(message: unknown, sender: Sender): Promise<unknown> {
      const answered = answer(message, sender);
      waking ??= answered;
      return answered;
    },

    /**
     * The machine was left or locked, which it also is before it sleeps; or the browser has just started. A deadline that passed
     * while nothing ran is found at the next use, with or without this.
     */
    async onAway(): Promise<void> {
      // Not after `ready`: nothing that the start has to mend may hold the lock up.
      await lockWallet(life.wallet);
    },

    /**
     * The browser says that the machine is idle, by whatever interval it kept: a minute, when it forgot ours with the last
     * worker. Locks when the machine was left for as long as the user chose.
     */
    async onIdle(): Promise<void> {
      const { wallet } = life;
      if (await ports.idleFor(await lockAfterMs(wallet))) await lockWallet(wallet);
    },

    /** The alarm, or a timer of the worker. */
    async onWake(): Promise<void> {
      await resumeUnlocked(await started());
    },

    /**
     * The user closed the approval window: that is a no to the question it showed. Others that it could have shown keep
     * waiting; one that came while it was closing, when bringing it to front was in vain, gets a window of its own.
     */
    async onApprovalWindowClosed(): Promise<void> {
      const wallet = await started();
      const last = await lastShown(wallet);
      const shown = last && (await wallet.approvals.get(last.id));
      if (shown && isOpen(shown)) await reject(wallet, shown.id, false);
      for (const question of await wallet.approvals.open()) {
        if (!isForWindow(question) || (last && question.createdAt < last.at)) continue;
        // One that a standing approval may answer is shown when none does, by who asked it.
        if (question.stage === 'waiting' && (await standingCandidates(wallet, question)).length > 0) continue;
        return ports.showApproval(question.id);
      }
    },
  };
}

export type Background = ReturnType<typeof createBackground>;
