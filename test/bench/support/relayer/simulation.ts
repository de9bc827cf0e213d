/**
 * How many orders a second a relayer of many processes carries, by events in virtual time. Every
 * process, engine, core of the database and flush of its log is a server with a queue, and so is
 * the thread that hashes the state tree; accounts are locked as transactions lock them. Nothing
 * sleeps and nothing is measured here: the costs are inputs.
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
  /** Orders that trade, 0 to 1; the others only come into the book. */
  readonly trades: number;
  /** Thread that hashes the state tree, for the share of an order in the blocks. */
  readonly roots: number;
}

/**
 * One machine with everything on it: threads, database and client share its cores, the engine works
 * on the main thread of the first process, and the accounts send in turn.
 */
interface Machine {
  readonly cores: number;
  /** ms that the client works for an order. */
  readonly client: number;
}

export interface Place {
  readonly processes: number;
  /** Each matches its own share of the markets. */
  readonly engines: number;
  readonly databaseCores: number;
  /** Accounts that send one order in ten; the others come from 10,000 busy ones. */
  readonly accounts: number;
  /**
   * Threads that hash the state tree; 1 when absent, because the root of a block begins at the one
   * before.
   */
  readonly rootThreads?: number;
  /** Absent: every thread has a core of its own. */
  readonly machine?: Machine;
}

/** Orders a second, which arrive at random, or connections that send the next after each answer. */
export type Load = number | { readonly connections: number };

export interface Outcome {
  /**
   * Share of the time in which each kind of server worked, 0 to 1; an engine works from the locks
   * of a step to its commit.
   */
  readonly busy: Readonly<Record<'process' | 'signature' | 'database' | 'engine' | 'roots', number>>;
  /** Orders that were acknowledged in a second. */
  readonly perSecond: number;
  /** From arrival to acknowledgement, ms. */
  readonly median: number;
  readonly p99: number;
  /** Share of the orders that were not acknowledged at the end, 0 to 1. */
  readonly unanswered: number;
  /** Share of the acknowledged orders that no engine had matched at the end, 0 to 1. */
  readonly unmatched: number;
  /** Share of the matched orders whose block had no root at the end, 0 to 1. */
  readonly unrooted: number;
  /** Share of the transactions that waited for an account. */
  readonly lockWaits: number;
}

/** Assumed: nine of ten orders come from so many accounts. */
const BUSY_ACCOUNTS = 10_000;
const BUSY_SHARE = 0.9;
/** Orders of one commit and of one step of an engine at most, as in the relayer. */
const GROUP = 128;
const STEP = 100;
/**
 * Statements of the transaction of a group and of a step, on one machine: each answer waits for the
 * main thread that also has the requests. Elsewhere one stands for all, which is quicker to
 * simulate.
 */
const STORE_TRIPS = 3;
const STEP_TRIPS = 12;
/** On shared cores, how long a thread works before another has its turn, ms. */
const SLICE = 3;

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

/** So many servers with one queue, each with a core of its own or on shared ones. */
class Servers {
  readonly #agenda: Agenda;
  readonly #cores: Servers | undefined;
  readonly #queue: { ms: number; done(): void }[] = [];
  #next = 0;
  #free: number;
  worked = 0;

  constructor(agenda: Agenda, count: number, cores?: Servers) {
    this.#agenda = agenda;
    this.#free = count;
    this.#cores = cores;
  }

  ask(ms: number, done: () => void): void {
    this.#queue.push({ ms, done });
    this.#serve();
  }

  #serve(): void {
    while (this.#free > 0 && this.#next < this.#queue.length) {
      const { ms, done } = this.#queue[this.#next++] as { ms: number; done(): void };
      this.#free--;
      const end = () => {
        this.worked += ms;
        this.#free++;
        done();
        this.#serve();
      };
      if (this.#cores) this.#cores.#askInSlices(ms, end);
      else this.#agenda.in(ms, end);
    }
  }

