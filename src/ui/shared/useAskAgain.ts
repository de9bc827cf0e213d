import { useEffect } from 'preact/hooks';

/** A worker that was stopped meanwhile sends no word of its own; a call wakes it. Milliseconds. */
const askAgainMs = 1_500;

/** Asks again and again while the background has something to do that ends by itself. */
export function useAskAgain(moving: boolean, reload: () => Promise<void>): void {
  useEffect(() => {
    if (!moving) return;
    const timer = setInterval(() => void reload(), askAgainMs);
    return () => clearInterval(timer);
  }, [moving, reload]);
}
