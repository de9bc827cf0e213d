import { RelayerClientError } from '../../client/index.ts';
import type { NetworkView } from '../../messaging/views.ts';
import { DAY_MS } from '../../protocol/time.ts';
import type { Ports } from '../ports.ts';
import type { Relayers } from '../relayers/relayers.ts';

interface Clocks {
  readonly relayers: Pick<Relayers, 'client'>;
  readonly ports: Pick<Ports, 'now'>;
}

/**
 * Unix milliseconds by the clock of this machine and by that of the relayer.
 * @returns `null` when the relayer does not tell its time, or is more than a day behind: by a clock
 *   that says 0 no deadline would ever pass.
 */
export async function bothClocks(
  { relayers, ports }: Clocks,
  network: NetworkView,
): Promise<{ readonly behind: number; readonly ahead: number } | null> {
  try {
    const { timestamp } = await relayers.client(network).getTimestamp({});
    const now = ports.now();
    return now - timestamp > DAY_MS ? null : { behind: Math.min(now, timestamp), ahead: Math.max(now, timestamp) };
  } catch (error) {
    if (error instanceof RelayerClientError) return null;
    throw error;
  }
}

/**
 * By whichever is behind: a deadline has passed only when both say so, because a wrong clock must
 * not end what the relayer still accepts.
 */
export const laggingClock = async (wallet: Clocks, network: NetworkView): Promise<number | null> =>
  (await bothClocks(wallet, network))?.behind ?? null;
