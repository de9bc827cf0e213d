import type { Reads } from '../../operations/reads.ts';

/**
 * Makes equal reads that are in progress at the same time one: five components of a page that ask
 * for balances cost one request. An answer is kept no longer than it travels.
 * @returns Reads that join those of the same `whose`: a site, because each has a queue of its own,
 *   and the account or network of which it reads.
 */
export function joinReads(): (whose: readonly [string, string], reads: Pick<Reads, 'read'>) => Pick<Reads, 'read'> {
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
