import {
  ASK_EVENT,
  type PageMessage,
  type PageRequest,
  PORT_EVENT,
  type ProviderErrorShape,
  walletReplaced,
} from '../inpage/protocol.ts';
import { faultOf, isRequestId, jsonOf } from '../inpage/requestShape.ts';

/**
 * Carries requests of one page to the background and answers back. It checks shape and size, which
 * the background checks again, and nothing else: who the page is, the background learns from the
 * browser, not from here. A request is sent again until it is answered, since the background may be
 * stopped at any moment and recognises a request by its id.
 */
const MAX_WAITING = 64;
const tooMany = { code: -32005, message: `${MAX_WAITING} requests of this page are waiting already` };
const FIRST_REPEAT_MS = 400;
const LAST_REPEAT_MS = 10_000;
/**
 * Far less than the time for which the background keeps a subscription. In a page that was hidden
 * for five minutes, Chrome runs timers only once a minute.
 */
const HOLD_MS = 20_000;
/**
 * A background that was stopped in the middle may never answer; its own calls end sooner than this.
 */
const SILENCE_MS = 20_000;

const { runtime } = ((globalThis as { browser?: typeof chrome }).browser ?? chrome) as typeof chrome;
/** Names this document to the background, which ends what it asked once it is gone. */
const documentId = crypto.randomUUID();
/** Methods of the requests without an answer, by id. */
const waiting = new Map<string, string>();
/**
 * Subscriptions of this document: the requests that began them, which are sent again while it is
 * there.
 */
const held = new Map<string, PageRequest>();
/** Subscriptions whose end is on its way to the background: begun anew they would outlive it. */
const ending = new Set<string | undefined>();
/** The event that corrects the answer to a method. */
const eventOf: Readonly<Record<string, 'accountsChanged' | 'chainChanged'>> = {
  eth_chainId: 'chainChanged',
  eth_requestAccounts: 'accountsChanged',
  eth_accounts: 'accountsChanged',
};
/** Last message that the page has of each, as JSON. */
const known = new Map<string, string>();
let isHolding = false;
let hasAsked = false;
let port: MessagePort | undefined;

const toPage = (message: PageMessage) => port?.postMessage(message);

/** Asks the background for this document itself. */
const ask = (method: string, params?: object) =>
  runtime.sendMessage({ type: 'page', id: crypto.randomUUID(), method, params, documentId });

/** Sends an event with another value than the one that the page has. */
function tellChange(event: 'accountsChanged' | 'chainChanged', data: unknown): void {
  if ([undefined, JSON.stringify(data)].includes(known.get(event))) return;
  known.set(event, JSON.stringify(data));
  toPage({ event, data });
}

function answer(message: PageMessage & { id: string }): void {
  const event = eventOf[waiting.get(message.id) ?? ''];
  if (!waiting.delete(message.id)) return;
  if (event && 'result' in message) known.set(event, JSON.stringify(message.result));
  // Firefox ends this script without a word, and the page script then tells it.
  toPage(held.has(message.id) ? { ...message, end: endOf(message.id, walletReplaced(message.id)) } : message);
}

async function deliver(request: PageRequest, repeatMs = FIRST_REPEAT_MS, isUnsent = true): Promise<void> {
  if (!waiting.has(request.id)) return;
  // Until it is shown, a prerendered page has the number of a sub-frame, and the background refuses
  // it as one.
  if ((document as { prerendering?: boolean }).prerendering)
    return document.addEventListener('prerenderingchange', () => void deliver(request), { once: true });
  // Updated, reloaded or switched off: what was sent before may be carried out all the same.
  if (!runtime?.id)
    return answer({ id: request.id, error: walletReplaced(request.id, isUnsent ? 'not-signed' : 'unknown') });
  hasAsked = true;
  try {
    ending.add(endedBy(request));
    const reply = await Promise.race([
      runtime.sendMessage({ type: 'page', ...request, documentId }),
      new Promise<undefined>((done) => setTimeout(done, SILENCE_MS)),
    ]);
    if (reply && reply.id === request.id) {
      keepOrDrop(request, reply);
      return answer(reply);
    }
  } catch {
    // The background was stopped or replaced; `runtime.id` tells which.
    if (!runtime?.id) return deliver(request, repeatMs, false);
  }
  setTimeout(deliver, repeatMs, request, Math.min(repeatMs * 2, LAST_REPEAT_MS), false);
}

const endedBy = ({ method, params }: PageRequest): string | undefined =>
  method === 'relayer_unsubscribe' ? ([params].flat()[0] as { subscription?: string } | null)?.subscription : undefined;

