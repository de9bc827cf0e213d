import type { KeyValueArea } from '../../storage/area.ts';
import { ownerOf } from '../../storage/ownedKeys.ts';
import type { Ports } from '../ports.ts';
import type { Config } from './config.ts';
import { exchangeId } from './exchangeId.ts';
import { OWNED } from './storedKeys.ts';

/**
 * `local`, without what is written of an account, a network or an exchange that the wallet does not
 * have: a relayer may answer after its removal.
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
      const idsOf = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);
      const listed = {
        account: idsOf([...accounts, ...claimed]),
        network: idsOf(networks),
        exchange: networks.map(exchangeId),
      };
      const isKept = (key: string) => {
        const owner = ownerOf(key);
        return !owner || listed[owner.kind].includes(owner.id);
      };
      await local.set(Object.fromEntries(Object.entries(entries).filter(([key]) => isKept(key))));
    });
  },
});
