import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Catalog } from '../../../src/messaging/catalogs.ts';
import type { LanguageCode } from '../../../src/messaging/languages.ts';
import type { UiMethod, UiResults } from '../../../src/messaging/uiMethods.ts';
import { UiCallError } from '../../../src/ui/background.ts';
import { useCatalog } from '../../../src/ui/i18n.ts';

const texts = resolve(import.meta.dirname, '../../../public/texts');

export function readCatalog(code: LanguageCode): Catalog {
  return JSON.parse(readFileSync(resolve(texts, `${code}.json`), 'utf8')) as Catalog;
}

/** Puts the real texts of one language in place, without the extension's fetch. */
export function useLanguage(code: LanguageCode): void {
  useCatalog(readCatalog(code), code, code);
}

export type Handlers = { [M in UiMethod]?: (params: never) => UiResults[M] | Promise<UiResults[M]> };

export interface FakeBackground {
  readonly calls: readonly { readonly method: string; readonly params: unknown }[];
  /** Calls of one method, in order. */
  readonly callsOf: (method: UiMethod) => readonly unknown[];
  readonly changed: () => void;
  /** Delivers what another page of the wallet, or a content script, sends. */
  readonly overheard: (message: object, url: string) => void;
}

/**
 * Replaces the browser's message port: the page under test talks to `handlers`, which refuse by
 * throwing a `UiCallError`.
 */
export function installBackground(handlers: Handlers): FakeBackground {
  const calls: { method: string; params: unknown }[] = [];
  type Listener = (message: unknown, sender: { readonly url: string }) => void;
  const listeners = new Set<Listener>();
  const runtime = {
    getURL: (path: string) => `chrome-extension://test/${path}`,
    async sendMessage(message: { type: string; method: UiMethod; params: unknown }) {
      calls.push({ method: message.method, params: message.params });
      const handler = handlers[message.method] as ((params: unknown) => unknown) | undefined;
      if (handler === undefined) return { ok: false, error: { code: 'unknown', key: 'error_unknown' } };
      try {
        return { ok: true, result: await handler(message.params) };
      } catch (error) {
        if (!(error instanceof UiCallError)) throw error;
        return { ok: false, error: { code: error.code, key: error.key, values: error.values } };
      }
    },
    onMessage: {
      addListener: (listener: Listener) => listeners.add(listener),
      removeListener: (listener: Listener) => listeners.delete(listener),
    },
  };
  Object.assign(globalThis, { chrome: { runtime } });
  const overheard = (message: object, url: string) => {
    for (const listener of [...listeners]) listener(message, { url });
  };
  return {
    calls,
    overheard,
    callsOf: (method) => calls.filter((call) => call.method === method).map((call) => call.params),
    changed: () => overheard({ type: 'changed' }, runtime.getURL('worker.js')),
  };
}
