import { createJournal } from '../journal/index.ts';
import { changesKey, findOperation } from '../operations/index.ts';
import { reported, reportedAs } from '../report/report.ts';
import { createVault } from '../vault/index.ts';
import { admit } from './approvals/admit.ts';
import { answerNow, answerTo, pushAnswers } from './approvals/answerPages.ts';
import { answerUnlock, answerUnlocks } from './approvals/answerUnlocks.ts';
import { hasEffect } from './approvals/approvalEffect.ts';
import { approveConnection } from './approvals/approveConnection.ts';
import { approveRequest } from './approvals/approveRequest.ts';
import { askUser } from './approvals/askUser.ts';
import { createBadge } from './approvals/badge.ts';
import { carryOut } from './approvals/carryOut.ts';
import { claim } from './approvals/claim.ts';
import { closeApproval, closeApprovalsOf, closeWithoutPermission, stillApproved } from './approvals/closePending.ts';
import { connected } from './approvals/connected.ts';
import { decided } from './approvals/decided.ts';
import { endSubmitted, finish, giveUp } from './approvals/endApproved.ts';
import { endFound } from './approvals/endFound.ts';
import { endsTooOften } from './approvals/endsTooOften.ts';
import { execute } from './approvals/execute.ts';
import { executeOperation } from './approvals/executeOperation.ts';
import { factsOf } from './approvals/factsOf.ts';
import { connect, openStanding } from './approvals/grantApproved.ts';
import { keepProblem } from './approvals/keepProblem.ts';
import { endIfLeft, endLeft } from './approvals/leftPages.ts';
import { prepareApproval, prepareAsked, resumeApprovals } from './approvals/prepareApproval.ts';
import { prepareOperation } from './approvals/prepareOperation.ts';
import { askAnew, putBack, returnLate } from './approvals/putBack.ts';
import { reject, takenBack } from './approvals/rejectApproval.ts';
import { show } from './approvals/show.ts';
import { showWindow } from './approvals/showWindow.ts';
import { blockSite, grantsChanged, silenceSite, unblockSite } from './approvals/siteRights.ts';
import { createApprovals } from './approvals/store/approvals.ts';
import { createRequestRate } from './approvals/store/requestRate.ts';
import { createRequests } from './approvals/store/requests.ts';
import { storeAsked } from './approvals/storeAsked.ts';
import { isUsedElsewhere, submitOnce } from './approvals/submitApproved.ts';
import { submitAttempts } from './approvals/submitAttempts.ts';
import { attention } from './attention/attention.ts';
import { checkKeys, checkTokens, compareEach } from './attention/checks.ts';
import { accountItems, approvedItems, proofItems, tokenItems } from './attention/items.ts';
import { repair, resync } from './attention/repair.ts';
import { createAccountKeys } from './keys/accountKeys.ts';
import { createKeyUse } from './keys/keyUse.ts';
import { createL1Signer } from './keys/l1Signer.ts';
import { createStagedKeys } from './keys/stagedKeys.ts';
import { discardAbandoned } from './keyUpdate/abandonedKeys.ts';
import { mayCountStill } from './keyUpdate/keyUpdates.ts';
import {
  adoptRegistered,
  finishKeyUpdates,
  keyPlaced,
  keyRegistered,
  keyUpdateEnded,
  makeKey,
  releaseClaims,
  releaseKey,
  settleKeyUpdate,
  startKeyUpdate,
  tidyStagedKeys,
} from './keyUpdate/steps.ts';
import { createFollow } from './lifecycle/followAccounts.ts';
import { lockWallet } from './lifecycle/lockWallet.ts';
import { createMutex } from './lifecycle/mutex.ts';
import { createForgetHourly, noteLostJournal, resumeUnlocked } from './lifecycle/resume.ts';
import { created, opened, tidyStanding } from './lifecycle/unlocking.ts';
import { type Ports, WAITS } from './ports.ts';
import { createBalanceProofs } from './proofs/balanceProofs.ts';
import { createPublishedBlocks } from './proofs/publishedBlocks.ts';
import { createExchangeOf } from './relayers/exchangeOf.ts';
import { createNftMetadata } from './relayers/nftMetadata.ts';
import { createRelayers } from './relayers/relayers.ts';
import { continueRequest } from './rpc/page/continueRequest.ts';
import { pageExchanges, pageHistory, pageKeys, pageReads, pageStanding } from './rpc/page/createPageRooms.ts';
import { pageMethods } from './rpc/page/index.ts';
import type { RoomsOf } from './rpc/page/rooms.ts';
import { activity } from './rpc/ui/activity.ts';
import { viewOf } from './rpc/ui/approvalView.ts';
import { askForProofs } from './rpc/ui/askForProofs.ts';
import { forgetNetwork } from './rpc/ui/networkRemoval.ts';
import { readBalances } from './rpc/ui/readBalances.ts';
import { checkRemovable, endRights, endSubmissions, removeListed } from './rpc/ui/removal.ts';
import { createConfig } from './settings/config.ts';
import { createContacts } from './settings/contacts.ts';
import { ownedArea } from './settings/ownedArea.ts';
import { walletState } from './settings/walletState.ts';
import { createGrants } from './sites/grants.ts';
import { standingCandidates } from './sites/standingApprovals.ts';
import { createStandingApprovals } from './sites/standingStore.ts';
import { connectTo, createSubscriptions } from './sites/subscriptions.ts';
import { tellLock } from './sites/tellLock.ts';
import { ownersSeen } from './sites/visibleAccounts.ts';
import { createStatusEvents } from './submissions/events.ts';
import { approvalIdOf, isUnresolved } from './submissions/outcome.ts';
import { planWake } from './submissions/planWake.ts';
import { isMove } from './submissions/signedAlready.ts';
import { isHandedOver, submittedRequest } from './submissions/submissionRecord.ts';
import { createSubmissions } from './submissions/submissions.ts';
import { tellAgain } from './submissions/tellAgain.ts';
import type { Wallet } from './wallet.ts';

