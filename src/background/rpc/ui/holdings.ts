import type { NftView, OrderView, PoolMove, PoolPosition } from '../../../messaging/views.ts';
import type { Reads } from '../../../operations/reads.ts';
import type { TokenFacts } from '../../../operations/review.ts';
import { cidFromNftId, type EndpointAnswer, formatHash } from '../../../protocol/index.ts';
import { tokenFacts } from '../../relayers/relayers.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import type { Wallet } from '../../wallet.ts';
import { accountNamed, networkNamed } from './named.ts';
import { storedRead } from './storedRead.ts';
import type { UiHandlers } from './uiHandler.ts';

/** Rows of one answer; relayers give at most 50. */
const PAGE = 50;

type Tokens = ReadonlyMap<number, TokenFacts>;

async function tokensOf(wallet: Pick<Wallet, 'config' | 'relayers'>, account: StoredAccount): Promise<Tokens> {
  const { tokens } = await wallet.relayers.facts(await networkNamed(wallet, account.networkId));
  return new Map(tokens.map((token) => [token.tokenId, tokenFacts(token)]));
}

function orderView(order: EndpointAnswer<'getOrder'>, tokens: Tokens): OrderView {
  const [baseSymbol, quoteSymbol] = order.market.replace(/^AMM-/, '').split('-');
  const bySymbol = (symbol: string | undefined) =>
    [...tokens.values()].find((token) => token.symbol === symbol) ?? null;
  return {
    hash: order.hash,
    clientOrderId: order.clientOrderId,
    market: order.market,
    side: order.side,
    status: order.status,
    price: order.price,
    nftData: order.nftData ?? null,
    base: order.nftData === undefined ? bySymbol(baseSymbol) : null,
    quote: bySymbol(quoteSymbol),
    baseAmount: order.volumes.baseAmount,
    quoteAmount: order.volumes.quoteAmount,
    baseFilled: order.volumes.baseFilled,
    quoteFilled: order.volumes.quoteFilled,
    fee: order.volumes.fee,
    validFrom: order.validity.start * 1000,
    validUntil: order.validity.end * 1000,
    orderType: order.orderType,
    tradeChannel: order.tradeChannel,
    storageId: order.storageInfo?.storageId ?? null,
  };
}

/** The IPFS name of an NFT, or nothing where the relayer gives an id that is none. */
function cidOf(nftId: string): string | null {
  try {
    return cidFromNftId(nftId);
  } catch {
    return null;
  }
}

function nftView(slot: EndpointAnswer<'getNftBalances'>['data'][number]): NftView {
  return {
    slot: slot.tokenId,
    nftData: formatHash(BigInt(slot.nftData)),
    tokenAddress: slot.tokenAddress,
    nftId: formatHash(BigInt(slot.nftId)),
    cid: cidOf(slot.nftId),
    nftType: slot.nftType,
    total: slot.total,
    locked: slot.locked,
    pendingDeposit: slot.pending.deposit,
    pendingWithdraw: slot.pending.withdraw,
    deployment: slot.deploymentStatus ?? null,
    minter: slot.minter ?? null,
  };
}

/** The pools that the account has a share of, and what the share is worth now. */
async function positions(reads: Reads, account: StoredAccount, tokens: Tokens): Promise<PoolPosition[]> {
  const { accountId } = account;
  const [{ pools }, balances] = [
    await reads.read('getAmmPools', {}),
    await reads.read('getBalances', { query: { accountId } }),
  ];
  const found: PoolPosition[] = [];
  for (const pool of pools) {
    const held = balances.find(({ tokenId }) => tokenId === pool.tokens.lp);
    const lp = tokens.get(pool.tokens.lp);
    const pooled = pool.tokens.pooled.map((tokenId) => tokens.get(tokenId));
    if (!held || BigInt(held.total) === 0n || !lp || pooled.includes(undefined)) continue;
    const holds = await reads.read('getAmmBalance', { query: { poolAddress: pool.address } });
    const supply = BigInt(holds.lp.volume);
    const share = (volume: string) => (supply === 0n ? 0n : (BigInt(volume) * BigInt(held.total)) / supply).toString();
    found.push({
      name: pool.name,
      market: pool.market,
      address: pool.address,
      feeBips: pool.feeBips,
      lp,
      total: held.total,
      locked: held.locked,
      supply: holds.lp.volume,
      risky: holds.risky,
      parts: pooled.flatMap((token, index) => {
        const volume = holds.pooled[index]?.volume ?? '0';
        return token ? [{ token, pooled: volume, share: share(volume) }] : [];
      }),
    });
  }
  return found;
}

async function poolMoves(reads: Reads, { accountId }: StoredAccount, tokens: Tokens): Promise<PoolMove[]> {
  const { transactions } = await reads.read('getAmmTransactions', { query: { accountId, limit: PAGE } });
  return transactions.flatMap((move) => {
    // Of another kind nobody knows whether tokens went in or out.
    const type = (['join', 'exit'] as const).find((known) => known === move.txType);
    if (!type) return [];
    return {
      hash: move.hash,
      type,
      status: move.txStatus,
      poolAddress: move.ammPoolAddress,
      parts: move.poolTokens.flatMap(({ tokenId, actualAmount, amount }) => {
        const token = tokens.get(tokenId);
        return token ? [{ token, volume: move.txStatus === 'processed' ? actualAmount : amount }] : [];
      }),
      createdAt: move.createdAt,
    };
  });
}

export const holdingHandlers: UiHandlers<
  'getOrders' | 'getNfts' | 'getPools',
  'accountKeys' | 'config' | 'ports' | 'relayers' | 'vault'
> = {
  async getOrders(wallet, { account: id, refresh }) {
    const account = await accountNamed(wallet, id);
    return storedRead(wallet, account, 'orders', refresh, async (reads) => {
      const tokens = await tokensOf(wallet, account);
      const query = { accountId: account.accountId, limit: PAGE };
      // Open ones apart: a long history must not push an old open order off the page.
      const open = await reads.read('getOrders', { query: { ...query, status: 'processing,waiting,cancelling' } });
      const over = await reads.read('getOrders', { query: { ...query, status: 'processed,cancelled,expired,failed' } });
      return {
        open: open.orders.map((order) => orderView(order, tokens)),
        over: over.orders.map((order) => orderView(order, tokens)),
        more: open.totalNum > open.orders.length || over.totalNum > over.orders.length,
      };
    });
  },

  async getNfts(wallet, { account: id, refresh }) {
    const account = await accountNamed(wallet, id);
    return storedRead(wallet, account, 'nfts', refresh, async (reads) => {
      const query = { accountId: account.accountId, limit: PAGE };
      const found: NftView[] = [];
      for (let offset = 0; ; offset += PAGE) {
        const { data } = await reads.read('getNftBalances', { query: { ...query, offset } });
        found.push(...data.map(nftView));
        if (data.length < PAGE) return found;
      }
    });
  },

  async getPools(wallet, { account: id, refresh }) {
    const account = await accountNamed(wallet, id);
    return storedRead(wallet, account, 'pools', refresh, async (reads) => {
      const tokens = await tokensOf(wallet, account);
      return { positions: await positions(reads, account, tokens), moves: await poolMoves(reads, account, tokens) };
    });
  },
};
