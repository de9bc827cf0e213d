import { isSameAddress } from '../../../ethereum/address.ts';
import type { HistoryEvent, HistoryPage, HistorySource } from '../../../messaging/views.ts';
import { PAGE } from '../../../operations/everyRow.ts';
import type { Reads } from '../../../operations/reads.ts';
import type { Text, TokenFacts, Value } from '../../../operations/review.ts';
import { listedSymbol } from '../../../operations/tokenSymbol.ts';
import { fullHash } from '../../../protocol/formatHash.ts';
import type { EndpointAnswer } from '../../../protocol/index.ts';
import { plainPrice } from '../../../protocol/scaledPrice.ts';
import { readsFor } from '../../relayers/reads.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import type { Wallet } from '../../wallet.ts';
import { accountNamed, placeNamed } from './named.ts';
import { storedRead } from './storedRead.ts';
import { pairsOf, tokensOf } from './tokensOf.ts';
import type { UiHandlers } from './uiHandler.ts';

/** Key updates move nothing but their fee, which no event has. */
const MOVES = 'deposit,transfer,offchain_withdrawal,onchain_withdrawal';

/** `undefined` for a symbol that is not listed, `null` for one that several tokens have. */
type TokenNamed = (symbol: string | undefined, tokenId?: number) => TokenFacts | null | undefined;
type PairNamed = Awaited<ReturnType<typeof pairsOf>>;
type Request = EndpointAnswer<'getUserTransactions'>['transactions'][number];
type NftRequest = EndpointAnswer<'getNftTransactions'>['transactions'][number];
type Trade = EndpointAnswer<'getUserTrades'>['trades'][number];

const numberIn = (text: string | undefined): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : 0);

/** It moved nothing and paid nothing: its amount is what was asked for. */
const hasFailed = ({ status }: Request | NftRequest): boolean => status === 'failed';

/** Direction and kind of a request; `null` when the row tells none that this version knows. */
function kindOf(row: Request, { owner, accountId }: StoredAccount): HistoryEvent['kind'] | null {
  const { txType, senderAddress, receiverAddress, receiver } = row;
  if (/^deposit$/i.test(txType)) return 'deposited';
  if (/withdrawal$/i.test(txType)) return 'withdrew';
  if (!/^transfer$/i.test(txType)) return null;
  if (senderAddress) return isSameAddress(senderAddress, owner) ? 'sent' : 'received';
  if (receiverAddress) return isSameAddress(receiverAddress, owner) ? 'received' : 'sent';
  if (receiver) return receiver === accountId ? 'received' : 'sent';
  return null;
}

const sentenceOf = (kind: HistoryEvent['kind'], other: string | null): Text =>
  other !== null && /^0x[0-9a-f]{40}$/i.test(other)
    ? { key: `history_${kind}`, values: { other: { kind: 'address', address: other } } }
    : { key: `history_${kind}_short` };

/**
 * Maps a deposit, transfer or withdrawal to an event; nothing for a token that the exchange does
 * not list.
 */
function moveEvent(row: Request, account: StoredAccount, tokenNamed: TokenNamed): HistoryEvent[] {
  const kind = kindOf(row, account);
  const token = tokenNamed(row.symbol, row.storageInfo?.tokenId);
  if (kind === null || token === undefined) return [];
  const incoming = kind === 'received' || kind === 'deposited';
  const feeToken = incoming || hasFailed(row) ? undefined : tokenNamed(row.feeTokenSymbol);
  const other = incoming ? row.senderAddress : row.receiverAddress;
  return [
    {
      id: `request:${row.id}`,
      kind,
      sentence: sentenceOf(kind, other && !isSameAddress(other, account.owner) ? other : null),
      hash: fullHash(row.hash) ?? row.hash,
      status: row.status,
      amount: { token, volume: hasFailed(row) ? row.amount : (row.actualAmount ?? row.amount) },
      fee: feeToken ? { token: feeToken, volume: row.feeAmount } : null,
      memo: row.memo ?? '',
      at: row.timestamp,
      block: row.blockIdInfo?.blockId ?? (row.blockId > 0 ? row.blockId : null),
    },
  ];
}

/**
 * Maps `nftTxType` and the counterparty to an event; relayers name both beside what the interface
 * document lists.
 */
function nftEvent(row: NftRequest, account: StoredAccount, tokenNamed: TokenNamed): HistoryEvent[] {
  const { nftTxType, payeeAddress, depositFrom } = row as Readonly<Record<string, unknown>>;
  const isOwn = isSameAddress(row.owner, account.owner);
  const kinds = new Map<string, HistoryEvent['kind']>([
    ['deposit', 'deposited'],
    ['mint', 'minted'],
    ['transfer', isOwn ? 'sent' : 'received'],
    ['withdrawal', 'withdrew'],
  ]);
  const kind = kinds.get(String(nftTxType).toLowerCase());
  if (kind === undefined) return [];
  const others = { deposited: depositFrom, received: row.owner, sent: payeeAddress, withdrew: payeeAddress };
  const other: unknown = others[kind as keyof typeof others];
  const feeToken = isOwn && kind !== 'deposited' && !hasFailed(row) ? tokenNamed(row.feeTokenSymbol) : undefined;
  return [
    {
      id: `nft:${row.id}`,
      kind,
      sentence: sentenceOf(kind, typeof other === 'string' && !isSameAddress(other, account.owner) ? other : null),
      hash: fullHash(row.hash) ?? row.hash,
      status: row.status,
      amount: { token: null, volume: row.amount },
      nftData: row.nftData,
      fee: feeToken ? { token: feeToken, volume: row.feeAmount } : null,
      memo: row.memo ?? '',
      at: row.createdAt,
      block: row.blockIdInfo?.blockId ?? null,
    },
  ];
}

