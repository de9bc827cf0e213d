import { ZERO_ADDRESS } from '../../../protocol/limits.ts';
import { Refusal } from '../../errors.ts';
import type { Account } from '../accounts.ts';
import type { Relayer } from '../relayer.ts';
import { checkAffiliate, checkDeadline } from '../requestChecks.ts';
import type { OrderBody, OrderTerms } from './checkedOrder.ts';

/** Checks everything about an order that needs neither signature nor balance. */
export function checkOrderTerms(relayer: Relayer, account: Account, body: OrderBody): OrderTerms {
  const { catalog } = relayer;
  const sold = catalog.token(body.sellToken.tokenId);
  const bought = catalog.token(body.buyToken.tokenId);
  if (!sold?.enabled || sold.type === 'LP')
    throw new Refusal('TOKEN_UNSUPPORTED', `sellToken: token ${body.sellToken.tokenId} is not traded`);
  if (!bought?.enabled || bought.type === 'LP')
    throw new Refusal('TOKEN_UNSUPPORTED', `buyToken: token ${body.buyToken.tokenId} is not traded`);
  checkDeadline(relayer, body.validUntil, 'ORDER_EXPIRED');
  const market = catalog.marketOf(sold.tokenId, bought.tokenId);
  if (!market?.enabled) throw new Refusal('MARKET_UNSUPPORTED', `${sold.symbol} is not traded for ${bought.symbol}`);
  const amountS = BigInt(body.sellToken.volume);
  if (amountS < sold.minimum)
    throw new Refusal(
      'ORDER_TOO_SMALL',
      `sellToken: at least ${sold.minimum} base units of ${sold.symbol} can be sold`,
    );
  if (amountS > sold.maximum)
    throw new Refusal('ORDER_TOO_LARGE', `sellToken: at most ${sold.maximum} base units of ${sold.symbol} can be sold`);
  if (BigInt(body.buyToken.volume) > bought.maximum)
    throw new Refusal(
      'ORDER_TOO_LARGE',
      `buyToken: at most ${bought.maximum} base units of ${bought.symbol} can be bought`,
    );
  const taker = (body.taker || ZERO_ADDRESS).toLowerCase();
  if (taker === account.owner) throw new Refusal('ORDER_INVALID', 'taker: an order cannot be taken by its own owner');

  checkAffiliate(body.affiliate);
  if (body.orderType === 'AMM') {
    if (body.fillAmountBOrS)
      throw new Refusal('ORDER_INVALID', 'fillAmountBOrS: an AMM order is filled by its sell amount');
    if (taker !== ZERO_ADDRESS) throw new Refusal('ORDER_INVALID', 'taker: an AMM order has no taker');
  }
  const pool = catalog.poolOf(sold.tokenId, bought.tokenId);
  if (body.poolAddress !== undefined && body.poolAddress.toLowerCase() !== pool?.address.toLowerCase())
    throw new Refusal('ORDER_INVALID', `poolAddress: not the pool of ${market.market}`);
  const channel = body.orderType === 'AMM' ? 'MIXED' : (body.tradeChannel ?? 'MIXED');
  const usablePool = pool?.enabled && channel !== 'ORDER_BOOK' && taker === ZERO_ADDRESS ? pool : undefined;
  if (body.orderType === 'AMM' || channel === 'AMM_POOL') {
    if (!usablePool)
      throw new Refusal(
        'MARKET_UNSUPPORTED',
        `no pool of ${market.market} fills this order: none is open, or the order names its taker`,
      );
    if (body.maxFeeBips < usablePool.feeBips)
      throw new Refusal('RATE_ILLEGAL', `maxFeeBips: the pool takes ${usablePool.feeBips}`);
  }
  if (body.orderType === 'MAKER_ONLY' && channel === 'AMM_POOL')
    throw new Refusal('ORDER_INVALID', 'tradeChannel: a maker-only order waits in the order book');
  return {
    sold,
    bought,
    market,
    side: sold === market.base ? 'SELL' : 'BUY',
    // The relayer's own form of AMM orders: they take at once what book and pool offer.
    orderType: body.orderType === 'AMM' ? 'TAKER_ONLY' : (body.orderType ?? 'LIMIT_ORDER'),
    channel,
    pool: usablePool && body.maxFeeBips >= usablePool.feeBips ? usablePool : undefined,
  };
}
