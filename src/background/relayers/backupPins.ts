import type { NetworkView } from '../../messaging/views.ts';
import { keysOf } from '../../storage/ownedKeys.ts';
import type { Ports } from '../ports.ts';
import { readFeePins } from './feePins.ts';
import { type Exchange, feesKey, pinsKey } from './relayers.ts';
import { readPins, storedPins } from './tokenPins.ts';

/** What is pinned, by the key that it is stored under. */
type Pinned = Readonly<Record<string, unknown>>;

/** Characters of pins in a backup; an honest exchange needs a tenth. */
const MOST_IN_BACKUP = 500_000;

/** Tokens and fees of exchanges as they are pinned, for a backup; lower numbers first. */
export async function pinned({ local }: Pick<Ports, 'local'>, exchanges: readonly Exchange[]): Promise<Pinned> {
  const all: Record<string, Record<string, unknown>> = {};
  let left = MOST_IN_BACKUP;
  for (const key of new Set(exchanges.flatMap((one) => [feesKey(one), pinsKey(one)])))
    for (const [id, pin] of Object.entries((await local.get(key)) ?? {})) {
      left -= JSON.stringify([id, pin]).length;
      if (left >= 0) all[key] = Object.assign(all[key] ?? {}, { [id]: pin });
    }
  return all;
}

/** Pins what a backup brought, over what is pinned of the same tokens. */
export async function pinAgain(
  { local, lock }: Pick<Ports, 'local' | 'lock'>,
  networks: readonly NetworkView[],
  kept: Pinned,
): Promise<void> {
  for (const network of networks) {
    const key = pinsKey(network);
    const fees = readFeePins(kept[feesKey(network)]);
    await lock(key, async () => {
      const pins = new Map([...readPins(await local.get(key)), ...readPins(kept[key])]);
      await local.set({ [key]: storedPins(pins), ...(fees && { [feesKey(network)]: fees }) });
    });
    // They were compared with other pins.
    await local.remove(keysOf('network', network.id));
  }
}
