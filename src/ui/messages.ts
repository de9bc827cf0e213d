import type { UiAnswer, UiChanged, UiMethod, UiParams } from '../messaging/uiMethods.ts';
import { platform } from './platform.ts';

/**
 * What gives up a call that waits for its answer, and when it was sent (`performance.now`).
 */
const waiting = new Map<() => void, number>();

/** Asks the background. @returns `undefined`: there is no answer. */
export async function send<M extends UiMethod>(method: M, params: UiParams<M>): Promise<UiAnswer<M> | undefined> {
  let giveUp = () => {};
  const given = new Promise<undefined>((done) => {
    giveUp = () => done(undefined);
  });
  waiting.set(giveUp, performance.now());
  try {
    const answer = platform().runtime.sendMessage({ type: 'ui', method, params });
    // Chromium makes `null` of an answer that is undefined.
    return ((await Promise.race([answer, given])) ?? undefined) as UiAnswer<M> | undefined;
  } catch {
    // No background answered: it is stopping, or the extension was replaced. The caller shows that.
    return undefined;
  } finally {
    waiting.delete(giveUp);
  }
}

/** Leaves the calls that were sent by then (`performance.now`) without an answer. */
export function giveUpSentBy(then: number): void {
  for (const [giveUp, sent] of waiting) if (sent <= then) giveUp();
}

const listeners = new Set<(message: UiChanged) => void>();

/** Lets everything on the page that listens read again, as the background's word does. */
export const changedHere = (): void => {
  for (const listener of [...listeners]) listener({ type: 'changed' });
};

/** Listens for the background's "something changed"; returns its undo. */
export function onChanged(listener: () => void): () => void {
  const { onMessage } = platform().runtime;
  // Nothing is returned: a listener that returns a promise or `true` would hold the sender's
  // channel open.
  const handle = (message: unknown): undefined => {
    if (typeof message === 'object' && message !== null && (message as Partial<UiChanged>).type === 'changed')
      listener();
  };
  onMessage.addListener(handle);
  listeners.add(handle);
  return () => {
    onMessage.removeListener(handle);
    listeners.delete(handle);
  };
}
