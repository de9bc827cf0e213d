import type { OperationName } from '../operations/index.ts';
import type { KnownAddress } from '../operations/operation.ts';
import { permissionKinds } from '../operations/permissionKinds.ts';
import type { Review, Text, TokenFacts, Value } from '../operations/review.ts';
import { address } from '../protocol/fields.ts';
import { once } from '../protocol/once.ts';
import { z } from '../protocol/zod.ts';
import { chartIntervals } from './chartIntervals.ts';
import { isLocalHost } from './hostPattern.ts';
import {
  EXTENSION_ID,
  MAX_BACKUP_LENGTH,
  MAX_KEY_FILE_LENGTH,
  MAX_RECEIPT_LENGTH,
  PRIVATE_KEY,
  SHORTEST_PASSWORD,
} from './limits.ts';
import { lockMinutes } from './lockMinutes.ts';
import { repairs } from './repairs.ts';
import type * as view from './views.ts';

const none = () => z.strictObject({});
const password = once(() => z.string().check(z.minLength(1), z.maxLength(1024)));
const newPassword = once(() => z.string().check(z.minLength(SHORTEST_PASSWORD), z.maxLength(1024)));
/** https, or http on this machine; nothing but scheme, host and path. */
const serverUrl = () =>
  z.url({ protocol: /^https?$/, abort: true }).check(
    z.maxLength(300),
    z.refine((text) => {
      const { protocol, hostname, username, search, hash } = new URL(text);
      return (protocol === 'https:' || isLocalHost(hostname)) && username === '' && search === '' && hash === '';
    }),
  );
const baseUrl = once(serverUrl);
const gatewayUrl = once(() => serverUrl().check(z.endsWith('/')));
const id = once(() => z.string().check(z.minLength(1), z.maxLength(200)));
/** WebAuthn credential id. */
const credential = once(() => z.base64url().check(z.minLength(1), z.maxLength(1_364)));
/** 32 bytes. */
const base64Key = once(() => z.base64().check(z.length(44)));
/** 12 to 24 words; whether they are a phrase is said by what derives its keys. */
const phrase = once(() => z.string().check(z.maxLength(300), z.trim(), z.regex(/^\S+(\s+\S+){11,23}$/)));
/**
 * An account that is not saved yet; `owner` when that is a smart wallet and not the signer's own
 * address.
 */
const accountPlace = () => ({ networkId: id(), signer: id(), owner: z.optional(address()) });
const extensionId = once(() => z.string().check(z.regex(EXTENSION_ID)));
const digest = once(() => z.string().check(z.regex(/^0x[0-9a-f]{64}$/)));
const contactName = once(() => z.string().check(z.minLength(1), z.maxLength(100)));
/**
 * Name of an operation. The operation itself says whether a screen may start it or ask for its fee.
 */
const operationName = once(() => z.custom<OperationName>((name) => typeof name === 'string' && name.length <= 60));
/** Checked by the operation. */
const intent = once(() => z.record(z.string().check(z.maxLength(60)), z.unknown()));
const origin = once(() => z.string().check(z.maxLength(300)));
const permissionKind = once(() => z.enum(permissionKinds));

const ofAccount = () => z.strictObject({ account: id() });
const ofNetwork = () => z.strictObject({ networkId: id() });
const byId = () => z.strictObject({ id: id() });
const ofSite = () => z.strictObject({ origin: origin() });
const withPassword = () => z.strictObject({ password: password() });
const signerAndPassword = () => z.strictObject({ signer: id(), password: password() });
const refreshed = () => z.strictObject({ account: id(), refresh: z.boolean() });
const request = () => z.strictObject({ operation: operationName(), account: id(), intent: intent() });
const labelled = () => z.strictObject({ ...accountPlace(), label: z.string().check(z.minLength(1), z.maxLength(60)) });
const contactPlace = () => z.strictObject({ networkId: id(), address: address() });
const contact = () => z.strictObject({ networkId: id(), address: address(), name: contactName() });

