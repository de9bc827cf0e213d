import { MAX_AMOUNT, STORAGE_SLOTS, ZERO_ADDRESS } from '../../../protocol/limits.ts';
import { columns, isDatabaseTrouble, type Sql } from '../../db/port.ts';
import { Refusal } from '../../errors.ts';
import { checkAccepting, lockForOrders } from '../accounts.ts';
import { balanceInsufficient } from '../balances.ts';
import { type FaultStep, InjectedFault } from '../faults.ts';
import { grouped, type Outcome } from '../grouped.ts';
import { PRICE_SCALE } from '../marketData/prices.ts';
import type { Relayer } from '../relayer.ts';
import type { SlotOccupant } from '../storageSlots.ts';
import { refuseTrouble } from '../trouble.ts';
import { voidSlotOccupant } from '../voidSlotOccupant.ts';
import type { CheckedOrder, OrderAck } from './checkedOrder.ts';

/** Orders in one transaction; the accounts of all of them are locked meanwhile. */
const MOST = 128;
/** Groups that an order whose account is locked is tried in before it waits for the lock. */
const MOST_TRIES = 4;
/**
 * Orders that their group cannot decide: the account is locked by another transaction, or it takes
 * another's slot.
 */
const LOCKED = Symbol('locked');
const ALONE = Symbol('alone');

/**
 * The one way in for orders of the book and of pools: storage slot, balance and record, for all
 * orders that wait, in one transaction. Each caller is answered after the commit that holds its
 * order.
 *
 * A group locks only accounts that are free, so it never waits for a lock while it holds one (see
 * the lock order in the schema); the others come into the next groups, and after some are recorded
 * one by one, where waiting is safe.
 */
export function orderRecorder(relayer: Relayer): (order: CheckedOrder) => Promise<OrderAck> {
  const recordNow = async (orders: readonly CheckedOrder[], isAlone: boolean): Promise<Decision[]> => {
    const outcomes = await relayer.db.transaction((tx) => record(relayer, tx, orders, isAlone));
    const isStored = outcomes.some((outcome) => typeof outcome !== 'symbol' && !(outcome instanceof Error));
    if (isStored) relayer.metrics.count('order_commits_total', {});
    return outcomes;
  };

  const alone = async (order: CheckedOrder): Promise<OrderAck> => (await recordNow([order], true))[0] as OrderAck;

  /**
   * Back to the next group while the account is locked, mostly by a transaction of the engine that
   * ends soon.
   */
  const again = (order: CheckedOrder): Promise<OrderAck> => {
    const tries = (tried.get(order) ?? 0) + 1;
    tried.set(order, tries);
    return tries > MOST_TRIES ? alone(order) : recordOrder(order);
  };
  const tried = new WeakMap<CheckedOrder, number>();

  const together = async (orders: readonly CheckedOrder[]): Promise<readonly Outcome<OrderAck>[]> => {
    try {
      const outcomes = await recordNow(orders, false);
      return outcomes.map((outcome, index) =>
        outcome === LOCKED
          ? held(again(orders[index] as CheckedOrder))
          : outcome === ALONE
            ? held(alone(orders[index] as CheckedOrder))
            : outcome,
      );
    } catch (error) {
      // One order may bring down the others' transaction; halves find it. Trouble of the database
      // meets all alike.
      if (orders.length === 1 || error instanceof Refusal || isDatabaseTrouble(error)) throw error;
      const half = orders.length >> 1;
      const parts = [orders.slice(0, half), orders.slice(half)];
      const outcomes: Outcome<OrderAck>[] = [];
      for (const part of parts)
        outcomes.push(
          ...(await together(part).catch((failure: unknown) =>
            part.map(() => (failure instanceof Error ? failure : new Error(String(failure)))),
          )),
        );
      return outcomes;
    }
  };
  const recordOrder = grouped(together, MOST);
  return (order) =>
    recordOrder(order).catch((error) =>
      // Also when the connection broke at the commit: the same bytes are recorded once, whatever
      // happened to them.
      refuseTrouble(relayer, error, 'ORDER_SUBMIT_FAILED'),
    );
}

