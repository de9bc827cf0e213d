import type { UiErrorValue, UiMethod, UiParams, UiResults } from '../messaging/uiMethods.ts';
import { send, takeEarly } from './early.ts';

export { onChanged } from './early.ts';

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
  'getTokenChanges',
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

/**
 * Calls the background.
 * @throws {UiCallError} The background refused (its own code), or gave no answer (`no-answer`): for a method that changes
 *   something the outcome is then unknown, and the page asks for the state again.
 */
export async function call<M extends UiMethod>(method: M, params: UiParams<M>): Promise<UiResults[M]> {
  let answer = await (takeEarly(method, params) ?? send(method, params));
  if (answer === undefined && reads.has(method)) answer = await send(method, params);
  if (answer === undefined) throw new UiCallError('no-answer', 'errorNoAnswer');
  if (!answer.ok) throw new UiCallError(answer.error.code, answer.error.key, answer.error.values);
  return answer.result;
}
