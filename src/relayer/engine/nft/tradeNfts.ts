import type { Hex } from 'viem';
import type { z } from 'zod';
import type { tradeNft } from '../../../protocol/endpoints/tradeNft.ts';
import { Float24, roundToFloat } from '../../../protocol/floats.ts';
import { formatHash } from '../../../protocol/formatHash.ts';
import { ZERO_ADDRESS } from '../../../protocol/limits.ts';
import { nftOrderHash } from '../../../protocol/payloads/nftOrder.ts';
import { nftTradeHash } from '../../../protocol/payloads/nftTrade.ts';
import { PayloadError } from '../../../protocol/payloads/payloadError.ts';
import type { Sql } from '../../db/port.ts';
import { Refusal } from '../../errors.ts';
import { asFreezeFailure } from '../acceptRequest.ts';
import { type Account, checkAccepting, findAccount, lockAndReadAccounts, openAccount } from '../accounts.ts';
import { applyMovements } from '../balances.ts';
import { type BlockPosition, lockOpenBlock, OpenBlock } from '../blocks.ts';
import type { Token } from '../catalog.ts';
import { tradeCost } from '../fees.ts';
import { currentGasPrice, previousGasPrice } from '../gasPrice.ts';
import { insertRow } from '../insertRow.ts';
import { payFromOperator } from '../operatorPayment.ts';
import { feeOf, fillAtMakerPrice, isExhausted, isFilled, min, type OpenAmounts } from '../orders/fillMath.ts';
import { FILLS_OF_A_PAIR } from '../orders/matchOrder.ts';
import { closeOrder, type OrderRow } from '../orders/orderRow.ts';
import { sideOf, tradeEntry } from '../orders/tradeEntry.ts';
import type { Relayer } from '../relayer.ts';
import { takeNftSlot } from './nftRows.ts';
import { type CheckedNftOrder, checkNftOrder, checkPlaceable, placeNftOrder, sellsNft } from './placeNftOrder.ts';

type Body = z.output<typeof tradeNft.body>;
type Side = 'maker' | 'taker';

/** A trade as the database holds it. */
export interface NftTradeRow {
  readonly id: number;
  readonly trade_hash: Hex;
  readonly seller_hash: Hex;
  readonly buyer_hash: Hex;
  readonly seller_is_maker: boolean;
  readonly seller_id: number;
  readonly buyer_id: number;
  readonly seller_slot: number;
  readonly buyer_slot: number;
  readonly seller_storage_id: number;
  readonly buyer_storage_id: number;
  readonly nft_data: Hex;
  readonly amount: bigint;
  readonly token_id: number;
  readonly volume: bigint;
  readonly seller_fee: bigint;
  readonly buyer_fee: bigint;
  readonly royalty: bigint;
  readonly submitter_id: number;
  readonly block_id: number;
  readonly index_in_block: number;
  readonly created_at: number;
}

/** What decides about the fills of an order. */
type Fillable = Pick<OrderRow, 'side' | 'amount_s' | 'amount_b' | 'filled_s' | 'filled_b' | 'fill_by_b' | 'taker_bips'>;

/** One side of a trade: the order, and the rate that it pays. */
interface TradeSide<Order extends Fillable = OrderRow> {
  readonly order: Order;
  readonly feeBips: number;
}

/** Maker and taker. */
type Sides = readonly [TradeSide<Fillable>, TradeSide<Fillable>];

/** NFTs that go over at once, and what is paid for them. */
interface NftFill {
  readonly count: bigint;
  readonly volume: bigint;
}

/**
 * Trades two NFT orders: NFTs to the buyer's own slot, the price to the seller, both fees to the
 * operator, and of the seller's fee the royalty to the creator, all in the transaction that
 * answers.
 * @param submitter - whose API key and signature sent it; it gets nothing.
 */