/**
 * An answer whose caller may get it only after the other half of its group: a refusal until then is
 * not one that nobody handles.
 */
function held(answer: Promise<OrderAck>): Promise<OrderAck> {
  answer.catch(() => {});
  return answer;
}

type Decision = OrderAck | Refusal | typeof LOCKED | typeof ALONE;

interface Facts {
  readonly free: Map<string, bigint>;
  /** What the account of an order holds of the token that it buys. */
  readonly owned: Map<CheckedOrder, bigint>;
  readonly slots: Map<string, SlotOccupant>;
  /** Client order ids that are taken. */
  readonly names: Set<string>;
}

const balanceKey = ({ account, body }: CheckedOrder) => `${account.accountId}/${body.sellToken.tokenId}`;
const slotKey = (order: CheckedOrder) => `${balanceKey(order)}/${order.body.storageId % STORAGE_SLOTS}`;
const nameKey = ({ account, body }: CheckedOrder) => `${account.accountId}/${body.clientOrderId}`;

/**
 * Decides the orders one after another, as if each had a transaction of its own, and writes those
 * that are accepted. In `alone` mode there is one order, its account is waited for, and a refusal
 * is thrown, so that nothing stays of it.
 */
async function record(relayer: Relayer, tx: Sql, orders: readonly CheckedOrder[], alone: boolean): Promise<Decision[]> {
  const now = relayer.clock.now();
  const ids = orders.map(({ account }) => account.accountId);
  const accounts = await lockForOrders(tx, ids, alone ? '' : 'SKIP LOCKED');
  // A statement of its own: it sees what the holders of the locks before us wrote.
  let facts = await readFacts(tx, orders);

  const decide = async (order: CheckedOrder): Promise<Decision> => {
    const { body, hash } = order;
    const account = accounts.get(order.account.accountId);
    if (!account && !alone) return LOCKED;
    // Engine transactions credit the operator's fees without its lock.
    if (account?.accountId === relayer.catalog.operatorAccountId && !alone) return ALONE;
    if (!account || account.keyNonce !== order.account.keyNonce)
      throw new Refusal('SIGNATURE_WRONG', 'the account got another key while the order was checked');
    checkAccepting(account);
    const occupant = facts.slots.get(slotKey(order));
    if (occupant?.storageId === body.storageId)
      throw new Refusal(
        'ORDER_EXISTS',
        occupant.ref === hash
          ? `storageId ${body.storageId} carries this order already; it has ended, or came with other unsigned fields`
          : `storageId ${body.storageId} carries another payload`,
      );
    if (occupant && occupant.storageId > body.storageId)
      throw new Refusal(
        'NONCE_INVALID',
        `storageId ${body.storageId} is void: its slot is held by ${occupant.storageId}`,
      );
    if (occupant) {
      if (!alone) return ALONE;
      await voidSlotOccupant(tx, occupant, now);
      facts = await readFacts(tx, orders);
    }
    const amount = BigInt(body.sellToken.volume);
    const free = facts.free.get(balanceKey(order)) ?? 0n;
    passStep(relayer, 'freeze', 'FREEZE_FAILED');
    if (amount > free) throw balanceInsufficient(body.sellToken.tokenId, amount);
    // Its fills would bring down each batch of matching that they are in. This covers the signed
    // amount alone: an order that is filled by what it sells may bring more, and several orders
    // together too. Matching ends those that fill a balance.
    if ((facts.owned.get(order) ?? 0n) + BigInt(body.buyToken.volume) > MAX_AMOUNT)
      throw new Refusal('ORDER_TOO_LARGE', 'buyToken: the balance would exceed 2^96 - 1 base units');
    passStep(relayer, 'record', 'ORDER_SUBMIT_FAILED');
    if (body.clientOrderId && facts.names.has(nameKey(order)))
      throw new Refusal('ORDER_EXISTS', `clientOrderId ${body.clientOrderId} names another order of this account`);
    facts.free.set(balanceKey(order), free - amount);
    facts.slots.set(slotKey(order), { storageId: body.storageId, ref: hash });
    if (body.clientOrderId) facts.names.add(nameKey(order));
    return { order: { hash, client_order_id: body.clientOrderId ?? '', status: 'processing' }, isIdempotent: false };
  };

  const outcomes: Decision[] = [];
  const accepted: CheckedOrder[] = [];
  for (const order of orders)
    try {
      const outcome = await decide(order);
      outcomes.push(outcome);
      if (typeof outcome !== 'symbol') accepted.push(order);
    } catch (error) {
      if (!(error instanceof Refusal) || alone) throw error;
      outcomes.push(error);
    }
  if (accepted.length > 0) await write(tx, accepted, now);
  return outcomes;
}

