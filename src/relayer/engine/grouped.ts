/**
 * Result of one item of a group. A promise is for an item that goes on by itself after its group.
 */
export type Outcome<Result> = Result | Error | Promise<Result>;

/**
 * Joins single calls into groups: what is asked while earlier work is in progress waits and is then
 * done at once, so that a round trip, a commit or a message is shared by more callers the more
 * there are. A lone call is done right away.
 *
 * Nothing bounds the waiting here: each waiting call belongs to a request, and the server bounds
 * those (`maxConcurrentRequests`).
 * @param work - Answers each item in the order given. When it throws, every caller of the group
 *   gets the error.
 * @param most - Items in one group.
 */
export function grouped<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
  most: number,
): (item: Item) => Promise<Result> {
  let waiting: { item: Item; resolve(result: Result | Promise<Result>): void; reject(error: unknown): void }[] = [];
  let inProgress = false;

  const run = async () => {
    while (waiting.length > 0) {
      const group = waiting.slice(0, most);
      waiting = waiting.slice(most);
      try {
        const outcomes = await work(group.map(({ item }) => item));
        group.forEach(({ resolve, reject }, index) => {
          const outcome = outcomes[index] as Outcome<Result>;
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    inProgress = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (inProgress) return;
      inProgress = true;
      // What else arrived in this turn of the event loop comes along.
      setImmediate(run);
    });
}
