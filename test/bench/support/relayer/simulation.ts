/**
 * How many orders a second a relayer of many processes carries, by events in virtual time. Every
 * process, engine, core of the database and flush of its log is a server with a queue; accounts are
 * locked as transactions lock them. Nothing sleeps and nothing is measured here: the costs are
 * inputs.
 */

/** ms of one order, unless said otherwise. */
export interface Costs {
  /** Main thread of a process: HTTP, rules, driver. */
  readonly main: number;
  /** Its signature thread. */
  readonly signature: number;
  /** Core of the database, to store it. */
  readonly store: number;
  /** Main thread of an engine, to match it. */
  readonly match: number;
  /** Core of the database, to match it. */
  readonly matchStore: number;
  /**
   * Flush of the database's log, to every standby that a commit waits for; shared by all commits
   * that wait.
   */
  readonly flush: number;
  /** Further share of an engine's time that sealing blocks takes, 0 to 1. */
  readonly sealing: number;
}

export interface Place {
  readonly processes: number;
  /** Each matches its own share of the markets. */
  readonly engines: number;
  readonly databaseCores: number;
  /** Accounts that send one order in ten; the others come from 10,000 busy ones. */
  readonly accounts: number;
}

export interface Outcome {
  /**
   * Share of the time in which each kind of server worked, 0 to 1; an engine works from the locks
   * of a step to its commit.
   */
  readonly busy: Readonly<Record<'process' | 'signature' | 'database' | 'engine', number>>;
  /** From arrival to acknowledgement, ms. */
  readonly median: number;
  readonly p99: number;
  /** Share of the orders that were not acknowledged at the end, 0 to 1. */
  readonly unanswered: number;
  /** Share of the acknowledged orders that no engine had matched at the end, 0 to 1. */
  readonly unmatched: number;
  /** Share of the transactions that waited for an account. */
  readonly lockWaits: number;
}

const BUSY_ACCOUNTS = 10_000;
const BUSY_SHARE = 0.9;
/** Orders of one commit, and of one step of an engine. */
const GROUP = 128;
const STEP = 100;

/** The same numbers for the same seed, evenly from 0 to 1 (xorshift32). */
function randomNumbers(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Work that is due at a time, the earliest first; of one time, the first that came. */
class Agenda {
  readonly #heap: { at: number; order: number; run(): void }[] = [];
  #count = 0;
  now = 0;

  in(ms: number, run: () => void): void {
    const heap = this.#heap;
    const item = { at: this.now + ms, order: this.#count++, run };
    let index = heap.push(item) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (!isBefore(item, heap[above] as typeof item)) break;
      heap[index] = heap[above] as typeof item;
      index = above;
    }
    heap[index] = item;
  }

  runUntil(end: number): void {
    const heap = this.#heap;
    for (let first = heap[0]; first !== undefined && first.at <= end; first = heap[0]) {
      const last = heap.pop() as typeof first;
      if (heap.length > 0) {
        let index = 0;
        for (;;) {
          let below = 2 * index + 1;
          if (below >= heap.length) break;
          if (below + 1 < heap.length && isBefore(heap[below + 1] as typeof last, heap[below] as typeof last)) below++;
          if (!isBefore(heap[below] as typeof last, last)) break;
          heap[index] = heap[below] as typeof last;
          index = below;
        }
        heap[index] = last;
      }
      this.now = first.at;
      first.run();
    }
    this.now = end;
  }
}

const isBefore = (one: { at: number; order: number }, other: { at: number; order: number }) =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** So many servers with one queue. */
class Servers {
  readonly #agenda: Agenda;
  readonly #queue: { ms: number; done(): void }[] = [];
  #next = 0;
  #free: number;
  worked = 0;

  constructor(agenda: Agenda, count: number) {
    this.#agenda = agenda;
    this.#free = count;
  }

  ask(ms: number, done: () => void): void {
    this.#queue.push({ ms, done });
    this.#serve();
  }

  #serve(): void {
    while (this.#free > 0 && this.#next < this.#queue.length) {
      const { ms, done } = this.#queue[this.#next++] as { ms: number; done(): void };
      this.#free--;
      this.#agenda.in(ms, () => {
        this.worked += ms;
        this.#free++;
        done();
        this.#serve();
      });
    }
  }
}

/**
 * Row locks: a transaction has all of its accounts or waits, and those that wait have their turn in
 * order.
 */
class Locks {
  readonly #waiting = new Map<number, (() => void)[]>();
  taken = 0;
  waited = 0;

  take(accounts: readonly number[], got: () => void): void {
    const wanted = [...new Set(accounts)].sort((a, b) => a - b);
    let hasWaited = false;
    const next = (index: number) => {
      for (; index < wanted.length; index++) {
        const account = wanted[index] as number;
        const queue = this.#waiting.get(account);
        if (queue === undefined) {
          this.#waiting.set(account, []);
          continue;
        }
        hasWaited = true;
        const after = index + 1;
        queue.push(() => next(after));
        return;
      }
      this.taken++;
      if (hasWaited) this.waited++;
      got();
    };
    next(0);
  }

  give(accounts: readonly number[]): void {
    for (const account of new Set(accounts)) {
      const next = this.#waiting.get(account)?.shift();
      if (next) next();
      else this.#waiting.delete(account);
    }
  }
}

