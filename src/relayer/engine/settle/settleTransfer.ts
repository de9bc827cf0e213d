import { FIRST_UPDATE_PAID } from '../../../protocol/endpoints/getAccount.ts';
import type { Sql } from '../../db/port.ts';
import { openAccount } from '../accounts.ts';
import { applyMovements } from '../balances.ts';
import type { Relayer } from '../relayer.ts';
import { type RequestRow, storageIdOf } from '../requestRow.ts';
import { transferEntry } from '../transferEntry.ts';
import { amountMovement, feeMovement } from './requestMovements.ts';
import type { Settlement } from './settlement.ts';

/** Moves a token to the receiver, whose account is opened when missing. */
export const settleTransfer: Settlement = async (relayer, tx, request, block) => {
  const payeeId = await openPayee(relayer, tx, request);
  await applyMovements(
    tx,
    [amountMovement(request, payeeId, 'transfer'), feeMovement(request, block)],
    relayer.clock.now(),
  );
  return [
    transferEntry({
      from: { accountId: request.account_id, owner: request.owner },
      to: { accountId: payeeId, owner: request.other_address },
      tokenId: request.token_id,
      amount: request.amount,
      feeTokenId: request.fee_token_id,
      fee: request.fee,
      storageId: storageIdOf(request),
      validUntil: request.valid_until,
    }),
  ];
};

/** The receiving account of a transfer, with its activation marked as paid when the sender paid it. */
export async function openPayee(relayer: Relayer, tx: Sql, request: RequestRow): Promise<number> {
  const payee = await openAccount(tx, request.other_address, relayer.clock.now());
  await tx.query('SELECT 1 FROM accounts WHERE account_id = $1 FOR UPDATE', [payee.accountId]);
  await tx.query('UPDATE requests SET other_account_id = $2 WHERE id = $1', [request.id, payee.accountId]);
  if (request.details.paysActivation === true)
    await tx.query(
      `UPDATE accounts SET tags = array_to_string(array_append(array_remove(string_to_array(tags, ','), $2), $2), ',')
       WHERE account_id = $1 AND nonce = 0`,
      [payee.accountId, FIRST_UPDATE_PAID],
    );
  return payee.accountId;
}
