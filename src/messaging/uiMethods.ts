import { z } from 'zod';
import type { OperationName } from '../operations/index.ts';
import { permissionKinds } from '../operations/permissionKinds.ts';
import type { Text, TokenFacts, Value } from '../operations/review.ts';
import { deferred } from '../protocol/deferred.ts';
import { MAX_RECEIPT_LENGTH } from './maxReceiptLength.ts';
import type {
  AccountLookup,
  AccountView,
  ActivityItem,
  ApprovalView,
  AttentionItem,
  ContactView,
  DerivedKey,
  Diagnostics,
  HomeView,
  KeyInfo,
  MarketView,
  NetworkView,
  NftMetadataView,
  NftView,
  OrdersView,
  PasskeyView,
  PhraseAccount,
  PinnedNetwork,
  PoolsView,
  PreviewView,
  QueuedApproval,
  ReceiptFinding,
  RecentRecipient,
  RecoveredSecret,
  RelayerHealth,
  RotationFacts,
  RotationView,
  SignerView,
  SiteView,
  StandingView,
  Stored,
  SubmissionView,
  TokenChange,
  WalletState,
} from './views.ts';

/**
 * What the wallet's own pages (popup, approval window, onboarding) may call in the background, and nobody else: the
 * router admits these only when the browser reports one of our own page URLs as the sender.
 */
const none = deferred(() => z.strictObject({}));
const password = deferred(() => z.string().min(1).max(1024));
const id = deferred(() => z.string().min(1).max(200));
/** WebAuthn credential id. */
const credential = deferred(() => z.base64url().min(1).max(1_364));
/** 32 bytes. */
const base64Key = deferred(() => z.base64().length(44));
/** BIP-39 words, 12 to 24 of them. */
const phrase = deferred(() =>
  z
    .string()
    .trim()
    .regex(/^[A-Za-z]{3,8}(\s+[A-Za-z]{3,8}){11,23}$/),
);
const address = deferred(() => z.string().regex(/^0x[0-9a-fA-F]{40}$/));
/** An account that is not saved yet; `owner` when that is a smart wallet and not the signer's own address. */
const accountPlace = { networkId: id, signer: id, owner: address.optional() };
/** Chromium's 32 letters, or the id of a Firefox add-on. */
const extensionId = deferred(() => z.string().regex(/^([a-p]{32}|[\w.{}@-]{3,100})$/));
const digest = deferred(() => z.string().regex(/^0x[0-9a-f]{64}$/));
const contactAddress = deferred(() => z.string().regex(/^0x[0-9a-fA-F]{40}$/));
const contactName = deferred(() => z.string().min(1).max(100));
/** Which of them a screen may start or ask the fee of, the operation says itself. */
const operationName = deferred(() => z.custom<OperationName>((name) => typeof name === 'string' && name.length <= 60));
/** Checked by the operation. */
const intent = deferred(() => z.record(z.string().max(60), z.unknown()));
const permissionKind = deferred(() => z.enum(permissionKinds));

/** https, or http on this machine; nothing but scheme, host and path. */
const gatewayUrl = deferred(() =>
  z
    .url({ protocol: /^https?$/ })
    .max(300)
    .endsWith('/')
    .refine((text) => {
      const { protocol, hostname, username, search, hash } = new URL(text);
      const isLocal = hostname === '127.0.0.1' || hostname === 'localhost';
      return (protocol === 'https:' || isLocal) && username === '' && search === '' && hash === '';
    }),
);

