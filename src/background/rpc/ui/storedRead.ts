import type { Stored } from '../../../messaging/views.ts';
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
 * @returns What is stored then.
 */
export async function keepNewest<T extends { readonly at: number }>(
  { now }: Pick<Wallet['ports'], 'now'>,
  store: { read(id: string): Promise<T | undefined>; write(value: T, id: string): Promise<void> },
  id: string,
  found: T,
): Promise<T> {
  const kept = await store.read(id);
  if (kept && ageAt(now(), found.at) > ageAt(now(), kept.at)) return kept;
  await store.write(found, id);
  return found;
}

/**
 * Facts of one account as they were last read, at once; with `refresh` the relayer is asked first.
 * What was read is kept in `local`, so that a screen is drawn before any relayer answers. Public
 * facts only.
 * @param name - What is read; with the account it is the key in the storage.
 */
export async function storedRead<Name extends keyof StoredViews>(
  wallet: Pick<Wallet, 'accountKeys' | 'config' | 'ports' | 'relayers' | 'vault'>,
  account: StoredAccount,
  name: Name,
  refresh: boolean,
  read: (reads: Reads) => Promise<StoredViews[Name]>,
): Promise<Stored<StoredViews[Name]>> {
  const { ports, vault } = wallet;
  const store = keptUnder(ports, name);
  let kept = await store.read(account.id);
  let problem: Text | null = null;
  if (refresh && (await vault.isUnlocked())) {
    const network = await networkNamed(wallet, account.networkId);
    try {
      const reads = readsFor(account, network, wallet);
      const at = ports.now();
      const data = await read(reads);
      kept = await keepNewest(ports, store, account.id, { at, data });
    } catch (error) {
      // What was stored meanwhile is newer.
      kept = await store.read(account.id);
      problem = toText(error, new URL(network.baseUrl).host);
    }
  }
  return { data: kept?.data ?? null, at: kept?.at ?? null, problem };
}
