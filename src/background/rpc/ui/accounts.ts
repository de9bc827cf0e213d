import type { ExchangeFacts, WalletState } from '../../../messaging/views.ts';
import { exchangeDomain } from '../../../protocol/index.ts';
import { grantsChanged } from '../../approvals/siteRights.ts';
import { UiFailure } from '../../errors/uiFailure.ts';
import { accountRecords } from '../../keys/keyRecords.ts';
import { releaseClaims } from '../../keyUpdate/rotation.ts';
import type { ConfigData } from '../../settings/storedConfig.ts';
import { walletState } from '../../settings/walletState.ts';
import { endStandingApprovals } from '../../sites/standingApprovals.ts';
import { laggingClock } from '../../submissions/bothClocks.ts';
import { isOver } from '../../submissions/submissionRecord.ts';
import type { Wallet } from '../../wallet.ts';
import { accountNamed, networkNamed } from './named.ts';
import type { UiHandlers } from './uiHandler.ts';

const REMOVED = 'its account was removed from the wallet after its end';
const UNCONFIRMED = 'the relayer could not be asked';

/** Changes the config, tells our pages, and answers with the new state. */
async function changed(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'ports' | 'vault'>,
  change: (data: ConfigData) => ConfigData,
): Promise<WalletState> {
  await wallet.config.update(change);
  wallet.ports.toUi();
  return walletState(wallet);
}

function exchangeFacts({ chainId, exchangeAddress }: Omit<ExchangeFacts, 'domain'>): ExchangeFacts {
  const { name, version } = exchangeDomain(chainId, exchangeAddress);
  return { chainId, exchangeAddress, domain: `${name} ${version}` };
}

export const accountHandlers: UiHandlers<
  | 'selectAccount'
  | 'renameAccount'
  | 'removeAccount'
  | 'renameNetwork'
  | 'removeNetwork'
  | 'checkNetwork'
  | 'getTokenChanges'
  | 'acceptToken'
> = {
  async selectAccount(wallet, { account }) {
    await accountNamed(wallet, account);
    return changed(wallet, (data) => ({ ...data, selectedAccount: account }));
  },

  async renameAccount(wallet, { account, label }) {
    await accountNamed(wallet, account);
    return changed(wallet, (data) => ({
      ...data,
      accounts: data.accounts.map((entry) => (entry.id === account ? { ...entry, label } : entry)),
    }));
  },

  async removeAccount(wallet, { account: id, password, unconfirmed = false }) {
    const { vault, journal, grants, stagedKeys, ports } = wallet;
    const account = await accountNamed(wallet, id);
    await vault.checkPassword(password);
    const { networkId, accountId } = account;
    const open = (await journal.pending()).filter(
      (record) => record.networkId === networkId && record.accountId === accountId,
    );
    if (open.length > 0) {
      const network = await networkNamed(wallet, networkId);
      const clock = await laggingClock(wallet, network);
      // What is past its end does not hold the account: its relayer may never say how it ended.
      const live = open.filter((record) => !isOver(record, clock ?? ports.now()));
      if (live.length > 0) throw new UiFailure('work-pending', 'error_workPending', { count: String(live.length) });
      // By one clock only, so the user decides: the relayer may be gone for good.
      if (clock === null && !unconfirmed)
        throw new UiFailure('end-unconfirmed', 'error_endUnconfirmed', { host: new URL(network.baseUrl).host });
      for (const { id: submission, state } of open)
        if (state === 'reserved') await journal.markAbandoned(submission, REMOVED);
        else
          await journal.markFinal(submission, 'expired', {
            note: clock === null ? `${REMOVED}; ${UNCONFIRMED}` : REMOVED,
          });
    }
    // First what could still ask for the keys, then the keys, then the name that they are found by: stopped in between, the
    // account is still listed and can be removed again.
    for (const { origin, grants: granted } of await grants.list()) {
      if (!granted.some((grant) => grant.account === id)) continue;
      await grants.revokeAccount(origin, id);
      await grantsChanged(wallet, origin);
    }
    await endStandingApprovals(wallet, { account: id }, 'account');
    await vault.apply({ remove: [...accountRecords(id), ...(await stagedKeys.recordsOf(id))] });
    return changed(wallet, (data) => {
      const accounts = data.accounts.filter((entry) => entry.id !== id);
      const claimed = data.claimed.filter((entry) => entry.id !== id);
      const selectedAccount = data.selectedAccount === id ? (accounts[0]?.id ?? null) : data.selectedAccount;
      return { ...data, accounts, claimed, selectedAccount };
    });
  },

  async renameNetwork(wallet, { networkId, name }) {
    await networkNamed(wallet, networkId);
    return changed(wallet, (data) => ({
      ...data,
      networks: data.networks.map((entry) => (entry.id === networkId ? { ...entry, name } : entry)),
    }));
  },

  async removeNetwork(wallet, { networkId }) {
    await networkNamed(wallet, networkId);
    const using = (await wallet.config.read()).accounts.filter((account) => account.networkId === networkId);
    const users = using.length + (await releaseClaims(wallet, (account) => account.networkId === networkId));
    if (users > 0) throw new UiFailure('network-in-use', 'error_networkInUse', { count: String(users) });
    await wallet.relayers.forget(networkId);
    return changed(wallet, (data) => ({ ...data, networks: data.networks.filter(({ id }) => id !== networkId) }));
  },

  async checkNetwork(wallet, { networkId }) {
    const network = await networkNamed(wallet, networkId);
    const pinned = exchangeFacts(network);
    const reported = exchangeFacts(await wallet.relayers.client(network).getExchangeInfo({}));
    const same = await wallet.relayers.checkExchange(network, { anew: true }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof UiFailure && error.code === 'exchange-changed') return false;
        throw error;
      },
    );
    return { pinned, reported, same };
  },

  async getTokenChanges(wallet, { networkId }) {
    return wallet.relayers.tokenChanges(await networkNamed(wallet, networkId));
  },

  async acceptToken(wallet, { networkId, shown, password }) {
    const network = await networkNamed(wallet, networkId);
    if (!(await wallet.vault.isUnlocked())) throw new UiFailure('locked', 'error_locked');
    await wallet.vault.checkPassword(password);
    await wallet.relayers.acceptToken(network, shown);
    wallet.ports.toUi();
    return wallet.relayers.knownChanges(networkId);
  },
};
