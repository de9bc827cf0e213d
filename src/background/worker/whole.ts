import '../zodWithoutEval.ts';
import { preferFastCore } from '../../crypto/fast.ts';
import { createBackground } from '../createBackground.ts';
import type { Ports } from '../ports.ts';
import { keepFirstFacts } from './keepFirstFacts.ts';

// Loaded at the first hash or signature; a wake-up that computes nothing pays nothing.
preferFastCore();

/**
 * The whole background, which leaves behind what the next cold worker answers first.
 * @param quietMs - See `keepFirstFacts`.
 */
export function beginWhole(ports: Ports, self: { id: string; baseUrl: string }, quietMs?: number) {
  const facts = keepFirstFacts(ports, quietMs);
  const background = createBackground(facts.ports, self);
  facts.begin(async () => {
    await background.ready;
    return background.wallet;
  });
  return { background, storageChanged: facts.storageChanged };
}
