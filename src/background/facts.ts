import type { NetworkView } from '../messaging/views.ts';
import { type Facts, IntentError, type KnownOrder } from '../operations/operation.ts';
import type { EndpointAnswer } from '../protocol/index.ts';
import type { AccountKeys } from './accountKeys.ts';
import type { StoredAccount } from './config.ts';
import { type Relayers, refusedWith, tokenFacts } from './relayers.ts';

/** Open orders looked through for a client order id; relayers list at most 50 at a time. */
const ORDER_PAGE = 50;

const knownOrder = (order: EndpointAnswer<'getOrder'>): KnownOrder => ({
  hash: order.hash,
  clientOrderId: order.clientOrderId,
  market: order.market,
  side: order.side,
  status: order.status,
  baseAmount: order.volumes.baseAmount,
  quoteAmount: order.volumes.quoteAmount,
  baseFilled: order.volumes.baseFilled,
});

/** The facts of one account on one network, for `prepare`. */
export function factsFor(
  account: StoredAccount,
  network: NetworkView,
  { relayers, accountKeys, now }: { relayers: Relayers; accountKeys: AccountKeys; now: () => number },
): Facts {
  const client = relayers.client(network);
  return {
    now: Math.floor(now() / 1000),
    exchangeAddress: network.exchangeAddress,
    baseUrl: network.baseUrl,
    account: { accountId: account.accountId, owner: account.owner },

    async token(tokenId, field) {
      const token = (await relayers.facts(network)).tokens.find((candidate) => candidate.tokenId === tokenId);
      if (!token) throw new IntentError(field, `the relayer lists no token ${tokenId}`);
      return tokenFacts(token);
    },

    async tokenBySymbol(symbol) {
      const token = (await relayers.facts(network)).tokens.find((candidate) => candidate.symbol === symbol);
      return token ? tokenFacts(token) : null;
    },

    async market(tokenA, tokenB) {
      const pair = [tokenA, tokenB];
      const market = (await relayers.facts(network)).markets.find(
        ({ baseTokenId, quoteTokenId, enabled }) =>
          enabled && pair.includes(baseTokenId) && pair.includes(quoteTokenId),
      );
      return market ?? null;
    },

    async order(key) {
      const { accountId } = account;
      if ('hash' in key) {
        try {
          return knownOrder(
            await accountKeys.withApiKey(account, network, (apiKey) =>
              client.getOrder({ query: { accountId, orderHash: key.hash }, apiKey }),
            ),
          );
        } catch (error) {
          if (refusedWith(error, 107003)) return null;
          throw error;
        }
      }
      for (let offset = 0; ; offset += ORDER_PAGE) {
        const { orders } = await accountKeys.withApiKey(account, network, (apiKey) =>
          client.getOrders({ query: { accountId, status: 'processing,waiting', limit: ORDER_PAGE, offset }, apiKey }),
        );
        const found = orders.find(({ clientOrderId }) => clientOrderId === key.clientOrderId);
        if (found) return knownOrder(found);
        if (orders.length < ORDER_PAGE) return null;
      }
    },
  };
}