/** A fault that was asked for becomes the document's code of its step. */
function passStep(relayer: Relayer, step: FaultStep, code: 'FREEZE_FAILED' | 'ORDER_SUBMIT_FAILED'): void {
  try {
    relayer.faults.pass(step);
  } catch (error) {
    if (error instanceof InjectedFault) throw new Refusal(code);
    throw error;
  }
}

async function readFacts(tx: Sql, orders: readonly CheckedOrder[]): Promise<Facts> {
  const rows = await tx.query<{
    position: number;
    storage_id: number | null;
    ref: string | null;
    free: bigint | null;
    owned: bigint | null;
    named: boolean;
  }>(
    `SELECT wanted.position, slots.storage_id, slots.ref, balances.total - balances.locked AS free, bought.total AS owned,
       wanted.name <> '' AND EXISTS (SELECT 1 FROM orders
         WHERE orders.account_id = wanted.account_id AND client_order_id = wanted.name AND client_order_id <> '') AS named
     FROM unnest($1::bigint[], $2::int[], $3::int[], $4::text[], $5::int[]) WITH ORDINALITY
       AS wanted (account_id, token_id, slot, name, bought_id, position)
     LEFT JOIN storage_slots AS slots USING (account_id, token_id, slot)
     LEFT JOIN balances USING (account_id, token_id)
     LEFT JOIN balances AS bought ON bought.account_id = wanted.account_id AND bought.token_id = bought_id`,
    [
      orders.map(({ account }) => account.accountId),
      orders.map(({ body }) => body.sellToken.tokenId),
      orders.map(({ body }) => body.storageId % STORAGE_SLOTS),
      orders.map(({ body }) => body.clientOrderId ?? ''),
      orders.map(({ body }) => body.buyToken.tokenId),
    ],
  );
  const facts: Facts = { free: new Map(), owned: new Map(), slots: new Map(), names: new Set() };
  for (const { position, storage_id, ref, free, owned, named } of rows) {
    const order = orders[position - 1] as CheckedOrder;
    if (free !== null) facts.free.set(balanceKey(order), free);
    if (owned !== null) facts.owned.set(order, owned);
    if (storage_id !== null && ref !== null) facts.slots.set(slotKey(order), { storageId: storage_id, ref });
    if (named) facts.names.add(nameKey(order));
  }
  return facts;
}

/**
 * Every row of every order in one statement. Orders stand in the book in the order in which they
 * are given.
 */
