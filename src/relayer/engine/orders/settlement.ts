import { columns, type Sql } from '../../db/port.ts';
import { applyMovements, type Movement } from '../balances.ts';
import type { BlockEntry, OpenBlock } from '../blocks.ts';
import type { Catalog, Pool } from '../catalog.ts';
import { takePoolStorageIds } from '../pools/poolState.ts';
import { changeMixed, LevelChanges } from './bookLevels.ts';
import { type Fill, feeOf } from './fillMath.ts';
import type { OrderRow } from './orderRow.ts';
import type { PoolFill } from './poolMath.ts';
import { type FillRow, recordFills } from './recordFills.ts';
import { sideOf, type TradeSide, tradeEntry } from './tradeEntry.ts';

/**
 * Results of matching in one transaction of the engine: rows change in memory at once, the database
 * when they are written. All accounts of the orders are locked.
 */
export class Settlement {
  readonly #block: OpenBlock;
  readonly #now: number;
  readonly #movements: Movement[] = [];
  readonly #released: { accountId: number; tokenId: number; amount: bigint }[] = [];
  readonly #trades: { readonly taker: TradeSide; readonly maker: TradeSide }[] = [];
  readonly #fills: FillRow[] = [];
  /** Orders with other amounts or another status. */
  readonly #changed = new Set<OrderRow>();
  readonly #rested = new Set<OrderRow>();
  readonly #levels = new LevelChanges();
  /** Markets in which orders were filled from the book. */
  readonly #traded = new Set<string>();

  constructor(block: OpenBlock, now: number) {
    this.#block = block;
    this.#now = now;
  }

  get fills(): number {
    return this.#fills.length;
  }

  /** A fill of two orders: each pays its fee in what it buys. */
  fillFromBook(taker: OrderRow, maker: OrderRow, { sold, bought }: Fill, isDone: (order: OrderRow) => boolean): void {
    this.#traded.add(taker.market);
    const takerFee = feeOf(bought, taker.taker_bips);
    const makerFee = feeOf(sold, maker.maker_bips);
    const pay = (from: OrderRow, to: OrderRow, amount: bigint, fee: bigint) => {
      const frozen = { from: from.account_id, tokenId: from.token_s, frozen: true };
      const toOperator = { ...frozen, to: this.#block.operatorId, through: to.account_id, kind: 'tradeFee' };
      this.#movements.push(
        { ...frozen, to: to.account_id, amount: amount - fee, kind: 'trade', ref: from.hash },
        { ...toOperator, amount: fee, ref: to.hash },
      );
    };
    pay(taker, maker, sold, makerFee);
    pay(maker, taker, bought, takerFee);
    this.#fill(taker, sold, bought, takerFee, isDone);
    this.#fill(maker, bought, sold, makerFee, isDone);
    this.#trades.push({
      taker: sideOf(taker, sold, bought, taker.taker_bips),
      maker: sideOf(maker, bought, sold, maker.maker_bips),
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

  /** A fill from a pool, which keeps its fee by giving less; nothing of it goes to the operator. */
  fillFromPool(
    order: OrderRow,
    pool: Pool,
    { sold, bought, fee }: PoolFill,
    isDone: (order: OrderRow) => boolean,
  ): void {
    const swap = { kind: 'swap', ref: order.hash };
    this.#movements.push(
      { ...swap, from: order.account_id, to: pool.accountId, tokenId: order.token_s, amount: sold, frozen: true },
      { ...swap, from: pool.accountId, to: order.account_id, tokenId: order.token_b, amount: bought, frozen: false },
    );
    this.#fill(order, sold, bought, 0n, isDone);
    this.#trades.push({
      taker: sideOf(order, sold, bought, 0),
      maker: {
        accountId: pool.accountId,
        tokenId: order.token_b,
        sold: bought,
        bought: sold,
        feeBips: 0,
        fillByB: false,
        amountS: bought,
        amountB: sold,
        validUntil: order.valid_until,
        only: order.owner,
        nftData: '',
        storageId: pool,
      },
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

  #record(fill: Omit<FillRow, 'indexInBlock'>): void {
    this.#fills.push({ ...fill, indexInBlock: this.#block.size + this.#trades.length - 1 });
  }

  async write(tx: Sql, catalog: Catalog): Promise<void> {
    await applyMovements(tx, this.#movements, this.#now, this.#released);
    if (this.#rested.size > 0)
      await tx.query('UPDATE orders SET resting = true WHERE seq = ANY($1::bigint[])', [
        [...this.#rested].map(({ seq }) => seq),
      ]);
    if (this.#changed.size > 0) await this.#writeOrders(tx, [...this.#changed]);
    if (this.#fills.length > 0) {
      const { blockId } = this.#block;
      await this.#block.append(await this.#entries(tx));
      await recordFills(tx, this.#fills, blockId, this.#now);
    }
    await this.#levels.write(tx, catalog, this.#now);
    // Pushes read trades, tickers and candles again when this version rises; the book itself may
    // be as before, such as after two orders that came together and filled each other.
    if (this.#traded.size > 0) await changeMixed(tx, [...this.#traded], this.#now);
  }

  async #entries(tx: Sql): Promise<BlockEntry[]> {
    const next = new Map<Pool, number>();
    const swaps = this.#trades.flatMap(({ maker: { storageId } }) => (typeof storageId === 'number' ? [] : storageId));
    for (const pool of new Set(swaps))
      next.set(pool, await takePoolStorageIds(tx, pool.address, swaps.filter((other) => other === pool).length));
    const storageIdOf = ({ storageId }: TradeSide) => {
      if (typeof storageId === 'number') return storageId;
      const id = next.get(storageId) as number;
      next.set(storageId, id + 1);
      return id;
    };
    return this.#trades.map(({ taker, maker }) => tradeEntry(taker, maker, storageIdOf));
  }

  async #writeOrders(tx: Sql, orders: readonly OrderRow[]): Promise<void> {
    await tx.query(
      `UPDATE orders SET filled_s = change.filled_s, filled_b = change.filled_b, locked = change.locked, fee = change.fee,
         status = change.status, updated_at = $7::bigint
       FROM unnest($1::bigint[], $2::numeric[], $3::numeric[], $4::numeric[], $5::numeric[], $6::text[])
         AS change (seq, filled_s, filled_b, locked, fee, status)
       WHERE orders.seq = change.seq`,
      [...columns(orders, ['seq', 'filled_s', 'filled_b', 'locked', 'fee', 'status']), this.#now],
    );
  }
}
