import { REQUESTS_PER_SECOND } from '../protocol/limits.ts';

/** Who waits for the answer: the user, or a routine refresh. */
export type RequestPriority = 'user' | 'poll';

export interface SchedulerOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * Length of the sliding window in ms. The relayer counts arrivals, not departures: a tenth more
 * than its second keeps five late requests and a punctual sixth from meeting in one of its seconds.
 */
const windowMs = 1100;

/** Starts in a window that refreshes may use, so that a user never waits for them. */
const pollLimit = REQUESTS_PER_SECOND - 1;

/**
 * Starts in a window that one site may cause, so that no site uses up what the user and other sites
 * need.
 */
const originLimit = 3;

/**
 * Waiting requests of a kind for one endpoint that the wallet itself causes; more are turned away
 * rather than answered minutes later.
 */
const queueLimit = 100;

/**
 * Waiting requests of a kind for one endpoint that one site may cause: a flood turns away itself
 * and nobody else. A signed request was asked for already, so as many wait as one page may have
 * open.
 */
const originQueueLimit = { read: 20, signed: 64 };

interface Waiting {
  readonly priority: RequestPriority;
  readonly origin: string | undefined;
  readonly start: () => void;
}

interface Lane {
  /** Latest starts, oldest first. */
  starts: { readonly at: number; readonly origin: string | undefined }[];
  readonly queue: Waiting[];
  /** No start before this time. */
  pausedUntil: number;
  /** When the queue is read next; Infinity while nobody waits. */
  wakesAt: number;
}

/**
 * Spaces requests so that no endpoint sees more than `REQUESTS_PER_SECOND` of them in any
 * `windowMs`.
 */
export function createScheduler({ now, sleep }: SchedulerOptions) {
  const lanes = new Map<string, Lane>();

  const laneOf = (endpoint: string): Lane => {
    let lane = lanes.get(endpoint);
    if (!lane) {
      lane = { starts: [], queue: [], pausedUntil: 0, wakesAt: Infinity };
      lanes.set(endpoint, lane);
    }
    return lane;
  };

  /** The earliest time at which `limit` starts that count no longer fill a window. */
  const freeAt = (starts: Lane['starts'], limit: number): number => {
    const blocking = starts.at(-limit);
    return blocking === undefined ? 0 : blocking.at + windowMs;
  };

  const readyAt = (lane: Lane, { priority, origin }: Waiting): number =>
    Math.max(
      lane.pausedUntil,
      freeAt(lane.starts, priority === 'poll' ? pollLimit : REQUESTS_PER_SECOND),
      origin === undefined
        ? 0
        : freeAt(
            lane.starts.filter((start) => start.origin === origin),
            originLimit,
          ),
    );

  function run(lane: Lane): void {
    const at = now();
    lane.starts = lane.starts.filter((start) => start.at + windowMs > at);
    for (const priority of ['user', 'poll'] as const) {
      const alike = lane.queue.filter((entry) => entry.priority === priority);
      // The wallet's own first, however many sites have requests.
      for (const waiting of alike.toSorted((a, b) => Number(a.origin !== undefined) - Number(b.origin !== undefined))) {
        if (readyAt(lane, waiting) > at) continue;
        lane.queue.splice(lane.queue.indexOf(waiting), 1);
        lane.starts.push({ at, origin: waiting.origin });
        waiting.start();
      }
    }
    const next = Math.min(...lane.queue.map((waiting) => readyAt(lane, waiting)));
    // Who came last may be ready first: a later wake-up that is on its way is then one too many,
    // and does nothing.
    if (next >= lane.wakesAt) return;
    lane.wakesAt = next;
    void sleep(Math.ceil(next - at)).then(() => {
      if (lane.wakesAt !== next) return;
      lane.wakesAt = Infinity;
      run(lane);
    });
  }

  return {
    /**
     * Resolves when the request may start.
     * @param what - Whether it is a read, or brings what is signed.
     * @returns `null`; or at once, when too many wait already, the milliseconds until one of those
     *   can start.
     */
    async acquire(
      endpoint: string,
      priority: RequestPriority,
      origin?: string,
      what: keyof typeof originQueueLimit = 'read',
    ): Promise<number | null> {
      const lane = laneOf(endpoint);
      const alike = lane.queue.filter((waiting) => waiting.priority === priority && waiting.origin === origin);
      if (alike.length >= (origin === undefined ? queueLimit : originQueueLimit[what]))
        return Math.max(1, Math.ceil(Math.min(...alike.map((waiting) => readyAt(lane, waiting))) - now()));
      await new Promise<void>((start) => {
        lane.queue.push({ priority, origin, start });
        run(lane);
      });
      return null;
    },

    /** Holds an endpoint back after the relayer asked for fewer requests. */
    pause(endpoint: string, ms: number): void {
      const lane = laneOf(endpoint);
      lane.pausedUntil = Math.max(lane.pausedUntil, now() + ms);
    },
  };
}
