import { reportedAs } from '../../../report/report.ts';
import { RpcError } from '../../errors/rpcError.ts';
import { UiFailure } from '../../errors/uiFailure.ts';
import { joinReads } from '../../relayers/joinReads.ts';
import { publicReadsFor, readsFor } from '../../relayers/reads.ts';
import { proposedExchange } from '../../sites/proposedExchange.ts';
import { endOver, endStandingApprovals } from '../../sites/standingApprovals.ts';
import { listedOf, submissionsOf } from '../../submissions/outcome.ts';
import { receiptOf } from '../../submissions/receiptOf.ts';
import type { Wallet } from '../../wallet.ts';
import type { PageRooms } from './rooms.ts';

export function pageReads(
  wallet: Pick<Wallet, 'relayers' | 'accountKeys' | 'ports'>,
): (origin: string) => PageRooms['reads'] {
  const joined = joinReads();
  return (origin) => ({
    of: ({ account, network }) =>
      joined([origin, account.id], readsFor(account, network, wallet, { priority: 'poll', origin })),
    public: (network) =>
      joined([origin, network.id], publicReadsFor(network, wallet.relayers, { priority: 'poll', origin })),
  });
}

export function pageHistory(
  wallet: Pick<Wallet, 'approvals' | 'closing' | 'requests' | 'journal' | 'config' | 'ports'>,
  origin: string,
): PageRooms['history'] {
  const { approvals, closing, requests, journal } = wallet;
  const approval = async (id: string) => {
    const found = await approvals.get(id);
    return found?.origin === origin ? found : undefined;
  };
  return {
    approval,
    approvals: (most) => approvals.ofSite(origin, most),
    approvalOfKey: (key) => approvals.idOfKey(origin, key),
    request: (id) => requests.find(origin, id),
    records: () => journal.list({ origin }),
    async submissions(id) {
      // One that is damaged keeps nothing from the others, nor one whose first two are forgotten.
      const found = await submissionsOf(journal, { id, origin }).catch(reportedAs('page: requests', undefined));
      const asked = found?.length === 0 ? await approvals.get(id) : undefined;
      if (found?.length || (asked && asked.submissionId === undefined)) return found ?? [];
      return listedOf(journal, { id, origin });
    },
    withdraw: async (id, error) =>
      (await approval(id)) !== undefined &&
      (await closing.close(id, () => error, undefined, { withdrawn: true })) !== null,
    receipt: (record) =>
      receiptOf(wallet, record, 'site').catch((error: unknown) => {
        if (!(error instanceof UiFailure)) throw error;
        throw new RpcError('invalidParams', 'requestId: its account was removed from the wallet');
      }),
  };
}

export const pageStanding = (
  wallet: Pick<Wallet, 'journal' | 'standing' | 'vault' | 'ports'>,
  origin: string,
): PageRooms['standing'] => ({
  async active() {
    await endOver(wallet);
    return wallet.standing.active({ origin });
  },
  async end(id) {
    if ((await wallet.standing.get(id))?.origin !== origin) return false;
    await endStandingApprovals(wallet, { id }, 'site');
    return true;
  },
});

export const pageExchanges = (
  { config, ports }: Pick<Wallet, 'config' | 'ports'>,
  origin: string,
): PageRooms['exchanges'] => ({
  has: async (baseUrl, chainId) =>
    (await config.read()).networks.some((network) => network.baseUrl === baseUrl && network.chainId === chainId),
  propose: (baseUrl) => proposedExchange(ports).write({ origin, baseUrl }),
  addresses: async () => (await config.read()).networks.map((network) => network.exchangeAddress),
});

export const pageKeys = ({ config, vault }: Pick<Wallet, 'config' | 'vault'>): PageRooms['keys'] => ({
  isUnlocked: () => vault.isUnlocked(),
  async holdsLayer1Of({ signer, owner }) {
    const held = (await config.read()).signers.find(({ id }) => id === signer);
    return held?.kind === 'local' && held.address.toLowerCase() === owner.toLowerCase();
  },
});
