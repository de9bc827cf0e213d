import type { KeyValueArea } from '../../storage/area.ts';
import { ownerOf } from '../../storage/ownedKeys.ts';
import type { Ports } from '../ports.ts';
import type { Config } from './config.ts';

/** Lock under which values of an account or a network are written, and removed with its entry. */
export const OWNED = 'owned';

/**
 * `local`, without what is written of an account or a network that the wallet does not have: a
 * relayer may answer after its removal.
 */
export const ownedArea = (
  { local, lock }: Pick<Ports, 'local' | 'lock'>,
  config: Pick<Config, 'read'>,
): KeyValueArea => ({
  ...local,
  async set(entries) {
    if (!Object.keys(entries).some(ownerOf)) return local.set(entries);
    return lock(OWNED, async () => {
      const { accounts, claimed, networks } = await config.read();
      const listed = { account: [...accounts, ...claimed], network: networks };
      const isKept = (key: string) => {
        const owner = ownerOf(key);
        return !owner || listed[owner.kind].some(({ id }) => id === owner.id);
      };
      await local.set(Object.fromEntries(Object.entries(entries).filter(([key]) => isKept(key))));
    });
  },
});
