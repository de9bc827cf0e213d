import type { Journal, SubmissionRecord } from '../journal/index.ts';
import type { UiParams } from '../messaging/uiMethods.ts';
import type {
  ActivityItem,
  ApprovalView,
  AttentionAction,
  AttentionItem,
  BalanceView,
  Failure,
  NetworkView,
  WalletState,
} from '../messaging/views.ts';
import type { Facts, NewKey } from '../operations/operation.ts';
import type { Text } from '../operations/review.ts';
import type { EndpointAnswer } from '../protocol/index.ts';
import type { Vault } from '../vault/index.ts';
import type { ApprovalRequest } from './approvals/store/approvalRequest.ts';
import type { Approvals } from './approvals/store/approvals.ts';
import type { Approve, Attempt, Entered, Lapse, Progress, Reason } from './approvals/store/flow.ts';
import type { RequestRate } from './approvals/store/requestRate.ts';
import type { Answer, Requests, StoredRequest } from './approvals/store/requests.ts';
import type {
  Approved,
  ApprovedConnection,
  ApprovedRequest,
  Connection,
  NewKeyChoice,
  PendingRequest,
  ReadyConnection,
  ReadyRequest,
  StoredApproval,
} from './approvals/store/storedApproval.ts';
import type { RpcError } from './errors/rpcError.ts';
import type { AccountKeys } from './keys/accountKeys.ts';
import type { KeyUse } from './keys/keyUse.ts';
import type { L1Signer } from './keys/l1Signer.ts';
import type { StagedKeys } from './keys/stagedKeys.ts';
import type { Ports } from './ports.ts';
import type { BalanceProofs } from './proofs/balanceProofs.ts';
import type { PublishedBlocks } from './proofs/publishedBlocks.ts';
import type { NftMetadata } from './relayers/nftMetadata.ts';
import type { Relayers } from './relayers/relayers.ts';
import type { AccountOnNetwork, Config } from './settings/config.ts';
import type { Contacts } from './settings/contacts.ts';
import type { StoredAccount } from './settings/storedConfig.ts';
import type { Grants } from './sites/grants.ts';
import type { PageDocument } from './sites/sender.ts';
import type { CountedApproval, StandingApprovals } from './sites/standingStore.ts';
import type { Subscriptions } from './sites/subscriptions.ts';
import type { Submissions } from './submissions/submissions.ts';

/** Something that needs the user, and the submission that it is about. */
export type AttentionFound = Omit<AttentionItem, 'submission'> & { readonly record?: SubmissionRecord };

/** Stores and services; none of them knows another flow than its own. */
interface Rooms {
  readonly ports: Ports;
  readonly config: Config;
  readonly grants: Grants;
  readonly contacts: Contacts;
  readonly vault: Vault;
  readonly journal: Journal;
  readonly approvals: Approvals;
  readonly requests: Requests;
  readonly relayers: Relayers;
  readonly accountKeys: AccountKeys;
  readonly keyUse: KeyUse;
  readonly stagedKeys: StagedKeys;
  readonly submissions: Submissions;
  readonly nftMetadata: NftMetadata;
  readonly balanceProofs: BalanceProofs;
  readonly publishedBlocks: PublishedBlocks;
  readonly standing: StandingApprovals;
  readonly l1Signer: L1Signer;
  readonly reports: { list(): Promise<readonly Failure[]> };
  readonly requestRate: RequestRate;
  /** Approvals that this worker is carrying out; shared by everybody who asks for the same one. */
  readonly executing: Map<string, Promise<void>>;
  /** Approvals for which this worker has begun to sign: they cannot be taken back. */
  readonly signing: Set<string>;
}

/**
 * Steps of an approval, from the request of a page to its answer; each is a function of that name
 * in `approvals/`.
 */
