import type { NetworkView, Stored } from '../../../messaging/views.ts';
import type { Reads } from '../../../operations/reads.ts';
import type { Text } from '../../../operations/review.ts';
import { toText } from '../../errors/uiFailure.ts';
import { ageAt } from '../../relayers/age.ts';
import { readsFor } from '../../relayers/reads.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import type { Wallet } from '../../wallet.ts';
import { networkNamed } from './named.ts';
import { keptUnder, type StoredViews } from './storedFacts.ts';

/**
 * Stores what was read of an account, unless a read that was begun later has ended before.
 * @returns The newer ones.
 */
export async function keepNewest<T extends { readonly at: number }>(
  { lock, now }: Pick<Wallet['ports'], 'lock' | 'now'>,
  store: { read(id: string): Promise<T | undefined>; write(value: T, id: string): Promise<void> },
  id: string,
  found: T,
): Promise<T> {
  return lock(`kept/${id}`, async () => {
    const kept = await store.read(id);
    if (kept && ageAt(now(), found.at) > ageAt(now(), kept.at)) return kept;
    await store.write(found, id);
    return found;
  });
}

/**
 * Reads the stored facts of an account; with `refresh` and an unlocked wallet `read` replaces them
 * first.
 * @returns `problem`: why `read` failed; `kept` may be newer than what was stored before it.
 */
export async function readAnew<T>(
  wallet: Pick<Wallet, 'config' | 'vault'>,
  { id, networkId }: StoredAccount,
  store: { read(id: string): Promise<T | undefined> },
  refresh: boolean,
  read: (network: NetworkView) => Promise<T>,
): Promise<{ readonly kept: T | undefined; readonly problem: Text | null }> {
  if (!refresh || !(await wallet.vault.isUnlocked())) return { kept: await store.read(id), problem: null };
  const network = await networkNamed(wallet, networkId);
  try {
    return { kept: await read(network), problem: null };
  } catch (error) {
    return { kept: await store.read(id), problem: toText(error, new URL(network.baseUrl).host) };
  }
}

/**
 * Facts of one account as they were last read, at once; with `refresh` the relayer is asked first.
 * What was read is kept in `local`, so that a screen is drawn before any relayer answers. Public
 * facts only.
 * @param name - Name of the facts; with the account it is the key in the storage.
 */
export async function storedRead<Name extends keyof StoredViews>(
  wallet: Pick<Wallet, 'accountKeys' | 'config' | 'ports' | 'relayers' | 'vault'>,
  account: StoredAccount,
  name: Name,
  refresh: boolean,
  read: (reads: Reads) => Promise<StoredViews[Name]>,
): Promise<Stored<StoredViews[Name]>> {
  const { ports } = wallet;
  const store = keptUnder(ports, name);
  const { kept, problem } = await readAnew(wallet, account, store, refresh, async (network) => {
    const reads = readsFor(account, network, wallet);
    const at = ports.now();
    return keepNewest(ports, store, account.id, { at, data: await read(reads) });
  });
  return { data: kept?.data ?? null, at: kept?.at ?? null, problem };
}
