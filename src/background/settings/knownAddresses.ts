import { checksummed } from '../../ethereum/address.ts';
import type { Journal } from '../../journal/index.ts';
import type { RecentRecipient } from '../../messaging/views.ts';
import { leavesExchange, operationsWith, paysBroker, recordedRecipient } from '../../operations/index.ts';
import type { KnownAddress } from '../../operations/operation.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';
import { entry } from '../../storage/entry.ts';
import { readableOf } from '../../storage/lenient.ts';
import type { Ports } from '../ports.ts';
import type { Config } from './config.ts';
import type { Contacts } from './contacts.ts';
import type { StoredAccount } from './storedConfig.ts';

/** Earlier submissions with a receiver that are looked through; older ones are forgotten. */
const LOOK_BACK = 500;
/** Receivers offered for the address book. */
const MOST_RECENT = 20;

interface Known {
  readonly config: Pick<Config, 'read'>;
  readonly contacts: Pick<Contacts, 'list'>;
  readonly journal: Pick<Journal, 'list'>;
  readonly ports: Pick<Ports, 'local'>;
}

/** Requests with a receiver that a network's relayer took, newest first. */
const sent = ({ journal }: Pick<Known, 'journal'>, networkId: string) =>
  journal.list({
    networkId,
    operations: operationsWith('recipient'),
    states: ['acknowledged', 'processed'],
    limit: LOOK_BACK,
  });

/**
 * Accounts whose owner's address is the user's on the chain of a network. An ordinary address is on
 * every chain, a smart wallet only on its own: elsewhere perhaps nobody can open it.
 */
async function ownAccounts({ config }: Pick<Known, 'config'>, networkId: string): Promise<readonly StoredAccount[]> {
  const { accounts, networks } = await config.read();
  const chainOf = (id: string) => networks.find((network) => network.id === id)?.chainId;
  return accounts.filter((account) => !account.smart || chainOf(account.networkId) === chainOf(networkId));
}

/** What went to another address, in the relayer's history as it was last read. */
const outgoing = once(() =>
  z.object({
    kind: z.enum(['sent', 'withdrew']),
    sentence: z.object({ values: z.object({ other: z.object({ address: z.string() }) }) }),
  }),
);
const storedHistory = once(() => z.object({ data: z.object({ events: z.array(z.unknown()) }) }));

/**
 * Receivers of the stored history of all accounts of a network, for what another browser sent or
 * this one before it was restored. Senders are not among them: anybody can become one.
 */
async function historyReceivers({ config, ports }: Pick<Known, 'config' | 'ports'>, networkId: string) {
  const accounts = (await config.read()).accounts.filter((account) => account.networkId === networkId);
  const store = entry(ports, 'local', 'history:', storedHistory);
  const views = await Promise.all(accounts.map(({ id }) => store.read(id)));
  return views
    .flatMap((view) => readableOf(outgoing(), view?.data.events))
    .map(({ sentence }) => ({ address: sentence.values.other.address, source: 'history' }) as const);
}

/**
 * Addresses that the user knows: own accounts, the network's address book, and receivers of what
 * was sent or withdrawn on it; beside them, as such, brokers that were paid and receivers that only
 * the relayer names.
 */
export async function knownAddresses(wallet: Known, networkId: string): Promise<readonly KnownAddress[]> {
  const own = (await ownAccounts(wallet, networkId)).map(
    ({ owner, label }) => ({ address: owner, label, source: 'own' }) as const,
  );
  const book = (await wallet.contacts.list(networkId)).map(
    ({ address, name }) => ({ address, label: name, source: 'book' }) as const,
  );
  const receivers = (await sent(wallet, networkId)).flatMap((record) => {
    const address = recordedRecipient(record);
    const { operation } = record;
    const source = paysBroker(operation) ? 'broker' : leavesExchange(operation) ? 'withdrawn' : 'sent';
    return address === undefined ? [] : [{ address, source, accountId: record.accountId } as const];
  });
  return [...own, ...book, ...receivers, ...(await historyReceivers(wallet, networkId))];
}

/**
 * Receivers that the user chose and that are neither own accounts nor in the address book, newest
 * first: offered for it.
 * @param forTransfer - Without those that something was only withdrawn to.
 */
export async function recentRecipients(
  wallet: Omit<Known, 'ports'>,
  networkId: string,
  forTransfer = false,
): Promise<readonly RecentRecipient[]> {
  const named = new Set([
    ...(await ownAccounts(wallet, networkId)).map(({ owner }) => owner.toLowerCase()),
    ...(await wallet.contacts.list(networkId)).map(({ address }) => address.toLowerCase()),
  ]);
  const recent = new Map<string, RecentRecipient>();
  for (const record of await sent(wallet, networkId)) {
    if (paysBroker(record.operation) || (forTransfer && leavesExchange(record.operation))) continue;
    const address = recordedRecipient(record);
    const lower = address?.toLowerCase();
    if (!lower || named.has(lower) || recent.has(lower)) continue;
    recent.set(lower, { address: checksummed(lower) });
  }
  return [...recent.values()].slice(0, MOST_RECENT);
}