export const uiMethods = {
  getState: none,
  /** First use only; refused when a vault exists. At least 8 characters. */
  createVault: deferred(() => z.strictObject({ password: z.string().min(8).max(1024) })),
  unlock: deferred(() => z.strictObject({ password })),
  lock: none,
  /** Before work that would be in vain under a wrong one. */
  checkPassword: deferred(() => z.strictObject({ password })),
  /** At least 8 characters for the new one. The data key is renewed, and the old password opens nothing in this browser any more. */
  changePassword: deferred(() => z.strictObject({ oldPassword: password, newPassword: z.string().min(8).max(1024) })),
  /** Everything that another browser needs, encrypted; asks for the password each time. */
  exportBackup: deferred(() => z.strictObject({ password })),
  /** Every secret of the vault as text, whatever else is damaged; needs the unlocked wallet and its password. */
  recoverSecrets: deferred(() => z.strictObject({ password })),
  /** Where there is no vault; the text of a backup file and the password of the wallet that wrote it. */
  restoreBackup: deferred(() =>
    z.strictObject({
      file: z
        .string()
        .min(1)
        .max(4 * 1024 * 1024),
      password,
    }),
  ),
  /** Removes everything from this browser, keys and list of requests. Nothing brings it back but a backup. */
  wipe: deferred(() => z.strictObject({ confirm: z.literal('wipe') })),
  /** What a page needs to ask a passkey. Works while locked. */
  listPasskeys: none,
  /** `prf`: base64 of the 32 bytes that the passkey computed for `prfSalt`. */
  addPasskey: deferred(() =>
    z.strictObject({ password, credentialId: credential, prfSalt: base64Key, prf: base64Key }),
  ),
  /** Needs the unlocked wallet. The passkey opens nothing in this browser any more. */
  removePasskey: deferred(() => z.strictObject({ password, credentialId: credential })),
  unlockWithPasskey: deferred(() => z.strictObject({ credentialId: credential, prf: base64Key })),
  /** The person did something; moves the lock deadline. */
  touch: none,
  /** Reads a relayer's exchange info without saving anything. */
  probeNetwork: deferred(() => z.strictObject({ baseUrl: z.url({ protocol: /^https?$/ }).max(300) })),
  addNetwork: deferred(() =>
    z.strictObject({
      baseUrl: z.url({ protocol: /^https?$/ }).max(300),
      name: z.string().min(1).max(60),
      /** What the person saw and said yes to. */
      shown: z.strictObject({ chainId: z.number(), exchangeAddress: z.string() }).optional(),
    }),
  ),
  /** 0x + 64 hex digits, or 64 hex digits. */
  importSigner: deferred(() => z.strictObject({ privateKey: z.string().regex(/^(0x)?[0-9a-fA-F]{64}$/) })),
  /** A new recovery phrase of twelve words and its first key. */
  generateSigner: none,
  /** Addresses of a recovery phrase and what the relayer knows of each; saves nothing. */
  listPhraseAccounts: deferred(() => z.strictObject({ phrase, networkId: id, start: z.int().min(0).max(1_000) })),
  /** Saves the phrase and one of its keys, m/44'/60'/0'/0/index. */
  importPhrase: deferred(() => z.strictObject({ phrase, index: z.int().min(0).max(1_010) })),
  /** Asks the wallet in another extension which accounts we may use. */
  connectExtension: deferred(() => z.strictObject({ extensionId })),
  addExternalSigner: deferred(() => z.strictObject({ extensionId, address })),
  /** Shows the L1 private key, and the phrase that it comes from, for a backup; asks for the password each time. */
  exportSigner: deferred(() => z.strictObject({ signer: id, password })),
  /** `signer`: who would sign for it, when the owner may be a smart wallet. */
  findAccount: deferred(() => z.strictObject({ networkId: id, owner: address, signer: id.optional() })),
  /** Signs the key seed with the L1 key and shows both public keys. The key waits in the vault until the account is saved. */
  deriveKey: deferred(() => z.strictObject(accountPlace)),
  /** Takes a key that the person has: hex digits, or the text of a key file with its password. */
  importKey: deferred(() =>
    z.strictObject({
      ...accountPlace,
      text: z.string().min(1).max(10_000),
      password: password.nullable(),
    }),
  ),
  /** Saves account and key; refused unless derived and registered key are equal. */
  addAccount: deferred(() => z.strictObject({ ...accountPlace, label: z.string().min(1).max(60) })),
  /**
   * Takes an account whose registered key is not here. It is in use, and shown to anybody, once the key wizard has registered
   * a key for it; one that is in use already stays as it is.
   */
  claimAccount: deferred(() => z.strictObject({ ...accountPlace, label: z.string().min(1).max(60) })),
  selectAccount: deferred(() => z.strictObject({ account: id })),
  /** Kind, age and use of an account's key. */
  getKeyInfo: deferred(() => z.strictObject({ account: id })),
  renameAccount: deferred(() => z.strictObject({ account: id, label: z.string().trim().min(1).max(60) })),
  /**
   * Forgets an account with its keys, grants and open questions; its cursors stay, so that no storage id is used twice when it
   * comes back. Refused while one of its submissions has no final status.
   */
  /** `unconfirmed`: also when only this machine's clock says that the open requests are past their end. */
  removeAccount: deferred(() => z.strictObject({ account: id, password, unconfirmed: z.boolean().optional() })),
  renameNetwork: deferred(() => z.strictObject({ networkId: id, name: z.string().trim().min(1).max(60) })),
  /** Refused while an account uses it. */
  removeNetwork: deferred(() => z.strictObject({ networkId: id })),
  /** Asks the relayer now for what was pinned, and compares. */
  checkNetwork: deferred(() => z.strictObject({ networkId: id })),
  /** The tokens of a network that its relayer describes otherwise than they are pinned; nothing is signed with them. */
  getTokenChanges: deferred(() => z.strictObject({ networkId: id })),
  /** Pins a changed token as it was shown; refused when the relayer describes it otherwise by now. */
  acceptToken: deferred(() =>
    z.strictObject({
      networkId: id,
      shown: z.strictObject({
        tokenId: z.int().min(0).max(0xffff),
        symbol: z.string().max(1_000),
        name: z.string().max(1_000),
        address,
        decimals: z.int().min(0).max(78),
      }),
      password,
    }),
  ),
  listSigners: none,
  /** Forgets an L1 signer and its key. Refused while an account uses it. */
  removeSigner: deferred(() => z.strictObject({ signer: id, password })),
  /** From stored state. One of the two names it: the account, or the site's question. */
  getRotation: deferred(() => z.strictObject({ account: id.nullable(), approval: id.nullable() })),
  /** Asks the relayer. */
  getRotationFacts: deferred(() => z.strictObject({ account: id })),
  /** Makes the new key, stores it as pending, and makes the question that `approve` answers, with the password. */
  startRotation: deferred(() =>
    z.strictObject({
      account: id,
      /** The site's question, or the own one that is put again. */
      approval: id.nullable(),
      kind: z.enum(['derived', 'random']),
      feeTokenId: z.int().min(0).nullable(),
    }),
  ),
  /** The account's key, or the new one of a key update, as 64 hex digits or as an encrypted file. Asks for the password each time. */
  exportAccountKey: deferred(() =>
    z.strictObject({
      account: id,
      /** x of the new key; `null` for the key in use. */
      pending: digest.nullable(),
      form: z.enum(['hex', 'file']),
      password,
    }),
  ),
  /** The person shows that the new key was written down: its last six digits, or the file itself with the password. */
  confirmBackup: deferred(() =>
    z.strictObject({
      approval: id,
      shown: z.union([
        z.strictObject({ lastDigits: z.string().max(20) }),
        z.strictObject({ file: z.string().max(10_000), password }),
      ]),
    }),
  ),
  /** From stored state at once; `refresh` also asks the relayer. */
  getHome: deferred(() => z.strictObject({ refresh: z.boolean() })),
  /** Newest first; of one account, else of all. */
  getActivity: deferred(() => z.strictObject({ limit: z.int().min(1).max(1_000), account: id.optional() })),
  getSubmission: deferred(() => z.strictObject({ id })),
  /** Asks the relayer now about a submission whose outcome is not final. */
  checkSubmission: deferred(() => z.strictObject({ id })),
  /** A submission as a file that can be kept and checked elsewhere; see `receipts/`. */
  exportReceipt: deferred(() => z.strictObject({ id })),
  /** Checks the text of such a file. Nothing leaves the machine, and the wallet may be locked. */
  verifyReceipt: deferred(() => z.strictObject({ text: z.string().max(MAX_RECEIPT_LENGTH) })),
  /** What needs a person; `refresh` also asks the relayers for the registered keys. */
  getAttention: deferred(() => z.strictObject({ refresh: z.boolean() })),
  repair: deferred(() =>
    z.strictObject({
      id: z.string().max(300),
      action: z.enum(['check', 'abandon', 'close', 'take-back', 'resync', 'dismiss']),
    }),
  ),
  listApprovals: none,
  getApproval: deferred(() => z.strictObject({ id })),
  /** `accounts` and `kinds` are for connect approvals only. */
  approve: deferred(() =>
    z.strictObject({
      id,
      digest,
      account: id.nullable(),
      /** For key updates, which ask for it each time. */
      password: password.optional(),
      accounts: z.array(id).optional(),
      kinds: z.array(permissionKind).optional(),
    }),
  ),
  reject: deferred(() => z.strictObject({ id, block: z.boolean() })),
  /** Ends every undecided request of sites, each as `reject` does; the user's own stay. */
  rejectAll: none,
  /** Reads the facts again for an approval that is `unavailable`. */
  retryApproval: deferred(() => z.strictObject({ id })),
  listSites: none,
  revokeSite: deferred(() => z.strictObject({ origin: z.string().max(300) })),
  /** Takes one kind from one account of a site; with the last kind the site no longer sees the account. */
  revokeGrant: deferred(() => z.strictObject({ origin: z.string().max(300), account: id, kind: permissionKind })),
  blockSite: deferred(() => z.strictObject({ origin: z.string().max(300) })),
  unblockSite: deferred(() => z.strictObject({ origin: z.string().max(300) })),
  /** Standing approvals in force, newest first. */
  listStanding: none,
  /** Ends one, or all of them when no id is given. */
  stopStanding: deferred(() => z.strictObject({ id: id.nullable() })),
  /** Whether it ends as soon as the wallet is locked. */
  setStanding: deferred(() => z.strictObject({ id, endsWithLock: z.boolean() })),
  /** Made by the user for a connected site; `terms` are those of `relayer_requestStandingApproval`, without `account`. */
  /** Puts a site's question for a standing approval again with tighter limits; looser ones are refused. */
  tightenStanding: deferred(() => z.strictObject({ id, digest, limits: intent })),
  addStanding: deferred(() => z.strictObject({ origin: z.string().max(300), account: id, terms: intent })),
  /** The open markets of an account's network. */
  getMarkets: deferred(() => z.strictObject({ account: id })),
  /** The address book of one network, by name. */
  listContacts: deferred(() => z.strictObject({ networkId: id })),
  /** Refused: an address or a name that the book has, a checksum that does not fit, the zero address, unseen characters. */
  addContact: deferred(() => z.strictObject({ networkId: id, address: contactAddress, name: contactName })),
  renameContact: deferred(() => z.strictObject({ networkId: id, address: contactAddress, name: contactName })),
  removeContact: deferred(() => z.strictObject({ networkId: id, address: contactAddress })),
  /** Addresses that something was sent to and that are not in the book, newest first; `addContact` takes them in. */
  listRecentRecipients: deferred(() => z.strictObject({ networkId: id })),
  /**
   * Puts a question of the wallet itself to the user, as a site would: the same operation, approval and journal.
   * `intent` is the operation's own, without `account`.
   */
  startOperation: deferred(() => z.strictObject({ operation: operationName, account: id, intent })),
  /** What the question would show now, without asking it; reads only. */
  previewOperation: deferred(() => z.strictObject({ operation: operationName, account: id, intent })),
  /** What the relayer asks for a request, in each token that it takes. */
  getFees: deferred(() =>
    z.strictObject({
      operation: operationName,
      account: id,
      /** Withdrawals: the token that is withdrawn, and whether by the fast way, which that token pays. */
      tokenId: z.int().min(0).max(0xffff).optional(),
      fast: z.boolean().optional(),
      /** NFTs: their contract. */
      tokenAddress: contactAddress.optional(),
    }),
  ),
  /** Orders, NFTs and pools of an account: as last read at once; `refresh` asks the relayer first. */
  getOrders: deferred(() => z.strictObject({ account: id, refresh: z.boolean() })),
  getNfts: deferred(() => z.strictObject({ account: id, refresh: z.boolean() })),
  getPools: deferred(() => z.strictObject({ account: id, refresh: z.boolean() })),
  /** Name and picture from the IPFS gateway of the settings; asks nobody when there is none. */
  getNftMetadata: deferred(() => z.strictObject({ nftId: z.string().regex(/^0x[0-9a-fA-F]{1,64}$/) })),
  /** What the journal holds of an account; asks nobody. */
  getDiagnostics: deferred(() => z.strictObject({ account: id })),
  /** Asks the relayer for its time, and measures. */
  getRelayerHealth: deferred(() => z.strictObject({ networkId: id })),
  /** Everything that the journal holds, for a report or a record; without signatures that could be sent again. */
  exportJournal: none,
  setSettings: deferred(() =>
    z.strictObject({
      lockAfterMinutes: z.int().min(1).max(480).optional(),
      theme: z.enum(['system', 'light', 'dark']).optional(),
      contrast: z.enum(['system', 'more']).optional(),
      language: z.string().max(20).optional(),
      /** Base URL of an IPFS gateway with paths, ending with `/`; empty shows no pictures and contacts nobody. */
      ipfsGateway: z.union([z.literal(''), gatewayUrl]).optional(),
      notifications: z.boolean().optional(),
    }),
  ),
} as const;

