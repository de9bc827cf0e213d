import { clear } from 'idb-keyval';
import type { Wallet } from './wallet.ts';

const MARK = 'wiping';

/** Removes everything that the wallet keeps in this browser. A worker that is stopped on the way goes on at the next start. */
export async function wipeWallet({ vault, journal, ports }: Wallet): Promise<void> {
  await ports.local.set({ [MARK]: true });
  // The keys first: what is left after a stop is public.
  await vault.wipe();
  await journal.forgetAll();
  await clear(ports.requestStore);
  await ports.clearStorage();
  await ports.setBadge(0);
}

/** At each start of the worker. */
export async function finishWipe(wallet: Wallet): Promise<void> {
  if (await wallet.ports.local.get(MARK)) await wipeWallet(wallet);
}
