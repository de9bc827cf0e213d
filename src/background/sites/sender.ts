/**
 * Identifies the caller. Rights hang on what the browser reports about the sender, never on
 * anything inside the message.
 */
export interface Sender {
  readonly id?: string | undefined;
  readonly url?: string | undefined;
  readonly origin?: string | undefined;
  readonly frameId?: number | undefined;
  readonly documentId?: string | undefined;
  /** Such as `active`, or `cached` while kept for a return; browsers may leave it out. */
  readonly documentLifecycle?: string | undefined;
  readonly tab?: { readonly id?: number | undefined } | undefined;
}

export interface PageCaller {
  readonly kind: 'page';
  /** Scheme, host and port. */
  readonly origin: string;
  readonly tabId: number;
  /** The browser's own name of the document; a Firefox before them has none. */
  readonly frameDocument?: string | undefined;
}

/**
 * A page with the name that its content script gives its document: by it the page is told from
 * another one in its tab, and nothing else.
 */
export interface PageDocument extends PageCaller {
  readonly documentId: string | undefined;
}

/** `reason`: a sentence for the page where there is one. */
export type Caller = PageCaller | { readonly kind: 'ui' } | { readonly kind: 'refused'; readonly reason: string };

const refused = (reason: string): Caller => ({ kind: 'refused', reason });

/**
 * @param sender - Report of the browser.
 * @param self - Our extension id and the base URL of our own pages (`runtime.getURL('')`).
 */
export function callerOf(sender: Sender, self: { id: string; baseUrl: string }): Caller {
  if (sender.id !== self.id) return refused('another extension');
  if (!sender.url) return refused('no sender URL');
  if (sender.url.startsWith(`${self.baseUrl}src/ui/`)) {
    // Browsers report the address truly; frame and origin have to agree with it all the same.
    if (sender.frameId !== undefined && sender.frameId !== 0) return refused('a frame is no page of the wallet');
    if (sender.origin !== undefined && `${sender.origin}/` !== self.baseUrl) return refused('opaque origin');
    return { kind: 'ui' };
  }
  if (sender.tab?.id === undefined) return refused('not a tab');
  if (sender.frameId !== 0) return refused('only the top frame of a tab can use the wallet');
  let origin: string;
  try {
    const url = new URL(sender.url);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('only http and https pages');
    origin = url.origin;
  } catch {
    return refused('sender URL unreadable');
  }
  if (sender.origin !== undefined && sender.origin !== origin) return refused('opaque origin');
  return { kind: 'page', origin, tabId: sender.tab.id, frameDocument: sender.documentId };
}
