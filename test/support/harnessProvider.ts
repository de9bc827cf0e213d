import type { EIP1193Provider } from 'viem';
import type { Ports } from '../../src/background/ports.ts';
import type { PageMessage } from '../../src/inpage/protocol.ts';
import type { WalletHarness } from './wallet.ts';

type Listener = (data: unknown) => void;

/**
 * Ports that deliver what the background pushes to a site, and the provider that this site's page
 * would have.
 */
export function harnessProvider(origin: string) {
  const listeners = new Map<string, Set<Listener>>();
  const deliver = async (to: string, message: PageMessage) => {
    if (to !== origin || !('event' in message)) return;
    for (const listener of [...(listeners.get(message.event) ?? [])]) listener(message.data);
  };
  const ports: Partial<Ports> = {
    toPage: (_tabId, to, message) => deliver(to, message),
    toAllPages: deliver,
  };
  const connect = (wallet: WalletHarness) =>
    ({
      async request({ method, params }: { method: string; params?: unknown }) {
        // As the page script does: what is no JSON does not get out.
        const given = params === undefined ? undefined : JSON.parse(JSON.stringify(params));
        const outcome = await wallet.page(origin, method, given);
        if (!('error' in outcome)) return outcome.result;
        const { code, message, data } = outcome.error;
        throw Object.assign(new Error(message), { code, data });
      },
      on(event: string, listener: Listener) {
        listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
      },
      removeListener(event: string, listener: Listener) {
        listeners.get(event)?.delete(listener);
      },
    }) as unknown as EIP1193Provider;
  return { ports, connect, listenersOf: (event: string) => listeners.get(event)?.size ?? 0 };
}
