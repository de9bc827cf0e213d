import { orderFlags } from '../../../protocol/rollup/index.ts';
import type { BlockEntry, BlockOrder } from '../blocks.ts';
import type { Pool } from '../catalog.ts';
import type { OrderRow } from './orderRow.ts';

/** One of the two orders of a fill, as a block has it. */
export interface TradeSide {
  readonly accountId: number;
  readonly tokenId: number;
  /**
   * Where it gets what it buys: a slot of its own for an NFT, else the token that the other side
   * sells.
   */
  readonly boughtTokenId?: number;
  readonly sold: bigint;
  readonly bought: bigint;
  /** ten-thousandths */
  readonly feeBips: number;
  readonly fillByB: boolean;
  readonly amountS: bigint;
  readonly amountB: bigint;
  /** seconds */
  readonly validUntil: number;
  /** The only account that it may meet. */
  readonly only: string;
  /** Empty but for NFTs. */
  readonly nftData: string;
  /** A pool signs no order: it takes the next id of its own. */
  readonly storageId: number | Pool;
}

/** The side of an order that is filled. */
export function sideOf(order: OrderRow, sold: bigint, bought: bigint, feeBips: number): TradeSide {
  return {
    accountId: order.account_id,
    tokenId: order.token_s,
    sold,
    bought,
    feeBips,
    fillByB: order.fill_by_b,
    amountS: order.amount_s,
    amountB: order.amount_b,
    validUntil: order.valid_until,
    only: order.taker,
    storageId: order.storage_id,
    nftData: order.nft_data,
  };
}

/** @param storageIdOf - Also of a pool, which gets a new one for each trade. */
export function tradeEntry(taker: TradeSide, maker: TradeSide, storageIdOf: (side: TradeSide) => number): BlockEntry {
  const flagsA = orderFlags({ fillByBuy: taker.fillByB, feeBips: taker.feeBips });
  const flagsB = orderFlags({ fillByBuy: maker.fillByB, feeBips: maker.feeBips });
  const [storageA, storageB] = [storageIdOf(taker), storageIdOf(maker)];
  const boughtTokenOf = (side: TradeSide, other: TradeSide) =>
    side.boughtTokenId === other.tokenId ? 0 : (side.boughtTokenId ?? 0);
  const show = (side: TradeSide, other: TradeSide, storageID: number): BlockOrder => ({
    storageID,
    accountID: side.accountId,
    amountS: side.amountS.toString(),
    amountB: side.amountB.toString(),
    tokenS: side.tokenId,
    tokenB: side.boughtTokenId ?? other.tokenId,
    validUntil: side.validUntil,
    taker: side.only,
    feeBips: side.feeBips,
    isAmm: typeof side.storageId !== 'number',
    nftData: side.nftData,
    fillS: fillNumber(side.sold),
  });
  return {
    executed: {
      type: 'SpotTrade',
      storageA,
      storageB,
      accountA: taker.accountId,
      accountB: maker.accountId,
      tokenA: taker.tokenId,
      tokenB: maker.tokenId,
      fillA: taker.sold,
      fillB: maker.sold,
      flagsA: flagsA.flags,
      flagsB: flagsB.flags,
      boughtTokenA: boughtTokenOf(taker, maker),
      boughtTokenB: boughtTokenOf(maker, taker),
      feeHighA: flagsA.feeHigh,
      feeHighB: flagsB.feeHigh,
    },
    shown: {
      txType: 'SpotTrade',
      orderA: show(taker, maker, storageA),
      orderB: show(maker, taker, storageB),
      valid: true,
    },
  };
}

/**
 * The block query writes it as an integer; above the safe integers only a text keeps its digits
 * until then.
 */
function fillNumber(value: bigint): number | string {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString();
}
