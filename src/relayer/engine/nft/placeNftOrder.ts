import type { Hex } from 'viem';
import type { z } from 'zod';
import type { validateOrder } from '../../../protocol/endpoints/validateOrder.ts';
import { formatHash } from '../../../protocol/formatHash.ts';
import { MIN_NFT_TOKEN_ID, ZERO_ADDRESS } from '../../../protocol/limits.ts';
import { nftOrderHash } from '../../../protocol/payloads/nftOrder.ts';
import type { Sql } from '../../db/port.ts';
import { Refusal } from '../../errors.ts';
import { NFT_BASE } from '../../market.ts';
import { type Account, checkAccepting, findAccountByOwner } from '../accounts.ts';
import { freeze } from '../balances.ts';
import type { Token } from '../catalog.ts';
import { insertRow } from '../insertRow.ts';
import { feeOf } from '../orders/fillMath.ts';
import { findOrder, type OrderRow } from '../orders/orderRow.ts';
import type { Relayer } from '../relayer.ts';
import { checkAffiliate, checkDeadline, checkExchange } from '../requestChecks.ts';
import { checkEddsa } from '../signatures.ts';
import { submissionDigest } from '../submissionDigest.ts';
import { checkMeans, takeSlot } from '../takeSlot.ts';
import { nftOrderRate } from './nftOrderRates.ts';
import { canonicalHash, findNft, type NftRow, nftInSlot } from './nftRows.ts';

type Body = z.output<typeof validateOrder.body>;
type Side = Body['sellToken'];

/**
 * Market of the NFT orders whose prices are in a token. No pair of tokens has such a name:
 * `market.ts` refuses the base.
 */
const nftMarket = ({ symbol }: Token) => `${NFT_BASE}-${symbol}`;

/** An NFT order whose signature and terms were checked. */
export interface CheckedNftOrder {
  readonly hash: Hex;
  readonly account: Account;
  readonly body: Body;
  readonly nft: NftRow;
  readonly quote: Token;
  /** Least fee rate at acceptance, ten-thousandths. */
  readonly feeBips: number;
}

/** The fee of the largest fill lies on top of what a buyer sells; it is frozen with it. */
const holdOf = (body: Body): bigint => {
  const amount = BigInt(body.sellToken.amount);
  return sellsNft(body) ? amount : amount + feeOf(amount, body.maxFeeBips);
};

export const sellsNft = ({ sellToken }: Body) => sellToken.tokenId >= MIN_NFT_TOKEN_ID;

/**
 * @throws {Refusal} the order is not signed by the account's key, or cannot be carried out by these
 *   terms.
 */
export async function checkNftOrder(relayer: Relayer, account: Account, body: Body): Promise<CheckedNftOrder> {
  const hash = nftOrderHash(body);
  await checkEddsa(relayer, hash, body.eddsaSignature, account.publicKey, 'order');
  checkExchange(relayer, body.exchange);
  checkDeadline(relayer, body.validUntil, 'ORDER_EXPIRED');
  checkAffiliate(body.affiliate);
  await checkTaker(relayer, account, body.taker || ZERO_ADDRESS);
  const [nftSide, quoteSide] = sellsNft(body) ? [body.sellToken, body.buyToken] : [body.buyToken, body.sellToken];
  const nft = sellsNft(body) ? await soldNft(relayer, account, nftSide) : await boughtNft(relayer, nftSide);
  const quote = quoteToken(relayer, quoteSide);
  // An order keeps the rate at which it was accepted.
  const kept = await findOrder(relayer.db, formatHash(hash));
  const feeBips =
    kept?.taker_bips ??
    (await nftOrderRate(relayer, nft.token_address, quote, BigInt(quoteSide.amount), body.maxFeeBips));
  if (sellsNft(body) && body.maxFeeBips < nft.creator_fee_bips)
    throw new Refusal('RATE_ILLEGAL', `maxFeeBips: the royalty of this NFT is ${nft.creator_fee_bips}`);
  return { hash: formatHash(hash), account, body, nft, quote, feeBips };
}

/**
 * Puts a checked order beside the others and freezes what it sells. The caller has locked its
 * account.
 * @throws {Refusal}
 */
