import { RelayerClientError } from '../../client/index.ts';
import { getPublicKey } from '../../crypto/index.ts';
import { isFinal, type SubmissionRecord } from '../../journal/index.ts';
import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import type { NetworkView } from '../../messaging/views.ts';
import { digestOf } from '../../operations/canonicalJson.ts';
import type { NewKey } from '../../operations/operation.ts';
import { type EndpointAnswer, keySeedText, MAX_KEY_SEED } from '../../protocol/index.ts';
import { reported } from '../../report/report.ts';
import { VaultError } from '../../vault/index.ts';
import {
  ended,
  isOpen,
  isRequest,
  type NewKeyChoice,
  type PendingRequest,
  requestAsAsked,
  type StoredApproval,
} from '../approvals/store/storedApproval.ts';
import { UiFailure } from '../errors/uiFailure.ts';
import { deriveKey, registeredKey } from '../keys/deriveKey.ts';
import { randomKey } from '../keys/keyText.ts';
import { hexPoint, isSameKey } from '../keys/stagedKeys.ts';
import { unreadableAnswer } from '../relayers/accountOfOwner.ts';
import { approverOf } from '../settings/smartAccount.ts';
import { accountIdOf, type StoredAccount } from '../settings/storedConfig.ts';
import { endStandingApprovals } from '../sites/standingApprovals.ts';
import { bothClocks, laggingClock } from '../submissions/bothClocks.ts';
import type { Wallet } from '../wallet.ts';
import {
  draftOf,
  isKeyUpdate,
  keyUpdates,
  mayCountStill,
  mayLackRecords,
  OPERATION,
  signedForStaged,
  takingOver,
} from './keyUpdates.ts';

/**
 * Lock under which a key is staged and asked about: between the two nobody asks with it. Nothing
 * outside of the wallet is waited for in it.
 */
const changing = ({ id }: Pick<StoredAccount, 'id'>): string => `keyUpdate/${id}`;

async function accountAtRelayer(wallet: Pick<Wallet, 'relayers'>, account: StoredAccount, network: NetworkView) {
  await wallet.relayers.checkExchange(network);
  const found = await wallet.relayers.client(network).getAccount({ query: { accountId: account.accountId } });
  if (found.owner.toLowerCase() !== account.owner.toLowerCase()) throw unreadableAnswer(network);
  return found;
}

/**
 * Makes a key for an account. The owner's wallet may be asked for it, which takes as long as its
 * user does.
 * @param before - What was chosen before: a random key that is written down already is good for
 *   another nonce; a derived one is not.
 */
export async function makeKey(
  wallet: Pick<Wallet, 'l1Signer' | 'ports' | 'stagedKeys'>,
  account: StoredAccount,
  network: NetworkView,
  kind: NewKey['kind'],
  found: EndpointAnswer<'getAccount'>,
  before?: NewKeyChoice,
): ReturnType<Wallet['keyUpdate']['make']> {
  const { nonce } = found;
  const isKept = before?.kind === 'random' && kind === 'random';
  if (isKept && (await wallet.stagedKeys.find(account.id, before.publicKey.x)))
    return { choice: { ...before, nonce }, stage: async () => {}, wipe: () => {} };
  const keySeed = kind === 'derived' ? keySeedText(network.exchangeAddress, nonce) : '';
  const secretKey =
    kind === 'derived'
      ? await deriveKey(wallet.l1Signer, account.signer, keySeed, approverOf(account), null)
      : randomKey(wallet.ports.randomBytes);
  const publicKey = hexPoint(getPublicKey(secretKey));
  // Not with the account's own: a relayer that was restored may have lost that one.
  const registered = registeredKey(found);
  if (registered && isSameKey(publicKey, hexPoint(registered))) {
    secretKey.fill(0);
    throw new UiFailure('key-unchanged', 'error_keyUnchanged');
  }
  return {
    choice: { publicKey, kind, keySeed, nonce, backedUp: false },
    stage: () => wallet.stagedKeys.put(account.id, kind, secretKey),
    wipe: () => secretKey.fill(0),
  };
}