  #askInSlices(ms: number, done: () => void): void {
    if (ms <= SLICE) this.ask(ms, done);
    else this.ask(SLICE, () => this.#askInSlices(ms - SLICE, done));
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

  isTaken(account: number): boolean {
    return this.#waiting.has(account);
  }

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

/** @param seconds - Of virtual time. */
export function simulate(costs: Costs, place: Place, load: Load, seconds: number, seed = 1): Outcome {
  const { machine, rootThreads = 1 } = place;
  const random = randomNumbers(seed);
  const agenda = new Agenda();
  const shared = machine && new Servers(agenda, machine.cores);
  const thread = () => new Servers(agenda, 1, shared);
  const database = new Servers(agenda, place.databaseCores, shared);
  const client = thread();
  const mains = Array.from({ length: place.processes }, thread);
  const threads = Array.from({ length: place.processes }, thread);
  const engines = machine ? mains.slice(0, 1) : Array.from({ length: place.engines }, thread);
  const roots = new Servers(agenda, rootThreads, shared);
  const locks = new Locks();
  const anAccount = () => {
    if (machine) return Math.floor(random() * place.accounts);
    return random() < BUSY_SHARE
      ? Math.floor(random() * BUSY_ACCOUNTS)
      : BUSY_ACCOUNTS + Math.floor(random() * place.accounts);
  };

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

  /** A transaction: the thread and the database work in turn, then the commit. */
  const transact = (statements: number, main: Servers, mainMs: number, databaseMs: number, done: () => void) => {
    const trips = machine ? statements : 1;
    const trip = (left: number) => {
      if (left === 0) return commit(done);
      main.ask(mainMs / trips, () => database.ask(databaseMs / trips, () => trip(left - 1)));
    };
    trip(trips);
  };

  interface Order {
    readonly account: number;
    arrived: number;
  }
  const latencies: number[] = [];
  let acknowledged = 0;
  let matched = 0;
  let rooted = 0;

  const engineQueues = engines.map((): Order[] => []);
  const engineWorks = engines.map(() => false);
  let stepping = 0;
  const match = (engine: number) => {
    const queue = engineQueues[engine] as Order[];
    if (engineWorks[engine] || queue.length === 0) return;
    engineWorks[engine] = true;
    const began = agenda.now;
    const step = queue.splice(0, STEP);
    // Those that trade, each with one; the others only come into the book.
    const parties = step.flatMap(({ account }) => (random() < costs.trades ? [account, anAccount()] : []));
    locks.take(parties, () =>
      transact(
        STEP_TRIPS,
        engines[engine] as Servers,
        step.length * costs.match,
        step.length * costs.matchStore,
        () => {
          locks.give(parties);
          matched += step.length;
          stepping += agenda.now - began;
          roots.ask(step.length * costs.roots, () => {
            rooted += step.length;
          });
          engineWorks[engine] = false;
          match(engine);
        },
      ),
    );
  };

  const record = (process: number, group: readonly Order[], done: () => void) => {
    const accounts = group.map(({ account }) => account);
    locks.take(accounts, () =>
      // What the main thread does for it is part of `main`.
      transact(STORE_TRIPS, mains[process] as Servers, 0, group.length * costs.store, () => {
        locks.give(accounts);
        for (const order of group) {
          latencies.push(agenda.now - order.arrived);
          acknowledged++;
          const engine = Math.floor(random() * engines.length);
          engineQueues[engine]?.push(order);
          match(engine);
          if (typeof load !== 'number') arrive();
        }
        done();
      }),
    );
  };
  const groups = mains.map((): Order[] => []);
  const isStoring = mains.map(() => false);
  const store = (process: number) => {
    const waiting = groups[process] as Order[];
    if (isStoring[process] || waiting.length === 0) return;
    const group = waiting.splice(0, GROUP);
    // An order whose account is taken does not keep its group waiting.
    const free = group.filter(({ account }) => !locks.isTaken(account));
    for (const order of group) if (!free.includes(order)) record(process, [order], () => {});
    if (free.length === 0) return store(process);
    isStoring[process] = true;
    record(process, free, () => {
      isStoring[process] = false;
      store(process);
    });
  };

  let arrivals = 0;
  const arrive = () => {
    const order = { account: machine ? arrivals % place.accounts : anAccount(), arrived: agenda.now };
    arrivals++;
    const process = Math.floor(random() * place.processes);
    const accept = () =>
      mains[process]?.ask(costs.main, () =>
        threads[process]?.ask(costs.signature, () => {
          groups[process]?.push(order);
          store(process);
        }),
      );
    if (!machine) return accept();
    client.ask(machine.client, () => {
      // A closed loop counts from when its client has written.
      if (typeof load !== 'number') order.arrived = agenda.now;
      accept();
    });
  };
  if (typeof load === 'number') {
    const next = () => {
      arrive();
      agenda.in((-Math.log(1 - random()) * 1_000) / load, next);
    };
    next();
  } else for (let n = 0; n < load.connections; n++) arrive();
  agenda.runUntil(seconds * 1_000);

  latencies.sort((a, b) => a - b);
  const share = (servers: readonly Servers[], each = 1) =>
    servers.reduce((sum, { worked }) => sum + worked, 0) / (servers.length * each * seconds * 1_000);
  return {
    busy: {
      process: share(mains),
      signature: share(threads),
      database: share([database], place.databaseCores),
      engine: stepping / (engines.length * seconds * 1_000),
      roots: share([roots], rootThreads),
    },
    perSecond: acknowledged / seconds,
    median: latencies[Math.floor(latencies.length / 2)] ?? Number.POSITIVE_INFINITY,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.POSITIVE_INFINITY,
    unanswered: 1 - acknowledged / arrivals,
    unmatched: acknowledged === 0 ? 1 : 1 - matched / acknowledged,
    unrooted: matched === 0 ? 1 : 1 - rooted / matched,
    lockWaits: locks.taken === 0 ? 0 : locks.waited / locks.taken,
  };
}

/** The queues do not grow. */
const isCarried = ({ unanswered, unmatched, unrooted }: Outcome) => Math.max(unanswered, unmatched, unrooted) <= 0.04;

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
