/** Bits of a pool's `status`. A closed pool can still be left, so it stays listed. */
export const poolBits = { exit: 1, join: 2, swap: 4, shown: 8, risky: 16 } as const;

/** Whether a pool takes swaps or joins; one that is listed without a status takes both. */
export const poolTakes = (what: 'join' | 'swap', { status }: { readonly status?: number | undefined }): boolean =>
  status === undefined || (status & poolBits[what]) !== 0;
