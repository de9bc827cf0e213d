import type { UiErrorValue, UiMethod, UiParams, UiRead, UiResults } from '../messaging/uiMethods.ts';
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
 * Methods that are safe to ask again when the worker was stopped under the first call. The table of
 * the methods says which; a page has only its types, because the schemas are the background's, and
 * they refuse a list that differs.
 */
const reads: Readonly<Record<UiRead, true>> = {
  getState: true,
  getBalances: true,
  getHome: true,
  getBalanceProofs: true,
  exportBalanceProofs: true,
  getActivity: true,
  getHistory: true,
  getHistoryPage: true,
  getSubmission: true,
  listApprovals: true,
  getApproval: true,
  getKeyInfo: true,
  getAttention: true,
  getKeyUpdate: true,
  getKeyUpdateFacts: true,
  listSites: true,
  getDiagnostics: true,
  getFailures: true,
  getRelayerHealth: true,
  exportJournal: true,
  getTokenChanges: true,
  listContacts: true,
  listRecentRecipients: true,
  getNftMetadata: true,
  getProposedExchange: true,
  probeNetwork: true,
  findAccount: true,
  previewOperation: true,
  getFees: true,
  getOrders: true,
  getNfts: true,
  getPools: true,
  listStanding: true,
  previewStanding: true,
  getMarkets: true,
  getMarketData: true,
  getPrices: true,
  getCurrencies: true,
  listPasskeys: true,
  listSigners: true,
  listPhraseAccounts: true,
  verifyReceipt: true,
};

/**
 * Calls the background.
 * @throws {UiCallError} The background refused (its own code), or gave no answer (`no-answer`): for
 *   a method that changes something the outcome is then unknown, and the page asks for the state
 *   again.
 */
export async function call<M extends UiMethod>(method: M, params: UiParams<M>): Promise<UiResults[M]> {
  let answer = await (takeEarly(method, params) ?? send(method, params));
  if (answer === undefined && Object.hasOwn(reads, method)) answer = await send(method, params);
  if (answer === undefined) throw new UiCallError('no-answer', 'errorNoAnswer');
  if (!answer.ok) throw new UiCallError(answer.error.code, answer.error.key, answer.error.values);
  return answer.result;
}
