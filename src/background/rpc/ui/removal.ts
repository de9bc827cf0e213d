import { ENDED_WITH_ACCOUNT, type SubmissionRecord } from '../../../journal/index.ts';
import { unauthorized } from '../../errors/rpcError.ts';
import { UiFailure } from '../../errors/uiFailure.ts';
import { accountRecords } from '../../keys/keyRecords.ts';
import { mayCountStill, signedForStaged } from '../../keyUpdate/keyUpdates.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import { endStandingApprovals } from '../../sites/standingApprovals.ts';
import { laggingClock } from '../../submissions/bothClocks.ts';
import { hasExpired } from '../../submissions/submissionRecord.ts';
import type { Wallet } from '../../wallet.ts';
import { networkNamed } from './named.ts';

/** Submissions past their end that are looked up before their account goes; each takes seconds. */
const MOST_LOOKED_UP = 20;

/**
 * Ends the submissions of an account that is removed; how each of them ended is asked before.
 * @param unconfirmed - The user accepts that the relayer does not confirm the end.
 * @throws {UiFailure} `work-pending`, `end-unconfirmed`
 */
export async function endSubmissions(
  wallet: Pick<Wallet, 'config' | 'journal' | 'ports' | 'relayers' | 'stagedKeys' | 'submissions'>,
  account: StoredAccount,
  unconfirmed: boolean,
): Promise<void> {
  const { journal, ports } = wallet;
  const { networkId, accountId } = account;
  const open = (await journal.pending()).filter(
    (record) => record.networkId === networkId && record.accountId === accountId,
  );
  const signed = await signedForStaged(wallet, account);
  if (open.length === 0 && signed.length === 0) return;
  const network = await networkNamed(wallet, networkId);
  const clock = await laggingClock(wallet, network);
  // A submission past its end does not hold the account: its relayer may never say how it ended.
  const now = clock ?? ports.now();
  const live = new Set([
    ...open.filter((record) => !hasExpired(record, now)).map(({ id }) => id),
    // The exchange may register a key later that it had refused.
    ...signed.filter((record) => mayCountStill(record, now)).map(({ id }) => id),
  ]);
  if (live.size > 0) throw new UiFailure('work-pending', 'error_workPending', { count: String(live.size) });
  // By one clock only, so the user decides: the relayer may be gone for good.
  if (clock === null && !unconfirmed)
    throw new UiFailure('end-unconfirmed', 'error_endUnconfirmed', { host: new URL(network.baseUrl).host });
  const isMeant = ({ id }: SubmissionRecord) => open.some((one) => one.id === id);
  if (clock !== null) await wallet.submissions.checkOpen(isMeant, MOST_LOOKED_UP);
  const note = clock === null ? `${ENDED_WITH_ACCOUNT}, unconfirmed` : ENDED_WITH_ACCOUNT;
  for (const { id, state } of (await journal.pending()).filter(isMeant))
    if (state === 'reserved') await journal.markAbandoned(id, note);
    else await journal.markFinal(id, 'expired', { note });
}

/** Takes an account from all sites, and ends what is asked and the standing approvals for it. */
export async function endRights(
  wallet: Pick<Wallet, 'approvals' | 'closing' | 'grants' | 'ports' | 'rights' | 'standing'>,
  id: string,
): Promise<void> {
  const { approvals, closing, grants, rights } = wallet;
  for (const { origin, grants: granted } of await grants.list()) {
    if (!granted.some((grant) => grant.account === id)) continue;
    await grants.revokeAccount(origin, id);
    await rights.changed(origin);
  }
  // The user's own too: the keys that they were asked with go.
  for (const { id: asked, account } of await approvals.unsettled())
    if (account === id)
      await closing.close(asked, () => unauthorized('revoked', 'The account was removed from the wallet.'));
  await endStandingApprovals(wallet, { account: id }, 'account');
}

/**
 * Asks before anything is ended whether records can leave the vault.
 * @throws {UiFailure} `locked`; `empty-overwrite`: the vault holds nothing else.
 */
export async function checkRemoval(
  vault: Pick<Wallet['vault'], 'isUnlocked' | 'listSecrets'>,
  records: readonly string[],
): Promise<void> {
  if (!(await vault.isUnlocked())) throw new UiFailure('locked', 'error_locked');
  const secrets = await vault.listSecrets();
  if (secrets.length > 0 && secrets.every(({ id }) => records.includes(id)))
    throw new UiFailure('empty-overwrite', 'error_lastSecret');
}

const recordsOf = async ({ stagedKeys }: Pick<Wallet, 'stagedKeys'>, id: string) => [
  ...accountRecords(id),
  ...(await stagedKeys.recordsOf(id)),
];

/** @throws {UiFailure} `locked`, `empty-overwrite` */
export const checkRemovable = async (wallet: Pick<Wallet, 'stagedKeys' | 'vault'>, id: string): Promise<void> =>
  checkRemoval(wallet.vault, await recordsOf(wallet, id));

/**
 * Removes the keys of an account, what was kept of it, and then the name that they are found by:
 * stopped in between, it is still listed and can be removed again.
 */
export async function removeListed(wallet: Pick<Wallet, 'config' | 'stagedKeys' | 'vault'>, id: string): Promise<void> {
  await wallet.vault.apply({ remove: await recordsOf(wallet, id) });
  await wallet.config.cutTo((data) => ({
    ...data,
    accounts: data.accounts.filter((entry) => entry.id !== id),
    claimed: data.claimed.filter((entry) => entry.id !== id),
  }));
}