/** A file to save. */
interface TextFile {
  readonly fileName: string;
  readonly text: string;
}

interface AddedSigner {
  readonly signer: string;
  readonly address: string;
}

/** Type of a method's result; has no value. */
interface Returns<Result> {
  readonly result: Result;
}
const returns = <Result>(): Returns<Result> => ({}) as Returns<Result>;

/**
 * One method: what it takes, what it answers with, and whether it may be asked again when no answer
 * came.
 */
interface Entry<Params extends z.ZodMiniType, Result> extends Returns<Result> {
  readonly params: () => Params;
  readonly isRead: boolean;
}

const entry =
  (isRead: boolean) =>
  <Params extends z.ZodMiniType, Result>(params: () => Params, answer: Returns<Result>): Entry<Params, Result> => ({
    ...answer,
    params: once(params),
    isRead,
  });
/**
 * Changes nothing, so a page asks again when the worker was stopped under the first call; the page
 * knows it by its name (`src/ui/background.ts`).
 */
const reads = entry(true);
/** Changes something: without an answer its outcome is unknown. */
const changes = entry(false);

/**
 * Methods of the background that only the wallet's own pages (popup, approval window, onboarding)
 * may call: the router admits these only when the browser reports one of our own page URLs as the
 * sender.
 */
export const uiMethods = {
  getState: reads(none, returns<view.WalletState>()),
  /** First use only; refused when a vault exists. At least 8 characters. */
  createVault: changes(() => z.strictObject({ password: newPassword() }), returns<view.WalletState>()),
  unlock: changes(withPassword, returns<view.WalletState>()),
  lock: changes(none, returns<view.WalletState>()),
  /** A page of ours is open: what relayers tell is heard meanwhile. */
  stay: changes(none, returns<null>()),
  /** Before work that would be in vain under a wrong one. */
  checkPassword: changes(withPassword, returns<null>()),
  /**
   * At least 8 characters for the new one. The data key is renewed, and the old password opens
   * nothing in this browser any more; nor do passkeys of an earlier version that were not used
   * since.
   */
  changePassword: changes(
    () => z.strictObject({ oldPassword: password(), newPassword: newPassword() }),
    returns<{ readonly passkeysGone: number }>(),
  ),
  /**
   * Everything that another browser needs, encrypted, but what cannot be read or does not fit;
   * asks for the password each time.
   */
  exportBackup: changes(
    withPassword,
    returns<{ readonly file: string; readonly name: string; readonly missing: readonly view.BackupPart[] }>(),
  ),
  /**
   * Every secret of the vault as text, whatever else is damaged; needs the unlocked wallet and its
   * password.
   */
  recoverSecrets: changes(withPassword, returns<readonly view.RecoveredSecret[]>()),
  /**
   * Where there is no vault; the text of a backup file and the password of the wallet that wrote
   * it.
   */
  restoreBackup: changes(
    () =>
      z.strictObject({
        file: z.string().check(z.minLength(1), z.maxLength(MAX_BACKUP_LENGTH)),
        password: password(),
      }),
    returns<view.WalletState>(),
  ),
  /**
   * Removes everything from this browser, keys and list of requests. Nothing brings it back but a
   * backup.
   */
  wipe: changes(() => z.strictObject({ confirm: z.literal('wipe') }), returns<view.WalletState>()),
  /** Lists what a page needs to ask a passkey. Works while locked. */
  listPasskeys: reads(none, returns<readonly view.PasskeyView[]>()),
  /** `prf`: base64 of the 32 bytes that the passkey computed for `prfSalt`. */
  addPasskey: changes(
    () => z.strictObject({ password: password(), credentialId: credential(), prfSalt: base64Key(), prf: base64Key() }),
    returns<readonly view.PasskeyView[]>(),
  ),
  /** Needs the unlocked wallet. The passkey opens nothing in this browser any more. */
  removePasskey: changes(
    () => z.strictObject({ password: password(), credentialId: credential() }),
    returns<readonly view.PasskeyView[]>(),
  ),
  unlockWithPasskey: changes(
    () => z.strictObject({ credentialId: credential(), prf: base64Key() }),
    returns<view.WalletState>(),
  ),
  /** The user did something; moves the lock deadline. */
  touch: changes(none, returns<null>()),
  /** The exchange that a site named last since the browser started; nothing was asked of it. */
  getProposedExchange: reads(none, returns<view.ProposedExchange | null>()),
  /** Reads a relayer's exchange info without saving anything. */
  probeNetwork: reads(
    () => z.strictObject({ baseUrl: baseUrl() }),
    returns<{ readonly chainId: number; readonly exchangeAddress: string }>(),
  ),
  addNetwork: changes(
    () =>
      z.strictObject({
        baseUrl: baseUrl(),
        name: z.string().check(z.minLength(1), z.maxLength(60)),
        /** Chain and contract that the user saw and agreed to. */
        shown: z.optional(z.strictObject({ chainId: z.number(), exchangeAddress: z.string() })),
      }),
    returns<view.NetworkView>(),
  ),
  importSigner: changes(
    () => z.strictObject({ privateKey: z.string().check(z.regex(PRIVATE_KEY)) }),
    returns<AddedSigner>(),
  ),
  /** A new recovery phrase of twelve words and its first key. */
  generateSigner: changes(none, returns<AddedSigner>()),
  /** Addresses of a recovery phrase and what the relayer knows of each; saves nothing. */
  listPhraseAccounts: reads(
    () => z.strictObject({ phrase: phrase(), networkId: id(), start: z.int().check(z.minimum(0), z.maximum(1_000)) }),
    returns<readonly view.PhraseAccount[]>(),
  ),
  /** Saves the phrase and one of its keys, m/44'/60'/0'/0/index. */
  importPhrase: changes(
    () => z.strictObject({ phrase: phrase(), index: z.int().check(z.minimum(0), z.maximum(1_010)) }),
    returns<AddedSigner>(),
  ),
  /** Asks the wallet in another extension which accounts we may use. */
  connectExtension: changes(
    () => z.strictObject({ extensionId: extensionId() }),
    returns<{ readonly addresses: readonly string[] }>(),
  ),
  addExternalSigner: changes(
    () => z.strictObject({ extensionId: extensionId(), address: address() }),
    returns<AddedSigner>(),
  ),
  /**
   * Shows the L1 private key, and the phrase that it comes from, for a backup; asks for the
   * password each time.
   */
  exportSigner: changes(signerAndPassword, returns<{ readonly privateKey: string; readonly phrase: string | null }>()),
  /** `signer`: who would sign for it, when the owner may be a smart wallet. */
  findAccount: reads(
    () => z.strictObject({ networkId: id(), owner: address(), signer: z.optional(id()) }),
    returns<view.AccountLookup>(),
  ),
  /**
   * Signs the key seed with the L1 key and shows both public keys. The key waits in the vault until
   * the account is saved.
   */
  deriveKey: changes(() => z.strictObject(accountPlace()), returns<view.DerivedKey>()),
  /** Takes a key that the user has: hex digits, or the text of a key file with its password. */
  importKey: changes(
    () =>
      z.strictObject({
        ...accountPlace(),
        text: z.string().check(z.minLength(1), z.maxLength(MAX_KEY_FILE_LENGTH)),
        password: z.nullable(password()),
      }),
    returns<view.DerivedKey>(),
  ),
  /** Saves account and key; refused unless derived and registered key are equal. */
  addAccount: changes(labelled, returns<view.AccountView>()),
  /**
   * Takes an account whose registered key is not here. It is in use, and shown to anybody, once the
   * key wizard has registered a key for it; one that is in use already stays as it is.
   */
  claimAccount: changes(labelled, returns<view.AccountView>()),
  selectAccount: changes(ofAccount, returns<view.WalletState>()),
  /** Kind, age and use of an account's key. */
  getKeyInfo: reads(ofAccount, returns<view.KeyInfo>()),
  renameAccount: changes(
    () => z.strictObject({ account: id(), label: z.string().check(z.trim(), z.minLength(1), z.maxLength(60)) }),
    returns<view.WalletState>(),
  ),
  /**
   * Forgets an account with its keys, grants and pending approvals; its cursors stay, so that no
   * storage id is used twice when it comes back. Refused while one of its submissions has no final
   * status. With `unconfirmed` it is forgotten also when only this machine's clock says that the
   * open ones are past their end.
   */
  removeAccount: changes(
    () => z.strictObject({ account: id(), password: password(), unconfirmed: z.optional(z.boolean()) }),
    returns<view.WalletState>(),
  ),
  renameNetwork: changes(
    () => z.strictObject({ networkId: id(), name: z.string().check(z.trim(), z.minLength(1), z.maxLength(60)) }),
    returns<view.WalletState>(),
  ),
  /** Refused while an account uses it. */
  removeNetwork: changes(ofNetwork, returns<view.WalletState>()),
  /** Asks the relayer now for what was pinned, and compares. */
  checkNetwork: changes(ofNetwork, returns<view.PinnedNetwork>()),
  /**
   * The tokens of a network that its relayer describes otherwise than they are pinned; nothing is
   * signed with them.
   */
  getTokenChanges: reads(ofNetwork, returns<readonly view.TokenChange[]>()),
  /**
   * Pins a changed token as it was shown; refused when the relayer describes it otherwise by now.
   */
  acceptToken: changes(
    () =>
      z.strictObject({
        networkId: id(),
        shown: z.strictObject({
          tokenId: z.int().check(z.minimum(0), z.maximum(0xffff)),
          symbol: z.string().check(z.maxLength(1_000)),
          name: z.string().check(z.maxLength(1_000)),
          address: address(),
          decimals: z.int().check(z.minimum(0), z.maximum(78)),
          pool: z.optional(
            z.strictObject({
              address: address(),
              name: z.string().check(z.maxLength(1_000)),
              pooled: z.readonly(z.array(z.int().check(z.minimum(0), z.maximum(0xffff)))),
            }),
          ),
        }),
        password: password(),
      }),
    returns<readonly view.TokenChange[]>(),
  ),
  listSigners: reads(none, returns<readonly view.SignerView[]>()),
  /** Forgets an L1 signer and its key. Refused while an account uses it. */
  removeSigner: changes(signerAndPassword, returns<readonly view.SignerView[]>()),
  /** From stored state. One of the two names it: the account, or the site's approval request. */
  getKeyUpdate: reads(
    () => z.strictObject({ account: z.nullable(id()), approval: z.nullable(id()) }),
    returns<view.KeyUpdateView>(),
  ),
  /** Asks the relayer. */
  getKeyUpdateFacts: reads(ofAccount, returns<view.KeyUpdateFacts>()),
  /**
   * Makes the new key, stores it as pending, and makes the approval request that `approve` answers,
   * with the password.
   */
  startKeyUpdate: changes(
    () =>
      z.strictObject({
        account: id(),
        /** The site's approval request, or the own one that is put again; `null` for a new one. */
        approval: z.nullable(id()),
        kind: z.enum(['derived', 'random']),
        feeTokenId: z.nullable(z.int().check(z.minimum(0))),
      }),
    returns<view.ApprovalView>(),
  ),
  /**
   * The account's key, or the new one of a key update, as 64 hex digits or as an encrypted file.
   * Asks for the password each time.
   */
  exportAccountKey: changes(
    () =>
      z.strictObject({
        account: id(),
        /** x of the new key; `null` for the key in use. */
        pending: z.nullable(digest()),
        form: z.enum(['hex', 'file']),
        password: password(),
      }),
    returns<TextFile>(),
  ),
  /**
   * The user shows that the new key was written down: its last six digits, or the file itself with
   * the password.
   */
  confirmBackup: changes(
    () =>
      z.strictObject({
        approval: id(),
        shown: z.union([
          z.strictObject({ lastDigits: z.string().check(z.maxLength(20)) }),
          z.strictObject({ file: z.string().check(z.maxLength(MAX_KEY_FILE_LENGTH)), password: password() }),
        ]),
      }),
    returns<view.KeyUpdateView>(),
  ),
  /** Reads the balances of the account, at most half a minute old where the exchange answers. */
  getBalances: reads(ofAccount, returns<readonly view.BalanceView[] | null>()),
  /** From stored state at once; `refresh` also asks the relayer. */
  getHome: reads(() => z.strictObject({ refresh: z.boolean() }), returns<view.HomeView>()),
  /**
   * Reads the state of the proofs for the balances as they were last read. Asks nobody: `getHome`
   * with `refresh` refreshes them.
   */
  getBalanceProofs: reads(ofAccount, returns<view.ProofsView>()),
  /**
   * The proofs that are kept of an account, also the wrong ones, as a file that
   * `npm run verify-proofs` checks.
   */
  exportBalanceProofs: reads(ofAccount, returns<TextFile>()),
  /** The newest, and after them older ones that are not settled; of one account, else of all. */
  getActivity: reads(
    () => z.strictObject({ limit: z.int().check(z.minimum(1), z.maximum(1_000)), account: z.optional(id()) }),
    returns<readonly view.ActivityItem[]>(),
  ),
  getSubmission: reads(byId, returns<view.SubmissionView>()),
  /** Asks the relayer now about a submission whose outcome is not final. */
  checkSubmission: changes(byId, returns<view.ActivityItem>()),
  /** A submission as a file that can be kept and checked elsewhere; see `receipts/`. */
  exportReceipt: changes(byId, returns<TextFile>()),
  /** Checks the text of such a file. Nothing leaves the machine, and the wallet may be locked. */
  verifyReceipt: reads(
    () => z.strictObject({ text: z.string().check(z.maxLength(MAX_RECEIPT_LENGTH)) }),
    returns<view.ReceiptFinding>(),
  ),
  /**
   * Lists what needs the user's attention; `refresh` also asks the relayers for the registered
   * keys.
   */
  getAttention: reads(() => z.strictObject({ refresh: z.boolean() }), returns<readonly view.AttentionItem[]>()),
  repair: changes(
    () =>
      z.strictObject({
        id: z.string().check(z.maxLength(300)),
        action: z.enum(repairs),
      }),
    returns<readonly view.AttentionItem[]>(),
  ),
  listApprovals: reads(none, returns<readonly view.QueuedApproval[]>()),
  getApproval: reads(byId, returns<view.ApprovalView>()),
  /** `accounts` and `kinds` are for connect approvals only. */
  approve: changes(
    () =>
      z.strictObject({
        id: id(),
        /** As the window rendered it. */
        digest: digest(),
        account: z.nullable(id()),
        /** For key updates, which ask for it each time. */
        password: z.optional(password()),
        accounts: z.optional(z.array(id())),
        kinds: z.optional(z.array(permissionKind())),
      }),
    returns<view.ApprovalView>(),
  ),
  /** Opens the approval window for a request, or brings the one that is open to the front. */
  showApproval: changes(byId, returns<null>()),
  reject: changes(() => z.strictObject({ id: id(), block: z.boolean() }), returns<null>()),
  /** Ends those of the requests that sites asked and nobody decided, each as `reject` does. */
  rejectAll: changes(() => z.strictObject({ ids: z.array(id()) }), returns<null>()),
  /** Reads the facts again for an approval that is `unavailable`. */
  retryApproval: changes(byId, returns<view.ApprovalView>()),
  listSites: reads(none, returns<readonly view.SiteView[]>()),
  revokeSite: changes(ofSite, returns<null>()),
  /**
   * Takes one kind from one account of a site; with the last kind the site no longer sees the
   * account.
   */
  revokeGrant: changes(
    () => z.strictObject({ origin: origin(), account: id(), kind: permissionKind() }),
    returns<null>(),
  ),
  blockSite: changes(ofSite, returns<null>()),
  unblockSite: changes(ofSite, returns<null>()),
  /** Standing approvals in force, newest first. */
  listStanding: reads(none, returns<readonly view.StandingView[]>()),
  /** Ends one, or all of them when no id is given. */
  stopStanding: changes(() => z.strictObject({ id: z.nullable(id()) }), returns<readonly view.StandingView[]>()),
  /** Whether it ends as soon as the wallet is locked. */
  setStanding: changes(
    () => z.strictObject({ id: id(), endsWithLock: z.boolean() }),
    returns<readonly view.StandingView[]>(),
  ),
  /**
   * Puts a site's approval request for a standing approval again with tighter limits; looser ones
   * are refused.
   */
  tightenStanding: changes(
    () => z.strictObject({ id: id(), digest: digest(), limits: intent() }),
    returns<view.ApprovalView>(),
  ),
  /** Gives the review of what `addStanding` would allow; reads only. */
  previewStanding: reads(() => z.strictObject({ account: id(), terms: intent() }), returns<Review>()),
  /**
   * Made by the user for a connected site; `terms` are those of `relayer_requestStandingApproval`,
   * without `account`. The page makes the `id`: asked again with the same one, as after an answer
   * that was lost, nothing more is allowed.
   */
  addStanding: changes(
    () =>
      z.strictObject({
        id: id(),
        origin: origin(),
        account: id(),
        terms: intent(),
        /** Needed where a warning of the review asks for it. */
        password: z.optional(password()),
      }),
    returns<null>(),
  ),
  /** The open markets of an account's network. */
  getMarkets: reads(ofAccount, returns<readonly view.MarketView[]>()),
  /** Reads the present data of one market from the relayer. */
  getMarketData: reads(
    () =>
      z.strictObject({
        account: id(),
        market: z.string().check(z.maxLength(80)),
        interval: z.enum(chartIntervals),
      }),
    returns<view.MarketDataView>(),
  ),
  /** The address book of one network, by name. */
  listContacts: reads(ofNetwork, returns<readonly view.ContactView[]>()),
  /**
   * Refused: an address or a name that the book has, a checksum that does not fit, the zero
   * address, unseen characters.
   */
  addContact: changes(contact, returns<view.ContactView>()),
  renameContact: changes(contact, returns<null>()),
  removeContact: changes(contactPlace, returns<null>()),
  /** Reads the known address that the given one could be taken for, as the review warns of it. */
  getLookalike: reads(contactPlace, returns<KnownAddress | null>()),
  /**
   * Addresses that something was sent to and that are not in the book, newest first; `addContact`
   * takes them in. `forTransfer` leaves out those that something was only withdrawn to.
   */
  listRecentRecipients: reads(
    () => z.strictObject({ networkId: id(), forTransfer: z.optional(z.boolean()) }),
    returns<readonly view.RecentRecipient[]>(),
  ),
  /**
   * Puts an approval request of the wallet itself to the user, as a site would: the same operation,
   * approval and journal. `intent` is the operation's own, without `account`.
   * @returns `problem`: the approval request could not be asked at all, and is closed.
   */
  startOperation: changes(request, returns<{ readonly id: string; readonly problem: Text | null }>()),
  /** Prepares the review of a request without asking for approval; reads only. */
  previewOperation: reads(request, returns<view.PreviewView>()),
  /** Reads the relayer's fee for a request, in each token that it takes. */
  getFees: reads(
    () =>
      z.strictObject({
        operation: operationName(),
        account: id(),
        /**
         * Withdrawals: the token that is withdrawn, and whether by the fast way, which that token
         * pays.
         */
        tokenId: z.optional(z.int().check(z.minimum(0), z.maximum(0xffff))),
        fast: z.optional(z.boolean()),
        /** NFTs: their contract. */
        tokenAddress: z.optional(address()),
      }),
    returns<readonly { readonly token: TokenFacts; readonly volume: string }[]>(),
  ),
  /** Reads the exchange's history of an account; stored and refreshed like its orders. */
  getHistory: reads(refreshed, returns<view.Stored<view.HistoryView>>()),
  /** An older page of one of its lists, which is not stored. `offset`: what `reached` says. */
  getHistoryPage: reads(
    () =>
      z.strictObject({
        account: id(),
        source: z.enum(['request', 'fill', 'nft']),
        offset: z.int().check(z.minimum(0), z.maximum(1_000_000)),
      }),
    returns<view.HistoryPage>(),
  ),
  /**
   * Orders, NFTs and pools of an account: as last read at once; `refresh` asks the relayer first.
   */
  getOrders: reads(refreshed, returns<view.Stored<view.OrdersView>>()),
  getNfts: reads(refreshed, returns<view.Stored<readonly view.NftView[]>>()),
  getPools: reads(refreshed, returns<view.Stored<view.PoolsView>>()),
  /** Prices in the currency of the settings; nobody is asked where that is none. */
  getPrices: reads(refreshed, returns<view.Stored<view.PricesView>>()),
  /**
   * Lists the currencies in which the account's exchange has prices: legal currencies, and the
   * tokens that its markets are priced in.
   */
  getCurrencies: reads(ofAccount, returns<readonly string[]>()),
  /** Name and picture from the IPFS gateway of the settings; asks nobody when there is none. */
  getNftMetadata: reads(
    () => z.strictObject({ nftId: z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/)) }),
    returns<view.NftMetadataView>(),
  ),
  /** Reads the journal's records of an account; asks no relayer. */
  getDiagnostics: reads(ofAccount, returns<view.Diagnostics>()),
  /** Asks the relayer for its time, and measures. */
  getRelayerHealth: reads(ofNetwork, returns<view.RelayerHealth>()),
  /** Lists the wallet's failures since the browser started, newest first. */
  getFailures: reads(none, returns<readonly view.Failure[]>()),
  /** Leaves a trace of an error that a page of the wallet did not expect. */
  addFailure: changes(
    () =>
      z.strictObject({
        where: z.enum(['action', 'not caught']),
        name: z.string(),
        message: z.string(),
        stack: z.string(),
      }),
    returns<null>(),
  ),
  /**
   * Everything that the journal holds, for a report or a record; without signatures and without the
   * signed bodies.
   */
  exportJournal: reads(none, returns<{ readonly json: string }>()),
  setSettings: changes(
    () =>
      z.strictObject({
        lockAfterMinutes: z.optional(lockMinutes()),
        theme: z.optional(z.enum(['system', 'light', 'dark'])),
        contrast: z.optional(z.enum(['system', 'more'])),
        language: z.optional(z.string().check(z.maxLength(20))),
        /**
         * Base URL of an IPFS gateway with paths, ending with `/`; empty shows no pictures and
         * contacts nobody.
         */
        ipfsGateway: z.optional(z.union([z.literal(''), gatewayUrl()])),
        notifications: z.optional(z.boolean()),
        currency: z.optional(z.string().check(z.regex(/^[A-Za-z0-9.-]{0,16}$/))),
      }),
    returns<view.WalletState>(),
  ),
} as const;

export type UiMethod = keyof typeof uiMethods;
export type UiParams<M extends UiMethod> = z.input<ReturnType<(typeof uiMethods)[M]['params']>>;
export type UiResults = { readonly [M in UiMethod]: (typeof uiMethods)[M]['result'] };

/** A text from outside, or another message of the catalogs. */
export type UiErrorValue = string | Extract<Value, { kind: 'message' }>;

/** An error as it crosses a port; `key` is a message of the catalogs that says what to do. */
export interface UiError {
  /** Stable, e.g. `wrong-password`, `locked`, `relayer-unreachable`, `digest-mismatch`. */
  readonly code: string;
  readonly key: string;
  readonly values?: Readonly<Record<string, UiErrorValue>>;
}

export type UiAnswer<M extends UiMethod = UiMethod> =
  | { readonly ok: true; readonly result: UiResults[M] }
  | { readonly ok: false; readonly error: UiError };

/** Broadcast to our pages when something they may show has changed; they ask again. */
export interface UiChanged {
  readonly type: 'changed';
}
