import type { SubmissionRecord } from '../journal/index.ts';
import { OWN_ORIGIN } from '../messaging/ownOrigin.ts';
import type { NetworkView } from '../messaging/views.ts';
import type { Wallet } from './wallet.ts';

/**
 * Accounts that an origin sees, in the order of its grants: those of one network, which the first of them decides. Others are
 * granted and unseen until the site switches to their network.
 */
export async function visibleAccounts({ config, grants }: Pick<Wallet, 'config' | 'grants'>, origin: string) {
  const { accounts } = await config.read();
  const granted = ((await grants.of(origin))?.grants ?? []).flatMap(
    ({ account }) => accounts.find(({ id }) => id === account) ?? [],
  );
  return granted.filter(({ networkId }) => networkId === granted[0]?.networkId);
}

/** The network that an origin is on: that of the accounts it sees, else the first one there is. */
export async function networkOf(
  wallet: Pick<Wallet, 'config' | 'grants'>,
  origin: string,
): Promise<NetworkView | undefined> {
  const { networks } = await wallet.config.read();
  const [first] = await visibleAccounts(wallet, origin);
  return networks.find(({ id }) => id === first?.networkId) ?? networks[0];
}

/** Tells the pages of the asking origin how their own request stands. */
export async function submissionChanged(wallet: Wallet, record: SubmissionRecord): Promise<void> {
  if (record.origin === OWN_ORIGIN) return;
  await wallet.ports.toAllPages(record.origin, {
    event: 'message',
    data: {
      type: 'relayer_status',
      data: { requestId: record.requestId, hash: record.hash ?? null, status: statusOf(record) },
    },
  });
}

/** A submission's state in the words of pages and people: signed or sent without an answer is `unknown`. */
export const statusOf = ({ state }: Pick<SubmissionRecord, 'state'>) =>
  state === 'signed' || state === 'sent' ? 'unknown' : state;
