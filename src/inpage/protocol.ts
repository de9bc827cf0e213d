/**
 * Messages between a page and the extension. Written like a specification because old pages may
 * still speak to a newer extension; every field here is permanent.
 *
 * Sequence: at document start, before any script of the page, both scripts meet through two
 * synchronous DOM events (`PORT_EVENT` carries one end of a MessageChannel and is cancelled by who
 * takes it, `ASK_EVENT` asks for it when the other script came first). From then on only the
 * private channel is used; `window.postMessage` never is. Every request is answered exactly once,
 * by id, also after the background was stopped in between; the page need not repeat anything.
 *
 * Failure: an extension that is updated, reloaded or switched off answers what was waiting with
 * `walletReplaced`. Such a request may be carried out, so its outcome is unknown. Its id is known
 * to the extension that comes after: `relayer_getRequest` tells how it stands, and the same request
 * with that id as `idempotencyKey` joins it. Firefox ends the content script of a replaced
 * extension without a word. So while a request waits, the page script sends one without a method
 * every few seconds, which a content script answers at once, and answers `walletReplaced` itself
 * when it hears nothing for two of them. No event of the page takes part. The answer that begins a
 * subscription brings what is then told of it (`end`); the page script keeps that like a request
 * that waits, until another answer with the same id.
 */

export const PORT_EVENT = 'countersign:port';
export const ASK_EVENT = 'countersign:ask';

/**
 * Page → content. `id` is a UUID made by the page script; `params` is whatever JSON the page
 * passed.
 */
export interface PageRequest {
  readonly id: string;
  readonly method: string;
  readonly params?: unknown;
}

/** An error as EIP-1193 and JSON-RPC shape it. */
export interface ProviderErrorShape {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Content → page: the answer to one request, or an event for `provider.on`. */
export type PageMessage =
  | { readonly id: string; readonly result: unknown; readonly end?: PageMessage }
  | { readonly id: string; readonly error: ProviderErrorShape }
  | { readonly event: ProviderEventName; readonly data: unknown };

type ProviderEventName = 'accountsChanged' | 'chainChanged' | 'connect' | 'disconnect' | 'message';

/** @param status - `not-signed` when the request never left the page. */
export const walletReplaced = (
  requestId: string,
  status: 'unknown' | 'not-signed' = 'unknown',
): ProviderErrorShape => ({
  code: 4900,
  message: 'The wallet was replaced. Reload the page.',
  data: { reason: 'walletReplaced', status, requestId },
});
