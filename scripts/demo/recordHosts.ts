import type { BrowserContext } from 'playwright-core';

/**
 * Writes down every request of the browser, pages and workers alike.
 * @returns what left this machine, and what a worker asked of `localhost`, where the sites are: relayers and gateways of tests and
 * demo are at 127.0.0.1. Each as `worker https://host` or `page https://host`; empty when all is well.
 */
export function recordHosts(context: BrowserContext): () => readonly string[] {
  const strange = new Set<string>();
  context.on('request', (made) => {
    const { protocol, hostname, origin } = new URL(made.url());
    if (['data:', 'blob:', 'chrome-extension:', 'chrome:', 'about:'].includes(protocol)) return;
    const isWorker = made.serviceWorker() !== null;
    if (hostname === '127.0.0.1' || (hostname === 'localhost' && !isWorker)) return;
    strange.add(`${isWorker ? 'worker' : 'page'} ${origin}`);
  });
  return () => [...strange];
}
