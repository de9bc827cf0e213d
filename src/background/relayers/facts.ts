import { RelayerClientError } from '../../client/index.ts';
import type { NetworkView } from '../../messaging/views.ts';
import { canonicalJson } from '../../operations/canonicalJson.ts';
import { everyRow, PAGE } from '../../operations/everyRow.ts';
import { type Facts, IntentError, type KnownOrder } from '../../operations/operation.ts';
import { pairOf } from '../../operations/pairOf.ts';
import { listedSymbol } from '../../operations/tokenSymbol.ts';
import { type EndpointAnswer, formatHash } from '../../protocol/index.ts';
import { fillableStatuses } from '../../protocol/states.ts';
import { infoOf } from '../settings/smartAccount.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import { KeyAbsent } from './apiKeys.ts';
import { type ReadsDeps, readsFor } from './reads.ts';
import { FACTS_MAX_AGE_MS, offSchema, tokenFacts } from './relayers.ts';

/** An approval request does not wait longer than this for facts that it can do without. */
const RECENT_WAIT_MS = 1_500;

const knownOrder = (order: EndpointAnswer<'getOrder'>): KnownOrder => ({
  // Relayers drop leading zeros, and what is signed has them.
  hash: formatHash(BigInt(order.hash)),
  clientOrderId: order.clientOrderId,
  market: order.market,
  side: order.side,
  status: order.status,
  baseAmount: order.volumes.baseAmount,
  quoteAmount: order.volumes.quoteAmount,
  baseFilled: order.volumes.baseFilled,
  quoteFilled: order.volumes.quoteFilled,
  ...(order.nftData === undefined ? {} : { nftData: order.nftData }),
});

const later = (ms: number) => new Promise<null>((resolve) => setTimeout(resolve, ms, null));

/** Facts that the wallet knows by itself. */
type OwnFacts =
  | 'knownAddresses'
  | 'provenNft'
  | 'siteOrders'
  | 'signedOrder'
  | 'signedFees'
  | 'origin'
  | 'exchanges'
  | 'keySeeds';

/** The facts of one account on one network that its relayer tells, for `prepare` and `recheck`. */
export function factsFor(account: StoredAccount, network: NetworkView, deps: ReadsDeps): Omit<Facts, OwnFacts> {
  const { relayers } = deps;
  const { read, find } = readsFor(account, network, deps);
  return {
    now: Math.floor(deps.ports.now() / 1000),
    chainId: network.chainId,
    exchangeAddress: network.exchangeAddress,
    baseUrl: network.baseUrl,
    account: { accountId: account.accountId, owner: account.owner, ...(account.smart && infoOf(account.smart)) },
    read,
    find,
    listedFees: () => relayers.listedFees(network),

    async recent(name, input, maxAge) {
      const key = `${account.id} ${name} ${canonicalJson(input)}`;
      try {
        // The list that the tokens' names come from is in the storage.
        const isStored = name === 'getTokens' && maxAge * 1000 >= FACTS_MAX_AGE_MS;
        const answer = relayers.remembered(key, maxAge * 1000, async () =>
          isStored ? ((await relayers.facts(network)).tokens as EndpointAnswer<typeof name>) : read(name, input),
        );
        return await Promise.race([answer, later(RECENT_WAIT_MS)]);
      } catch (error) {
        if (error instanceof RelayerClientError || error instanceof KeyAbsent) return null;
        throw error;
      }
    },

    async token(tokenId, field) {
      const token = await relayers.token(network, tokenId);
      if (!token) throw new IntentError(field, `the relayer lists no token ${tokenId}`);
      return tokenFacts(token);
    },

    checkPool: (pool) => relayers.checkPool(network, pool),

    async pairOf(name) {
      const tokens = (await relayers.unchangedTokens(network)).map(tokenFacts);
      return pairOf(name, (await relayers.facts(network)).markets, tokens);
    },

    async tokenBySymbol(symbol) {
      const token = (await relayers.unchangedTokens(network)).find((candidate) => listedSymbol(candidate) === symbol);
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
        const order = await find('getOrder', { query: { accountId, orderHash: key.hash } }, ['ORDER_NOT_FOUND']);
        if (order && BigInt(order.hash) !== BigInt(key.hash))
          throw offSchema('getOrder', 'hash', 'getOrder answered with another order than the one that was asked for');
        return order && knownOrder(order);
      }
      const query = { accountId, status: fillableStatuses, limit: PAGE };
      const readPage = async (offset: number) => {
        const { orders: rows, totalNum } = await read('getOrders', { query: { ...query, offset } });
        return { rows, totalNum };
      };
      for await (const order of everyRow(readPage, ({ hash }) => hash))
        if (order.clientOrderId === key.clientOrderId) return knownOrder(order);
      return null;
    },
  };
}