export async function tradeNfts(relayer: Relayer, submitter: Account, body: Body): Promise<NftTradeRow> {
  if (body.ignoreFees) throw new Refusal('INVALID_ARGUMENT', 'ignoreFees: every submitter pays the fees here');
  const tradeHash = formatHash(nftTradeHash(body));
  const hashOf = (name: Side) => ofSide(name, () => formatHash(nftOrderHash(body[name])));
  const hashes = [await hashOf('maker'), await hashOf('taker')];
  // Read before the trade is looked for: the very trade may be what ends them.
  const held = await relayer.db.query<OrderRow>('SELECT * FROM orders WHERE hash = ANY($1::text[])', [hashes]);
  const done = await findTrade(relayer.db, tradeHash, hashes);
  if (done) return done;
  const maker = await checkSide(relayer, body.maker, 'maker');
  const taker = await checkSide(relayer, body.taker, 'taker');
  checkPair(maker, taker);
  // Under the lock these would keep the engine waiting, as often as they are sent.
  for (const order of held) checkOpen(order, order.hash === maker.hash ? 'maker' : 'taker');
  checkFee(maker, body.makerFeeBips, 'maker');
  checkFee(taker, body.takerFeeBips, 'taker');
  const sides = [
    { order: held.find(({ hash }) => hash === maker.hash) ?? asPlaced(maker), feeBips: body.makerFeeBips },
    { order: held.find(({ hash }) => hash === taker.hash) ?? asPlaced(taker), feeBips: body.takerFeeBips },
  ] as const;
  const fills = fillsOf(sides, body, maker.quote);
  await ofSide('maker', () => checkPlaceable(relayer.db, maker));
  await ofSide('taker', () => checkPlaceable(relayer.db, taker));
  const cost = await costOf(relayer, maker.quote);
  checkCost(sides, fills, cost);
  const trade = await relayer.db
    .transaction(async (tx) => {
      await lockOpenBlock(tx);
      const found = await findTrade(tx, tradeHash, hashes);
      return found ?? settle(relayer, tx, submitter, tradeHash, body, maker, taker, cost);
    })
    .catch((error) => asFreezeFailure(relayer, error));
  relayer.wake();
  return trade;
}

/**
 * The trade of these very orders; the identifier alone names only their accounts and storage ids.
 */
async function findTrade(sql: Sql, tradeHash: Hex, hashes: readonly Hex[]): Promise<NftTradeRow | undefined> {
  const [row] = await sql.query<NftTradeRow>(
    'SELECT * FROM nft_trades WHERE trade_hash = $1 AND seller_hash = ANY($2::text[]) AND buyer_hash = ANY($2::text[])',
    [tradeHash, hashes],
  );
  return row;
}

async function checkSide(relayer: Relayer, order: Body['maker'], name: Side): Promise<CheckedNftOrder> {
  const account = await findAccount(relayer.db, order.accountId);
  if (!account) throw new Refusal('ACCOUNT_ID_INVALID', `${name}.accountId ${order.accountId} does not exist`);
  return ofSide(name, () => checkNftOrder(relayer, account, order));
}

/** Its refusals name the order. */
async function ofSide<T>(name: Side, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PayloadError)
      throw new PayloadError(error.code, `${name}.${error.field}`, error.message.slice(error.field.length + 1));
    throw error instanceof Refusal ? new Refusal(error.reason, `${name}: ${error.message}`, error.status) : error;
  }
}

const isSale = ({ body }: CheckedNftOrder) => sellsNft(body);

function checkPair(maker: CheckedNftOrder, taker: CheckedNftOrder): void {
  if (maker.account.accountId === taker.account.accountId)
    throw new Refusal('ORDER_INVALID', 'maker and taker are the same account');
  if (isSale(maker) === isSale(taker))
    throw new Refusal('ORDER_INVALID', 'one order sells the NFT and the other buys it');
  if (maker.nft.nft_data !== taker.nft.nft_data)
    throw new Refusal('TOKEN_UNSUPPORTED', 'maker and taker name different NFTs');
  if (maker.quote.tokenId !== taker.quote.tokenId)
    throw new Refusal('FEE_TOKEN_INCONSISTENT', 'maker and taker name different tokens for the price');
  for (const [one, other, name] of [
    [maker, taker, 'maker'],
    [taker, maker, 'taker'],
  ] as const)
    if ((one.body.taker || ZERO_ADDRESS) !== ZERO_ADDRESS && one.body.taker?.toLowerCase() !== other.account.owner)
      throw new Refusal('RECEIVER_INVALID', `${name}.taker: only ${one.body.taker} may take this order`);
}

