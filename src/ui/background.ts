import type { UiErrorValue, UiMethod, UiParams, UiResults } from '../messaging/uiMethods.ts';
import { takeEarly } from './early.ts';
import { send } from './messages.ts';

export { onChanged } from './messages.ts';

/**
 * A refused call. `key` is a message of the catalogs that says what to do, `values` its
 * placeholders.
 */
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

/**
 * Names of the methods that are safe to ask again when the worker was stopped under the first call.
 * The table of the methods says which change nothing; a page has only its types, because the
 * schemas are the background's, so a test compares the two for every method.
 */
const reads = /^(get|list|find|preview|probe|verify|export(Journal|BalanceProofs)$)/;

/**
 * Calls the background.
 * @throws {UiCallError} The background refused (its own code), or gave no answer (`no-answer`): for
 *   a method that changes something the outcome is then unknown, and the page asks for the state
 *   again.
 */
export async function call<M extends UiMethod>(method: M, params: UiParams<M>): Promise<UiResults[M]> {
  let answer = await (takeEarly(method, params) ?? send(method, params));
  if (answer === undefined && reads.test(method)) answer = await send(method, params);
  if (answer === undefined) throw new UiCallError('no-answer', 'errorNoAnswer');
  if (!answer.ok) throw new UiCallError(answer.error.code, answer.error.key, answer.error.values);
  return answer.result;
}
