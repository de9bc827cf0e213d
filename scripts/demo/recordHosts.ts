import type { BrowserContext, Request } from 'playwright-core';

/**
 * Writes down every request of the browser, pages and workers alike, but for what a page's own
 * policy stopped.
 * @returns what left this machine, and what a worker asked of `localhost`, where the sites are:
 *   relayers and gateways of tests and demo are at 127.0.0.1. Each as `worker https://host` or
 *   `page https://host`; empty when all is well.
 */
export function recordHosts(context: BrowserContext): () => readonly string[] {
  const strange = new Map<Request, string>();
  context.on('request', (made) => {
    const { protocol, hostname, origin } = new URL(made.url());
    if (['data:', 'blob:', 'chrome-extension:', 'chrome:', 'about:'].includes(protocol)) return;
    const isWorker = made.serviceWorker() !== null;
    if (hostname === '127.0.0.1' || (hostname === 'localhost' && !isWorker)) return;
    strange.set(made, `${isWorker ? 'worker' : 'page'} ${origin}`);
  });
  context.on('requestfailed', (made) => {
    if (made.serviceWorker() === null && made.failure()?.errorText === 'csp') strange.delete(made);
  });
  return () => [...new Set(strange.values())];
}
