import { OWN_ORIGIN } from '../../../messaging/ownOrigin.ts';
import type { KeyUpdateFacts, KeyUpdateView, NetworkView } from '../../../messaging/views.ts';
import { feeOffers, freeOf } from '../../../operations/fees.ts';
import { keyFee, type UpdateAccountKeyIntent } from '../../../operations/updateAccountKey.ts';
import { fillableStatuses } from '../../../protocol/states.ts';
import { reportedAs } from '../../../report/report.ts';
import { openKeyFile } from '../../../vault/index.ts';
import { UiFailure } from '../../errors/uiFailure.ts';
import { registeredKey } from '../../keys/deriveKey.ts';
import { apiKeyRecord, eddsaRecord } from '../../keys/keyRecords.ts';
import { keyFile, keyText } from '../../keys/keyText.ts';
import { keyInfo } from '../../keys/keyUse.ts';
import { hexPoint, isSameKey } from '../../keys/stagedKeys.ts';
import { isKeyUpdate, keyUpdates, openKeyUpdate } from '../../keyUpdate/keyUpdates.ts';
import { accountView } from '../../settings/accountView.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import type { Wallet } from '../../wallet.ts';
import { accountNamed, placeNamed } from './named.ts';
import type { UiHandlers } from './uiHandler.ts';

/** Digits that a user types from what was written down. */
const SHOWN_DIGITS = 6;

/** The open approval request, else that of a key update without an end. */
async function keyUpdateRequest(wallet: Pick<Wallet, 'approvals' | 'journal'>, account: StoredAccount) {
  const open = await openKeyUpdate(wallet, account.id);
  if (open) return open;
  const [latest] = await keyUpdates(wallet, account);
  return latest && ['signed', 'sent', 'acknowledged'].includes(latest.state)
    ? wallet.approvals.get(latest.requestId)
    : undefined;
}

async function keyUpdateView(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'journal' | 'keyUse' | 'stagedKeys' | 'viewOf'>,
  asked: { account: string | null; approval: string | null },
) {
  const named = asked.approval === null ? undefined : await wallet.approvals.get(asked.approval);
  if (asked.approval !== null && !(named && isKeyUpdate(named)))
    throw new UiFailure('approval-gone', 'error_approvalGone');
  const { account, network } = await placeNamed(wallet, named?.account ?? asked.account ?? '');
  const request = named ?? (await keyUpdateRequest(wallet, account));
  const choice = request?.choice;
  return {
    account: accountView(account),
    network,
    key: await keyInfo(wallet, account),
    inUse: (await wallet.config.read()).accounts.some(({ id }) => id === account.id),
    approval: request ? await wallet.viewOf(request.id) : null,
    askedFeeTokenId: (request?.intent as UpdateAccountKeyIntent | undefined)?.feeTokenId ?? null,
    newKey: choice
      ? {
          publicKey: choice.publicKey,
          kind: choice.kind,
          backedUp: choice.backedUp,
          keySeed: choice.keySeed,
          inPlace:
            isSameKey(choice.publicKey, account.publicKey) &&
            !(await wallet.stagedKeys.find(account.id, choice.publicKey.x)),
        }
      : null,
  } satisfies KeyUpdateView;
}

/**
 * `null` when the relayer refuses, such as the API key of a key that is not registered any more.
 */
const orNull = <T>(work: Promise<T>): Promise<T | null> => work.catch(reportedAs('keyUpdate: read the account', null));

