import type { Hex } from 'viem';
import type { Relayer } from './relayer.ts';

/** Deployed code does not change; that there is none may change with every block. */
const CODE_LASTS_MS = 600_000;
const NO_CODE_LASTS_MS = 1_000;
const MAX_ADDRESSES = 10_000;

/**
 * Code of contracts for everybody who asks, remembered and asked for once at a time, so that
 * callers are no load for the node of layer 1. Approvals of owners never use it: they read the
 * chain.
 */
export function contractCode({ l1, clock }: Pick<Relayer, 'l1' | 'clock'>): (address: Hex) => Promise<Hex> {
  const known = new Map<string, { readonly code: Promise<Hex>; until: number }>();
  return (address) => {
    const key = address.toLowerCase();
    const held = known.get(key);
    if (held && held.until > clock.now()) return held.code;
    const asked = { code: l1.getCode(address), until: Number.POSITIVE_INFINITY };
    known.delete(key);
    known.set(key, asked);
    if (known.size > MAX_ADDRESSES) known.delete(known.keys().next().value as string);
    asked.code.then(
      (code) => {
        asked.until = clock.now() + (code === '0x' ? NO_CODE_LASTS_MS : CODE_LASTS_MS);
      },
      () => {
        if (known.get(key) === asked) known.delete(key);
      },
    );
    return asked.code;
  };
}
