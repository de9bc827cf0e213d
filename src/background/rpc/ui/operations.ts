import { OWN_ORIGIN } from '../../../messaging/ownOrigin.ts';
import { canonicalJson } from '../../../operations/canonicalJson.ts';
import { feeOffers } from '../../../operations/fees.ts';
import { findOperation, type OperationName, operationNamed } from '../../../operations/index.ts';
import { type Facts, IntentError } from '../../../operations/operation.ts';
import type { EndpointName } from '../../../protocol/index.ts';
import { fieldOf } from '../../errors/fieldOf.ts';
import { invalidInput, UiFailure } from '../../errors/uiFailure.ts';
import type { Wallet } from '../../wallet.ts';
import { accountNamed, placeNamed } from './named.ts';
import type { UiHandlers } from './uiHandler.ts';

/** No tab waits for what the wallet asks itself. */
const NO_TAB = -1;
/**
 * A preview may show a quote of this age, in seconds; the approval request itself always reads a
 * new one.
 */
const PREVIEW_AGE = 15;
const feeEndpoints: readonly EndpointName[] = ['getOffchainFee', 'getNftOffchainFee'];

/** @throws {UiFailure} `invalid-input` naming the field */
function checkedIntent(operation: OperationName, intent: unknown): unknown {
  const named = findOperation(operation);
  if (!named?.own) throw invalidInput('operation');
  const parsed = named.intent().safeParse(intent);
  if (parsed.success) return parsed.data;
  throw invalidInput(fieldOf(parsed.error));
}

/**
 * Facts for looking ahead: fee quotes a few seconds old do, so that typing asks the relayer little.
 */
async function previewFacts(wallet: Pick<Wallet, 'config' | 'factsOf' | 'relayers'>, id: string): Promise<Facts> {
  const { account, network } = await placeNamed(wallet, id);
  const facts = wallet.factsOf(account, network, OWN_ORIGIN);
  return {
    ...facts,
    read: (name, input) =>
      feeEndpoints.includes(name)
        ? wallet.relayers.remembered(`${account.id} ${name} ${canonicalJson(input)}`, PREVIEW_AGE * 1000, () =>
            facts.read(name, input),
          )
        : facts.read(name, input),
  };
}

export const operationHandlers = {
  async startOperation(wallet, { operation, account, intent }) {
    const { id } = await accountNamed(wallet, account);
    const caller = { kind: 'page', origin: OWN_ORIGIN, tabId: NO_TAB, documentId: undefined } as const;
    const request = { kind: 'operation', operation, account: id, intent: checkedIntent(operation, intent) } as const;
    const approvalId = await wallet.askUser(caller, wallet.ports.uuid(), request);
    const approval = approvalId === null ? undefined : await wallet.approvals.get(approvalId);
    if (!approval) throw new UiFailure('approval-gone', 'error_approvalGone');
    return { id: approval.id, problem: approval.stage === 'closed' ? (approval.problem ?? null) : null };
  },

  async previewOperation(wallet, { operation, account, intent }) {
    const asked = checkedIntent(operation, intent);
    const facts = await previewFacts(wallet, account);
    const named = operationNamed(operation);
    try {
      const draft = await named.prepare(asked, facts);
      return { review: named.review(draft, facts.now), refused: null };
    } catch (error) {
      if (!(error instanceof IntentError)) throw error;
      return { review: null, refused: { field: error.field, problem: error.textIn('problem_ownIntent') } };
    }
  },

  async getFees(wallet, { operation, account: id, ...asked }) {
    const feeQuote = findOperation(operation)?.feeQuote;
    if (!feeQuote) throw invalidInput('operation');
    const facts = await previewFacts(wallet, id);
    return feeOffers(await feeQuote(asked, facts), facts);
  },
} satisfies UiHandlers<'approvals' | 'askUser' | 'config' | 'factsOf' | 'ports' | 'relayers'>;
