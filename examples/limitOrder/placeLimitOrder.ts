import { createWalletClient, custom, type EIP1193Provider } from 'viem';
import {
  type LimitOrderParameters,
  type OrderPreview,
  ParameterError,
  RejectedError,
  RelayerRefusedError,
  relayerActions,
  type SubmissionStatus,
} from '../../src/viem/index.ts';

export interface PlaceLimitOrderOptions {
  /** The wallet's, as `findRelayerWallet` finds it. */
  readonly provider: EIP1193Provider;
  readonly order: LimitOrderParameters;
  /** Shows the costs; the user is asked by the wallet only when this resolves with true. */
  readonly confirm: (preview: OrderPreview) => Promise<boolean>;
  readonly onStatus: (status: SubmissionStatus) => void;
}

export type PlacedLimitOrder =
  /** `field` of the form is wrong, or does not fit the market or the account. */
  | { readonly placed: false; readonly field: string; readonly rule: string }
  /** Somebody said no: the user to the costs or in the wallet, or the relayer. */
  | { readonly placed: false; readonly reason: string }
  /**
   * The relayer refused what was signed, and can still carry it out until then (Unix seconds). Do
   * not offer the order again before.
   */
  | { readonly placed: false; readonly reason: string; readonly requestId: string; readonly validUntil: number | null }
  | { readonly placed: true; readonly requestId: string; readonly unwatch: () => void };

/**
 * Places an order as a trading form has it, in whole tokens: shows what it costs, asks the wallet,
 * and follows it.
 * @throws {RelayerActionError} Anything that the form cannot repair; with the outcome `unknown`
 *   nothing may be asked anew.
 */
export async function placeLimitOrder(options: PlaceLimitOrderOptions): Promise<PlacedLimitOrder> {
  const { provider, order, confirm, onStatus } = options;
  const { relayer } = createWalletClient({ transport: custom(provider) }).extend(relayerActions({ provider }));
  try {
    const preview = await relayer.previewOrder(order);
    const [problem] = preview.problems;
    if (problem) return { placed: false, field: problem.field, rule: problem.rule };
    if (!(await confirm(preview))) return { placed: false, reason: 'The costs were not accepted.' };
    const { requestId } = await relayer.limitOrder(order);
    return { placed: true, requestId, unwatch: relayer.watchSubmission({ requestId, onStatus }) };
  } catch (error) {
    if (error instanceof ParameterError) return { placed: false, field: error.field, rule: error.rule };
    if (error instanceof RelayerRefusedError && error.requestId !== null)
      return { placed: false, reason: error.shortMessage, requestId: error.requestId, validUntil: error.validUntil };
    if (error instanceof RejectedError || error instanceof RelayerRefusedError)
      return { placed: false, reason: error.shortMessage };
    throw error;
  }
}
