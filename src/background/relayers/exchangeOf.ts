import type { Exchange } from '../../journal/index.ts';
import type { Config } from '../settings/config.ts';
import { exchangeId } from '../settings/exchangeId.ts';

/** The exchange of a network, with every network of the wallet that leads to it. */
export const createExchangeOf =
  (config: Pick<Config, 'read'>) =>
  async (networkId: string): Promise<Exchange> => {
    const { networks } = await config.read();
    const network = networks.find(({ id }) => id === networkId);
    // A network that was removed: what is left of it in the journal stays under its own id.
    if (!network) return { id: networkId, networkIds: [networkId] };
    const id = exchangeId(network);
    return { id, networkIds: networks.filter((other) => exchangeId(other) === id).map((other) => other.id) };
  };