export async function placeNftOrder(
  relayer: Relayer,
  tx: Sql,
  { hash, account: checked, body, nft, quote, feeBips }: CheckedNftOrder,
  locked: Account | undefined,
): Promise<{ readonly order: OrderRow; readonly isIdempotent: boolean }> {
  const now = relayer.clock.now();
  const { accountId } = checked;
  if (!locked || locked.keyNonce !== checked.keyNonce)
    throw new Refusal('SIGNATURE_WRONG', 'the account got another key while the order was checked');
  const known = await findOrder(tx, hash);
  if (known) return { order: known, isIdempotent: true };
  checkAccepting(locked);
  const { tokenId } = body.sellToken;
  await takeSlot(tx, accountId, { tokenId, storageId: body.storageId }, hash, now);
  await checkName(tx, checked.accountId, hash, body);
  relayer.faults.pass('freeze');
  const hold = holdOf(body);
  await freeze(tx, accountId, tokenId, hold);
  const order = await insertRow<OrderRow>(tx, 'orders', {
    hash,
    account_id: accountId,
    owner: checked.owner,
    storage_id: body.storageId,
    token_s: tokenId,
    token_b: body.buyToken.tokenId,
    amount_s: body.sellToken.amount,
    amount_b: body.buyToken.amount,
    fill_by_b: body.fillAmountBOrS,
    valid_until: body.validUntil,
    max_fee_bips: body.maxFeeBips,
    maker_bips: feeBips,
    taker_bips: feeBips,
    taker: (body.taker || ZERO_ADDRESS).toLowerCase(),
    order_type: body.orderType ?? 'LIMIT_ORDER',
    channel: body.tradeChannel ?? 'MIXED',
    pool_address: '',
    client_order_id: body.clientOrderId ?? '',
    affiliate: '',
    market: nftMarket(quote),
    side: sellsNft(body) ? 'SELL' : 'BUY',
    price: 0,
    locked: hold,
    status: 'processing',
    resting: true,
    digest: submissionDigest(body),
    nft_data: nft.nft_data,
    created_at: now,
    updated_at: now,
  });
  return { order, isIdempotent: false };
}

/**
 * What `placeNftOrder` would refuse, read without a lock.
 * @throws {Refusal}
 */
export async function checkPlaceable(sql: Sql, { hash, account: { accountId }, body }: CheckedNftOrder): Promise<void> {
  const slot = { tokenId: body.sellToken.tokenId, storageId: body.storageId };
  await checkMeans(sql, accountId, slot, hash, holdOf(body));
  await checkName(sql, accountId, hash, body);
}

async function checkName(sql: Sql, accountId: number, hash: Hex, { clientOrderId: name = '' }: Body): Promise<void> {
  const named = await sql.query(
    `SELECT 1 FROM orders WHERE account_id = $1 AND client_order_id = $2 AND $2 <> '' AND hash <> $3`,
    [accountId, name, hash],
  );
  if (named.length > 0) throw new Refusal('ORDER_EXISTS', `clientOrderId ${name} names another order of this account`);
}

async function checkTaker(relayer: Relayer, account: Account, taker: string): Promise<void> {
  if (taker === ZERO_ADDRESS) return;
  if (taker.toLowerCase() === account.owner)
    throw new Refusal('ORDER_INVALID', 'taker: an order cannot be taken by its own owner');
  if (!(await findAccountByOwner(relayer.db, taker)))
    throw new Refusal('RECEIVER_INVALID', `taker: ${taker} has no account here`);
}

async function soldNft(relayer: Relayer, account: Account, side: Side): Promise<NftRow> {
  const nftData = await nftInSlot(relayer.db, account.accountId, side.tokenId);
  const nft = nftData && (await findNft(relayer.db, nftData));
  if (!nft)
    throw new Refusal('SENDER_INVALID', `sellToken: account ${account.accountId} has no NFT in slot ${side.tokenId}`);
  if (side.nftData !== undefined && canonicalHash(side.nftData) !== nftData)
    throw new Refusal('TOKEN_UNSUPPORTED', `sellToken.nftData: slot ${side.tokenId} holds another NFT`);
  return nft;
}

async function boughtNft(relayer: Relayer, side: Side): Promise<NftRow> {
  const nft = await findNft(relayer.db, side.nftData ?? '0x0');
  if (!nft) throw new Refusal('TOKEN_UNSUPPORTED', 'buyToken.nftData: no such NFT exists');
  return nft;
}

function quoteToken(relayer: Relayer, side: Side): Token {
  if (side.tokenId >= MIN_NFT_TOKEN_ID)
    throw new Refusal('FEE_TOKEN_INCONSISTENT', 'an NFT for an NFT leaves no token for the fee');
  const token = relayer.catalog.token(side.tokenId);
  if (!token?.enabled) throw new Refusal('TOKEN_UNSUPPORTED', `token ${side.tokenId} is not listed`);
  if (!token.paysFees)
    throw new Refusal('FEE_TOKEN_UNSUPPORTED', `NFT orders are not quoted in ${token.symbol}, which pays no fees`);
  return token;
}
