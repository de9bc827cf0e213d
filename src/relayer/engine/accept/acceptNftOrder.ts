import type { z } from 'zod';
import type { validateOrder } from '../../../protocol/endpoints/validateOrder.ts';
import { formatHash } from '../../../protocol/formatHash.ts';
import { nftOrderHash } from '../../../protocol/payloads/nftOrder.ts';
import { Refusal } from '../../errors.ts';
import { asFreezeFailure, type RequestAck } from '../acceptRequest.ts';
import { type Account, lockAccount } from '../accounts.ts';
import { checkNftOrder, placeNftOrder } from '../nft/placeNftOrder.ts';
import { findOrder, type OrderRow } from '../orders/orderRow.ts';
import type { Relayer } from '../relayer.ts';
import { submissionDigest } from '../submissionDigest.ts';

type Body = z.output<typeof validateOrder.body>;

/**
 * Validates an NFT order. It takes its storage slot and holds what it sells, so that the same NFTs
 * are not validated twice, until it is traded, cancelled, expired, or its slot is taken by a larger
 * id.
 */
export async function acceptNftOrder(relayer: Relayer, account: Account, body: Body): Promise<RequestAck> {
  const held = await findOrder(relayer.db, formatHash(nftOrderHash(body)));
  if (held?.digest === submissionDigest(body)) return ackOf(held, true);
  const checked = await checkNftOrder(relayer, account, body);
  const { order, isIdempotent } = await relayer.db
    .transaction(async (tx) => placeNftOrder(relayer, tx, checked, await lockAccount(tx, account.accountId)))
    .catch((error) => asFreezeFailure(relayer, error));
  if (isIdempotent && order.digest !== submissionDigest(body))
    throw new Refusal('NONCE_INVALID', 'this order is held already, with other unsigned fields');
  return ackOf(order, isIdempotent);
}

/** An acknowledgement knows four words; an order that ended without a trade has failed by them. */
const ackOf = ({ hash, status }: OrderRow, isIdempotent: boolean): RequestAck => ({
  hash,
  status: status === 'processing' || status === 'processed' ? status : 'failed',
  isIdempotent,
});