export function pageRooms(wallet: Wallet): RoomsOf {
  const reads = pageReads(wallet);
  const { subscriptions } = wallet;
  return (origin) => ({
    reads: reads(origin),
    history: pageHistory(wallet, origin),
    standing: pageStanding(wallet, origin),
    exchanges: pageExchanges(wallet, origin),
    subscriptions: { hold: subscriptions.hold, leave: (id) => subscriptions.leave(origin, id) },
    keys: pageKeys(wallet),
  });
}

/**
 * Builds the parts of the background over its ports and hands each function the parts that it
 * names. Decides nothing.
 */
export function wire(given: Ports, reports: Wallet['reports'], wipe: Wallet['wipe']): Wallet {
  const { now, uuid, lock, copy, session } = given;
  const config = createConfig(given.local, copy, lock);
  const ports: Ports = { ...given, local: ownedArea(given, config) };
  const { local } = ports;
  const vault = createVault({
    stores: { primary: ports.vaultStore, copy, session },
    now,
    randomBytes: ports.randomBytes,
    lock,
    ...(ports.kdfCost ? { kdfCost: ports.kdfCost } : {}),
  });
  const journal = createJournal({
    store: ports.journalStore,
    now,
    uuid,
    exchangeOf: createExchangeOf(config),
    history: {
      isNeeded: (record, isWatched) => mayCountStill(record, now()) || (isWatched && isMove(record)),
      isHandedOver,
    },
  });
  const relayers = createRelayers(ports);
  const l1Signer = createL1Signer(ports, vault, config);
  const keyUse = createKeyUse(ports);
  const stagedKeys = createStagedKeys(vault);
  const accountKeys = createAccountKeys(vault, relayers, l1Signer, keyUse, stagedKeys.holds);
  const grants = createGrants(local, lock);
  const approvals = createApprovals(
    ports.requestStore,
    ports.relaxedRequestStore,
    async (approval) => {
      wallet.badge.refreshSoon();
      ports.clearNotification(WAITS + approval.id);
      releaseKey(wallet, approval).catch(reported('keyUpdate: remove staged keys'));
      if (approval.submissionId !== undefined)
        await wallet.submissions.answered(approval.submissionId).catch(reported('submissions: after an answer'));
      // Where nobody is left, nobody is told.
      if (!approval.left) await pushAnswers(wallet, approval).catch(reported('approvals: tell pages'));
    },
    // What cannot be read now is forgotten later.
    (approval) => isUnresolved(journal, approval, now()).catch(reportedAs('approvals: forget', true)),
    (id) => answerNow(wallet, id),
  );
  const requests = createRequests(ports.requestStore);
  const forgetHourly = createForgetHourly({ approvals, requests, ports });
  const tellStatus = createStatusEvents({ config, grants, approvals, journal, ports }, createMutex());
  const connectRelayer = connectTo(ports, relayers, accountKeys);
  const follow = createFollow({
    ports,
    config,
    vault,
    journal,
    connect: connectRelayer,
    submissions: { checkOpen: (...of) => wallet.submissions.checkOpen(...of) },
  });
  const publishedBlocks = createPublishedBlocks(ports, relayers);
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
    requests,
    reports,
    requestRate: createRequestRate(ports, createMutex()),
    l1Signer,
    nftMetadata: createNftMetadata(ports, config),
    publishedBlocks,
    balanceProofs: createBalanceProofs(ports, relayers, publishedBlocks),
    standing: createStandingApprovals(ports, journal),
    executing: new Map(),
    signing: new Set(),
    submissions: createSubmissions({
      clock: { now, sleep: ports.timer.sleep },
      journal,
      config,
      relayers,
      accountKeys,
      requests: {
        isAnswered: async (record) => (await approvals.get(approvalIdOf(record)))?.submissionId === record.id,
        close: (record) => wallet.closing.close(approvalIdOf(record), takenBack),
        changed: async (record) => {
          const isKeyUpdate = changesKey(record.operation);
          // What cannot be done now (locked, disk full) is done at the next unlock or wake-up.
          if (isKeyUpdate) await keyRegistered(wallet, record).catch(reported('submissions: after a change'));
          await wallet.closing.endFound(approvalIdOf(record)).catch(reported('submissions: after a change'));
          await tellStatus(record);
          if (isKeyUpdate) await keyUpdateEnded(wallet, record).catch(reported('submissions: after a change'));
          ports.toUi();
          // Orders that the wallet takes for open, and that have ended.
          const { tooLateFor, cancelled } = findOperation(record.operation) ?? {};
          const submitted = submittedRequest(record);
          const ended = [...(tooLateFor?.(submitted) ?? []), ...(cancelled?.(submitted) ?? [])];
          if (ended.length > 0)
            wallet.submissions
              .checkOpen(({ hash }) => ended.includes(hash ?? ''), ended.length)
              .catch(reported('submissions: after a change'));
        },
      },
    }),

    admit: (...of) => admit(wallet, ...of),
    storeAsked: (...of) => storeAsked(wallet, ...of),
    askUser: (...of) => askUser(wallet, ...of),
    show: (...of) => show(wallet, ...of),
    prepare: (...of) => prepareApproval(wallet, ...of),
    prepareAsked: (...of) => prepareAsked(wallet, ...of),
    endsTooOften: (asked) => endsTooOften(wallet, asked),
    prepareOperation: (...of) => prepareOperation(wallet, ...of),
    keepProblem: (...of) => keepProblem(wallet, ...of),
    answerUnlock: (id) => answerUnlock(wallet, id),
    factsOf: (...of) => factsOf(wallet, ...of),
    candidates: (approval) => standingCandidates(wallet, approval),
    approveRequest: (...of) => approveRequest(wallet, ...of),
    approveConnection: (...of) => approveConnection(wallet, ...of),
    decided: (approval) => decided(wallet, approval),
    reject: (...of) => reject(wallet, ...of),
    carryOut: (id) => carryOut(wallet, id),
    execute: (id) => execute(wallet, id),
    claim: (id) => claim(wallet, id),
    effectOf: {
      operation: (...of) => executeOperation(wallet, ...of),
      connect: (approval) => connect(wallet, approval),
      standing: (approval) => openStanding(wallet, approval),
    },
    connected: (approval) => connected(wallet, approval),
    submitAttempts: (...of) => submitAttempts(wallet, ...of),
    submitOnce: (...of) => submitOnce(wallet, ...of),
    isUsedElsewhere: (...of) => isUsedElsewhere(wallet, ...of),
    hasEffect: (approval) => hasEffect(wallet, approval),
    putBack: (...of) => putBack(wallet, ...of),
    askAnew: (...of) => askAnew(wallet, ...of),
    showWindow: (id) => showWindow(wallet, id),
    returnLate: (id) => returnLate(wallet, id),
    endings: {
      finish: (...of) => finish(wallet, ...of),
      giveUp: (...of) => giveUp(wallet, ...of),
      submitted: (...of) => endSubmitted(wallet, ...of),
    },
    closing: {
      close: (...of) => closeApproval(wallet, ...of),
      closeOf: (...of) => closeApprovalsOf(wallet, ...of),
      closeWithoutPermission: (approval) => closeWithoutPermission(wallet, approval),
      stillApproved: (id) => stillApproved(wallet, id),
      endFound: (id) => endFound(wallet, id),
    },
    leftPages: { end: (which) => endLeft(wallet, which), endIf: (id) => endIfLeft(wallet, id) },
    answerTo: (request) => answerTo(wallet, request),
    pushAnswers: (approval) => pushAnswers(wallet, approval),
    badge: createBadge({ approvals, ports }),

    rights: {
      async changed(origin) {
        // Each ends whether or not the other fails: what was allowed ahead, and what is told.
        try {
          await grantsChanged(wallet, origin);
        } finally {
          await wallet.subscriptions.recheck(origin);
        }
        // A standing approval may have been opened or ended.
        await wallet.planWake();
      },
      async silence(origin) {
        await silenceSite(wallet, origin);
        await wallet.subscriptions.recheck(origin);
      },
      async block(origin) {
        await wallet.rights.silence(origin);
        await blockSite(wallet, origin);
      },
      unblock: (origin) => unblockSite(wallet, origin),
    },
    continueRequest: (connection) => continueRequest(wallet, pageRooms(wallet), pageMethods, connection),
    ownersSeen: (origin) => ownersSeen(wallet, origin),
    keyUpdate: {
      start: (asked) => startKeyUpdate(wallet, asked),
      make: (...of) => makeKey(wallet, ...of),
      settle: (account) => settleKeyUpdate(wallet, account),
      adopt: (...of) => adoptRegistered(wallet, ...of),
      tidy: (...of) => tidyStagedKeys(wallet, ...of),
      releaseClaims: (of) => releaseClaims(wallet, of, wallet.removal.endRights),
      discardAbandoned: () => discardAbandoned(wallet),
      placed: (...of) => keyPlaced(wallet, ...of),
    },
    attention: {
      list: () => attention(wallet),
      compare: compareEach({ config, ports }, async (network) => {
        await Promise.all([checkTokens(wallet, network), checkKeys(wallet, network)]);
        if (await vault.isUnlocked()) await finishKeyUpdates(wallet, network);
      }),
      resync: (id) => resync(wallet, id),
      repair: (...of) => repair(wallet, ...of),
    },
    attentionOf: {
      approvals: () => approvedItems(wallet),
      account: (...of) => accountItems(wallet, ...of),
      tokens: () => tokenItems(wallet),
      proofs: () => proofItems(wallet),
    },
    tellStatus,
    tellAgain: () =>
      tellAgain({ journal, ports }, (record) => tellStatus(record, true)).catch(reported('worker: resume')),
    locking: {
      lock: () =>
        lockWallet(wallet, () => {
          accountKeys.forgetAhead();
          follow.stop();
          wallet.subscriptions.lock();
        }),
      tell: () => tellLock(wallet),
      tidyStanding: () => tidyStanding(wallet),
      created: () => created(wallet),
      opened: () => opened(wallet),
    },
    planWake: () => planWake(wallet),
    follow,
    subscriptions: createSubscriptions({
      ports,
      vault,
      journal,
      relayers: { connect: connectRelayer, orderTold: follow.orderTold },
      config,
      grants,
    }),
    goOn: () =>
      resumeUnlocked(wallet, [
        () => noteLostJournal(wallet),
        () => answerUnlocks(wallet),
        () => finishKeyUpdates(wallet),
        () => resumeApprovals(wallet),
        forgetHourly,
        () => wallet.submissions.checkDue(),
      ]),
    wipe,

    walletState: () => walletState(wallet),
    viewOf: (id) => viewOf(wallet, id),
    activity: (...of) => activity(wallet, ...of),
    readBalances: (account) => readBalances(wallet, account),
    askForProofs: (account) => askForProofs(wallet, account),
    removal: {
      checkRemovable: (id) => checkRemovable(wallet, id),
      forgetNetwork: (id) => forgetNetwork(wallet, id),
      endSubmissions: (...of) => endSubmissions(wallet, ...of),
      endRights: (id) => endRights(wallet, id),
      removeListed: (id) => removeListed(wallet, id),
    },
  };
  return wallet;
}
