/** @param hostname - Of a parsed URL. */
export const isLocalHost = (hostname: string): boolean => hostname === '127.0.0.1' || hostname === 'localhost';

/**
 * The host pattern that the browser has to allow before a relayer or gateway can be asked without
 * its consent (CORS).
 * @param url - Absolute.
 * @returns Without a port, which Firefox's patterns do not have; `null` for this machine, which the
 *   manifest names.
 */
export function hostPattern(url: string): string | null {
  const { hostname } = new URL(url);
  return isLocalHost(hostname) ? null : `https://${hostname}/*`;
}
