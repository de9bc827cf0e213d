import { FIRST_UPDATE_PAID } from '../../../protocol/endpoints/getAccount.ts';
import type { Sql } from '../../db/port.ts';
import { lockAccounts, openLockedAccount } from '../accounts.ts';
import { applyMovements, release } from '../balances.ts';
import { takeNftSlot } from '../nft/nftRows.ts';
import type { Relayer } from '../relayer.ts';
import { type RequestRow, storageIdOf } from '../requestRow.ts';
import { transferEntry } from '../transferEntry.ts';
import { amountMovement, feeMovement } from './requestMovements.ts';
import type { Settlement } from './settlement.ts';

/**
 * Moves a token, or an NFT out of the sender's slot into the receiver's, to the receiver, whose
 * account is opened when missing.
 */
export const settleTransfer: Settlement = async (relayer, tx, request, block) => {
  const { payeeId, fee } = await openPayee(relayer, tx, request);
  const nft = request.kind === 'nftTransfer' && {
    toTokenId: await takeNftSlot(tx, payeeId, request.nft_data),
    nftData: request.nft_data,
  };
  await applyMovements(
    tx,
    [
      { ...amountMovement(request, payeeId, nft ? 'nftTransfer' : 'transfer'), ...nft },
      { ...feeMovement(request, block), amount: fee },
    ],
    relayer.clock.now(),
  );
  return [
    transferEntry({
      from: { accountId: request.account_id, owner: request.owner },
      to: { accountId: payeeId, owner: request.other_address },
      tokenId: request.token_id,
      ...nft,
      amount: request.amount,
      feeTokenId: request.fee_token_id,
      fee,
      storageId: storageIdOf(request),
      validUntil: request.valid_until,
    }),
  ];
};

/**
 * The receiving account of a transfer, with its activation marked as paid when the sender paid it.
 * @returns `fee`: what the sender is charged. The rest is released when another transfer has paid
 *   the activation, or the receiver has activated the account, since this one was accepted.
 */
async function openPayee(
  relayer: Relayer,
  tx: Sql,
  request: RequestRow,
): Promise<{ readonly payeeId: number; readonly fee: bigint }> {
  const payeeId = await lockPayee(relayer, tx, request);
  if (request.details.paysActivation !== true) return { payeeId, fee: request.fee };
  const marked = await tx.query(
    `UPDATE accounts SET tags = array_to_string(array_append(string_to_array(tags, ','), $2), ',')
     WHERE account_id = $1 AND nonce = 0 AND NOT $2 = ANY(string_to_array(tags, ',')) RETURNING account_id`,
    [payeeId, FIRST_UPDATE_PAID],
  );
  const usual = request.details.feeWithoutActivation;
  if (marked.length > 0 || typeof usual !== 'string') return { payeeId, fee: request.fee };
  const fee = BigInt(usual) < request.fee ? BigInt(usual) : request.fee;
  await release(tx, request.account_id, request.fee_token_id, request.fee - fee);
  await tx.query('UPDATE requests SET fee = $2 WHERE id = $1', [request.id, fee]);
  return { payeeId, fee };
}

async function lockPayee(
  { clock }: Relayer,
  tx: Sql,
  { id, other_account_id: known, other_address: owner }: RequestRow,
): Promise<number> {
  if (known > 0) {
    await lockAccounts(tx, [known]);
    return known;
  }
  const { accountId } = await openLockedAccount(tx, owner, clock.now());
  await tx.query('UPDATE requests SET other_account_id = $2 WHERE id = $1', [id, accountId]);
  return accountId;
}
