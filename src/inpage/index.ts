import { ASK_EVENT, type PageMessage, PORT_EVENT, type ProviderErrorShape, walletReplaced } from './protocol.ts';

/**
 * The EIP-1193 provider that pages find by EIP-6963. It sets no global, keeps no secret and decides
 * nothing. Runs before the page's first script; what it needs later is captured now, so that a page
 * that patches built-ins can break its own calls but not read or alter anybody else's.
 */
type Listener = (data: unknown) => void;
/** Any form of `PageMessage`. */
interface AnyMessage {
  readonly event?: string;
  readonly data?: unknown;
  readonly id?: string;
  readonly result?: unknown;
  readonly end?: PageMessage;
  readonly error?: ProviderErrorShape;
}
type Settle = [resolve: (result?: unknown) => void, reject: (error: Error) => void];

const { port1: port, port2 } = new MessageChannel();
const post = port.postMessage.bind(port);
const uuid = crypto.randomUUID.bind(crypto);
const { isArray } = Array;
const { freeze, keys, setPrototypeOf } = Object;
const every = setInterval;
const pending = new Map<string, Settle>();
const listeners = new Map<string, Set<Listener>>();

let polling: unknown;
let unheard = 0;

/**
 * A content script that is there answers each poll at once; on a busy page one answer may come
 * after the next poll.
 */
function poll(): void {
  if (pending.size && ++unheard < 3) post({ id: uuid() });
  else for (const id of pending.keys()) receive({ data: { id, error: walletReplaced(id) } });
}

/**
 * Copies what JSON would carry. No `toJSON`, iterator or setter of the page takes part, and each
 * value is read once.
 */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  const copy = setPrototypeOf(isArray(value) ? [] : {}, null);
  const names = keys(value);
  for (let at = 0; at < names.length; ) {
    const name = names[at++] as keyof typeof value;
    copy[name] = plain(value[name]);
  }
  return copy;
}

function receive({ data: { id, error, result, event, data, end } }: { readonly data: AnyMessage }): void {
  unheard = 0;
  for (const listener of new Set(listeners.get(event as string))) {
    try {
      listener(data);
    } catch (thrown) {
      // A listener that throws is the page's affair; the others still hear the event.
      reportError(thrown);
    }
  }
  const settle = pending.get(id as string);
  pending.delete(id as string);
  if (error) settle?.[1](Object.assign(new Error(error.message), error));
  else settle?.[0](result);
  // The message for a silent content script is kept like a request that waits.
  if (end) pending.set(id as string, [freeze, () => receive({ data: end })]);
}
port.onmessage = receive;

const provider = freeze({
  /** The content script checks the method. */
  request: (args?: { method: string; params?: unknown }) =>
    new Promise((resolve, reject) => {
      const id = uuid();
      pending.set(id, [resolve, reject]);
      try {
        post({ id, method: args?.method, params: plain(args?.params) });
      } catch {
        // A cycle, a symbol or a getter that throws: refused like all that is not JSON.
        post({ id, params: 0n });
      }
      if (!polling) polling = every(poll, 3_000);
    }),
  on(event: string, listener: Listener) {
    listeners.set(event, new Set(listeners.get(event)).add(listener));
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

const info = freeze({ uuid: uuid(), name: 'Countersign', icon: __ICON__, rdns: 'dev.countersign' });
const detail = freeze({ info, provider });
const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
addEventListener('eip6963:requestProvider', announce);
announce();
