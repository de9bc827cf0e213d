import type { Sql } from '../../db/port.ts';
import { applyMovements, release } from '../balances.ts';
import { type BlockOrder, type BlockTransaction, type OpenBlock, tokenOf } from '../blocks.ts';
import { OPERATOR_ACCOUNT_ID, type Pool } from '../catalog.ts';
import { type Fill, feeOf } from './fillMath.ts';
import type { OrderRow } from './orderRow.ts';
import { poolFee } from './poolMath.ts';

/** Settles a fill of two orders: each pays its fee in what it buys. Both accounts are locked; the rows are updated. */
export async function settleBookFill(
  tx: Sql,
  block: OpenBlock,
  taker: OrderRow,
  maker: OrderRow,
  { sold, bought }: Fill,
  isDone: (order: OrderRow) => boolean,
  now: number,
): Promise<void> {
  const takerFee = feeOf(bought, taker.taker_bips);
  const makerFee = feeOf(sold, maker.maker_bips);
  const trade = { frozen: true, kind: 'trade' };
  const fee = { frozen: true, kind: 'tradeFee' };
  await applyMovements(
    tx,
    [
      {
        ...trade,
        from: taker.account_id,
        to: maker.account_id,
        tokenId: taker.token_s,
        amount: sold - makerFee,
        ref: taker.hash,
      },
      {
        ...fee,
        from: taker.account_id,
        to: OPERATOR_ACCOUNT_ID,
        tokenId: taker.token_s,
        amount: makerFee,
        ref: maker.hash,
      },
      {
        ...trade,
        from: maker.account_id,
        to: taker.account_id,
        tokenId: maker.token_s,
        amount: bought - takerFee,
        ref: maker.hash,
      },
      {
        ...fee,
        from: maker.account_id,
        to: OPERATOR_ACCOUNT_ID,
        tokenId: maker.token_s,
        amount: takerFee,
        ref: taker.hash,
      },
    ],
    now,
  );
  add(taker, sold, bought, takerFee);
  add(maker, bought, sold, makerFee);
  await saveOrders(tx, [taker, maker], isDone, now);
  const position = await block.append([
    {
      txType: 'SpotTrade',
      orderA: describe(taker, sold, taker.taker_bips),
      orderB: describe(maker, bought, maker.maker_bips),
      valid: true,
    },
  ]);
  await tx.query(
    `INSERT INTO fills (market, taker_hash, maker_hash, taker_account_id, maker_account_id, taker_sold, taker_bought,
       taker_fee, maker_fee, block_id, index_in_block, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      taker.market,
      taker.hash,
      maker.hash,
      taker.account_id,
      maker.account_id,
      sold,
      bought,
      takerFee,
      makerFee,
      position.blockId,
      position.indexInBlock,
      now,
    ],
  );
}

/** Settles a fill from a pool, which keeps its fee of what it gives. */
export async function settlePoolFill(
  tx: Sql,
  block: OpenBlock,
  order: OrderRow,
  pool: Pool,
  { sold, bought }: Fill,
  isDone: (order: OrderRow) => boolean,
  now: number,
): Promise<void> {
  const fee = poolFee(bought, pool.feeBips);
  await applyMovements(
    tx,
    [
      {
        from: order.account_id,
        to: pool.accountId,
        tokenId: order.token_s,
        amount: sold,
        frozen: true,
        kind: 'swap',
        ref: order.hash,
      },
      {
        from: pool.accountId,
        to: order.account_id,
        tokenId: order.token_b,
        amount: bought - fee,
        frozen: false,
        kind: 'swap',
        ref: order.hash,
      },
    ],
    now,
  );
  add(order, sold, bought, fee);
  await saveOrders(tx, [order], isDone, now);
  const update = (tokenId: number, amount: bigint): BlockTransaction => ({
    txType: 'AmmUpdate',
    accountId: pool.accountId,
    owner: pool.address,
    token: tokenOf(tokenId, amount),
    valid: true,
  });
  const position = await block.append([
    update(order.token_s, sold),
    update(order.token_b, bought - fee),
    {
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
    },
  ]);
  await tx.query(
    `INSERT INTO fills (market, taker_hash, pool_address, taker_account_id, maker_account_id, taker_sold, taker_bought,
       taker_fee, maker_fee, block_id, index_in_block, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10, $11)`,
    [
      order.market,
      order.hash,
      pool.address,
      order.account_id,
      pool.accountId,
      sold,
      bought,
      fee,
      position.blockId,
      position.indexInBlock,
      now,
    ],
  );
}

function add(order: OrderRow, sold: bigint, bought: bigint, fee: bigint): void {
  order.filled_s += sold;
  order.filled_b += bought;
  order.locked -= sold;
  order.fee += fee;
}

/** Writes filled orders; those that are done end here and free what price improvement or rounding left frozen. */
async function saveOrders(
  tx: Sql,
  orders: readonly OrderRow[],
  isDone: (order: OrderRow) => boolean,
  now: number,
): Promise<void> {
  for (const order of orders)
    if (isDone(order)) {
      await release(tx, order.account_id, order.token_s, order.locked);
      order.locked = 0n;
      order.status = 'processed';
    }
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
      now,
    ],
  );
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