/** Gives the facts that the user needs before choosing another key. */
async function keyUpdateFacts(
  wallet: Pick<Wallet, 'factsOf' | 'standing' | 'vault'>,
  account: StoredAccount,
  network: NetworkView,
): Promise<KeyUpdateFacts> {
  const { accountId } = account;
  const facts = wallet.factsOf(account, network, OWN_ORIGIN);
  const found = await facts.read('getAccount', { query: { accountId } });
  const registered = registeredKey(found);
  const keyIsRegistered = registered !== null && isSameKey(hexPoint(registered), account.publicKey);
  const orders = keyIsRegistered
    ? await orNull(facts.read('getOrders', { query: { accountId, status: fillableStatuses, limit: 1 } }))
    : null;
  const balances = keyIsRegistered ? await orNull(facts.read('getBalances', { query: { accountId } })) : null;
  const offers = await orNull(keyFee(facts).then((fees) => feeOffers(fees, facts)));
  return {
    openOrders: orders && Math.max(orders.totalNum, orders.orders.length),
    standingApprovals: (await wallet.standing.active({ account: account.id })).length,
    hasApiKey: await wallet.vault.hasSecret(apiKeyRecord(account.id)),
    keyIsRegistered,
    nonce: found.nonce,
    fees: (offers ?? []).map((offer) => {
      const free = freeOf(balances, offer.token.tokenId);
      return { ...offer, balance: balances && String(free > 0n ? free : 0n) };
    }),
  };
}

const views = {
  getKeyInfo: async (wallet, { account }) => keyInfo(wallet, await accountNamed(wallet, account)),

  getKeyUpdate: keyUpdateView,

  async confirmBackup(wallet, { approval: id, shown }) {
    const { approvals, stagedKeys } = wallet;
    const approval = await approvals.get(id);
    const { choice, account = '' } = approval ?? {};
    if (!choice) throw new UiFailure('approval-gone', 'error_approvalGone');
    const proven = await stagedKeys.use(account, choice.publicKey.x, async (secretKey) => {
      if ('lastDigits' in shown) return keyText(secretKey).endsWith(shown.lastDigits.trim().toLowerCase());
      const opened = await openKeyFile(shown.file, shown.password);
      const same = opened.secretKey.every((byte, at) => byte === secretKey[at]);
      opened.secretKey.fill(0);
      return same;
    });
    const enough = 'file' in shown || shown.lastDigits.trim().length === SHOWN_DIGITS;
    if (!proven || !enough) throw new UiFailure('backup-differs', 'error_backupDiffers');
    await approvals.update(id, (current) =>
      current.choice && isSameKey(current.choice.publicKey, choice.publicKey)
        ? { ...current, choice: { ...current.choice, backedUp: true } }
        : null,
    );
    return keyUpdateView(wallet, { account: null, approval: id });
  },
} satisfies UiHandlers<'approvals' | 'config' | 'journal' | 'keyUse' | 'stagedKeys' | 'viewOf'>;

const facts = {
  async getKeyUpdateFacts(wallet, { account: id }) {
    const { account, network } = await placeNamed(wallet, id);
    return keyUpdateFacts(wallet, account, network);
  },
} satisfies UiHandlers<'config' | 'factsOf' | 'standing' | 'vault'>;

const start = {
  async startKeyUpdate(wallet, { account: id, ...asked }) {
    const { account, network } = await placeNamed(wallet, id);
    return wallet.viewOf(await wallet.keyUpdate.start({ ...asked, account, network }));
  },
} satisfies UiHandlers<'config' | 'keyUpdate' | 'viewOf'>;

const keys = {
  async exportAccountKey(wallet, { account: id, pending, form, password }) {
    const { vault, stagedKeys, ports } = wallet;
    await vault.checkPassword(password);
    const { account, network } = await placeNamed(wallet, id);
    const { accountId, owner } = account;
    const write = async (secretKey: Uint8Array) =>
      form === 'hex' ? keyText(secretKey) : keyFile(ports, { network, accountId, owner }, secretKey, password);
    const text =
      pending === null ? await vault.withSecret(eddsaRecord(id), write) : await stagedKeys.use(id, pending, write);
    return { text, fileName: `countersign-key-${accountId}.json` };
  },
} satisfies UiHandlers<'config' | 'ports' | 'stagedKeys' | 'vault'>;

export const keyUpdateHandlers = { ...views, ...facts, ...start, ...keys };
