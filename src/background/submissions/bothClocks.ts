import { RelayerClientError } from '../../client/index.ts';
import type { NetworkView } from '../../messaging/views.ts';
import { DAY_MS } from '../../protocol/time.ts';
import type { Ports } from '../ports.ts';
import type { Relayers } from '../relayers/relayers.ts';

/**
 * Unix milliseconds by the clock of this machine and by that of the relayer, whichever is behind. A
 * deadline has passed only when both say so: a wrong clock must not end what the relayer still
 * accepts.
 * @returns `null` when the relayer does not tell its time, or is more than a day behind: by a clock
 *   that says 0 no deadline would ever pass.
 */
export async function laggingClock(
  { relayers, ports }: { readonly relayers: Pick<Relayers, 'client'>; readonly ports: Pick<Ports, 'now'> },
  network: NetworkView,
): Promise<number | null> {
  try {
    const { timestamp } = await relayers.client(network).getTimestamp({});
    const now = ports.now();
    return now - timestamp > DAY_MS ? null : Math.min(now, timestamp);
  } catch (error) {
    if (error instanceof RelayerClientError) return null;
    throw error;
  }
}
