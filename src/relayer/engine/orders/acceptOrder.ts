import type { z } from 'zod';
import type { submitOrder } from '../../../protocol/endpoints/submitOrder.ts';
import { ZERO_ADDRESS } from '../../../protocol/fields.ts';
import { formatHash } from '../../../protocol/formatHash.ts';
import { orderHash } from '../../../protocol/payloads/order.ts';
import type { Sql } from '../../db/port.ts';
import { sqlState } from '../../db/port.ts';
import { Refusal } from '../../errors.ts';
import { type Account, lockAccount } from '../accounts.ts';
import { freeze } from '../balances.ts';
import { InjectedFault } from '../faults.ts';
import { type OrderRates, orderRates } from '../orderRates.ts';
import type { Relayer } from '../relayer.ts';
import { checkExchange } from '../requestChecks.ts';
import { checkEddsa } from '../signatures.ts';
import { reserveSlot } from '../storageSlots.ts';
import { submissionDigest } from '../submissionDigest.ts';
import { voidSlotOccupant } from '../voidSlotOccupant.ts';
import { findOrder, type OrderRow } from './orderRow.ts';
import { checkOrderTerms, type OrderTerms } from './orderTerms.ts';

export type OrderBody = z.output<typeof submitOrder.body>;

export interface OrderAck {
  readonly order: Pick<OrderRow, 'hash' | 'client_order_id' | 'status'>;
  readonly isIdempotent: boolean;
}

/**
 * Accepts an order: signature, exchange, tokens, deadline, market, amounts and rate, then in one transaction storage slot,
 * balance and record. Matching follows in the engine.
 */
export async function acceptOrder(relayer: Relayer, account: Account, body: OrderBody): Promise<OrderAck> {
  const message = orderHash(body);
  const hash = formatHash(message);
  const digest = submissionDigest(body);
  try {
    checkEddsa(relayer, message, body.eddsaSignature, account.publicKey, 'order');
    checkExchange(relayer, body.exchange);
    const terms = checkOrderTerms(relayer, account, body);
    const rates = await orderRates(relayer, terms.bought, BigInt(body.buyToken.volume), body.maxFeeBips);
    const ack = await relayer.db.transaction((tx) =>
      record(relayer, tx, account, body, { hash, digest, terms, rates }),
    );
    relayer.wake();
    return ack;
  } catch (error) {
    // Time changes what is acceptable: the same order sent again is recognised whatever a check says now.
    const known = await findOrder(relayer.db, hash);
    if (known?.digest === digest) return { order: known, isIdempotent: true };
    if (sqlState(error) === '23505')
      throw new Refusal(102007, `clientOrderId ${body.clientOrderId} names another order of this account`);
    throw error;
  }
}

interface Checked {
  readonly hash: `0x${string}`;
  readonly digest: string;
  readonly terms: OrderTerms;
  readonly rates: OrderRates;
}

/** 1 with the digits that order prices are compared with; see `price` below. */
const PRICE_SCALE = 10n ** 36n;

async function record(
  relayer: Relayer,
  tx: Sql,
  checked: Account,
  body: OrderBody,
  { hash, digest, terms, rates }: Checked,
): Promise<OrderAck> {
  const now = relayer.clock.now();
  const account = await lockAccount(tx, checked.accountId);
  if (!account || account.nonce !== checked.nonce)
    throw new Refusal(104005, 'the account got another key while the order was checked');
  if (account.frozen) throw new Refusal(102014, 'a key update of the account is under way; retry when it has finished');
  const slot = await reserveSlot(tx, account.accountId, body.sellToken.tokenId, body.storageId, hash);
  if (slot.kind === 'used')
    throw new Refusal(
      102007,
      slot.by.ref === hash
        ? `storageId ${body.storageId} carries this order with other unsigned fields`
        : `storageId ${body.storageId} carries another payload`,
    );
  if (slot.kind === 'outdated')
    throw new Refusal(102021, `storageId ${body.storageId} is void: its slot is held by ${slot.by.storageId}`);
  if (slot.replaced) await voidSlotOccupant(tx, account.accountId, slot.replaced, now);
  const amountS = BigInt(body.sellToken.volume);
  const amountB = BigInt(body.buyToken.volume);
  await atStep(102014, () => {
    relayer.faults.pass('freeze');
    return freeze(tx, account.accountId, body.sellToken.tokenId, amountS);
  });
  const [base, quote] = terms.side === 'SELL' ? [amountS, amountB] : [amountB, amountS];
  await atStep(102027, async () => {
    relayer.faults.pass('record');
    await tx.query(
      `INSERT INTO orders (hash, account_id, owner, storage_id, token_s, token_b, amount_s, amount_b, fill_by_b, valid_until,
         max_fee_bips, maker_bips, taker_bips, taker, order_type, channel, pool_address, client_order_id, affiliate, market,
         side, price, locked, status, digest, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $7,
               'processing', $23, $24, $24)`,
      [
        hash,
        account.accountId,
        account.owner,
        body.storageId,
        body.sellToken.tokenId,
        body.buyToken.tokenId,
        amountS,
        amountB,
        body.fillAmountBOrS,
        body.validUntil,
        body.maxFeeBips,
        rates.makerBips,
        rates.takerBips,
        (body.taker || ZERO_ADDRESS).toLowerCase(),
        terms.orderType,
        terms.channel,
        terms.pool?.address.toLowerCase() ?? '',
        body.clientOrderId ?? '',
        body.affiliate ?? '',
        terms.market.market,
        terms.side,
        (quote * PRICE_SCALE) / base,
        digest,
        now,
      ],
    );
  });
  return { order: { hash, client_order_id: body.clientOrderId ?? '', status: 'processing' }, isIdempotent: false };
}

/** Trouble in a step of the transaction becomes the document's code of that step; refusals and retries pass. */
async function atStep(code: 102014 | 102027, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (error instanceof InjectedFault) throw new Refusal(code);
    const state = sqlState(error);
    // Class 53 (resources), 55 (lock not available) and 57 (timeouts, shutdown): the same bytes may succeed later.
    if (state !== undefined && /^5[357]/.test(state)) throw new Refusal(code);
    throw error;
  }
}
