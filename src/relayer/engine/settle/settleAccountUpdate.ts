import { packPoint } from '../../../crypto/index.ts';
import { FIRST_UPDATE_PAID } from '../../../protocol/endpoints/getAccount.ts';
import { findAccount, isFirstUpdatePaid } from '../accounts.ts';
import { applyMovements, release } from '../balances.ts';
import { tokenOf } from '../blocks.ts';
import { cancelAllOrders } from '../orders/orderRow.ts';
import { failRequest, type RequestRow } from '../requestRow.ts';
import { feeMovement } from './requestMovements.ts';
import type { Settlement } from './settlement.ts';
import { SettlementFailure } from './settlementFailure.ts';

export interface AccountUpdateDetails {
  readonly x: string;
  readonly y: string;
  readonly keySeed: string;
  /** The old key alone signed it. */
  readonly byOldKey: boolean;
}

/**
 * The new key takes over: nonce + 1, the API key and everything that the old key signed and that is
 * not settled yet end with it.
 */
export const settleAccountUpdate: Settlement = async (relayer, tx, request, block) => {
  const now = relayer.clock.now();
  const { x, y, keySeed, byOldKey } = request.details as unknown as AccountUpdateDetails;
  const account = await findAccount(tx, request.account_id);
  if (account?.nonce !== request.nonce)
    throw new SettlementFailure(`the account's nonce is ${account?.nonce} now, and ${request.nonce} was signed`);
  // Whoever paid the activation may have been settled while this update waited.
  const fee = isFirstUpdatePaid(account) ? 0n : request.fee;
  if (fee < request.fee) {
    await release(tx, request.account_id, request.fee_token_id, request.fee);
    await tx.query('UPDATE requests SET fee = $2 WHERE id = $1', [request.id, fee]);
  }
  await applyMovements(tx, [{ ...feeMovement(request, block), amount: fee }], now);
  await cancelAllOrders(tx, request.account_id, now);
  const waiting = await tx.query<RequestRow>(
    `SELECT * FROM requests WHERE account_id = $1 AND status = 'received' AND id <> $2 AND kind NOT IN ('deposit', 'nftDeposit')`,
    [request.account_id, request.id],
  );
  for (const old of waiting) await failRequest(tx, old, 'the key that signed it was replaced', now);
  await tx.query('DELETE FROM api_keys WHERE account_id = $1', [request.account_id]);
  await tx.query(
    `UPDATE accounts SET public_key_x = $2, public_key_y = $3, key_seed = $4, nonce = nonce + 1, key_nonce = key_nonce + 1,
       frozen = false, tags = array_to_string(array_remove(string_to_array(tags, ','), '${FIRST_UPDATE_PAID}'), ',')
     WHERE account_id = $1`,
    [request.account_id, x, y, keySeed],
  );
  return [
    {
      executed: {
        type: 'AccountUpdate',
        kind: byOldKey ? 0 : 1,
        owner: BigInt(request.owner),
        accountId: request.account_id,
        feeTokenId: request.fee_token_id,
        fee,
        publicKey: packPoint({ x: BigInt(x), y: BigInt(y) }),
        nonce: account.nonce,
      },
      shown: {
        txType: 'AccountUpdate',
        accountId: request.account_id,
        owner: request.owner,
        fee: tokenOf(request.fee_token_id, fee),
        validUntil: request.valid_until,
        nonce: account.nonce,
        valid: true,
      },
    },
  ];
};
