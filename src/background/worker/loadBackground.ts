import { preferFastCore } from '../../crypto/fast.ts';
import { createBackground } from '../createBackground.ts';
import type { Ports } from '../ports.ts';
import { keepStartupSnapshot } from './keepStartupSnapshot.ts';

// Loaded at the first hash or signature; a wake-up that computes nothing pays nothing.
preferFastCore();

/**
 * The full background, which leaves behind what the next cold worker answers first.
 * @param quietMs - See `keepStartupSnapshot`.
 */
export function loadBackground(ports: Ports, self: { id: string; baseUrl: string }, quietMs?: number) {
  const facts = keepStartupSnapshot(ports, quietMs);
  const background = createBackground(facts.ports, self);
  facts.begin(async () => {
    await background.ready;
    return background.wallet;
  });
  return { background, storageChanged: facts.storageChanged };
}
