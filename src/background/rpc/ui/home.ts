import type { SubmissionRecord } from '../../../journal/index.ts';
import type { ActivityItem, BalanceView } from '../../../messaging/views.ts';
import type { Text } from '../../../operations/review.ts';
import { toText, UiFailure } from '../../errors/uiFailure.ts';
import { readsFor } from '../../relayers/reads.ts';
import { tokenFacts } from '../../relayers/relayers.ts';
import { accountView } from '../../settings/accountView.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import { approvalIdOf } from '../../submissions/events.ts';
import type { Wallet } from '../../wallet.ts';
import { activityItem } from './activityItem.ts';
import { accountNamed, networkNamed } from './named.ts';
import type { UiHandlers } from './uiHandler.ts';

interface StoredBalances {
  readonly at: number;
  readonly balances: readonly BalanceView[];
}

const balancesKey = (account: string) => `balances:${account}`;

async function readBalances(
  wallet: Pick<Wallet, 'accountKeys' | 'config' | 'ports' | 'relayers'>,
  account: StoredAccount,
): Promise<StoredBalances> {
  const { relayers, accountKeys, ports } = wallet;
  const network = await networkNamed(wallet, account.networkId);
  const { tokens } = await relayers.facts(network);
  const reads = readsFor(account, network, { relayers, accountKeys, now: ports.now });
  const rows = await reads.read('getBalances', { query: { accountId: account.accountId } });
  const balances = rows.flatMap(({ tokenId, total, locked, pending }) => {
    const token = tokens.find((candidate) => candidate.tokenId === tokenId);
    return token
      ? [
          {
            token: tokenFacts(token),
            total,
            locked,
            pendingDeposit: pending.deposit,
            pendingWithdraw: pending.withdraw,
          },
        ]
      : [];
  });
  const read = { at: ports.now(), balances };
  await ports.local.set({ [balancesKey(account.id)]: read });
  return read;
}

/** The newest submissions of one account, or of all. */
export async function activity(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'journal' | 'standing'>,
  limit: number,
  account?: StoredAccount,
): Promise<ActivityItem[]> {
  const records = await wallet.journal.list({
    limit,
    ...(account ? { networkId: account.networkId, accountId: account.accountId } : {}),
  });
  return itemsOf(wallet, records);
}

async function itemsOf(
  { approvals, config, standing }: Pick<Wallet, 'approvals' | 'config' | 'standing'>,
  records: readonly SubmissionRecord[],
): Promise<ActivityItem[]> {
  const [{ accounts }, rules] = [await config.read(), await standing.list()];
  const sentences = await approvals.sentences(records.map(approvalIdOf));
  return records.map((record) => activityItem(record, sentences.get(approvalIdOf(record)), accounts, rules));
}

async function itemOf(
  wallet: Pick<Wallet, 'approvals' | 'config' | 'standing'>,
  record: SubmissionRecord,
): Promise<ActivityItem> {
  const [item] = await itemsOf(wallet, [record]);
  if (!item) throw new UiFailure('not-found', 'error_notFound');
  return item;
}

const HOME_ACTIVITY = 8;
/** Age up to which stored balances answer for the exchange, in milliseconds. */
const BALANCES_AGE = 30_000;

const home: UiHandlers<
  'getBalances' | 'getHome',
  'accountKeys' | 'activity' | 'config' | 'ports' | 'relayers' | 'vault'
> = {
  async getBalances(wallet, { account: id }) {
    const account = await accountNamed(wallet, id);
    const stored = (await wallet.ports.local.get(balancesKey(account.id))) as StoredBalances | undefined;
    if (stored && wallet.ports.now() - stored.at < BALANCES_AGE) return stored.balances;
    if (!(await wallet.vault.isUnlocked())) return stored?.balances ?? null;
    return (await readBalances(wallet, account)).balances;
  },

  async getHome(wallet, { refresh }) {
    const { config, ports, vault } = wallet;
    const { accounts, selectedAccount } = await config.read();
    const account = accounts.find(({ id }) => id === selectedAccount) ?? accounts[0];
    if (!account) throw new UiFailure('not-found', 'problem_noAccount');
    let stored = (await ports.local.get(balancesKey(account.id))) as StoredBalances | undefined;
    let problem: Text | null = null;
    if (refresh && (await vault.isUnlocked())) {
      try {
        stored = await readBalances(wallet, account);
      } catch (error) {
        const { baseUrl } = await networkNamed(wallet, account.networkId);
        problem = toText(error, new URL(baseUrl).host);
      }
    }
    return {
      account: accountView(account),
      balances: stored?.balances ?? [],
      balancesAt: stored?.at ?? null,
      activity: await wallet.activity(HOME_ACTIVITY, account),
      problem,
    };
  },
};

const submissions: UiHandlers<
  'getActivity' | 'getSubmission' | 'checkSubmission',
  'activity' | 'approvals' | 'config' | 'journal' | 'standing' | 'submissions'
> = {
  async getActivity(wallet, { limit, account }) {
    return wallet.activity(limit, account === undefined ? undefined : await accountNamed(wallet, account));
  },

  async getSubmission(wallet, { id }) {
    const record = await wallet.journal.get(id);
    if (!record) throw new UiFailure('not-found', 'error_notFound');
    const { networks } = await wallet.config.read();
    const approval = await wallet.approvals.get(approvalIdOf(record));
    return {
      item: await itemOf(wallet, record),
      steps: record.history.map(({ state, at }) => ({ state, at })),
      rows: approval?.review?.rows ?? null,
      accountId: record.accountId,
      network: networks.find(({ id: own }) => own === record.networkId) ?? null,
    };
  },

  async checkSubmission(wallet, { id }) {
    return itemOf(wallet, await wallet.submissions.check(id));
  },
};

export const homeHandlers = { ...home, ...submissions };