interface ApprovalSteps {
  readonly admit: (
    caller: PageDocument,
    requestId: string,
    createdAt: number,
  ) => Promise<{
    readonly rate: Awaited<ReturnType<RequestRate['countRequest']>>;
    readonly open: readonly StoredApproval[];
  } | null>;
  readonly storeAsked: (caller: PageDocument, requestId: string, request: ApprovalRequest) => Promise<Entered | null>;
  readonly askUser: (caller: PageDocument, requestId: string, request: ApprovalRequest) => Promise<string | null>;
  readonly show: (entered: Entered) => Promise<void>;
  readonly prepare: (id: string, asking?: () => void) => Promise<void>;
  readonly prepareAsked: (id: string, isUncounted?: boolean, relayerAsked?: () => void) => Promise<boolean>;
  readonly endsTooOften: (asked: StoredApproval) => Promise<boolean>;
  readonly prepareOperation: (approval: PendingRequest, asking?: () => void) => Promise<void>;
  readonly keepProblem: (approval: PendingRequest, error: unknown) => Promise<void>;
  readonly answerUnlock: (id: string) => Promise<void>;
  readonly factsOf: (account: StoredAccount, network: NetworkView, origin: string, asking?: () => void) => Facts;
  /** Standing approvals that could answer it. */
  readonly candidates: (approval: StoredApproval) => Promise<readonly CountedApproval[]>;
  readonly approveRequest: (approval: ReadyRequest, decision: Approve) => Promise<void>;
  readonly approveConnection: (approval: ReadyConnection, decision: Approve) => Promise<void>;
  readonly decided: (approval: StoredApproval) => Promise<void>;
  readonly reject: (id: string, block: boolean) => Promise<void>;
  readonly carryOut: (id: string) => Promise<void>;
  readonly execute: (id: string) => Promise<void>;
  readonly claim: (id: string) => Promise<Lapse | null>;
  /** Effect of an approval of each kind. */
  readonly effectOf: {
    operation(approval: ApprovedRequest, isTooLate: boolean): Promise<void>;
    connect(approval: ApprovedConnection): Promise<void>;
    standing(approval: ApprovedRequest): Promise<void>;
  };
  readonly connected: (approval: ApprovedConnection) => Promise<void>;
  readonly submitAttempts: (
    approval: ApprovedRequest,
    progress: Progress,
    account: StoredAccount,
    network: NetworkView,
  ) => Promise<Reason | null>;
  readonly submitOnce: (
    approval: ApprovedRequest,
    attempt: Attempt,
    account: StoredAccount,
    network: NetworkView,
    isTaken?: boolean,
  ) => Promise<SubmissionRecord>;
  readonly isUsedElsewhere: (
    record: SubmissionRecord,
    account: StoredAccount,
    network: NetworkView,
  ) => Promise<boolean>;
  readonly hasEffect: (approval: StoredApproval) => Promise<boolean>;
  readonly putBack: (approval: StoredApproval, reason: Reason) => Promise<void>;
  readonly askAnew: (approval: StoredApproval) => Promise<void>;
  /** In the approval window; where that does not open, by a notification. */
  readonly showWindow: (id: string) => Promise<void>;
  readonly returnLate: (id?: string) => Promise<void>;
  readonly endings: {
    finish(
      approval: StoredApproval,
      end: { readonly submissionId?: string; readonly problem?: Text },
      answer: Answer,
    ): Promise<void>;
    giveUp(approval: ApprovedRequest, network: NetworkView, error: unknown): Promise<void>;
    submitted(
      approval: ApprovedRequest,
      passed: readonly SubmissionRecord[],
      record: SubmissionRecord,
    ): Promise<boolean>;
  };
  /** Ends pending approvals whose pages are gone. */
  readonly leftPages: {
    end(which?: { readonly gone?: PageDocument; readonly isAwaited?: boolean }): Promise<void>;
    endIf(id: string): Promise<boolean>;
  };
  /** Ends approvals without the user. */
  readonly closing: {
    close(
      id: string,
      error: (current: StoredApproval) => RpcError,
      which?: (current: StoredApproval) => boolean,
      how?: Pick<StoredApproval, 'withdrawn'>,
    ): Promise<StoredApproval | null>;
    closeOf(origin: string, error: RpcError, which?: (approval: StoredApproval) => boolean): Promise<void>;
    closeWithoutPermission(approval: StoredApproval): Promise<boolean>;
    stillApproved(id: string): Promise<Approved | undefined>;
    endFound(id: string): Promise<boolean>;
  };
  readonly answerTo: (request: StoredRequest & { readonly answer: Answer }) => Promise<Answer>;
  readonly pushAnswers: (approval: StoredApproval) => Promise<void>;
  /** The number of pending approvals on the icon. */
  readonly badge: { refresh(): Promise<void>; refreshSoon(): void };
}

