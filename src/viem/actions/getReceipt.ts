import { ask, type RelayerClient } from '../ask.ts';
import type { GetReceiptParameters } from '../generated/methods.ts';

/**
 * The wallet's journal record of a request, as JSON. `npm run verify-receipt` and a page of the
 * wallet check it.
 */
export interface Receipt {
  readonly format: 'countersign-receipt';
  readonly version: 1;
  readonly requestId: string;
  readonly operation: string;
  /** Hash that was signed; `null` without `request`. */
  readonly hash: string | null;
  /** The sent request, byte for byte; `null` when nothing was signed or has left the wallet. */
  readonly request: { readonly endpoint: string; readonly bodyText?: string } | null;
  readonly status: string;
  readonly [field: string]: unknown;
}

/**
 * A receipt of one of the site's own requests: what was signed and sent, by which key, and what the
 * relayer answered. What the user was shown is in the user's own copy only.
 * @param parameters.requestId - As `getRequest` takes it.
 * @throws {ParameterError} No request of this site was approved under it.
 * @example
 * const receipt = await client.relayer.getReceipt({ requestId: order.requestId });
 */
export function getReceipt(client: RelayerClient, parameters: GetReceiptParameters): Promise<Receipt> {
  return ask(client, 'relayer_getReceipt', parameters);
}
