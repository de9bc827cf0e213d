import type { UiAnswer, UiMethod, UiParams, UiResults } from '../messaging/uiMethods.ts';
import type { StoredKey } from '../storage/storedValues.ts';
import { changedHere, onChanged, send } from './messages.ts';

/** False inside any frame: an embedded wallet page draws nothing and calls nothing. */
export function isTopDocument(view: Pick<Window, 'top' | 'self'>): boolean {
  return view.top === view.self;
}

/** What a page of the wallet remembers; as good as nothing while the store fails. */
export function remembered(key: StoredKey<'page'>): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: StoredKey<'page'>, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The next page begins as the first one did.
  }
}

/** Name of the texts that a page of the wallet read last. */
const TEXTS = 'countersign.texts' satisfies StoredKey<'page'>;

/**
 * Keeps the language of a page's texts, so that the next page can ask for them before its code is
 * there.
 */
export const rememberTexts = (code: string): void => remember(TEXTS, code);

/**
 * Lets the browser read the texts of the language used last while the page's code is being read;
 * the page's own `fetch` takes them.
 */
export function preloadTexts(): void {
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = 'fetch';
  link.crossOrigin = '';
  link.href = `/texts/${remembered(TEXTS) ?? 'en'}.json`;
  document.head.append(link);
}

interface Early {
  /** The answer that is there already. */
  readonly now: () => UiAnswer<UiMethod> | undefined;
  /** Takes the answer over; nothing is asked for it any more. */
  readonly take: () => Promise<UiAnswer<UiMethod> | undefined>;
}

/** Calls that were made before the page was drawn, by method and parameters. */
const early = new Map<string, Early>();
const keyOf = (method: UiMethod, params: unknown) => JSON.stringify([method, params]);

/**
 * Asks what the page's first drawing will ask, while its code and texts are still being read, and
 * again when something may have changed meanwhile; the first such `call` takes the answer.
 * @param kept - What the background would answer, if it is known without it. It is drawn until the
 *   answer is there; where that is another, the page reads again.
 */
export function askEarly<M extends UiMethod>(
  method: M,
  params: UiParams<M>,
  kept: Promise<UiResults[M] | undefined> = Promise.resolve(undefined),
): void {
  let asked: Promise<UiAnswer<M> | undefined>;
  let now: UiAnswer<M> | undefined;
  const ask = (known: typeof kept) => {
    const sent = send(method, params);
    const mine = Promise.race([sent, known.then((result) => (result ? { ok: true as const, result } : sent))]);
    asked = mine;
    now = undefined;
    void mine.then((answer) => {
      if (asked === mine) now = answer;
    });
    void Promise.all([mine, sent]).then(([first, last]) => {
      if (asked === mine && first !== last && JSON.stringify(first) !== JSON.stringify(last)) changedHere();
    });
  };
  const stop = onChanged(() => ask(Promise.resolve(undefined)));
  ask(kept);
  early.set(keyOf(method, params), {
    now: () => now,
    take: () => {
      stop();
      return asked;
    },
  });
}

/** @returns The answer of a call that was made early, once; `undefined`: it was not. */
export function takeEarly<M extends UiMethod>(
  method: M,
  params: UiParams<M>,
): Promise<UiAnswer<M> | undefined> | undefined {
  const key = keyOf(method, params);
  const asked = early.get(key);
  early.delete(key);
  return asked?.take() as Promise<UiAnswer<M> | undefined> | undefined;
}

/** Gives the answer of an early call if it is there by now; leaves it in place. */
export function seeEarly<M extends UiMethod>(method: M, params: UiParams<M>): UiResults[M] | undefined {
  const answer = early.get(keyOf(method, params))?.now() as UiAnswer<M> | undefined;
  return answer?.ok ? answer.result : undefined;
}
