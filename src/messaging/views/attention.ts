import type { Text } from '../../operations/review.ts';
import type { Repair } from '../repairs.ts';
import type { ActivityItem } from './activity.ts';

/**
 * Kinds of trouble that do not repair themselves and that the user can do something about.
 * `unknown`: no answer. `overdue`: taken, past its time, no end. `approved`: approved, and nothing
 * is signed yet. `stuck`: reserved, never signed. `slot-taken`: refused because another program
 * used the storage id. `key-mismatch`: the relayer reports another key, or none. `account-gone`: it
 * no longer knows the account. `key-choice`: a key update that has to be looked at again.
 * `damaged`: an entry that cannot be read. `unreachable`: a relayer that does not answer.
 * `not-allowed`: it does not, and the browser no longer lets the wallet ask it. `hidden`: the
 * browser keeps the wallet out of pages. `token-changed`: a relayer describes tokens otherwise than
 * they are pinned. `proof`: it gave a proof of a balance that does not hold.
 */
export type AttentionKind =
  | 'unknown'
  | 'overdue'
  | 'approved'
  | 'stuck'
  | 'slot-taken'
  | 'key-mismatch'
  | 'account-gone'
  | 'key-choice'
  | 'damaged'
  | 'unreachable'
  | 'not-allowed'
  | 'hidden'
  | 'token-changed'
  | 'proof';

/** `allow` asks the browser; those after it open a page of ours. */
export type AttentionAction = Repair | 'allow' | 'replace-key' | 'add-key' | 'export' | 'compare' | 'proofs';

export interface AttentionItem {
  readonly id: string;
  readonly kind: AttentionKind;
  /** Id of the account it is about, if there is one. */
  readonly account: string | null;
  readonly submission: ActivityItem | null;
  /** Subject, such as the request or the relayer's host. */
  readonly subject: Text;
  /** Of `key-choice`: why. */
  readonly reason?: Text;
  /** The first is what to try first. */
  readonly actions: readonly AttentionAction[];
  /** Host patterns that `allow` asks the browser for. */
  readonly origins?: readonly string[];
  /** Id of the network that `compare` shows. */
  readonly network?: string;
}