/** Flows of the other rooms. */
interface Flows {
  /** Rights of sites. */
  readonly rights: {
    changed(origin: string): Promise<void>;
    silence(origin: string): Promise<void>;
    block(origin: string): Promise<void>;
    unblock(origin: string): Promise<void>;
  };
  /** Puts the request to the user that a connection or permission was asked for with. */
  readonly continueRequest: (connection: Connection) => Promise<void>;
  readonly ownersSeen: (origin: string) => Promise<string[]>;
  /** The registration of another account key, see `keyUpdate/`. */
  readonly keyUpdate: {
    start(asked: AccountOnNetwork & Omit<UiParams<'startKeyUpdate'>, 'account'>): Promise<string>;
    make(
      account: StoredAccount,
      network: NetworkView,
      kind: NewKey['kind'],
      found: EndpointAnswer<'getAccount'>,
      before?: NewKeyChoice,
    ): Promise<{ readonly choice: NewKeyChoice; stage(): Promise<unknown>; wipe(): void }>;
    settle(account: StoredAccount): Promise<void>;
    adopt(account: StoredAccount, network: NetworkView): Promise<boolean>;
    tidy(account: StoredAccount, network: NetworkView): Promise<void>;
    /**
     * Forgets claimed accounts, when nobody else uses what they belong to.
     * @returns How many accounts use it.
     * @throws {UiFailure} `key-update-open`
     */
    releaseClaims(of: (account: StoredAccount) => boolean): Promise<number>;
    discardAbandoned(): Promise<void>;
    /** After an account was given its key by hand. */
    placed(account: StoredAccount, network: NetworkView, isReplaced: boolean): Promise<void>;
  };
  readonly attention: {
    list(): Promise<AttentionFound[]>;
    compare(): Promise<void>;
    resync(id: string): Promise<void>;
    repair(item: AttentionFound, action: AttentionAction): Promise<void>;
  };
  /** Where the items come from that no submission stands for. */
  readonly attentionOf: {
    approvals(): Promise<AttentionFound[]>;
    account(account: StoredAccount, hasKeyUpdate: boolean): Promise<AttentionFound[]>;
    tokens(): Promise<AttentionFound[]>;
    proofs(): Promise<AttentionFound[]>;
  };
  /** Tells user and pages how a submission stands, see `createStatusEvents`. */
  readonly tellStatus: (record: SubmissionRecord, isAgain?: boolean) => Promise<void>;
  readonly tellAgain: () => Promise<void>;
  readonly locking: {
    lock(): Promise<void>;
    /** Tells pages of a lock or unlock that they have not been told of. */
    tell(): Promise<void>;
    /** Ends the standing approvals that a lock or the time has ended; never rejects. */
    tidyStanding(): Promise<void>;
    /** After a vault was made or restored. */
    created(): Promise<void>;
    /** After an unlock: what waited for it goes on behind the answer. */
    opened(): Promise<WalletState>;
  };
  readonly planWake: () => Promise<void>;
  /** Follows accounts at the relayers while a page of ours is open, see `followAccounts.ts`. */
  readonly follow: {
    stay(): Promise<void>;
    toldAt(account: string): number;
    leave(account: string): void;
    stop(): void;
  };
  readonly subscriptions: Subscriptions;
  /** Resumes everything that waited for the unlock. */
  readonly goOn: () => Promise<void>;
  /**
   * Removes everything that is kept in this browser.
   * @returns What begins after it, in the place of this one.
   */
  wipe(): Promise<Wallet>;
}

/** Data of the wallet's own pages. */
interface Views {
  readonly walletState: () => Promise<WalletState>;
  readonly viewOf: (approval: string) => Promise<ApprovalView>;
  readonly activity: (limit: number, account?: StoredAccount) => Promise<ActivityItem[]>;
  readonly readBalances: (
    account: StoredAccount,
  ) => Promise<{ readonly at: number; readonly balances: readonly BalanceView[] }>;
  /** Refreshes the proofs of what was just read. */
  readonly askForProofs: (account: StoredAccount) => void;
  /** Steps of the removal of an account, in this order, and what goes with a network. */
  readonly removal: {
    forgetNetwork(networkId: string): Promise<void>;
    checkRemovable(account: string): Promise<void>;
    endSubmissions(account: StoredAccount, unconfirmed: boolean): Promise<void>;
    endRights(account: string): Promise<void>;
    removeListed(account: string): Promise<void>;
  };
}

/**
 * The parts of the background, wired in `wire.ts`. Nothing else takes all of them: each function
 * names the ones that it needs.
 */
export interface Wallet extends Rooms, ApprovalSteps, Flows, Views {}