function checkOpen({ status }: OrderRow, name: Side): void {
  if (status !== 'processing') throw new Refusal('ORDER_INVALID', `${name}: the order is ${status} already`);
}

/**
 * A sale whose price has more digits than a block holds asks for the float below it. That is at
 * most 0.002 % less, of the 0.1 % that the circuit allows for rounding.
 */
function roundedSale(order: Fillable): OpenAmounts {
  const amounts = openAmounts(order);
  if (order.side === 'BUY') return amounts;
  const asked = roundToFloat(amounts.amountB, Float24);
  return { ...amounts, amountB: asked, filledB: min(amounts.filledB, asked) };
}

/** A new order as `placeNftOrder` writes it. */
const asPlaced = ({ body, feeBips }: CheckedNftOrder): Fillable => ({
  side: sellsNft(body) ? 'SELL' : 'BUY',
  amount_s: BigInt(body.sellToken.amount),
  amount_b: BigInt(body.buyToken.amount),
  filled_s: 0n,
  filled_b: 0n,
  fill_by_b: body.fillAmountBOrS,
  taker_bips: feeBips,
});

/** What is frozen for the fee is not spent on the price. */
const openAmounts = ({ amount_s, amount_b, filled_s, filled_b, fill_by_b }: Fillable): OpenAmounts => ({
  ...{ amountS: amount_s, amountB: amount_b, filledS: filled_s, filledB: filled_b },
  fillByB: fill_by_b,
  locked: amount_s - filled_s,
});

/** True when nothing is left of an order that could be traded. */
function isDone(order: Fillable, dust: bigint): boolean {
  const rest = roundedSale(order);
  const [dustS, dustB] = order.side === 'SELL' ? [0n, dust] : [dust, 0n];
  return isFilled(rest, dustS, dustB) || isExhausted(rest);
}

/**
 * What maker and taker fill of each other.
 * @throws {Refusal} ORDER_INVALID: nothing.
 */
function fillsOf([maker, taker]: Sides, { matchByTaker }: Body, { dust }: Token): NftFill[] {
  const [seller, buyer] = maker.order.side === 'SELL' ? [maker, taker] : [taker, maker];
  const atSellersPrice = (matchByTaker ? taker : maker) === seller;
  const fills: NftFill[] = [];
  for (let [sale, purchase] = [seller.order, buyer.order]; fills.length < FILLS_OF_A_PAIR; ) {
    const fill = largestFill(sale, purchase, atSellersPrice);
    if (!fill) break;
    fills.push(fill);
    const { count, volume } = fill;
    sale = { ...sale, filled_s: sale.filled_s + count, filled_b: sale.filled_b + volume };
    purchase = { ...purchase, filled_s: purchase.filled_s + volume, filled_b: purchase.filled_b + count };
    if (isDone(sale, dust) || isDone(purchase, dust)) break;
  }
  if (fills.length === 0)
    throw new Refusal('ORDER_INVALID', 'the prices of maker and taker do not meet for what is left of them');
  return fills;
}

/**
 * The cost of a trade in the token of its price. Without a gas price no new order is accepted; what
 * was accepted before is traded, and the last price counts, however old it is.
 */
async function costOf(relayer: Relayer, quote: Token): Promise<bigint> {
  const wei = await currentGasPrice(relayer).then(
    (price) => price.wei,
    async (error) => {
      if (!(error instanceof Refusal)) throw error;
      return (await previousGasPrice(relayer, relayer.clock.now())) ?? 0n;
    },
  );
  return tradeCost(relayer, wei, quote);
}

/**
 * A buyer pays the fee of the price, which may be far below the signed limit that was checked.
 * Orders without a rate were accepted because their amount reaches the cost.
 * @throws {Refusal} ORDER_TOO_SMALL
 */