/**
 * The approval request that a key is chosen for; `undefined` for a new one of the user's own.
 * @throws {UiFailure} `key-update-open`, `approval-gone`
 */
async function askedBefore(
  wallet: Pick<Wallet, 'approvals' | 'journal'>,
  account: StoredAccount,
  approval: string | null,
): Promise<StoredApproval | undefined> {
  const isApproved = (one: StoredApproval) =>
    one.stage === 'approved' && isKeyUpdate(one) && one.account === account.id;
  const updates = await keyUpdates(wallet, account);
  if ((await wallet.approvals.unsettled()).some(isApproved) || updates.some(({ state }) => !isFinal(state)))
    throw new UiFailure('key-update-open', 'error_keyUpdateOpen');
  const known = approval === null ? undefined : await wallet.approvals.get(approval);
  if (approval !== null && (!known || !isOpen(known) || !isKeyUpdate(known)))
    throw new UiFailure('approval-gone', 'error_approvalGone');
  return known;
}

/**
 * Makes the new key of an account and the complete approval request for it. Nothing is signed for
 * the relayer yet.
 * @returns Id of the approval request.
 * @throws {UiFailure} `key-update-open` while an earlier key update has no end yet; what
 *   `deriveKey` throws.
 */
export async function startKeyUpdate(
  wallet: Pick<Wallet, 'approvals' | 'journal' | 'keyUpdate' | 'ports' | 'prepare' | 'relayers'>,
  { account, network, approval, kind, feeTokenId }: Parameters<Wallet['keyUpdate']['start']>[0],
): Promise<string> {
  const { approvals, keyUpdate, ports } = wallet;
  const before = await askedBefore(wallet, account, approval);
  const found = await accountAtRelayer(wallet, account, network);
  const made = await keyUpdate.make(account, network, kind, found, before?.choice);
  const { choice } = made;
  let id: string;
  try {
    id = await ports.lock(changing(account), async () => {
      // Again: the owner's wallet may have taken minutes.
      const known = await askedBefore(wallet, account, approval);
      await made.stage();
      const intent = { ...(known?.intent ?? {}), ...(feeTokenId === null ? {} : { feeTokenId }) };
      const asked = known?.id ?? ports.uuid();
      if (!known) await approvals.put({ ...ownRequest(asked, account.id, ports.now()), intent, choice });
      // In one transaction: a repeat of the site's request may join meanwhile.
      else
        await approvals.update(asked, (current) =>
          isOpen(current) && isRequest(current) ? { ...requestAsAsked(current, 'waiting'), intent, choice } : null,
        );
      // One key update of the user's own at a time; a site's stays in its queue.
      const isReplaced = (other: StoredApproval) => isKeyUpdate(other) && isOpen(other);
      for (const other of await approvals.unsettled())
        if (other.id !== asked && other.origin === OWN_ORIGIN && other.account === account.id && isReplaced(other))
          await approvals.update(other.id, (current) =>
            isReplaced(current) ? ended(current, 'closed', { decidedAt: ports.now() }) : null,
          );
      return asked;
    });
  } finally {
    made.wipe();
  }
  await wallet.prepare(id);
  await keyUpdate.tidy(account, network).catch(reported('keyUpdate: remove staged keys'));
  return id;
}

const ownRequest = (id: string, account: string, createdAt: number): PendingRequest => ({
  version: 1,
  id,
  kind: 'operation',
  stage: 'waiting',
  origin: OWN_ORIGIN,
  requestIds: [],
  createdAt,
  askedDigest: digestOf({ id }),
  operation: OPERATION,
  account,
});

/**
 * The relayer reports the new key: it takes the old one's place in the vault, then in the account,
 * and only then is it not staged any more. Can be stopped after each step and done again from the
 * start.
 */
