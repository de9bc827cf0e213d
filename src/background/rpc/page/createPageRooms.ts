import { joinReads } from '../../relayers/joinReads.ts';
import { publicReadsFor, readsFor } from '../../relayers/reads.ts';
import { proposeExchange } from '../../sites/proposedExchange.ts';
import { endLocked, endStandingApprovals } from '../../sites/standingApprovals.ts';
import { receiptOf } from '../../submissions/receiptOf.ts';
import type { Wallet } from '../../wallet.ts';
import type { PageRooms } from './rooms.ts';

export function pageReads({
  relayers,
  accountKeys,
  ports,
}: Pick<Wallet, 'relayers' | 'accountKeys' | 'ports'>): Pick<PageRooms, 'reads' | 'publicReads'> {
  const joined = joinReads();
  return {
    reads: ({ account, network }, origin) =>
      joined(
        account.id,
        readsFor(account, network, { relayers, accountKeys, now: ports.now }, { priority: 'poll', origin }),
      ),
    publicReads: (network, origin) =>
      joined(network.id, publicReadsFor(network, relayers, { priority: 'poll', origin })),
  };
}

export const pageHistory = (
  {
    approvals,
    requests,
    journal,
    config,
    ports,
  }: Pick<Wallet, 'approvals' | 'requests' | 'journal' | 'config' | 'ports'>,
  withdraw: PageRooms['history']['withdraw'],
): PageRooms['history'] => ({
  approvals,
  requests,
  journal,
  withdraw,
  receipt: (record) => receiptOf({ config, ports }, record, 'site'),
});

export async function withdraw(
  { closing, pushAnswers, badge }: Pick<Wallet, 'closing' | 'pushAnswers' | 'badge'>,
  ...[id, error]: Parameters<PageRooms['history']['withdraw']>
): Promise<boolean> {
  const closed = await closing.close(id, () => error);
  if (!closed) return false;
  await pushAnswers(closed);
  await badge.refresh();
  return true;
}

export const pageStanding = (wallet: Pick<Wallet, 'standing' | 'vault' | 'ports'>): PageRooms['standing'] => ({
  async active(origin) {
    await endLocked(wallet);
    return wallet.standing.active({ origin });
  },
  get: wallet.standing.get,
  end: (id) => endStandingApprovals(wallet, { id }, 'site'),
});

export const pageExchanges = ({ config, ports }: Pick<Wallet, 'config' | 'ports'>): PageRooms['exchanges'] => ({
  has: async (baseUrl) => (await config.read()).networks.some((network) => network.baseUrl === baseUrl),
  propose: (origin, baseUrl) => proposeExchange(ports, { origin, baseUrl }),
});

export const pageLayer1 = ({ config }: Pick<Wallet, 'config'>): PageRooms['layer1'] => ({
  async holdsKeyOf({ signer, owner }) {
    const held = (await config.read()).signers.find(({ id }) => id === signer);
    return held?.kind === 'local' && held.address.toLowerCase() === owner.toLowerCase();
  },
  exchanges: async () => (await config.read()).networks.map((network) => network.exchangeAddress),
});
