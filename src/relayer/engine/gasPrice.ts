import { Refusal } from '../errors.ts';
import { within } from '../within.ts';
import type { Relayer } from './relayer.ts';

/** Fee and minimum-amount data are refreshed every 15 minutes. */
export const GAS_SLOT_MS = 15 * 60_000;

export interface GasPrice {
  readonly wei: bigint;
  /**
   * Seconds; the same price holds until then, unless an earlier one stands in for it: a new one may
   * come within seconds.
   */
  readonly cacheOverdueAt: number;
}

/** How long a request waits for the chain while an earlier price could be used. */
const PATIENCE_MS = 1_000;
/** How long it waits when there is no other price. */
const ANSWER_MS = 5_000;
/** A chain that gave no price is not asked again before. */
const RETRY_MS = 5_000;

interface Known {
  /** Prices that the chain gave, by quarter of an hour. */
  readonly prices: Map<number, bigint>;
  asking: Promise<bigint | undefined> | undefined;
  /** `performance.now()` of the last request to the chain. */
  askedAt: number;
}

const known = new WeakMap<Relayer, Known>();

/**
 * The gas price of the current quarter of an hour: asked from the chain once and kept in the
 * database, so that all processes quote alike. While the chain gives none, the last one holds, up
 * to `gasPriceMaxAgeMs`.
 * @throws {Refusal} GAS_PRICE_UNAVAILABLE when there is no price of that age.
 */
export async function currentGasPrice(relayer: Relayer): Promise<GasPrice> {
  const slot = Math.floor(relayer.clock.now() / GAS_SLOT_MS);
  const state = known.get(relayer) ?? { prices: new Map<number, bigint>(), asking: undefined, askedAt: -RETRY_MS };
  known.set(relayer, state);
  const cacheOverdueAt = ((slot + 1) * GAS_SLOT_MS) / 1000;
  const kept = state.prices.get(slot);
  if (kept !== undefined) return { wei: kept, cacheOverdueAt };
  const [last] = await relayer.db.query<{ slot: number; wei: bigint }>(
    'SELECT slot, wei FROM gas_prices WHERE slot <= $1 ORDER BY slot DESC LIMIT 1',
    [slot],
  );
  if (last?.slot === slot) {
    keep(state, slot, last.wei);
    return { wei: last.wei, cacheOverdueAt };
  }
  const started = performance.now();
  if (!state.asking && started - state.askedAt >= RETRY_MS) {
    state.askedAt = started;
    state.asking = askChain(relayer, slot)
      .then((wei) => {
        keep(state, slot, wei);
        // Only a failure delays the next request to the chain.
        state.askedAt = -RETRY_MS;
        return wei;
      })
      .catch((error) => {
        relayer.log.warn({ err: error }, 'the L1 chain gives no gas price; the last one is used');
        return undefined;
      })
      .finally(() => {
        state.asking = undefined;
      });
  }
  const usable = last !== undefined && (slot - last.slot) * GAS_SLOT_MS <= relayer.config.gasPriceMaxAgeMs;
  const patience = state.askedAt + PATIENCE_MS - performance.now();
  const wei = usable && patience <= 0 ? undefined : await within(state.asking, usable ? patience : ANSWER_MS);
  if (wei !== undefined) return { wei, cacheOverdueAt };
  if (!usable) throw new Refusal('GAS_PRICE_UNAVAILABLE', 'the L1 chain gives no gas price; try again in a moment');
  return { wei: last.wei, cacheOverdueAt };
}

function keep({ prices }: Known, slot: number, wei: bigint): void {
  prices.set(slot, wei);
  for (const old of prices.keys()) if (old < slot - 1) prices.delete(old);
}

async function askChain(relayer: Relayer, slot: number): Promise<bigint> {
  const offered = await relayer.l1.getGasPrice();
  await relayer.db.query('INSERT INTO gas_prices (slot, wei) VALUES ($1, $2) ON CONFLICT DO NOTHING', [slot, offered]);
  const [row] = await relayer.db.query<{ wei: bigint }>('SELECT wei FROM gas_prices WHERE slot = $1', [slot]);
  return row?.wei ?? offered;
}

/**
 * The price before the current one, which still counts for requests that were quoted with it.
 * Nobody may have asked for a price since, or layer 1 may have given none, so it can be as old as
 * `maxAgeMs`.
 */
export async function previousGasPrice(relayer: Relayer, maxAgeMs: number): Promise<bigint | undefined> {
  const slot = Math.floor(relayer.clock.now() / GAS_SLOT_MS);
  const oldest = slot - Math.ceil(maxAgeMs / GAS_SLOT_MS);
  const [row] = await relayer.db.query<{ wei: bigint }>(
    'SELECT wei FROM gas_prices WHERE slot < $1 AND slot >= $2 ORDER BY slot DESC LIMIT 1',
    [slot, oldest],
  );
  return row?.wei;
}
