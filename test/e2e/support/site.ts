import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';

/** A site as any dApp is: it finds wallets by EIP-6963 and keeps the provider of ours. */
const page = `<!doctype html><meta charset="utf-8"><title>site</title><script>
  window.announced = [];
  window.events = [];
  addEventListener('eip6963:announceProvider', ({ detail }) => {
    announced.push(detail.info);
    if (detail.info.rdns !== 'dev.countersign') return;
    window.wallet = detail.provider;
    for (const name of ['accountsChanged', 'chainChanged', 'connect', 'disconnect', 'message'])
      wallet.on(name, (data) => events.push([name, data]));
  });
  dispatchEvent(new Event('eip6963:requestProvider'));
</script>`;

export interface Site {
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * @param body - HTML served for every path, at `/sandboxed` without the rights of the site's
 *   origin; a bare dApp when absent.
 */
export async function serveSite(body = page): Promise<Site> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (request.url === '/sandboxed') response.setHeader('content-security-policy', 'sandbox allow-scripts');
    response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        // The browser keeps idle ones for a minute.
        server.closeAllConnections();
      }),
  };
}

export type Outcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

/** Calls the page's provider and returns what the page saw. */
export function request(site: Page, method: string, params?: unknown): Promise<Outcome> {
  return site.evaluate(
    async ([name, given]) => {
      const { wallet } = window as unknown as { wallet: { request(args: object): Promise<unknown> } };
      try {
        return { result: await wallet.request({ method: name, params: given }) };
      } catch (error) {
        const { code, message, data } = error as { code: number; message: string; data?: unknown };
        return { error: { code, message, ...(data === undefined ? {} : { data }) } };
      }
    },
    [method, params] as const,
  );
}