/** Remembers a subscription that was begun, forgets one that was ended. */
function keepOrDrop(request: PageRequest, reply: PageMessage): void {
  const { method } = request;
  ending.delete(endedBy(request));
  if (!('result' in reply)) return;
  drop(endedBy(request));
  if (method !== 'relayer_subscribe') return;
  if (!isHolding) setInterval(hold, HOLD_MS);
  isHolding = true;
  held.set(request.id, request);
}

const endOf = (subscription: string, error: ProviderErrorShape): PageMessage => ({
  event: 'message',
  data: { type: 'relayer_subscription', data: { subscription, error } },
});

/** Forgets a subscription, here and in the page script. */
function drop(id = ''): void {
  if (held.delete(id)) toPage({ id, result: null });
}

function ended(id: string, error: ProviderErrorShape): void {
  if (held.has(id)) toPage(endOf(id, error));
  drop(id);
}

/**
 * Says that the document still follows what it subscribed to; a background that was stopped begins
 * it anew.
 */
function hold(): void {
  for (const [id, request] of held) {
    if (!runtime?.id) ended(id, walletReplaced(id));
    else if (!ending.has(id))
      runtime
        .sendMessage({ type: 'page', ...request, documentId })
        .then((reply) =>
          held.has(id)
            ? // A failure inside the wallet passes, like no answer: it is asked again at the next turn.
              reply?.error && reply.error.code !== -32603 && ended(id, reply.error)
            : // Its end came first, and this has begun it anew.
              ask('relayer_unsubscribe', { subscription: id }),
        )
        // One without an answer keeps no other from being held.
        .catch(() => {});
  }
}

function fromPage({ data }: MessageEvent): void {
  const { id, method, params } = (data ?? {}) as PageRequest;
  if (!isRequestId(id) || waiting.has(id)) return;
  waiting.set(id, method);
  // By the JSON of this world, whose built-ins no page can change.
  const json = jsonOf(params);
  const error = faultOf(method, json) ?? (waiting.size > MAX_WAITING ? tooMany : undefined);
  if (error) answer({ id, error });
  else void deliver({ id, method, params: json ? JSON.parse(json) : undefined });
}

addEventListener(
  PORT_EVENT,
  (event) => {
    port = (event as MessageEvent).ports[0];
    if (!port) return;
    port.onmessage = fromPage;
    event.preventDefault();
  },
  { once: true },
);
dispatchEvent(new Event(ASK_EVENT));

type ToContent =
  | { readonly type: 'to-page'; readonly origin: string; readonly message: PageMessage }
  | { readonly type: 'is-present'; readonly documentId: string };

runtime.onMessage.addListener((message: ToContent, _sender, respond) => {
  if (message.type === 'is-present') respond(message.documentId === documentId);
  // Not `location.origin`: a sandboxed document has its address and not its rights.
  if (message.type !== 'to-page' || message.origin !== self.origin) return;
  if ('id' in message.message) answer(message.message);
  else {
    const { event } = message.message;
    if (Object.values(eventOf).includes(event as never)) known.set(event, JSON.stringify(message.message.data));
    const { type, data, chainId } = (message.message.data ?? {}) as {
      type?: unknown;
      data?: { subscription: string; error?: unknown };
      chainId?: string;
    };
    if (type === 'relayer_subscription' && data?.error) drop(data.subscription);
    toPage(message.message);
    // The chain that the page read before may be that of no network, or of another one.
    if (event === 'connect') tellChange('chainChanged', chainId);
  }
});

// Also when the browser keeps the document for a return: until then it hears no answer.
addEventListener('pagehide', ({ isTrusted }) => {
  if (!isTrusted || waiting.size + held.size === 0 || !runtime?.id) return;
  // Where the notice fails, the background finds the page gone at its next check.
  runtime.sendMessage({ type: 'gone', documentId }).catch(() => {});
});

/** Asks for what an event would have told. */
async function readAnew(method: string): Promise<void> {
  const event = eventOf[method];
  if (!event || !runtime?.id) return;
  // Without an answer the page keeps what it heard last.
  const reply = await ask(method).catch(() => undefined);
  if (reply && 'result' in reply) tellChange(event, reply.result);
}

// While the browser kept the document for a return, no event reached it, and the background may
// have forgotten it: what has asked for something is heard again.
addEventListener('pageshow', ({ isTrusted, persisted }) => {
  if (isTrusted && persisted && hasAsked) for (const method of ['eth_chainId', 'eth_accounts']) void readAnew(method);
});
