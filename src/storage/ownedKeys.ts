/** Beginnings of the keys in `local` that name an account or a network, and go with it. */
const ownedKeys = {
  account: ['key-use:', 'key-check:', 'balances:', 'history:', 'orders:', 'nfts:', 'pools:', 'prices:', 'proofs:'],
  network: ['pins:', 'fees:', 'facts:', 'block-roots:'],
} as const;

export type OwnedKey = (typeof ownedKeys)[keyof typeof ownedKeys][number];

/** Keys in `local` of an account or a network, which go with it. */
export const keysOf = (what: keyof typeof ownedKeys, id: string): string[] =>
  ownedKeys[what].map((beginning) => `${beginning}${id}`);
