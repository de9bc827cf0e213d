import type { Answers } from './scenarios.ts';

/**
 * Runs inside the page before its first script (it is sent there as text, so it uses nothing from
 * outside): a `chrome` whose background gives the answers of the scenario.
 */
export function installFakeRuntime(answers: Answers): void {
  const state = { answers: answers as Record<string, unknown> };
  const listeners: ((message: unknown) => void)[] = [];
  let waiting = 0;
  Object.assign(globalThis, {
    fakeRuntime: {
      isBusy: () => waiting > 0,
      replace(next: Record<string, unknown>) {
        Object.assign(state.answers, next);
        for (const listener of listeners) listener({ type: 'changed' });
      },
    },
    chrome: {
      runtime: {
        id: 'gallery',
        getManifest: () => ({ version: '0.1.0' }),
        getURL: (path: string) => `${location.origin}/${path}`,
        sendMessage: async (message: { method: string }) => {
          const answer = state.answers[message.method];
          if (answer === 'wait' || answer === undefined) return await new Promise(() => undefined);
          // A frame or two later, as from a background that reads: what stands there until then
          // must not move.
          waiting += 1;
          await new Promise((resolve) => setTimeout(resolve, 40));
          waiting -= 1;
          return answer;
        },
        onMessage: {
          addListener: (listener: (message: unknown) => void) => listeners.push(listener),
          removeListener: (listener: (message: unknown) => void) => listeners.splice(listeners.indexOf(listener), 1),
        },
      },
      permissions: { request: async () => true },
      windows: { create: async () => ({}), update: async () => ({}) },
      tabs: { create: async () => ({}) },
    },
  });
}
