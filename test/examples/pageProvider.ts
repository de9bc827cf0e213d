import { EventEmitter } from 'node:events';
import type { EIP1193Provider } from 'viem';
import type { Ports } from '../../src/background/ports.ts';
import type { PageMessage } from '../../src/inpage/protocol.ts';
import { pageSender, type WalletHarness } from '../support/wallet.ts';

type PageResponse = Extract<PageMessage, { id: string }>;

const documentId = '00000000-0000-4000-8000-000000000001';
const FIRST_REPEAT_MS = 400;
const LAST_REPEAT_MS = 10_000;

/**
 * What a page has of the wallet: its methods by the real background, carried as the content script
 * does, and its events.
 */
export function createPageProvider(origin: string) {
  const events = new EventEmitter();
  const answers = new EventEmitter().setMaxListeners(0);
  const told = (to: string, message: PageMessage) => {
    if (to !== origin) return;
    if ('event' in message) events.emit(message.event, message.data);
    else answers.emit(message.id, message);
  };
  const ports: Partial<Ports> = {
    toPage: async (_tabId, to, message) => told(to, message),
    toAllPages: async (to, message) => told(to, message),
  };

  const deliver = (wallet: WalletHarness, method: string, params: unknown) =>
    new Promise<PageResponse>((resolve, reject) => {
      const id = crypto.randomUUID();
      let isAnswered = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const answer = (message: PageResponse) => {
        isAnswered = true;
        clearTimeout(timer);
        answers.removeAllListeners(id);
        resolve(message);
      };
      const send = async (repeatMs: number) => {
        const reply = await wallet.message({ type: 'page', id, method, params, documentId }, pageSender(origin));
        if (isAnswered) return;
        if (reply && 'id' in (reply as object)) answer(reply as PageResponse);
        else timer = setTimeout(() => void send(Math.min(2 * repeatMs, LAST_REPEAT_MS)).catch(reject), repeatMs);
      };
      answers.once(id, answer);
      send(FIRST_REPEAT_MS).catch(reject);
    });

  const providerOf = (wallet: WalletHarness) =>
    ({
      async request({ method, params }: { method: string; params?: unknown }) {
        const outcome = await deliver(wallet, method, params);
        if ('error' in outcome) throw Object.assign(new Error(outcome.error.message), outcome.error);
        return outcome.result;
      },
      on: events.on.bind(events),
      removeListener: events.removeListener.bind(events),
    }) as unknown as EIP1193Provider;
  return { ports, providerOf };
}
