import type { TokenFacts } from '../../operations/review.ts';
import type { ApprovalView } from './approvals.ts';
import type { AccountView, NetworkView } from './wallet.ts';

/** An L1 key holder. */
export interface SignerView {
  readonly id: string;
  /** Checksummed L1 address. */
  readonly address: string;
  /** `external`: the key is in another extension, which asks the user itself for each signature. */
  readonly kind: 'local' | 'external';
  /**
   * The key comes from a recovery phrase that is in the vault; `index` is its place, counted from
   * 0.
   */
  readonly phrase: { readonly id: string; readonly index: number } | null;
  /** Ids of the accounts that it owns. */
  readonly accounts: readonly string[];
}

/** An address of a recovery phrase, and what the relayer knows of it. */
export interface PhraseAccount {
  /** Place in the phrase, counted from 0. */
  readonly index: number;
  readonly address: string;
  readonly status: AccountLookup['status'];
  readonly accountId: number | null;
}

interface FoundAccount {
  readonly owner: string;
  readonly accountId: number;
  readonly nonce: number;
  /** The owner is no ordinary address: a smart wallet that is not deployed yet, or a contract. */
  readonly smart: 'counterfactual' | 'contract' | null;
}

export type AccountLookup =
  | { readonly status: 'absent'; readonly owner: string }
  | (FoundAccount & { readonly status: 'unregistered' })
  | (FoundAccount & {
      readonly status: 'registered';
      readonly publicKey: { readonly x: string; readonly y: string };
    });

export interface DerivedKey {
  readonly accountId: number;
  readonly kind: 'derived' | 'random' | 'imported';
  /** The exact text that the L1 key signed; empty unless the key is derived. */
  readonly keySeed: string;
  readonly derived: { readonly x: string; readonly y: string };
  readonly registered: { readonly x: string; readonly y: string } | null;
  readonly matches: boolean;
}

/** Facts about the key of an account. */
export interface KeyInfo {
  readonly account: string;
  readonly publicKey: { readonly x: string; readonly y: string };
  readonly kind: 'derived' | 'random' | 'imported';
  /** Since when this wallet holds it, Unix milliseconds; `null` when it was not written down. */
  readonly since: number | null;
  /** Signatures that this wallet made with it. */
  readonly signatures: number;
}

/** A key update of an account: where it stands, and what was chosen. */
export interface KeyUpdateView {
  readonly account: AccountView;
  readonly network: NetworkView;
  readonly key: KeyInfo;
  /** The account is in use here; a claimed one is once its new key is registered. */
  readonly inUse: boolean;
  /** The approval request in progress or last decided; `null` when there is none. */
  readonly approval: ApprovalView | null;
  /** Token that pays the fee, as the site that asks would have it; `null`: it names none. */
  readonly askedFeeTokenId: number | null;
  readonly newKey: {
    readonly publicKey: { readonly x: string; readonly y: string };
    readonly kind: 'derived' | 'random';
    readonly backedUp: boolean;
    /** The text that the L1 key signed for a derived one; empty for a random one. */
    readonly keySeed: string;
    /** Its secret is the account's key by now. */
    readonly inPlace: boolean;
  } | null;
}

/** Orders and approvals that a key update ends, and its fee, as the relayer reports them now. */
export interface KeyUpdateFacts {
  /** `null`: could not be asked, as with a key that is not registered any more. */
  readonly openOrders: number | null;
  readonly standingApprovals: number;
  /** This wallet holds an API key, which the relayer forgets with the old key. */
  readonly hasApiKey: boolean;
  /** The relayer reports the key that this wallet holds. */
  readonly keyIsRegistered: boolean;
  readonly nonce: number;
  readonly fees: readonly {
    readonly token: TokenFacts;
    readonly volume: string;
    /** Base units that can be spent; `null` when unknown. */
    readonly balance: string | null;
  }[];
}

/** A passkey that opens the vault. */
export interface PasskeyView {
  /** WebAuthn credential id, base64url. */
  readonly credentialId: string;
  /** Input of the PRF extension, base64 of 32 bytes. */
  readonly prfSalt: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** Part of which a backup lacks something that could not be read or does not fit. */
export type BackupPart = 'secrets' | 'settings' | 'contacts' | 'pins' | 'proofs';

/** One secret of the vault, for the recovery screen. */
export interface RecoveredSecret {
  readonly id: string;
  /** Whose it is: `network:account`, or an address. */
  readonly account: string;
  readonly kind: 'l1-key' | 'eddsa-key' | 'api-key' | 'pending-eddsa-key' | 'mnemonic';
  /** Digits, words or key; `null`: the record is damaged. */
  readonly text: string | null;
}