/** @param rate - Orders a second, which arrive at random. @param seconds - Of virtual time. */
export function simulate(costs: Costs, place: Place, rate: number, seconds: number, seed = 1): Outcome {
  const random = randomNumbers(seed);
  const agenda = new Agenda();
  const database = new Servers(agenda, place.databaseCores);
  const mains = Array.from({ length: place.processes }, () => new Servers(agenda, 1));
  const threads = Array.from({ length: place.processes }, () => new Servers(agenda, 1));
  const cores = Array.from({ length: place.engines }, () => new Servers(agenda, 1));
  const locks = new Locks();
  const anAccount = () =>
    random() < BUSY_SHARE
      ? Math.floor(random() * BUSY_ACCOUNTS)
      : BUSY_ACCOUNTS + Math.floor(random() * place.accounts);

  // One flush at a time; what commits meanwhile shares the next.
  let commits: (() => void)[] = [];
  let isFlushing = false;
  const flush = () => {
    if (isFlushing || commits.length === 0) return;
    isFlushing = true;
    const group = commits;
    commits = [];
    agenda.in(costs.flush, () => {
      isFlushing = false;
      for (const done of group) done();
      flush();
    });
  };
  const commit = (done: () => void) => {
    commits.push(done);
    flush();
  };

  interface Order {
    readonly account: number;
    readonly arrived: number;
  }
  const latencies: number[] = [];
  let acknowledged = 0;
  let matched = 0;

  const engineQueues = cores.map((): Order[] => []);
  const engineWorks = cores.map(() => false);
  let stepping = 0;
  const match = (engine: number) => {
    const queue = engineQueues[engine] as Order[];
    if (engineWorks[engine] || queue.length === 0) return;
    engineWorks[engine] = true;
    const began = agenda.now;
    const step = queue.splice(0, STEP);
    // Each with whom it trades.
    const parties = step.flatMap(({ account }) => [account, anAccount()]);
    locks.take(parties, () =>
      (cores[engine] as Servers).ask(step.length * costs.match * (1 + costs.sealing), () =>
        database.ask(step.length * costs.matchStore, () =>
          commit(() => {
            locks.give(parties);
            matched += step.length;
            stepping += agenda.now - began;
            engineWorks[engine] = false;
            match(engine);
          }),
        ),
      ),
    );
  };

  const groups = mains.map((): Order[] => []);
  const isStoring = mains.map(() => false);
  const store = (process: number) => {
    const waiting = groups[process] as Order[];
    if (isStoring[process] || waiting.length === 0) return;
    isStoring[process] = true;
    const group = waiting.splice(0, GROUP);
    const accounts = group.map(({ account }) => account);
    locks.take(accounts, () =>
      database.ask(group.length * costs.store, () =>
        commit(() => {
          locks.give(accounts);
          for (const order of group) {
            latencies.push(agenda.now - order.arrived);
            acknowledged++;
            const engine = Math.floor(random() * place.engines);
            engineQueues[engine]?.push(order);
            match(engine);
          }
          isStoring[process] = false;
          store(process);
        }),
      ),
    );
  };

  let arrivals = 0;
  const arrive = () => {
    arrivals++;
    const order = { account: anAccount(), arrived: agenda.now };
    const process = Math.floor(random() * place.processes);
    mains[process]?.ask(costs.main, () =>
      threads[process]?.ask(costs.signature, () => {
        groups[process]?.push(order);
        store(process);
      }),
    );
    agenda.in((-Math.log(1 - random()) * 1_000) / rate, arrive);
  };
  arrive();
  agenda.runUntil(seconds * 1_000);

  latencies.sort((a, b) => a - b);
  const share = (servers: readonly Servers[], each = 1) =>
    servers.reduce((sum, { worked }) => sum + worked, 0) / (servers.length * each * seconds * 1_000);
  return {
    busy: {
      process: share(mains),
      signature: share(threads),
      database: share([database], place.databaseCores),
      engine: stepping / (place.engines * seconds * 1_000),
    },
    median: latencies[Math.floor(latencies.length / 2)] ?? Number.POSITIVE_INFINITY,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.POSITIVE_INFINITY,
    unanswered: 1 - acknowledged / arrivals,
    unmatched: acknowledged === 0 ? 1 : 1 - matched / acknowledged,
    lockWaits: locks.taken === 0 ? 0 : locks.waited / locks.taken,
  };
}

/** The queues do not grow. */
const isCarried = ({ unanswered, unmatched }: Outcome) => unanswered <= 0.04 && unmatched <= 0.04;

/** The largest rate that is carried, within 5 %, and what happens there. */
export function largestRate(costs: Costs, place: Place, seconds = 10): { readonly rate: number; readonly at: Outcome } {
  let low = 10;
  let high = 20;
  const look = (rate: number) => simulate(costs, place, rate, seconds);
  while (isCarried(look(high))) [low, high] = [high, high * 2];
  while (high / low > 1.05) {
    const middle = Math.sqrt(low * high);
    if (isCarried(look(middle))) low = middle;
    else high = middle;
  }
  return { rate: low, at: look(low) };
}
