import type { z } from 'zod';
import type { validateOrder } from '../../../protocol/endpoints/validateOrder.ts';
import { ZERO_ADDRESS } from '../../../protocol/fields.ts';
import { MIN_NFT_TOKEN_ID } from '../../../protocol/limits.ts';
import { nftOrderHash } from '../../../protocol/payloads/nftOrder.ts';
import { Refusal } from '../../errors.ts';
import { acceptRequest, heldRequest, type RequestAck } from '../acceptRequest.ts';
import { type Account, findAccountByOwner } from '../accounts.ts';
import type { Token } from '../catalog.ts';
import { checkNftOrderAmount } from '../nft/nftOrderRates.ts';
import { canonicalHash, findNft, nftInSlot } from '../nft/nftRows.ts';
import type { Relayer } from '../relayer.ts';
import { checkAffiliate, checkDeadline, checkExchange } from '../requestChecks.ts';
import { checkEddsa } from '../signatures.ts';

type Body = z.output<typeof validateOrder.body>;
type Side = Body['sellToken'];

/** Validates an NFT order and takes its storage slot, so that no other payload can be signed with it. Nothing is frozen. */
export async function acceptNftOrder(relayer: Relayer, account: Account, body: Body): Promise<RequestAck> {
  const hash = nftOrderHash(body);
  const held = await heldRequest(relayer, hash, body);
  if (held) return held;
  await checkEddsa(relayer, hash, body.eddsaSignature, account.publicKey, 'order');
  checkExchange(relayer, body.exchange);
  checkDeadline(relayer, body.validUntil, 'ORDER_EXPIRED');
  checkAffiliate(body.affiliate);
  await checkTaker(relayer, account, body.taker || ZERO_ADDRESS);
  const sellsNft = body.sellToken.tokenId >= MIN_NFT_TOKEN_ID;
  const [nftSide, quoteSide] = sellsNft ? [body.sellToken, body.buyToken] : [body.buyToken, body.sellToken];
  if (sellsNft) await checkSoldNft(relayer, account, nftSide);
  else await checkBoughtNft(relayer, nftSide);
  const quote = quoteToken(relayer, quoteSide);
  await checkNftOrderAmount(relayer, quote, BigInt(quoteSide.amount), body.maxFeeBips);
  await checkFunds(relayer, account, body.sellToken);
  return acceptRequest(relayer, account, {
    kind: 'nftOrder',
    hash,
    body,
    tokenId: body.sellToken.tokenId,
    nftData: nftSide.nftData ?? '',
    amount: BigInt(body.sellToken.amount),
    feeTokenId: quote.tokenId,
    fee: 0n,
    storage: [{ tokenId: body.sellToken.tokenId, storageId: body.storageId }],
    hold: [],
    validUntil: body.validUntil,
    status: 'processed',
  });
}

async function checkTaker(relayer: Relayer, account: Account, taker: string): Promise<void> {
  if (taker === ZERO_ADDRESS) return;
  if (taker.toLowerCase() === account.owner)
    throw new Refusal('ORDER_INVALID', 'taker: an order cannot be taken by its own owner');
  if (!(await findAccountByOwner(relayer.db, taker)))
    throw new Refusal('RECEIVER_INVALID', `taker: ${taker} has no account here`);
}

async function checkSoldNft(relayer: Relayer, account: Account, side: Side): Promise<void> {
  const nftData = await nftInSlot(relayer.db, account.accountId, side.tokenId);
  if (!nftData)
    throw new Refusal('SENDER_INVALID', `sellToken: account ${account.accountId} has no NFT in slot ${side.tokenId}`);
  if (side.nftData !== undefined && canonicalHash(side.nftData) !== nftData)
    throw new Refusal('TOKEN_UNSUPPORTED', `sellToken.nftData: slot ${side.tokenId} holds another NFT`);
}

async function checkBoughtNft(relayer: Relayer, side: Side): Promise<void> {
  if (!(await findNft(relayer.db, side.nftData ?? '0x0')))
    throw new Refusal('TOKEN_UNSUPPORTED', 'buyToken.nftData: no such NFT exists');
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

async function checkFunds(relayer: Relayer, account: Account, side: Side): Promise<void> {
  const [row] = await relayer.db.query<{ free: bigint }>(
    'SELECT total - locked AS free FROM balances WHERE account_id = $1 AND token_id = $2',
    [account.accountId, side.tokenId],
  );
  if ((row?.free ?? 0n) < BigInt(side.amount))
    throw new Refusal('BALANCE_INSUFFICIENT', 'sellToken: the account has less than it sells');
}