function checkCost(sides: Sides, fills: readonly NftFill[], cost: bigint): void {
  const isFree = sides.every(({ order }) => order.taker_bips === 0);
  let paid = 0n;
  for (const { volume } of fills)
    paid += isFree ? volume : sides.reduce((fees, { feeBips }) => fees + feeOf(volume, feeBips), 0n);
  if (paid < cost)
    throw new Refusal(
      'ORDER_TOO_SMALL',
      `the ${isFree ? 'price does' : 'fees do'} not cover the trade cost of ${cost} base units`,
    );
}

/**
 * @throws {Refusal} RATE_ILLEGAL: above what the order allows, or below the rate or the royalty.
 */
function checkFee(checked: CheckedNftOrder, feeBips: number, name: Side, rate = checked.feeBips): void {
  const { maxFeeBips } = checked.body;
  const least = Math.max(rate, isSale(checked) ? checked.nft.creator_fee_bips : 0);
  if (feeBips > maxFeeBips) throw new Refusal('RATE_ILLEGAL', `${name}FeeBips: the order allows ${maxFeeBips}`);
  if (feeBips < least)
    throw new Refusal('RATE_ILLEGAL', `${name}FeeBips: rate and royalty of this order ask for ${least}`);
}

async function settle(
  relayer: Relayer,
  tx: Sql,
  submitter: Account,
  tradeHash: Hex,
  body: Body,
  maker: CheckedNftOrder,
  taker: CheckedNftOrder,
  cost: bigint,
): Promise<NftTradeRow> {
  const now = relayer.clock.now();
  const { nft, quote } = maker;
  const block = await OpenBlock.take(tx, now);
  // Nobody owns the zero address: no block can open an account for it.
  const named = nft.royalty_address === ZERO_ADDRESS ? '' : nft.royalty_address;
  const creator = nft.creator_fee_bips > 0 ? await openAccount(tx, named || nft.minter, now) : undefined;
  const accounts = await lockAndReadAccounts(tx, [
    maker.account.accountId,
    taker.account.accountId,
    ...(creator ? [creator.accountId] : []),
    block.operatorId,
  ]);
  const place = async (checked: CheckedNftOrder, feeBips: number, name: Side): Promise<TradeSide> => {
    const { order } = await ofSide(name, () => {
      const account = accounts.get(checked.account.accountId);
      if (account) checkAccepting(account);
      // The locks took their time, and the block may hold no order that has ended.
      if (checked.body.validUntil <= block.time)
        throw new Refusal('ORDER_EXPIRED', `validUntil ${checked.body.validUntil} has passed`);
      return placeNftOrder(relayer, tx, checked, account);
    });
    checkOpen(order, name);
    // It may have been placed since, at another rate.
    checkFee(checked, feeBips, name, order.taker_bips);
    return { order, feeBips };
  };
  const made = await place(maker, body.makerFeeBips, 'maker');
  const taken = await place(taker, body.takerFeeBips, 'taker');
  const [seller, buyer] = isSale(maker) ? [made, taken] : [taken, made];
  const fills = fillsOf([made, taken], body, quote);
  checkCost([made, taken], fills, cost);
  const buyerSlot = await ofSide(buyer === made ? 'maker' : 'taker', () =>
    takeNftSlot(tx, buyer.order.account_id, nft.nft_data),
  );
  const traded = { count: 0n, volume: 0n, sellerFee: 0n, buyerFee: 0n, royalty: 0n };
  let position: BlockPosition | undefined;
  const [sale, purchase] = [seller.order, buyer.order];
  for (const { count, volume } of fills) {
    const sellerFee = feeOf(volume, seller.feeBips);
    const buyerFee = feeOf(volume, buyer.feeBips);
    const ofBuyer = { from: purchase.account_id, tokenId: quote.tokenId, frozen: true };
    const toOperator = { ...ofBuyer, to: block.operatorId, kind: 'tradeFee' };
    await applyMovements(
      tx,
      [
        {
          from: sale.account_id,
          to: purchase.account_id,
          tokenId: sale.token_s,
          toTokenId: buyerSlot,
          nftData: nft.nft_data,
          amount: count,
          frozen: true,
          kind: 'nftTrade',
          ref: tradeHash,
        },
        { ...ofBuyer, to: sale.account_id, amount: volume - sellerFee, kind: 'nftTrade', ref: tradeHash },
        { ...toOperator, through: sale.account_id, amount: sellerFee, ref: sale.hash },
        { ...toOperator, amount: buyerFee, ref: purchase.hash },
      ],
      now,
    );
    const ofSale = sideOf(sale, count, volume, seller.feeBips);
    const ofPurchase = { ...sideOf(purchase, volume, count, buyer.feeBips), boughtTokenId: buyerSlot };
    const [orderA, orderB] = seller === taken ? [ofSale, ofPurchase] : [ofPurchase, ofSale];
    position = await block.append([tradeEntry(orderA, orderB, ({ storageId }) => Number(storageId))]);
    const sold = { sold: count, bought: volume, fee: sellerFee, spent: count };
    await fillOrder(tx, sale.hash, sold, quote.dust, now);
    const bought = { sold: volume, bought: count, fee: buyerFee, spent: volume + buyerFee };
    await fillOrder(tx, purchase.hash, bought, quote.dust, now);
    traded.count += count;
    traded.volume += volume;
    traded.sellerFee += sellerFee;
    traded.buyerFee += buyerFee;
    traded.royalty += feeOf(volume, nft.creator_fee_bips);
  }
  if (!position) throw new Error('a trade has no fill');
  await block.close();
  const royalty = roundToFloat(traded.royalty, Float24);
  if (creator)
    await payFromOperator(relayer, tx, creator, { tokenId: quote.tokenId, amount: royalty, memo: 'NFT royalty' });
  return insertRow<NftTradeRow>(tx, 'nft_trades', {
    trade_hash: tradeHash,
    seller_hash: sale.hash,
    buyer_hash: purchase.hash,
    seller_is_maker: seller === made,
    seller_id: sale.account_id,
    buyer_id: purchase.account_id,
    seller_slot: sale.token_s,
    buyer_slot: buyerSlot,
    seller_storage_id: sale.storage_id,
    buyer_storage_id: purchase.storage_id,
    nft_data: nft.nft_data,
    amount: traded.count,
    token_id: quote.tokenId,
    volume: traded.volume,
    seller_fee: traded.sellerFee,
    buyer_fee: traded.buyerFee,
    royalty,
    submitter_id: submitter.accountId,
    block_id: position.blockId,
    index_in_block: position.indexInBlock,
    created_at: now,
  });
}

