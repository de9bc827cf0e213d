import { isSameAddress } from '../../../ethereum/address.ts';
import type { NftView, PoolMove, PoolPosition } from '../../../messaging/views.ts';
import { everyRow, PAGE } from '../../../operations/everyRow.ts';
import type { Reads } from '../../../operations/reads.ts';
import { cidFromNftId, type EndpointAnswer, formatHash, poolTakes } from '../../../protocol/index.ts';
import { told } from '../../relayers/told.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import { accountNamed } from './named.ts';
import { storedRead } from './storedRead.ts';
import { type Tokens, tokensOf } from './tokensOf.ts';
import type { UiHandlers } from './uiHandler.ts';

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
    total: slot.total,
    locked: slot.locked,
    pendingDeposit: slot.pending.deposit,
    pendingWithdraw: slot.pending.withdraw,
    deployment: slot.deploymentStatus ?? null,
    minter: slot.minter ?? null,
  };
}

type PoolRow = EndpointAnswer<'getAmmTransactions'>['transactions'][number];

const sum = (values: readonly string[]): bigint => values.reduce((total, value) => total + BigInt(value), 0n);

/**
 * Computes what a share has brought in each token of its pool, fees included; `undefined` when the
 * rows do not explain the share.
 */
function resultOf(position: PoolPosition, rows: readonly PoolRow[]): readonly string[] | undefined {
  const own = rows.filter(
    (row) => isSameAddress(row.ammPoolAddress, position.address) && BigInt(row.lpToken.actualAmount) > 0n,
  );
  const of = (type: string, amounts: (row: PoolRow) => readonly string[]) =>
    sum(own.filter(({ txType }) => txType === type).flatMap(amounts));
  const lp = (row: PoolRow) => [row.lpToken.actualAmount];
  // LP tokens can also be sent and received, and then nobody knows what was paid for them.
  if (of('join', lp) - of('exit', lp) !== BigInt(position.total)) return undefined;
  return position.parts.map(({ token, share }) => {
    const amounts = (name: 'actualAmount' | 'feeAmount') => (row: PoolRow) =>
      row.poolTokens.filter(({ tokenId }) => tokenId === token.tokenId).map((part) => part[name]);
    const fees = of('join', amounts('feeAmount')) + of('exit', amounts('feeAmount'));
    return String(BigInt(share) + of('exit', amounts('actualAmount')) - of('join', amounts('actualAmount')) - fees);
  });
}

/** All pools, with the account's share of each and what it is now. */
async function poolPositions(
  reads: Reads,
  account: StoredAccount,
  tokens: Tokens,
  rows: readonly PoolRow[] | null,
): Promise<PoolPosition[]> {
  const [{ pools }, balances, contents, stats] = await Promise.all([
    reads.read('getAmmPools', {}),
    reads.read('getBalances', { query: { accountId: account.accountId } }),
    reads.read('getAmmBalances', {}),
    told(reads.read('getAmmPoolsStats', {})),
  ]);
  const found: PoolPosition[] = [];
  for (const pool of pools) {
    const held = balances.find(({ tokenId }) => tokenId === pool.tokens.lp);
    const total = BigInt(held?.total ?? 0).toString();
    const lp = tokens.get(pool.tokens.lp);
    const pooled = pool.tokens.pooled.map((tokenId) => tokens.get(tokenId));
    const holds = contents.find(({ poolAddress }) => isSameAddress(poolAddress, pool.address));
    if (!holds || !lp || pooled.includes(undefined)) continue;
    const supply = BigInt(holds.lp.volume);
    const share = (volume: string) => (supply === 0n ? 0n : (BigInt(volume) * BigInt(total)) / supply).toString();
    const year = Number(stats?.find(({ market }) => market === pool.market)?.apyBips);
    const position: PoolPosition = {
      name: pool.name,
      market: pool.market,
      address: pool.address,
      feeBips: pool.feeBips,
      lp,
      total,
      locked: held?.locked ?? '0',
      supply: supply.toString(),
      risky: holds.risky,
      ...(poolTakes('join', pool) ? {} : { noJoins: true }),
      parts: pooled.flatMap((token) => {
        const volume = BigInt(holds.pooled.find(({ tokenId }) => tokenId === token?.tokenId)?.volume ?? 0).toString();
        return token ? [{ token, pooled: volume, share: share(volume) }] : [];
      }),
      ...(Number.isSafeInteger(year) ? { yearBips: year } : {}),
    };
    const result = rows && total !== '0' ? resultOf(position, rows) : undefined;
    found.push(result ? { ...position, result } : position);
  }
  return found;
}

const poolMoves = (rows: readonly PoolRow[], tokens: Tokens): PoolMove[] =>
  rows.flatMap((move) => {
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

export const holdingHandlers = {
  async getNfts(wallet, { account: id, refresh }) {
    const account = await accountNamed(wallet, id);
    let isRead = false;
    const nfts = await storedRead(wallet, account, 'nfts', refresh, async (reads) => {
      const query = { accountId: account.accountId, limit: PAGE };
      const readPage = async (offset: number) => {
        const { data: rows, totalNum } = await reads.read('getNftBalances', { query: { ...query, offset } });
        return { rows, totalNum };
      };
      const found: NftView[] = [];
      for await (const slot of everyRow(readPage, ({ tokenId }) => String(tokenId))) found.push(nftView(slot));
      isRead = true;
      return found;
    });
    if (isRead) wallet.askForProofs(account);
    return nfts;
  },

  async getPools(wallet, { account: id, refresh }) {
    const account = await accountNamed(wallet, id);
    return storedRead(wallet, account, 'pools', refresh, async (reads) => {
      const tokens = await tokensOf(wallet, account);
      const query = { accountId: account.accountId, limit: PAGE };
      const { transactions, totalNum } = await reads.read('getAmmTransactions', { query });
      const isWhole = transactions.length === totalNum;
      const pools = await poolPositions(reads, account, tokens, isWhole ? transactions : null);
      return {
        positions: pools.filter(({ total }) => total !== '0'),
        others: pools.filter(({ total }) => total === '0'),
        moves: poolMoves(transactions, tokens),
      };
    });
  },
} satisfies UiHandlers<'accountKeys' | 'askForProofs' | 'config' | 'ports' | 'relayers' | 'vault'>;
