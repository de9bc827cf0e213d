import type { Hex } from 'viem';
import { askFor, type RelayerClient } from '../ask.ts';
import type { CancelAllOrdersParameters } from '../generated/methods.ts';
import type { RelayerErrorName } from '../generated/statuses.ts';
import type { Submission } from '../submission.ts';

/** Outcome of one order of a cancellation. */
export interface CancelledOrder {
  readonly orderHash: Hex;
  /**
   * False: it was not open any more, or `code` says why not. Absent: the relayer answers for all of
   * them together; `waitForSubmission` tells.
   */
  readonly cancelled?: boolean;
  /** The relayer's code of the refusal. */
  readonly code?: number;
  /** Its name, where the code is known. */
  readonly name?: RelayerErrorName;
}

export interface CancelAllOrdersReturnType extends Submission {
  /**
   * Orders that were to be cancelled. An order of `orderHashes` that is missing here had ended by
   * what the wallet knew, or was not placed by this site.
   */
  readonly orders: readonly CancelledOrder[];
}

/**
 * Asks to cancel the open orders that this site has placed with the wallet, those of unknown
 * outcome among them, or of all these the ones in `orderHashes`, at most 10 at once. Orders of
 * other sites stay. Opens one approval window; settles when the relayer has answered, with an
 * outcome for each order. Needs the permission *orders*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * const { orders } = await client.relayer.cancelAllOrders({ orderHashes: [hash] });
 * const open = orders.filter(({ cancelled }) => !cancelled);
 */
export function cancelAllOrders(
  client: RelayerClient,
  parameters: CancelAllOrdersParameters = {},
): Promise<CancelAllOrdersReturnType> {
  return askFor(client, 'relayer_cancelAllOrders', parameters, true);
}
