import type { ProposedExchange } from '../../messaging/views.ts';
import type { Ports } from '../ports.ts';

const KEY = 'proposed-exchange';

/**
 * Keeps the exchange that a site named last, for the set-up to offer. Nothing is asked of it, and nothing is added, before the user has chosen it and
 * seen what it says of itself.
 */
export const proposeExchange = (ports: Pick<Ports, 'session'>, proposed: ProposedExchange): Promise<void> =>
  ports.session.set({ [KEY]: proposed });

export const proposedExchange = async (ports: Pick<Ports, 'session'>): Promise<ProposedExchange | null> =>
  ((await ports.session.get(KEY)) as ProposedExchange | undefined) ?? null;
