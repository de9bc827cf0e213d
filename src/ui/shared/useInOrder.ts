import { useCallback, useRef } from 'preact/hooks';

/**
 * Keeps a late answer from going over one that was asked for later.
 * @returns Begins a read. What that returns says whether its result is shown; `isAnswer` is false
 *   for a failure, which keeps no earlier read from being shown.
 */
export function useInOrder() {
  const begun = useRef(0);
  const answered = useRef(0);
  return useCallback(() => {
    begun.current += 1;
    const own = begun.current;
    return (isAnswer: boolean): boolean => {
      if (own < answered.current) return false;
      if (isAnswer) answered.current = own;
      return true;
    };
  }, []);
}
