import type { Sql } from '../../db/port.ts';
import { applyMovements, type Movement } from '../balances.ts';
import { type BlockOrder, type BlockTransaction, type OpenBlock, tokenOf } from '../blocks.ts';
import { type Catalog, OPERATOR_ACCOUNT_ID, type Pool } from '../catalog.ts';
import { LevelChanges } from './bookLevels.ts';
import { type Fill, feeOf } from './fillMath.ts';
import type { OrderRow } from './orderRow.ts';
import { poolFee } from './poolMath.ts';
import { type FillRow, recordFills } from './recordFills.ts';

/**
 * What matching did in one transaction of the engine: rows change in memory at once, the database when it is written. All
 * accounts of the orders are locked.
 */
export class Settlement {
  readonly #block: OpenBlock;
  readonly #now: number;
  readonly #movements: Movement[] = [];
  readonly #released: { accountId: number; tokenId: number; amount: bigint }[] = [];
  readonly #transactions: BlockTransaction[] = [];
  readonly #fills: FillRow[] = [];
  /** Orders with other amounts or another status. */
  readonly #changed = new Set<OrderRow>();
  readonly #rested = new Set<OrderRow>();
  readonly #levels = new LevelChanges();

  constructor(block: OpenBlock, now: number) {
    this.#block = block;
    this.#now = now;
  }

  get fills(): number {
    return this.#fills.length;
  }

