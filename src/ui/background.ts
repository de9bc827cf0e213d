import type { UiAnswer, UiChanged, UiErrorValue, UiMethod, UiParams, UiResults } from '../messaging/uiMethods.ts';
import { platform } from './platform.ts';

/** A refused call. `key` is a message of the catalogs that says what to do, `values` its placeholders. */
export class UiCallError extends Error {
  override readonly name = 'UiCallError';

  constructor(
    readonly code: string,
    readonly key: string,
    readonly values: Readonly<Record<string, UiErrorValue>> = {},
  ) {
    super(`${code} (${key})`);
  }
}

/** Reads that change nothing, and so are safe to ask again when the worker was stopped under the first question. */
const reads: ReadonlySet<UiMethod> = new Set<UiMethod>([
  'getState',
  'getHome',
  'getActivity',
  'getSubmission',
  'listApprovals',
  'getApproval',
  'getKeyInfo',
  'getAttention',
  'getRotation',
  'getRotationFacts',
  'listSites',
  'getDiagnostics',
  'getRelayerHealth',
  'exportJournal',
  'listContacts',
  'listRecentRecipients',
  'getNftMetadata',
  'probeNetwork',
  'findAccount',
  'previewOperation',
  'getFees',
  'getOrders',
  'getNfts',
  'getPools',
]);

async function send<M extends UiMethod>(method: M, params: UiParams<M>): Promise<UiAnswer<M> | undefined> {
  try {
    return (await platform().runtime.sendMessage({ type: 'ui', method, params })) as UiAnswer<M> | undefined;
  } catch {
    return undefined;
  }
}

/** Questions that were asked before the page was drawn, by method and parameters. */
const early = new Map<string, Promise<UiAnswer<UiMethod> | undefined>>();
const keyOf = (method: UiMethod, params: unknown) => JSON.stringify([method, params]);

/**
 * Asks what the page's first drawing will ask, while its texts are still being read; the first `call` of the same question takes
 * the answer. One that something may have changed since is dropped.
 */
export function askEarly<M extends UiMethod>(method: M, params: UiParams<M>): void {
  const key = keyOf(method, params);
  early.set(key, send(method, params));
  const stop = onChanged(() => {
    early.delete(key);
    stop();
  });
}

/**
 * Calls the background.
 * @throws {UiCallError} The background refused (its own code), or gave no answer (`no-answer`): for a method that changes
 *   something the outcome is then unknown, and the page asks for the state again.
 */
export async function call<M extends UiMethod>(method: M, params: UiParams<M>): Promise<UiResults[M]> {
  const key = keyOf(method, params);
  const asked = early.get(key) as Promise<UiAnswer<M> | undefined> | undefined;
  early.delete(key);
  let answer = await (asked ?? send(method, params));
  if (answer === undefined && reads.has(method)) answer = await send(method, params);
  if (answer === undefined) throw new UiCallError('no-answer', 'errorNoAnswer');
  if (!answer.ok) throw new UiCallError(answer.error.code, answer.error.key, answer.error.values);
  return answer.result;
}

/** Listens for the background's "something changed"; returns its undo. */
export function onChanged(listener: () => void): () => void {
  const { onMessage } = platform().runtime;
  // Nothing is returned: a listener that returns a promise or `true` would hold the sender's channel open.
  const handle = (message: unknown): undefined => {
    if (typeof message === 'object' && message !== null && (message as Partial<UiChanged>).type === 'changed')
      listener();
  };
  onMessage.addListener(handle);
  return () => onMessage.removeListener(handle);
}
