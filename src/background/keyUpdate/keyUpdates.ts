import type { Journal, SubmissionRecord } from '../../journal/index.ts';
import { changesKey } from '../../operations/index.ts';
import { CONTRACT_VALIDITY_SECONDS } from '../../operations/intentFields.ts';
import type { NewKey } from '../../operations/operation.ts';
import { updateAccountKey } from '../../operations/updateAccountKey.ts';
import { DAY_SECONDS } from '../../protocol/time.ts';
import type { Approvals } from '../approvals/store/approvals.ts';
import type { StoredApproval } from '../approvals/store/storedApproval.ts';
import type { StagedKeys } from '../keys/stagedKeys.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';

export const OPERATION = updateAccountKey.name;

/**
 * A key that was sent for registration is kept this long after the request's end: a relayer's clock
 * may be wrong.
 */
const KEEP_AFTER_END_SECONDS = DAY_SECONDS;

/**
 * Whether records of the journal may be missing: a backup brings none, and a browser can lose them,
 * so for so long afterwards each staged key may have been signed for.
 */
export const mayLackRecords = (
  { restoredAt = 0 }: { readonly restoredAt?: number | undefined },
  now: number,
): boolean => now / 1000 < restoredAt / 1000 + CONTRACT_VALIDITY_SECONDS + KEEP_AFTER_END_SECONDS;

/** Lock under which a key takes the place of an account's key. */
export const takingOver = (account: string): string => `keyUpdate-end/${account}`;

interface Draft {
  readonly publicKey: NewKey['publicKey'];
  readonly keySeed: string;
  readonly nonce: number;
}

export const draftOf = ({ draft }: SubmissionRecord) => draft as unknown as Draft;

/** Key updates of an account, under every URL of its exchange, newest first. */
export async function keyUpdates(
  { journal }: { readonly journal: Pick<Journal, 'list'> },
  { networkId, accountId }: Pick<StoredAccount, 'networkId' | 'accountId'>,
): Promise<SubmissionRecord[]> {
  return journal.list({ exchangeOf: networkId, accountId, operations: [OPERATION] });
}

export const isKeyUpdate = ({ operation }: StoredApproval): boolean => operation !== undefined && changesKey(operation);

/**
 * The newest approval request of a key update that the user or a site has in progress for an
 * account.
 */
export async function openKeyUpdate(
  { approvals }: { readonly approvals: Pick<Approvals, 'unsettled'> },
  account: string,
): Promise<StoredApproval | undefined> {
  return (await approvals.unsettled()).findLast((one) => isKeyUpdate(one) && one.account === account);
}

/** Whether the record of a key update still tells which staged keys can count. */
export const mayCountStill = ({ operation, validUntil }: SubmissionRecord, now: number): boolean =>
  changesKey(operation) && now / 1000 < (validUntil ?? 0) + KEEP_AFTER_END_SECONDS;

/**
 * Signed key updates of an account whose keys wait in the vault: whatever was answered, each may
 * count still.
 */
export async function signedForStaged(
  wallet: { readonly journal: Pick<Journal, 'list'>; readonly stagedKeys: Pick<StagedKeys, 'list'> },
  account: Pick<StoredAccount, 'id' | 'networkId' | 'accountId'>,
): Promise<SubmissionRecord[]> {
  const staged = await wallet.stagedKeys.list(account.id);
  return (await keyUpdates(wallet, account)).filter(
    (record) => record.wire && staged.some(({ x }) => x === draftOf(record).publicKey.x),
  );
}
