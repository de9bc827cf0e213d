import type { Movement } from '../balances.ts';
import type { OpenBlock } from '../blocks.ts';
import type { RequestRow } from '../requestRow.ts';

/** Moves the amount of a request, which was frozen when the request was accepted. */
export const amountMovement = (request: RequestRow, to: number, kind: string): Movement => ({
  from: request.account_id,
  to,
  tokenId: request.token_id,
  amount: request.amount,
  frozen: true,
  kind,
  ref: request.hash,
});

/** Moves the fee of a request to the operator. */
export const feeMovement = (request: RequestRow, { operatorId }: Pick<OpenBlock, 'operatorId'>): Movement => ({
  from: request.account_id,
  to: operatorId,
  tokenId: request.fee_token_id,
  amount: request.fee,
  frozen: true,
  kind: 'fee',
  ref: request.hash,
});
