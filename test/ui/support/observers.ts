import { vi } from 'vitest';

export interface Observers {
  /** Brings the watched elements into view, or what is watched from now on out of it. */
  inView(shown: boolean): void;
  /** Tells the watchers of sizes that one has changed. */
  resized(): void;
}

/**
 * Observers of the browser's layout, which the test environment does not have. At first everything
 * is in view.
 */
export function installObservers(): Observers {
  let isShown = true;
  const views = new Set<() => void>();
  const sizes = new Set<() => void>();
  class Watcher {
    readonly #watchers: Set<() => void>;
    readonly #tell: () => void;
    constructor(watchers: Set<() => void>, tell: () => void) {
      this.#watchers = watchers;
      this.#tell = tell;
    }
    observe(): void {
      this.#watchers.add(this.#tell);
      queueMicrotask(() => this.#watchers.has(this.#tell) && this.#tell());
    }
    disconnect(): void {
      this.#watchers.delete(this.#tell);
    }
  }
  vi.stubGlobal(
    'IntersectionObserver',
    class extends Watcher {
      constructor(callback: (entries: readonly Pick<IntersectionObserverEntry, 'isIntersecting'>[]) => void) {
        super(views, () => callback([{ isIntersecting: isShown }]));
      }
    },
  );
  vi.stubGlobal(
    'ResizeObserver',
    class extends Watcher {
      constructor(callback: () => void) {
        super(sizes, callback);
      }
    },
  );
  return {
    inView(shown) {
      isShown = shown;
      for (const tell of [...views]) tell();
    },
    resized() {
      for (const tell of [...sizes]) tell();
    },
  };
}
