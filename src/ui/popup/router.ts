import { useEffect, useState } from 'preact/hooks';

/** A place in the wallet: the screen's name, and what it is about, as in `#/activity/s1`. */
export interface Route {
  /** First part of the hash; `home` when there is none. */
  readonly screen: string;
  /** The parts behind it, decoded. */
  readonly rest: readonly string[];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Reads a hash. Anything can stand there, so nothing of it is trusted: a screen that is not known
 * becomes home.
 */
function parseHash(hash: string): Route {
  const [screen, ...rest] = hash
    .replace(/^#?\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(decoded);
  return { screen: screen ?? 'home', rest };
}

/** Address of a screen inside this page; popup, side panel and full tab share it. */
export const hrefTo = (...parts: readonly string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`;

export function goTo(...parts: readonly string[]): void {
  location.hash = hrefTo(...parts);
}

/** The current place. */
export function useRoute(): Route {
  const [hash, setHash] = useState(() => location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return parseHash(hash);
}
