import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * Tells whether an element was in view once, such as the end of what is decided upon.
 * @param key - names what is drawn; another request has to be read to its own end.
 */
export function useSeen(key: string | null, drawn: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState<string | null>(null);
  useEffect(() => {
    const element = drawn.current;
    if (element === null || key === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      setSeen(key);
      observer.disconnect();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [key, drawn]);
  return key !== null && seen === key;
}
