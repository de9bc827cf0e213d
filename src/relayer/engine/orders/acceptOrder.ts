import { formatHash } from '../../../protocol/formatHash.ts';
import { CIRCUIT_MAX_FEE_BIPS } from '../../../protocol/limits.ts';
import { orderHash } from '../../../protocol/payloads/order.ts';
import type { Account } from '../accounts.ts';
import { orderRates } from '../orderRates.ts';
import type { Relayer } from '../relayer.ts';
import { checkExchange } from '../requestChecks.ts';
import { checkEddsa } from '../signatures.ts';
import { submissionDigest } from '../submissionDigest.ts';
import { refuseTrouble } from '../trouble.ts';
import type { OrderAck, OrderBody } from './checkedOrder.ts';
import { findOrder } from './orderRow.ts';
import { checkOrderTerms } from './orderTerms.ts';

/**
 * Accepts an order: signature, exchange, tokens, deadline, market, amounts and rate, then storage
 * slot, balance and record (`recordOrders.ts`). Matching follows in the engine.
 */
export async function acceptOrder(relayer: Relayer, account: Account, body: OrderBody): Promise<OrderAck> {
  const message = orderHash(body);
  const hash = formatHash(message);
  const digest = submissionDigest(body);
  try {
    await checkEddsa(relayer, message, body.eddsaSignature, account.publicKey, 'order');
    checkExchange(relayer, body.exchange);
    const terms = checkOrderTerms(relayer, account, body);
    // An order for a pool alone is never charged a rate.
    const most = terms.channel === 'AMM_POOL' ? CIRCUIT_MAX_FEE_BIPS : body.maxFeeBips;
    const rates = await orderRates(relayer, account.owner, terms.bought, BigInt(body.buyToken.volume), most);
    const ack = await relayer.recordOrder({ account, body, hash, digest, terms, rates });
    relayer.wake();
    return ack;
  } catch (error) {
    // Time changes what is acceptable: the same order sent again is recognised whatever a check
    // says now.
    const known = await findOrder(relayer.db, hash).catch((trouble) =>
      // Nobody can say whether the order is known, so it cannot be called refused either.
      refuseTrouble(relayer, trouble, 'ORDER_SUBMIT_FAILED'),
    );
    if (known?.digest === digest) return { order: known, isIdempotent: true };
    throw error;
  }
}