async function takeOver(
  wallet: Pick<Wallet, 'config' | 'ports' | 'stagedKeys' | 'standing'>,
  account: StoredAccount,
  { publicKey, keySeed }: Pick<NewKey, 'publicKey' | 'keySeed'>,
) {
  const { stagedKeys, config, ports } = wallet;
  const kind = (await stagedKeys.find(account.id, publicKey.x))?.kind ?? (keySeed === '' ? 'random' : 'derived');
  await stagedKeys.promote(account.id, publicKey);
  const renewed = (one: StoredAccount): StoredAccount =>
    one.id === account.id && !isSameKey(one.publicKey, publicKey)
      ? { ...one, publicKey, keySeed: kind === 'random' ? '' : keySeed, key: { kind, since: ports.now() } }
      : one;
  await config.update((data) => ({
    ...data,
    accounts: [...data.accounts, ...data.claimed.filter(({ id }) => id === account.id)].map(renewed),
    claimed: data.claimed.filter(({ id }) => id !== account.id),
  }));
  await endStandingApprovals(wallet, { account: account.id }, 'key');
  await stagedKeys.remove(account.id, publicKey.x);
  ports.toUi();
}

/**
 * Applies the end of a key update to the vault, when its key is staged. The record alone proves
 * nothing about today: another key may be registered since.
 */
export async function keyRegistered(
  wallet: Pick<Wallet, 'config' | 'keyUpdate' | 'stagedKeys'>,
  record: SubmissionRecord,
): Promise<void> {
  if (record.state !== 'processed') return;
  const { account, network } = await wallet.config.place(accountIdOf(record));
  if (!account || !network) return;
  if (await wallet.stagedKeys.find(account.id, draftOf(record).publicKey.x))
    await wallet.keyUpdate.adopt(account, network);
}

/** The last registration that the wallet has seen, of updates that come newest first. */
const lastIn = (updates: readonly SubmissionRecord[]) => updates.find(({ state }) => state === 'processed');

/**
 * Takes over the key that the relayer reports, when it is staged: after a key update, and when the
 * journal knows nothing about it, as after a restored backup. A key that a later registration has
 * replaced does not come back, whatever the relayer reports.
 * @returns Whether it was taken over.
 */
export async function adoptRegistered(
  wallet: Pick<Wallet, 'config' | 'journal' | 'ports' | 'relayers' | 'stagedKeys' | 'standing'>,
  account: StoredAccount,
  network: NetworkView,
): Promise<boolean> {
  const found = await accountAtRelayer(wallet, account, network);
  const registered = registeredKey(found);
  if (!registered) return false;
  const publicKey = hexPoint(registered);
  return wallet.ports.lock(takingOver(account.id), async () => {
    if (!(await wallet.stagedKeys.find(account.id, publicKey.x))) return false;
    const updates = await keyUpdates(wallet, account);
    const naming = updates.filter((record) => draftOf(record).publicKey.x === publicKey.x);
    const last = lastIn(updates);
    const isBefore = (record: SubmissionRecord) => last !== undefined && draftOf(record).nonce < draftOf(last).nonce;
    const isReplaced = naming.some((record) => record.state === 'processed' && isBefore(record));
    const counting = isReplaced ? naming.find((record) => !isBefore(record)) : naming[0];
    if (naming.length > 0 && !counting) return false;
    const { keySeed } = counting ? draftOf(counting) : found;
    await takeOver(wallet, account, { publicKey, keySeed: keySeed.slice(0, MAX_KEY_SEED) });
    return true;
  });
}

/**
 * Removes the staged keys of an account that can never be registered: nobody asks with them, and no
 * signed request can count. What was signed counts until both clocks are past its end, whatever the
 * relayer has answered: a refusal proves nothing, nor does the registration of another key. The
 * registered key stays until it is in use, also when no record of its request is left. None goes
 * while records may be missing; since when is dated here, once the relayer has told its time.
 */
