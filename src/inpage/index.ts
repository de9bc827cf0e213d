import { ASK_EVENT, type PageMessage, PORT_EVENT, type ProviderErrorShape, walletReplaced } from './protocol.ts';

/**
 * The EIP-1193 provider that pages find by EIP-6963. It sets no global, keeps no secret and decides nothing. Runs before
 * the page's first script; what it needs later is captured now, so that a page that patches built-ins can break its
 * own calls but not read or alter anybody else's.
 */
type Listener = (data: unknown) => void;
type Settle = [resolve: (result: unknown) => void, reject: (error: Error) => void];

/** How often the content script is asked whether it is there while a request waits, milliseconds. */
const LOOK_MS = 3_000;

const { port1: port, port2 } = new MessageChannel();
const post = port.postMessage.bind(port);
const uuid = crypto.randomUUID.bind(crypto);
const { isArray } = Array;
const { keys, setPrototypeOf } = Object;
const later = setTimeout;
const pending = new Map<string, Settle>();
const listeners = new Map<string, Set<Listener>>();

let isLooking = false;
let unheard = 0;

const rpcError = (error: ProviderErrorShape) => Object.assign(new Error(error.message), error);

function lookLater(): void {
  if (!isLooking) later(look, LOOK_MS);
  isLooking = true;
}

/** A content script that is there answers each look at once; on a busy page one answer may come after the next look. */
function look(): void {
  isLooking = false;
  if (pending.size === 0) return;
  if (++unheard > 2) for (const id of pending.keys()) receive({ data: { id, error: walletReplaced(id, false) } });
  else post({ id: uuid() });
  lookLater();
}

/** Copies what JSON would carry. No `toJSON`, iterator or setter of the page takes part, and each value is read once. */
function plain(value: unknown): unknown {
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  const copy = setPrototypeOf(isArray(value) ? [] : {}, null);
  const names = keys(value);
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as keyof typeof value;
    copy[name] = plain(value[name]);
  }
  return copy;
}

function receive({ data: message }: Pick<MessageEvent<PageMessage>, 'data'>): void {
  unheard = 0;
  if ('event' in message) {
    for (const listener of [...(listeners.get(message.event) ?? [])]) {
      try {
        listener(message.data);
      } catch (error) {
        // A listener that throws is the page's affair; the others still hear the event.
        setTimeout(() => {
          throw error;
        });
      }
    }
    return;
  }
  const settle = pending.get(message.id);
  pending.delete(message.id);
  if ('error' in message) settle?.[1](rpcError(message.error));
  else settle?.[0](message.result);
}
port.onmessage = receive;

const provider = Object.freeze({
  /** The content script checks the method. */
  request: (args?: { method: string; params?: unknown }) =>
    new Promise((resolve, reject) => {
      const id = uuid();
      post({ id, method: args?.method, params: plain(args?.params) });
      pending.set(id, [resolve, reject]);
      lookLater();
    }),
  on(event: string, listener: Listener) {
    listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    return provider;
  },
  removeListener(event: string, listener: Listener) {
    listeners.get(event)?.delete(listener);
    return provider;
  },
});

/** False once the content script took it: then nobody else may ask for it. */
const offer = () => dispatchEvent(new MessageEvent(PORT_EVENT, { ports: [port2], cancelable: true }));
if (offer()) addEventListener(ASK_EVENT, offer, { once: true });

const info = Object.freeze({ uuid: uuid(), name: 'Countersign', icon: __ICON__, rdns: 'dev.countersign' });
const detail = Object.freeze({ info, provider });
const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
addEventListener('eip6963:requestProvider', announce);
announce();
