import type { Journal, SubmissionRecord } from '../journal/index.ts';
import type { Vault } from '../vault/index.ts';
import type { Approvals } from './approvals/store/approvals.ts';
import type { Requests } from './approvals/store/requests.ts';
import type { AccountKeys } from './keys/accountKeys.ts';
import type { KeyUse } from './keys/keyUse.ts';
import type { L1Signer } from './keys/l1Signer.ts';
import type { StagedKeys } from './keys/stagedKeys.ts';
import type { Ports } from './ports.ts';
import type { NftMetadata } from './relayers/nftMetadata.ts';
import type { Relayers } from './relayers/relayers.ts';
import type { Config } from './settings/config.ts';
import type { Contacts } from './settings/contacts.ts';
import type { Grants } from './sites/grants.ts';
import type { StandingApprovals } from './sites/standingStore.ts';
import type { Submissions } from './submissions/submissions.ts';

/** The parts of the background, as its flows and methods use them. Wired in `createBackground`. */
export interface Wallet {
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
  /** Tells user and pages how a submission stands, see `createStatusEvents`. */
  readonly tellStatus: (record: SubmissionRecord) => Promise<void>;
  readonly nftMetadata: NftMetadata;
  readonly standing: StandingApprovals;
  /** Approvals that this life of the worker is carrying out; shared by everybody who asks for the same one. */
  readonly executing: Map<string, Promise<void>>;
  /** Completes an approval, see `prepareApproval`. */
  readonly prepare: (id: string, asking?: () => void) => Promise<void>;
  /** Carries an approval out, see `executeApproval`. */
  readonly carryOut: (id: string) => Promise<void>;
  /** Goes on with everything that waited for the unlock. */
  readonly goOn: () => Promise<void>;
  /** Approvals for which this life of the worker has begun to sign: they cannot be taken back. */
  readonly signing: Set<string>;
  /** Questions of pages are counted and stored one after another. */
  readonly asking: <T>(work: () => Promise<T>) => Promise<T>;
  readonly l1Signer: L1Signer;
  /** Removes everything that is kept in this browser. @returns What begins after it, in the place of this one. */
  wipe(): Promise<Wallet>;
}