export async function tidyStagedKeys(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'journal' | 'ports' | 'relayers' | 'stagedKeys'>,
  account: StoredAccount,
  network: NetworkView,
): Promise<void> {
  // Before the relayer is waited for: nobody asks yet with a key that is staged meanwhile.
  const staged = await wallet.stagedKeys.list(account.id);
  if (staged.length === 0) return;
  const clocks = await bothClocks(wallet, network);
  if (!clocks) return;
  const { behind: now, ahead } = clocks;
  const stored = await wallet.config.read();
  if (stored.isUndated || (stored.restoredAt ?? 0) > ahead)
    return void (await wallet.config.update((data) => ({ ...data, restoredAt: ahead, isUndated: false })));
  if (mayLackRecords(stored, now)) return;
  // One that cannot be read does not tell its key, which may have been signed for.
  if ((await wallet.journal.everything()).damaged.length > 0) return;
  const found = await accountAtRelayer(wallet, account, network);
  const key = registeredKey(found);
  const inUse = key && hexPoint(key).x;
  await wallet.ports.lock(changing(account), async () => {
    const asking = (await wallet.approvals.unsettled()).map(({ choice }) => choice?.publicKey.x);
    const signed = (await keyUpdates(wallet, account)).filter(({ wire }) => wire !== undefined);
    const last = lastIn(signed);
    const mayCount = signed
      .filter((record) => record === last || !isFinal(record.state) || mayCountStill(record, now))
      .map((record) => draftOf(record).publicKey.x);
    for (const { x } of staged)
      if (x !== inUse && !asking.includes(x) && !mayCount.includes(x)) await wallet.stagedKeys.remove(account.id, x);
  });
}

/**
 * After the end of a key update: a key that was made for another one, which nobody asks with any
 * more, goes.
 */
export async function keyUpdateEnded(
  wallet: Pick<Wallet, 'config' | 'keyUpdate'>,
  record: SubmissionRecord,
): Promise<void> {
  if (!isFinal(record.state)) return;
  const { account, network } = await wallet.config.place(accountIdOf(record));
  if (account && network) await wallet.keyUpdate.tidy(account, network);
}

/**
 * After the end of an approval, by whomever: a key that was chosen for it goes when nothing is
 * signed that names it. While the wallet is locked no key can be removed; the next unlock does it.
 */
export async function releaseKey(
  wallet: Pick<Wallet, 'config' | 'keyUpdate' | 'vault'>,
  { account: id, choice }: StoredApproval,
): Promise<void> {
  if (!choice || !(await wallet.vault.isUnlocked())) return;
  const { account, network } = await wallet.config.place(id);
  if (account && network) await wallet.keyUpdate.tidy(account, network);
}

/**
 * After an account was given its key by hand: what was approved for another key ends, and keys that
 * can never count are removed.
 */
export async function keyPlaced(
  wallet: Pick<Wallet, 'keyUpdate' | 'ports' | 'stagedKeys' | 'standing'>,
  account: StoredAccount,
  network: NetworkView,
  isReplaced: boolean,
): Promise<void> {
  if (isReplaced) await endStandingApprovals(wallet, { account: account.id }, 'key');
  await wallet.stagedKeys.remove(account.id, account.publicKey.x);
  await wallet.keyUpdate.tidy(account, network).catch(reported('keyUpdate: remove staged keys'));
}

/**
 * At each start and unlock: what an earlier life of the worker left of key updates is brought to
 * its end.
 * @param only - The network whose key updates are meant; all when absent.
 */