export type UiMethod = keyof typeof uiMethods;
export type UiParams<M extends UiMethod> = z.input<(typeof uiMethods)[M]>;

export interface UiResults {
  getState: WalletState;
  createVault: WalletState;
  unlock: WalletState;
  lock: WalletState;
  checkPassword: null;
  changePassword: null;
  exportBackup: { readonly file: string; readonly name: string };
  restoreBackup: WalletState;
  wipe: WalletState;
  recoverSecrets: readonly RecoveredSecret[];
  listPasskeys: readonly PasskeyView[];
  addPasskey: readonly PasskeyView[];
  removePasskey: readonly PasskeyView[];
  unlockWithPasskey: WalletState;
  touch: null;
  probeNetwork: { readonly chainId: number; readonly exchangeAddress: string };
  addNetwork: NetworkView;
  importSigner: { readonly signer: string; readonly address: string };
  generateSigner: { readonly signer: string; readonly address: string };
  listPhraseAccounts: readonly PhraseAccount[];
  importPhrase: { readonly signer: string; readonly address: string };
  connectExtension: { readonly addresses: readonly string[] };
  addExternalSigner: { readonly signer: string; readonly address: string };
  exportSigner: { readonly privateKey: string; readonly phrase: string | null };
  findAccount: AccountLookup;
  deriveKey: DerivedKey;
  importKey: DerivedKey;
  /** `key`: 0x + 64 hex digits. */
  addAccount: AccountView;
  claimAccount: AccountView;
  selectAccount: WalletState;
  getKeyInfo: KeyInfo;
  renameAccount: WalletState;
  removeAccount: WalletState;
  renameNetwork: WalletState;
  removeNetwork: WalletState;
  checkNetwork: PinnedNetwork;
  getTokenChanges: readonly TokenChange[];
  acceptToken: readonly TokenChange[];
  listSigners: readonly SignerView[];
  removeSigner: readonly SignerView[];
  getRotation: RotationView;
  getRotationFacts: RotationFacts;
  startRotation: ApprovalView;
  exportAccountKey: { readonly text: string; readonly fileName: string };
  confirmBackup: RotationView;
  getHome: HomeView;
  getAttention: readonly AttentionItem[];
  repair: readonly AttentionItem[];
  getActivity: readonly ActivityItem[];
  getSubmission: SubmissionView;
  checkSubmission: ActivityItem;
  listApprovals: readonly QueuedApproval[];
  exportReceipt: { readonly fileName: string; readonly text: string };
  verifyReceipt: ReceiptFinding;
  getApproval: ApprovalView;
  approve: ApprovalView;
  reject: null;
  rejectAll: null;
  retryApproval: ApprovalView;
  listSites: readonly SiteView[];
  revokeSite: null;
  revokeGrant: null;
  blockSite: null;
  unblockSite: null;
  listStanding: readonly StandingView[];
  stopStanding: readonly StandingView[];
  setStanding: readonly StandingView[];
  tightenStanding: ApprovalView;
  addStanding: readonly StandingView[];
  getMarkets: readonly MarketView[];
  listContacts: readonly ContactView[];
  addContact: ContactView;
  renameContact: null;
  removeContact: null;
  listRecentRecipients: readonly RecentRecipient[];
  /** `problem`: the question could not be asked at all, and is closed. */
  startOperation: { readonly id: string; readonly problem: Text | null };
  previewOperation: PreviewView;
  getFees: readonly { readonly token: TokenFacts; readonly volume: string }[];
  getOrders: Stored<OrdersView>;
  getNfts: Stored<readonly NftView[]>;
  getPools: Stored<PoolsView>;
  getNftMetadata: NftMetadataView;
  getDiagnostics: Diagnostics;
  getRelayerHealth: RelayerHealth;
  exportJournal: { readonly json: string };
  setSettings: WalletState;
}

/** One call from a page of ours. */
export interface UiRequest {
  readonly type: 'ui';
  readonly method: UiMethod;
  readonly params: unknown;
}

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
