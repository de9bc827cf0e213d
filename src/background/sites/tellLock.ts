import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';
import { entry } from '../../storage/entry.ts';
import type { Vault } from '../../vault/index.ts';
import type { Ports } from '../ports.ts';
import type { Grants } from './grants.ts';
import { readSites } from './visibility.ts';
import { type Visible, visibleAccounts } from './visibleAccounts.ts';

export interface Lockable extends Visible {
  readonly grants: Pick<Grants, 'of' | 'list'>;
  readonly vault: Pick<Vault, 'isUnlocked'>;
  readonly ports: Pick<Ports, 'lock' | 'session' | 'toAllPages'>;
}

const form = once(() => z.boolean());

/**
 * The lock state that pages were told last, in `storage.session`: a browser that starts has locked,
 * and its pages begin anew.
 */
const toldLocked = (ports: Pick<Ports, 'session'>) => entry(ports, 'session', 'told-locked', form);

/**
 * Tells the pages of the sites that see an account whether the wallet is locked, when that differs
 * from what they were told last. However it came about: by hand, by an unlock, or by the deadline,
 * which the next wake-up finds.
 */
export async function tellLock(wallet: Lockable): Promise<void> {
  const { vault, ports } = wallet;
  await ports.lock('told-locked', async () => {
    const locked = !(await vault.isUnlocked());
    if (((await toldLocked(ports).read()) ?? true) === locked) return;
    const message = { type: 'relayer_lock', data: { locked } };
    const { all, seen } = await readSites(wallet);
    for (const { origin } of all) {
      if ((await visibleAccounts(seen, origin)).length === 0) continue;
      await ports.toAllPages(origin, { event: 'message', data: message });
    }
    // Stored last, so that a notification that was interrupted is repeated at the next start.
    await toldLocked(ports).write(locked);
  });
}