/** The largest part of what is left that goes over at once, at the price of one of the two. */
function largestFill(sale: Fillable, purchase: Fillable, atSellersPrice: boolean): NftFill | undefined {
  const [price, other] = atSellersPrice ? [sale, purchase] : [purchase, sale];
  const [exact, rounded] = [openAmounts, roundedSale].map((amountsOf) => {
    const fill = fillAtMakerPrice(amountsOf(other), amountsOf(price));
    if (!fill) return undefined;
    return atSellersPrice ? { count: fill.bought, volume: fill.sold } : { count: fill.sold, volume: fill.bought };
  });
  // What fits both limits to the last digit may be a part of the NFTs only.
  return rounded && rounded.count > (exact?.count ?? 0n) ? rounded : exact;
}

/** Writes a fill into the order; the last one ends it and frees what is left. */
async function fillOrder(
  tx: Sql,
  hash: Hex,
  { sold, bought, fee, spent }: Readonly<Record<'sold' | 'bought' | 'fee' | 'spent', bigint>>,
  dust: bigint,
  now: number,
): Promise<void> {
  const [filled] = await tx.query<OrderRow>(
    `UPDATE orders SET filled_s = filled_s + $2, filled_b = filled_b + $3, fee = fee + $4, locked = locked - $5,
       updated_at = $6 WHERE hash = $1 RETURNING *`,
    [hash, sold, bought, fee, spent, now],
  );
  if (!filled) throw new Error('an order is gone while it is traded');
  if (isDone(filled, dust)) await closeOrder(tx, filled, 'processed', now);
}
