import type { ProposedExchange } from '../../messaging/views.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';
import { entry, type Form } from '../../storage/entry.ts';
import type { Ports } from '../ports.ts';

const form = once((): Form<ProposedExchange> => z.object({ origin: z.string(), baseUrl: z.string() }));

/**
 * The exchange that a site named last, for the setup to offer. Nothing is asked of it, and nothing
 * is added, before the user has chosen it and seen what it says of itself.
 */
export const proposedExchange = (ports: Pick<Ports, 'session'>) => entry(ports, 'session', 'proposed-exchange', form);
