import { transferHash } from '../../protocol/payloads/transfer.ts';
import { DAY_SECONDS } from '../../protocol/time.ts';
import type { Sql } from '../db/port.ts';
import { Refusal } from '../errors.ts';
import { recordRequest } from './acceptRequest.ts';
import { type Account, findAccount } from './accounts.ts';
import { OpenBlock } from './blocks.ts';
import type { Relayer } from './relayer.ts';
import { takePaymentId } from './storageSlots.ts';

/**
 * Pays an account from that of the open block's operator: a transfer like any other, in the open
 * block and in both histories. The caller holds the engine's lock and has locked both accounts.
 * @param payment - `amount` as a 24-bit float.
 * @throws {Refusal} the operator's account has too little, or no storage id left, or its key is
 *   being replaced.
 */
export async function payFromOperator(
  relayer: Relayer,
  tx: Sql,
  payee: Pick<Account, 'accountId' | 'owner'>,
  { tokenId, amount, memo }: { readonly tokenId: number; readonly amount: bigint; readonly memo: string },
): Promise<void> {
  const { operatorId } = await OpenBlock.take(tx, relayer.clock.now());
  if (amount === 0n || payee.accountId === operatorId) return;
  const operator = await findAccount(tx, operatorId);
  const storageId = await takePaymentId(tx, operatorId, tokenId);
  if (!operator) throw new Error('the database has no account of the operator');
  if (storageId === undefined)
    throw new Refusal('STORAGE_ID_EXHAUSTED', `the operator's account has no storage id left in token ${tokenId}`);
  const body = {
    exchange: relayer.config.exchangeAddress,
    payerId: operatorId,
    payerAddr: operator.owner,
    payeeId: payee.accountId,
    payeeAddr: payee.owner,
    token: { tokenId, volume: amount.toString() },
    maxFee: { tokenId, volume: '0' },
    storageId,
    validUntil: Math.floor(relayer.clock.now() / 1000) + DAY_SECONDS,
    memo,
  };
  await recordRequest(relayer, tx, operator, {
    kind: 'transfer',
    hash: transferHash(body),
    body,
    otherAccountId: payee.accountId,
    otherAddress: payee.owner,
    tokenId,
    amount,
    feeTokenId: tokenId,
    fee: 0n,
    storage: [{ tokenId, storageId }],
    hold: [{ tokenId, amount }],
    validUntil: body.validUntil,
    memo,
    settledAtOnce: true,
  });
}