/** A fill of one of the account's orders, from a row of texts that `getUserTrades` describes. */
function fillEvent(row: Trade, pairNamed: PairNamed): HistoryEvent[] {
  const [at, id, word = '', size = '', text = '', market = '', fee = '', block, , , , , hash = ''] = row;
  const { base, quote } = pairNamed(market);
  const side = word.toUpperCase();
  if ((side !== 'BUY' && side !== 'SELL') || !/^\d+$/.test(size) || id === undefined) return [];
  const kind = side === 'BUY' ? 'bought' : 'sold';
  const feeToken = kind === 'bought' ? base : quote;
  const value = plainPrice(text);
  const price: Value | undefined =
    value && base && quote
      ? { kind: 'price', value, exact: false, paid: side === 'BUY', quote: quote.symbol, base: base.symbol }
      : undefined;
  return [
    {
      id: `fill:${id}:${side}`,
      kind,
      sentence: price ? { key: `history_${kind}`, values: { price } } : { key: `history_${kind}_short` },
      hash,
      status: 'processed',
      amount: { token: base, volume: size },
      fee: feeToken && /^\d+$/.test(fee) && fee !== '0' ? { token: feeToken, volume: fee } : null,
      memo: '',
      at: numberIn(at),
      block: numberIn(block) || null,
    },
  ];
}

type Names = { readonly tokenNamed: TokenNamed; readonly pairNamed: PairNamed };

async function namesOf(wallet: Pick<Wallet, 'config' | 'relayers'>, account: StoredAccount): Promise<Names> {
  const tokens = [...(await tokensOf(wallet, account)).values()];
  return {
    tokenNamed(symbol, tokenId) {
      const found = tokens.filter((token) => listedSymbol(token) === symbol);
      return found.length > 1 ? (found.find((token) => token.tokenId === tokenId) ?? null) : found[0];
    },
    pairNamed: await pairsOf(wallet, account),
  };
}

/** Rows of one page, with the events in them and the time of each row. */
interface Rows {
  readonly events: readonly HistoryEvent[];
  readonly times: readonly number[];
  readonly totalNum: number;
}

const readRows: Readonly<
  Record<HistorySource, (reads: Reads, account: StoredAccount, names: Names, offset: number) => Promise<Rows>>
> = {
  async request(reads, account, { tokenNamed }, offset) {
    const query = { accountId: account.accountId, limit: PAGE, offset, types: MOVES };
    const { transactions, totalNum } = await reads.read('getUserTransactions', { query });
    return {
      events: transactions.flatMap((row) => moveEvent(row, account, tokenNamed)),
      times: transactions.map(({ timestamp }) => timestamp),
      totalNum,
    };
  },
  async fill(reads, { accountId }, { pairNamed }, offset) {
    const { trades, totalNum } = await reads.read('getUserTrades', { query: { accountId, limit: PAGE, offset } });
    return {
      events: trades.flatMap((row) => fillEvent(row, pairNamed)),
      times: trades.map(([at]) => numberIn(at)),
      totalNum,
    };
  },
  async nft(reads, account, { tokenNamed }, offset) {
    const query = { accountId: account.accountId, limit: PAGE, offset };
    const { transactions, totalNum } = await reads.read('getNftTransactions', { query });
    return {
      events: transactions.flatMap((row) => nftEvent(row, account, tokenNamed)),
      times: transactions.map(({ createdAt }) => createdAt),
      totalNum,
    };
  },
};

async function readPage(
  reads: Reads,
  account: StoredAccount,
  names: Names,
  source: HistorySource,
  offset = 0,
): Promise<HistoryPage> {
  const { events, times, totalNum } = await readRows[source](reads, account, names, offset);
  const next = offset + times.length;
  // A page without rows ends the list, whatever its relayer counts.
  const reach = { next: times.length > 0 && next < totalNum ? next : null, oldest: times.at(-1) ?? null };
  return { events, reach };
}

export const historyHandlers = {
  async getHistory(wallet, { account: id, refresh }) {
    const account = await accountNamed(wallet, id);
    const found = await storedRead(wallet, account, 'history', refresh, async (reads) => {
      const names = await namesOf(wallet, account);
      const page = (source: HistorySource) => readPage(reads, account, names, source);
      const [request, fill, nft] = await Promise.all([page('request'), page('fill'), page('nft')]);
      return {
        events: [request, nft, fill].flatMap(({ events }) => events).sort((a, b) => b.at - a.at),
        reached: { request: request.reach, fill: fill.reach, nft: nft.reach },
      };
    });
    // An earlier version did not keep how far it had read.
    return found.data?.reached === undefined ? { ...found, data: null, at: null } : found;
  },

  async getHistoryPage(wallet, { account: id, source, offset }) {
    const { account, network } = await placeNamed(wallet, id);
    const reads = readsFor(account, network, wallet);
    return readPage(reads, account, await namesOf(wallet, account), source, offset);
  },
} satisfies UiHandlers<'accountKeys' | 'config' | 'ports' | 'relayers' | 'vault'>;
