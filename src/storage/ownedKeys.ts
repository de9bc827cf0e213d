/**
 * Beginnings of the keys in `local` that belong to an account, a network or an exchange, and are
 * removed with it.
 */
const ownedKeys = {
  account: ['key-use:', 'key-check:', 'balances:', 'history:', 'orders:', 'nfts:', 'pools:', 'prices:', 'proofs:'],
  network: ['facts:'],
  /** By `exchangeId`: one contract on one chain, however many networks lead to it. */
  exchange: ['pins:', 'fees:', 'block-roots:'],
} as const;

export type OwnedKey = (typeof ownedKeys)[keyof typeof ownedKeys][number];

/** The owner of a key in `local`; `undefined` for a key that is never removed with an owner. */
export function ownerOf(key: string): { readonly kind: keyof typeof ownedKeys; readonly id: string } | undefined {
  for (const kind of ['account', 'network', 'exchange'] as const)
    for (const beginning of ownedKeys[kind])
      if (key.startsWith(beginning)) return { kind, id: key.slice(beginning.length) };
  return undefined;
}

/** The keys in `local` that are removed with an account, a network or an exchange. */
export const keysOf = (what: keyof typeof ownedKeys, id: string): string[] =>
  ownedKeys[what].map((beginning) => `${beginning}${id}`);
