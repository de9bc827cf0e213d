import type { NetworkView } from '../messaging/views.ts';
import { type Facts, IntentError, type KnownAddress, type KnownOrder } from '../operations/operation.ts';
import type { EndpointAnswer } from '../protocol/index.ts';
import type { StoredAccount } from './config.ts';
import { type ReadsDeps, readsFor } from './reads.ts';
import { tokenFacts } from './relayers.ts';

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

/** The facts of one account on one network, for `prepare` and `recheck`. */
export function factsFor(
  account: StoredAccount,
  network: NetworkView,
  deps: ReadsDeps & { readonly knownAddresses: () => Promise<readonly KnownAddress[]> },
): Facts {
  const { relayers, knownAddresses } = deps;
  const { read, find } = readsFor(account, network, deps);
  return {
    now: Math.floor(deps.now() / 1000),
    chainId: network.chainId,
    exchangeAddress: network.exchangeAddress,
    baseUrl: network.baseUrl,
    account: { accountId: account.accountId, owner: account.owner },
    read,
    find,
    knownAddresses,

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
        const order = await find('getOrder', { query: { accountId, orderHash: key.hash } }, [107003]);
        return order && knownOrder(order);
      }
      for (let offset = 0; ; offset += ORDER_PAGE) {
        const query = { accountId, status: 'processing,waiting', limit: ORDER_PAGE, offset };
        const { orders } = await read('getOrders', { query });
        const found = orders.find(({ clientOrderId }) => clientOrderId === key.clientOrderId);
        if (found) return knownOrder(found);
        if (orders.length < ORDER_PAGE) return null;
      }
    },
  };
}
