import { isFinal, type SubmissionRecord, submissionStates } from '../../../journal/index.ts';
import type { ActivityItem } from '../../../messaging/views.ts';
import { recordedRows } from '../../../operations/index.ts';
import { reportedAs } from '../../../report/report.ts';
import { UiFailure } from '../../errors/uiFailure.ts';
import { offersNone, proofsKey } from '../../proofs/storedProofs.ts';
import { ageAt } from '../../relayers/age.ts';
import { accountView } from '../../settings/accountView.ts';
import type { Wallet } from '../../wallet.ts';
import { itemsOf, recordsOf } from './activity.ts';
import { accountNamed, found } from './named.ts';
import { keptBalances } from './storedFacts.ts';
import { readAnew } from './storedRead.ts';
import type { UiHandlers } from './uiHandler.ts';

const itemOf = async (
  wallet: Pick<Wallet, 'approvals' | 'config' | 'standing'>,
  record: SubmissionRecord,
): Promise<ActivityItem> => found((await itemsOf(wallet, [record]))[0]);

const HOME_ACTIVITY = 8;
const openStates = submissionStates.filter((state) => !isFinal(state));
/**
 * Age up to which stored balances answer for the exchange, in milliseconds, while no request and no
 * push has changed the account since.
 */
const BALANCES_AGE = 30_000;

const balances = {
  async getBalances(wallet, { account: id }) {
    const account = await accountNamed(wallet, id);
    const stored = await keptBalances(wallet.ports).read(id);
    if (!(await wallet.vault.isUnlocked())) return stored?.balances ?? null;
    const now = wallet.ports.now();
    const age = ageAt(now, stored?.at);
    if (stored && age < BALANCES_AGE && ageAt(now, wallet.follow.toldAt(id)) > age) {
      const { networkId: exchangeOf, accountId } = account;
      const changed = await wallet.journal.list({ exchangeOf, accountId, changedSince: stored.at, limit: 1 });
      if (changed.length === 0) return stored.balances;
    }
    return (await wallet.readBalances(account)).balances;
  },
} satisfies UiHandlers<'config' | 'follow' | 'journal' | 'ports' | 'readBalances' | 'vault'>;

const home = {
  async getHome(wallet, { refresh }) {
    const { accounts, selectedAccount } = await wallet.config.read();
    const account = accounts.find(({ id }) => id === selectedAccount);
    if (!account) throw new UiFailure('not-found', 'problem_noAccount');
    const { kept, problem } = await readAnew(wallet, account, keptBalances(wallet.ports), refresh, async () => {
      const read = await wallet.readBalances(account);
      wallet.askForProofs(account);
      return read;
    });
    const proofs = await wallet.ports.local.get(proofsKey(account.id)).catch(reportedAs('proofs: read', undefined));
    return {
      account: accountView(account),
      balances: kept?.balances ?? [],
      balancesAt: kept?.at ?? null,
      activity: await wallet.activity(HOME_ACTIVITY, account),
      problem,
      ...(offersNone(proofs) && { noProofs: true }),
    };
  },
} satisfies UiHandlers<'activity' | 'askForProofs' | 'config' | 'ports' | 'readBalances' | 'vault'>;

const submissions = {
  async getActivity(wallet, { limit, account: id }) {
    const account = id === undefined ? undefined : await accountNamed(wallet, id);
    const newest = await wallet.activity(limit, account);
    const listed = new Set(newest.map((item) => item.id));
    const older = newest.length < limit ? [] : await wallet.journal.list({ ...recordsOf(account), states: openStates });
    return [
      ...newest,
      ...(await itemsOf(
        wallet,
        older.filter((record) => !listed.has(record.id)),
      )),
    ];
  },

  async getSubmission(wallet, { id }) {
    const record = found(await wallet.journal.get(id));
    const { networks } = await wallet.config.read();
    return {
      item: await itemOf(wallet, record),
      steps: record.history.map(({ state, at }) => ({ state, at })),
      rows: recordedRows(record) ?? null,
      accountId: record.accountId,
      network: networks.find(({ id: own }) => own === record.networkId) ?? null,
    };
  },

  async checkSubmission(wallet, { id }) {
    return itemOf(wallet, await wallet.submissions.check(id));
  },
} satisfies UiHandlers<'activity' | 'approvals' | 'config' | 'journal' | 'standing' | 'submissions'>;

export const homeHandlers = { ...balances, ...home, ...submissions };