async function write(tx: Sql, orders: readonly CheckedOrder[], now: number): Promise<void> {
  const frozen = new Map<string, { accountId: number; tokenId: number; amount: bigint }>();
  for (const order of orders) {
    const { accountId } = order.account;
    const { tokenId, volume } = order.body.sellToken;
    const entry = frozen.get(balanceKey(order)) ?? { accountId, tokenId, amount: 0n };
    entry.amount += BigInt(volume);
    frozen.set(balanceKey(order), entry);
  }
  const holds = [...frozen.values()];
  await tx.query(
    `WITH slots AS (
       INSERT INTO storage_slots (account_id, token_id, slot, storage_id, ref)
       SELECT account_id, token_s, storage_id % ${STORAGE_SLOTS}, storage_id, hash
       FROM unnest($1::text[], $2::bigint[], $4::bigint[], $5::int[]) AS taken (hash, account_id, storage_id, token_s)
       ON CONFLICT (account_id, token_id, slot) DO UPDATE SET storage_id = excluded.storage_id, ref = excluded.ref),
     holds AS (
       UPDATE balances SET locked = locked + amount
       FROM unnest($22::bigint[], $23::int[], $24::numeric[]) AS hold (account_id, token_id, amount)
       WHERE balances.account_id = hold.account_id AND balances.token_id = hold.token_id)
     INSERT INTO orders (hash, account_id, owner, storage_id, token_s, token_b, amount_s, amount_b, fill_by_b, valid_until,
       max_fee_bips, maker_bips, taker_bips, taker, order_type, channel, pool_address, client_order_id, affiliate, market,
       side, price, locked, status, digest, created_at, updated_at)
     SELECT hash, account_id, owner, storage_id, token_s, token_b, amount_s, amount_b, fill_by_b, valid_until,
       max_fee_bips, maker_bips, taker_bips, taker, order_type, channel, pool_address, client_order_id, affiliate, market,
       side, price, amount_s, 'processing', digest, $27, $27
     FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::int[], $6::int[], $7::numeric[], $8::numeric[],
       $9::bool[], $10::bigint[], $11::int[], $12::int[], $13::int[], $14::text[], $15::text[], $16::text[], $17::text[],
       $18::text[], $19::text[], $20::text[], $21::text[], $25::numeric[], $26::text[])
       AS placed (hash, account_id, owner, storage_id, token_s, token_b, amount_s, amount_b, fill_by_b, valid_until,
       max_fee_bips, maker_bips, taker_bips, taker, order_type, channel, pool_address, client_order_id, affiliate, market,
       side, price, digest)`,
    [
      orders.map(({ hash }) => hash),
      orders.map(({ account }) => account.accountId),
      orders.map(({ account }) => account.owner),
      orders.map(({ body }) => body.storageId),
      orders.map(({ body }) => body.sellToken.tokenId),
      orders.map(({ body }) => body.buyToken.tokenId),
      orders.map(({ body }) => body.sellToken.volume),
      orders.map(({ body }) => body.buyToken.volume),
      orders.map(({ body }) => body.fillAmountBOrS),
      orders.map(({ body }) => body.validUntil),
      orders.map(({ body }) => body.maxFeeBips),
      orders.map(({ rates }) => rates.makerBips),
      orders.map(({ rates }) => rates.takerBips),
      orders.map(({ body }) => (body.taker || ZERO_ADDRESS).toLowerCase()),
      orders.map(({ terms }) => terms.orderType),
      orders.map(({ terms }) => terms.channel),
      orders.map(({ terms }) => terms.pool?.address.toLowerCase() ?? ''),
      orders.map(({ body }) => body.clientOrderId ?? ''),
      orders.map(({ body }) => body.affiliate ?? ''),
      orders.map(({ terms }) => terms.market.market),
      orders.map(({ terms }) => terms.side),
      ...columns(holds, ['accountId', 'tokenId', 'amount']),
      orders.map(priceOf),
      orders.map(({ digest }) => digest),
      now,
    ],
  );
}

/** Quote for base, scaled; orders of a market are compared by it. */
function priceOf({ body, terms }: CheckedOrder): bigint {
  const amountS = BigInt(body.sellToken.volume);
  const amountB = BigInt(body.buyToken.volume);
  return terms.side === 'SELL' ? (amountB * PRICE_SCALE) / amountS : (amountS * PRICE_SCALE) / amountB;
}
