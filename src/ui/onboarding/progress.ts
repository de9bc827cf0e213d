import type { AccountView, NetworkView } from '../../messaging/views.ts';
import type { StoredKey } from '../../storage/storedValues.ts';

export type Step =
  | 'welcome'
  | 'restore'
  | 'hosts'
  | 'password'
  | 'network'
  | 'signer'
  | 'account'
  | 'key'
  | 'name'
  | 'done';

type RailStep = { readonly step: Step; readonly label: string };

/** Steps of a new wallet that the rail shows, in order. */
const newSteps: readonly RailStep[] = [
  { step: 'password', label: 'unlockPassword' },
  { step: 'network', label: 'stepNetwork' },
  { step: 'signer', label: 'stepSigner' },
  { step: 'account', label: 'approvalAccount' },
  { step: 'name', label: 'nameField' },
];

/** Steps of a wallet that comes back from a backup. */
const restoreSteps: readonly RailStep[] = [
  { step: 'restore', label: 'keyUpdateStep_backup' },
  { step: 'hosts', label: 'stepHosts' },
];

export const railSteps = { new: newSteps, restore: restoreSteps } as const;

export interface Signer {
  /** Id in the vault. */
  readonly signer: string;
  /** Checksummed L1 address. */
  readonly address: string;
  /** The smart wallet that it signs for, when the account is not its own. */
  readonly owner?: string;
}

export interface Progress {
  readonly step: Step;
  readonly way: keyof typeof railSteps;
  readonly network: NetworkView | null;
  readonly signer: Signer | null;
  /** Made with a new phrase that is not confirmed yet. */
  readonly made: Signer | null;
  /**
   * The account at the end; before that, one whose key the key wizard registers, as it was before.
   */
  readonly account: AccountView | null;
}

const start: Progress = { step: 'welcome', way: 'new', network: null, signer: null, made: null, account: null };

const storageKey = 'countersign.onboarding' satisfies StoredKey<'page'>;

/** Restores the progress of this tab from before a reload. Holds ids and addresses, no secret. */
export function rememberedProgress(): Progress {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Progress | null;
    return stored === null || typeof stored.step !== 'string' ? start : { ...start, ...stored };
  } catch {
    return start;
  }
}

export function rememberProgress(progress: Progress): void {
  try {
    if (progress.step === 'done') sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(progress));
  } catch {
    // A reload begins at the start.
  }
}
