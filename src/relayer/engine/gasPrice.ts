import { Refusal } from '../errors.ts';
import type { Relayer } from './relayer.ts';

/** Fee and minimum-amount data are refreshed every 15 minutes. */
export const GAS_SLOT_MS = 15 * 60_000;

export interface GasPrice {
  readonly wei: bigint;
  /** ms; until then the same price holds. */
  readonly cacheOverdueAt: number;
}

/**
 * The gas price of the current quarter of an hour: asked from the chain once and kept in the database, so that all
 * processes quote alike.
 * @throws {Refusal} 105001 when the chain gives none.
 */
export async function currentGasPrice(relayer: Relayer): Promise<GasPrice> {
  return gasPriceOfSlot(relayer, Math.floor(relayer.clock.now() / GAS_SLOT_MS));
}

const known = new WeakMap<Relayer, Map<number, bigint>>();

async function gasPriceOfSlot(relayer: Relayer, slot: number): Promise<GasPrice> {
  const cache = known.get(relayer) ?? new Map<number, bigint>();
  known.set(relayer, cache);
  const cacheOverdueAt = (slot + 1) * GAS_SLOT_MS;
  let wei = cache.get(slot);
  if (wei === undefined) {
    const [row] = await relayer.db.query<{ wei: bigint }>('SELECT wei FROM gas_prices WHERE slot = $1', [slot]);
    wei = row?.wei ?? (await askChain(relayer, slot));
    cache.set(slot, wei);
    for (const old of cache.keys()) if (old < slot - 1) cache.delete(old);
  }
  return { wei, cacheOverdueAt };
}

async function askChain(relayer: Relayer, slot: number): Promise<bigint> {
  const offered = await relayer.l1.getGasPrice().catch(() => {
    throw new Refusal(105001, 'the L1 chain gives no gas price; try again in a moment');
  });
  await relayer.db.query('INSERT INTO gas_prices (slot, wei) VALUES ($1, $2) ON CONFLICT DO NOTHING', [slot, offered]);
  const [row] = await relayer.db.query<{ wei: bigint }>('SELECT wei FROM gas_prices WHERE slot = $1', [slot]);
  return row?.wei ?? offered;
}

/** The price before the current one, which still counts for requests that were quoted just before the change. */
export async function previousGasPrice(relayer: Relayer): Promise<bigint | undefined> {
  const slot = Math.floor(relayer.clock.now() / GAS_SLOT_MS) - 1;
  const [row] = await relayer.db.query<{ wei: bigint }>('SELECT wei FROM gas_prices WHERE slot = $1', [slot]);
  return row?.wei;
}
