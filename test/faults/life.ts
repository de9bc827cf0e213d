import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Waits of the background pass this many times faster than on the wall, so that a schedule takes a
 * fraction of a second.
 */
const SPEED = 20;

export const never = <T>(): Promise<T> => new Promise<T>(() => {});

/**
 * One life of the service worker. Everything that it takes from its surroundings passes here, and
 * nothing that it does after its death has any effect: its calls never come back and reach no
 * store, its timers never fire.
 */
export class Life {
  private dead = false;
  /** Calls, timers and messages that are in progress. */
  private pending = 0;
  private readonly mourners: (() => void)[] = [];
  /** Rejects when the worker is gone, as the browser tells whoever waits for an answer. */
  readonly death: Promise<never>;

  /** @param onPoint - Hears the name of each point that this life reaches; may call `end`. */
  constructor(private readonly onPoint: (life: Life, label: string) => void) {
    this.death = new Promise((_, reject) => {
      this.mourners.push(() => reject(new WorkerGone()));
    });
    this.death.catch(() => {});
  }

  get isAlive(): boolean {
    return !this.dead;
  }

  get isBusy(): boolean {
    return !this.dead && this.pending > 0;
  }

  atDeath(work: () => void): void {
    this.mourners.push(work);
  }

  end(): void {
    if (this.dead) return;
    this.dead = true;
    for (const mourner of this.mourners) mourner();
  }

  /** Counts a point. @returns False when the worker is dead, or dies here. */
  reach(label: string): boolean {
    if (!this.dead) this.onPoint(this, label);
    return !this.dead;
  }

  /** A point that a dead worker never gets past. */
  async pass(label: string): Promise<void> {
    if (!this.reach(label)) await never();
  }

  /**
   * Runs something whose end the driver waits for; a dead worker hears neither result nor failure.
   */
  async track<T>(work: () => Promise<T>): Promise<T> {
    this.pending++;
    try {
      const result = await work();
      return this.dead ? await never() : result;
    } catch (error) {
      if (this.dead) return await never();
      throw error;
    } finally {
      this.pending--;
    }
  }

  /** A call of a port with a point before its effect and one after it. */
  call<T>(label: string, work: () => Promise<T>): Promise<T> {
    return this.track(async () => {
      await this.pass(`${label}:before`);
      const result = await work();
      await this.pass(`${label}:after`);
      return result;
    });
  }

  run<T>(work: () => T): T {
    return current.run(this, work);
  }

  /** For timers, which end without a promise. */
  hold(): () => void {
    this.pending++;
    return () => {
      this.pending--;
    };
  }
}

export class WorkerGone extends Error {
  override readonly name = 'WorkerGone';
  constructor() {
    super('the message port closed before a response was received');
  }
}

const current = new AsyncLocalStorage<Life>();

/**
 * Ends the wait of a request whose answer is to be late; found by the signal that the client passed
 * to `fetch`.
 */
const timeouts = new WeakMap<AbortSignal, AbortController>();

export function runOutOfTime(signal: AbortSignal | null | undefined): void {
  const controller = signal ? timeouts.get(signal) : undefined;
  controller?.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
}

export interface Surroundings {
  /** What the background wrote to the console, and rejections that nobody handled. */
  readonly console: string[];
  readonly unhandled: { readonly error: unknown; readonly text: string }[];
  restore(): void;
}

/**
 * Puts the clocks of the background under the harness: timers run faster and die with their life,
 * time-outs of requests happen only where a schedule wants one. Code outside a life (the relayer,
 * the test runner) is not touched.
 */
export function installSurroundings(): Surroundings {
  const kept = { setTimeout, timeout: AbortSignal.timeout, now: performance.now };
  const seen: string[] = [];
  const unhandled: Surroundings['unhandled'] = [];
  globalThis.setTimeout = Object.assign(
    (work: (...parameters: unknown[]) => void, ms?: number, ...parameters: unknown[]) => {
      const life = current.getStore();
      if (!life) return kept.setTimeout(work, ms, ...parameters);
      const release = life.hold();
      return kept.setTimeout(
        () => {
          release();
          if (life.reach('timer')) work(...parameters);
        },
        (ms ?? 0) / SPEED,
      );
    },
    kept.setTimeout,
  ) as typeof setTimeout;
  AbortSignal.timeout = (ms) => {
    if (!current.getStore()) return kept.timeout.call(AbortSignal, ms);
    const controller = new AbortController();
    timeouts.set(controller.signal, controller);
    return controller.signal;
  };
  performance.now = () => kept.now.call(performance) * (current.getStore() ? SPEED : 1);
  const consoleKept = { ...console };
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const)
    console[name] = (...parameters: unknown[]) => {
      if (current.getStore()) seen.push(parameters.map(String).join(' '));
      else consoleKept[name](...parameters);
    };
  const onUnhandled = (error: unknown) => {
    unhandled.push({ error, text: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  };
  process.on('unhandledRejection', onUnhandled);
  return {
    console: seen,
    unhandled,
    restore() {
      globalThis.setTimeout = kept.setTimeout;
      AbortSignal.timeout = kept.timeout;
      performance.now = kept.now;
      Object.assign(console, consoleKept);
      process.off('unhandledRejection', onUnhandled);
    },
  };
}

/** Leaves the life for work of the harness itself. */
export const outside = <T>(work: () => T): T => current.exit(work);