  /** A fill of two orders: each pays its fee in what it buys. */
  fillFromBook(taker: OrderRow, maker: OrderRow, { sold, bought }: Fill, isDone: (order: OrderRow) => boolean): void {
    const takerFee = feeOf(bought, taker.taker_bips);
    const makerFee = feeOf(sold, maker.maker_bips);
    const trade = { frozen: true, kind: 'trade' };
    const fee = { frozen: true, kind: 'tradeFee', to: OPERATOR_ACCOUNT_ID };
    this.#movements.push(
      {
        ...trade,
        from: taker.account_id,
        to: maker.account_id,
        tokenId: taker.token_s,
        amount: sold - makerFee,
        ref: taker.hash,
      },
      { ...fee, from: taker.account_id, tokenId: taker.token_s, amount: makerFee, ref: maker.hash },
      {
        ...trade,
        from: maker.account_id,
        to: taker.account_id,
        tokenId: maker.token_s,
        amount: bought - takerFee,
        ref: maker.hash,
      },
      { ...fee, from: maker.account_id, tokenId: maker.token_s, amount: takerFee, ref: taker.hash },
    );
    this.#fill(taker, sold, bought, takerFee, isDone);
    this.#fill(maker, bought, sold, makerFee, isDone);
    this.#transactions.push({
      txType: 'SpotTrade',
      orderA: describe(taker, sold, taker.taker_bips),
      orderB: describe(maker, bought, maker.maker_bips),
      valid: true,
    });
    this.#record({
      taker,
      maker: maker.hash,
      pool: null,
      makerAccountId: maker.account_id,
      sold,
      bought,
      takerFee,
      makerFee,
    });
  }

  /**
   * A fill from a pool, which keeps its fee of what it gives.
   * @returns What the pool gave.
   */
  fillFromPool(order: OrderRow, pool: Pool, { sold, bought }: Fill, isDone: (order: OrderRow) => boolean): bigint {
    const fee = poolFee(bought, pool.feeBips);
    const swap = { kind: 'swap', ref: order.hash };
    this.#movements.push(
      { ...swap, from: order.account_id, to: pool.accountId, tokenId: order.token_s, amount: sold, frozen: true },
      {
        ...swap,
        from: pool.accountId,
        to: order.account_id,
        tokenId: order.token_b,
        amount: bought - fee,
        frozen: false,
      },
    );
    this.#fill(order, sold, bought, fee, isDone);
    const update = (tokenId: number, amount: bigint): BlockTransaction => ({
      txType: 'AmmUpdate',
      accountId: pool.accountId,
      owner: pool.address,
      token: tokenOf(tokenId, amount),
      valid: true,
    });
    this.#transactions.push(update(order.token_s, sold), update(order.token_b, bought - fee), {
      txType: 'SpotTrade',
      orderA: describe(order, sold, pool.feeBips),
      orderB: {
        storageID: 0,
        accountID: pool.accountId,
        amountS: bought.toString(),
        amountB: sold.toString(),
        tokenS: order.token_b,
        tokenB: order.token_s,
        validUntil: order.valid_until,
        taker: order.owner,
        feeBips: 0,
        isAmm: true,
        nftData: '',
        fillS: fillNumber(bought),
      },
      valid: true,
    });
    this.#record({
      taker: order,
      maker: null,
      pool: pool.address,
      makerAccountId: pool.accountId,
      sold,
      bought,
      takerFee: fee,
      makerFee: 0n,
    });
    return bought - fee;
  }

  /** Ends an order and frees what it still holds. */
  close(order: OrderRow, status: 'processed' | 'cancelled'): void {
    this.#levels.before(order);
    this.#released.push({ accountId: order.account_id, tokenId: order.token_s, amount: order.locked });
    order.locked = 0n;
    order.status = status;
    this.#changed.add(order);
  }

  rest(order: OrderRow): void {
    this.#levels.before(order);
    order.resting = true;
    this.#rested.add(order);
  }

  #fill(order: OrderRow, sold: bigint, bought: bigint, fee: bigint, isDone: (order: OrderRow) => boolean): void {
    this.#levels.before(order);
    order.filled_s += sold;
    order.filled_b += bought;
    order.locked -= sold;
    order.fee += fee;
    this.#changed.add(order);
    // What price improvement or rounding left frozen is freed.
    if (isDone(order)) this.close(order, 'processed');
  }

  /** Histories point to the last transaction of a fill. */
  #record(fill: Omit<FillRow, 'indexInBlock'>): void {
    this.#fills.push({ ...fill, indexInBlock: this.#block.size + this.#transactions.length - 1 });
  }

  async write(tx: Sql, catalog: Catalog): Promise<void> {
    await applyMovements(tx, this.#movements, this.#now, this.#released);
    if (this.#rested.size > 0)
      await tx.query('UPDATE orders SET resting = true WHERE hash = ANY($1::text[])', [
        [...this.#rested].map(({ hash }) => hash),
      ]);
    if (this.#changed.size > 0) await this.#writeOrders(tx, [...this.#changed]);
    if (this.#fills.length > 0) {
      const { blockId } = this.#block;
      await this.#block.append(this.#transactions);
      await recordFills(tx, this.#fills, blockId, this.#now);
    }
    await this.#levels.write(tx, catalog, this.#now);
  }

  async #writeOrders(tx: Sql, orders: readonly OrderRow[]): Promise<void> {
    await tx.query(
      `UPDATE orders SET filled_s = change.filled_s, filled_b = change.filled_b, locked = change.locked, fee = change.fee,
         status = change.status, updated_at = $7::bigint
       FROM unnest($1::text[], $2::numeric[], $3::numeric[], $4::numeric[], $5::numeric[], $6::text[])
         AS change (hash, filled_s, filled_b, locked, fee, status)
       WHERE orders.hash = change.hash`,
      [
        orders.map((order) => order.hash),
        orders.map((order) => order.filled_s),
        orders.map((order) => order.filled_b),
        orders.map((order) => order.locked),
        orders.map((order) => order.fee),
        orders.map((order) => order.status),
        this.#now,
      ],
    );
  }
}

function describe(order: OrderRow, fillS: bigint, feeBips: number): BlockOrder {
  return {
    storageID: order.storage_id,
    accountID: order.account_id,
    amountS: order.amount_s.toString(),
    amountB: order.amount_b.toString(),
    tokenS: order.token_s,
    tokenB: order.token_b,
    validUntil: order.valid_until,
    taker: order.taker,
    feeBips,
    isAmm: false,
    nftData: '',
    fillS: fillNumber(fillS),
  };
}

/** The document types `fillS` as an integer; above the safe integers it travels as text. */
function fillNumber(value: bigint): number | string {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString();
}
