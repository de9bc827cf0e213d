import type { Reads } from '../../operations/reads.ts';

/**
 * Makes equal reads that are in progress at the same time one: five components of a page that ask
 * for balances cost one request. An answer is kept no longer than it travels.
 * @returns Reads that join those of the same `whose`: an account, or a network of which everybody
 *   reads the same.
 */
export function joinReads(): (whose: string, reads: Pick<Reads, 'read'>) => Pick<Reads, 'read'> {
  const inProgress = new Map<string, Promise<unknown>>();
  return (whose, reads) => ({
    read(name, input) {
      const key = JSON.stringify([whose, name, input]);
      const known = inProgress.get(key);
      if (known) return known as ReturnType<typeof reads.read<typeof name>>;
      const answer = reads.read(name, input).finally(() => inProgress.delete(key));
      inProgress.set(key, answer);
      return answer;
    },
  });
}
