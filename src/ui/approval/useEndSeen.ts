import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * Tells whether the end of what is decided upon was in view once.
 * @param key - names the drawn request; another one has to be read to its own end.
 * @param end - empty element behind the last row.
 */
export function useEndSeen(key: string | null, end: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState<string | null>(null);
  useEffect(() => {
    const element = end.current;
    if (element === null || key === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      setSeen(key);
      observer.disconnect();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [key, end]);
  return key !== null && seen === key;
}
