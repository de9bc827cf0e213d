/**
 * Does work on each of these: groups side by side, and within a group one after another, so that
 * what waits for one exchange holds up no other.
 * @param work - One that rejects ends its group.
 * @param most - Of each group, the first ones.
 */
export async function sideBySide<T>(
  all: Iterable<T>,
  groupOf: (one: T) => string,
  work: (one: T) => Promise<unknown>,
  most?: number,
): Promise<void> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(groupOf(one));
    if (group) group.push(one);
    else groups.set(groupOf(one), [one]);
  }
  const doAll = async (group: readonly T[]) => {
    for (const one of group.slice(0, most)) await work(one);
  };
  await Promise.all([...groups.values()].map(doAll));
}