export async function finishKeyUpdates(
  wallet: Pick<Wallet, 'config' | 'journal' | 'keyUpdate' | 'stagedKeys'>,
  only?: string,
): Promise<void> {
  const { keyUpdate } = wallet;
  await keyUpdate.discardAbandoned().catch(reported('keyUpdate: remove staged keys'));
  const pending = await wallet.stagedKeys.list();
  for (const id of new Set(pending.map(({ account }) => account))) {
    const { account, network } = await wallet.config.place(id);
    if (!account || !network || network.id !== (only ?? network.id)) continue;
    try {
      const updates = await keyUpdates(wallet, account);
      for (const record of updates) await keyRegistered(wallet, record);
      const inProgress = updates.some(({ networkId, state }) => networkId === network.id && !isFinal(state));
      if (inProgress || (await wallet.stagedKeys.list(id)).length === 0) continue;
      // Asked once before anything is removed: the relayer may hold a key of which no record is
      // left, or that it had refused.
      if (!(await keyUpdate.adopt(account, network))) await keyUpdate.tidy(account, network);
    } catch (error) {
      if (!(error instanceof RelayerClientError || error instanceof VaultError || error instanceof UiFailure))
        throw error;
    }
  }
}

/**
 * Whether a key update of an account has no end yet, or was signed and can be registered all the
 * same.
 */
async function mayBeRegistered(
  wallet: Pick<Wallet, 'config' | 'journal' | 'ports' | 'relayers' | 'stagedKeys'>,
  account: StoredAccount,
): Promise<boolean> {
  const isOwn = ({ networkId }: SubmissionRecord) => networkId === account.networkId;
  if ((await keyUpdates(wallet, account)).some((record) => isOwn(record) && !isFinal(record.state))) return true;
  const signed = await signedForStaged(wallet, account);
  if (signed.length === 0) return false;
  const { network } = await wallet.config.place(account.id);
  // A relayer that is gone for good does not hold its network.
  const now = (network && (await laggingClock(wallet, network))) ?? wallet.ports.now();
  return signed.some((record) => mayCountStill(record, now));
}

/**
 * Forgets claimed accounts and the keys that were made for them, before their network or signer
 * goes; forgets none while one account uses it. A key that the relayer may have stays in the vault.
 * @param endRights - Ends what is asked for an account.
 * @returns How many accounts with a key use it.
 * @throws {UiFailure} `key-update-open`: a key update may still give a claimed one its key.
 */
export async function releaseClaims(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'journal' | 'ports' | 'relayers' | 'stagedKeys'>,
  of: (account: StoredAccount) => boolean,
  endRights: (account: string) => Promise<void>,
): Promise<number> {
  const { accounts, claimed, networks } = await wallet.config.read();
  const released = claimed.filter(of);
  const users = accounts.filter(of).length;
  if (users > 0) return users;
  for (const account of released)
    if (await mayBeRegistered(wallet, account)) throw new UiFailure('key-update-open', 'error_keyUpdateOpen');
  for (const account of released) {
    await endRights(account.id);
    const network = networks.find(({ id }) => id === account.networkId);
    if (network) await tidyStagedKeys(wallet, account, network).catch(reported('keyUpdate: remove staged keys'));
  }
  const ids = released.map(({ id }) => id);
  await wallet.config.update((data) => ({ ...data, claimed: data.claimed.filter(({ id }) => !ids.includes(id)) }));
  return 0;
}

/**
 * Before anything else is signed for an account: a key update whose end was not seen yet is looked
 * at.
 */
export async function settleKeyUpdate(
  wallet: Pick<Wallet, 'config' | 'journal' | 'keyUpdate' | 'stagedKeys' | 'submissions'>,
  account: StoredAccount,
): Promise<void> {
  if ((await wallet.stagedKeys.list(account.id)).length === 0) return;
  for (const record of await keyUpdates(wallet, account)) {
    // The relayer under another URL may be away.
    if (record.networkId !== account.networkId) continue;
    if (!isFinal(record.state) && record.wire) await wallet.submissions.check(record.id);
    else await keyRegistered(wallet, record);
  }
}
