import type { NetworkView } from '../../messaging/views.ts';
import { keysOf } from '../../storage/ownedKeys.ts';
import { roomFor } from '../../storage/roomFor.ts';
import type { Ports } from '../ports.ts';
import { exchangeId } from '../settings/exchangeId.ts';
import { readFeePins } from './feePins.ts';
import { type Exchange, feesKey, pinsKey } from './relayers.ts';
import { readPins, storedPins } from './tokenPins.ts';

/** Pins, by the key that they are stored under. */
type Pinned = Readonly<Record<string, unknown>>;

/**
 * Tokens and fees of exchanges as they are pinned, for a backup; lower numbers first.
 * @param room - Bytes, of which each exchange has an equal share; one share stays free for the
 *   proofs.
 * @param leftOut - is told when something does not fit.
 */
export async function pinned(
  { local }: Pick<Ports, 'local'>,
  exchanges: readonly Exchange[],
  room: number,
  leftOut: () => void,
): Promise<Pinned> {
  const all: Record<string, unknown> = {};
  const distinct = new Map(exchanges.map((one) => [exchangeId(one), one]));
  for (const exchange of distinct.values()) {
    const fits = roomFor(room / (distinct.size + 1), leftOut);
    const [fees, pins] = [feesKey(exchange), pinsKey(exchange)];
    // A list of fees that lacks some would be taken for whole; one that is left out is pinned anew.
    const listed = (await local.get(fees)) ?? {};
    if (fits([fees, listed])) all[fees] = listed;
    if (fits([pins, {}])) all[pins] = Object.fromEntries(Object.entries((await local.get(pins)) ?? {}).filter(fits));
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
