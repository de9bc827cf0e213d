import { packPoint } from '../crypto/publicKey.ts';
import { Float24, isExecuted } from '../protocol/floats.ts';
import { isNftToken } from '../protocol/limits.ts';
import { onchainDataHash } from '../protocol/payloads/onchainData.ts';
import { nftDataOf } from '../protocol/rollup/nftData.ts';
import { readOrderFlags, type Transaction, type TransactionOf, tradeSides } from '../protocol/rollup/transactions.ts';

/** A transaction of a block, and those around it. */
export interface Executed {
  readonly transactions: readonly Transaction[];
  readonly index: number;
}

/** Content that the blocks of an exchange must have when they carry out a signed request. */
export interface Execution {
  /**
   * It uses up the storage id or the nonce of the request, so that nothing else of the account can.
   */
  isOf(transaction: Transaction): boolean;
  /** Checks that what uses it up is within the signed terms. */
  fits(found: readonly Executed[]): boolean;
}

/** A fee in a body, under the names of both interfaces. */
type MaxFee = { readonly tokenId: number } & ({ readonly volume: string } | { readonly amount: string });

/** The exchange may take less than the most that was signed. */
const feeFits = (asked: MaxFee, { feeTokenId, fee }: { readonly feeTokenId: number; readonly fee: bigint }): boolean =>
  feeTokenId === asked.tokenId && fee <= BigInt('volume' in asked ? asked.volume : asked.amount);

/** Blocks may leave an address out that the state knows. */
const isOwner = (named: bigint, owner: string): boolean => named === 0n || named === BigInt(owner);

/** A request that one transaction of a type carries out, once. */
function carriedOutOnce<Type extends Transaction['type']>(
  type: Type,
  isOf: (transaction: TransactionOf<Type>) => boolean,
  fits: (transaction: TransactionOf<Type>, executed: Executed) => boolean,
): Execution {
  return {
    isOf: (transaction) => transaction.type === type && isOf(transaction as TransactionOf<Type>),
    fits([first, ...others]) {
      if (!first || others.length > 0) return false;
      return fits(first.transactions[first.index] as TransactionOf<Type>, first);
    },
  };
}

/**
 * A transfer moves the digits that a block can hold. The receiver has to be named: a number of an
 * account proves no address.
 */
export const transferExecution = (
  from: { readonly accountId: number; readonly owner: string },
  to: { readonly accountId: number; readonly owner: string },
  { tokenId, amount }: { readonly tokenId: number; readonly amount: string },
  maxFee: MaxFee,
  storageId: number | null,
): Execution =>
  carriedOutOnce(
    'Transfer',
    (sent) => sent.fromId === from.accountId && sent.tokenId === tokenId && sent.storageId === storageId,
    (sent) =>
      isExecuted(sent.amount, BigInt(amount), Float24) &&
      feeFits(maxFee, sent) &&
      isOwner(sent.from, from.owner) &&
      sent.to === BigInt(to.owner) &&
      (to.accountId === 0 || sent.toId === to.accountId) &&
      isNftToken(sent.toTokenId || tokenId) === isNftToken(tokenId),
  );

/** Of an NFT the pair in front names the one that leaves; without it nothing is paid out. */
export const withdrawalExecution = (
  body: {
    readonly accountId: number;
    readonly owner: string;
    readonly maxFee: MaxFee;
    readonly minGas: number;
    readonly to: string;
    readonly extraData?: string | undefined;
  },
  token: { readonly tokenId: number; readonly amount: string; readonly nftData?: string | undefined },
  storageId: number | null,
): Execution =>
  carriedOutOnce(
    'Withdrawal',
    (left) =>
      left.kind < 2 &&
      left.accountId === body.accountId &&
      left.tokenId === token.tokenId &&
      left.storageId === storageId,
    (left, executed) =>
      left.amount === BigInt(token.amount) &&
      feeFits(body.maxFee, left) &&
      isOwner(left.from, body.owner) &&
      left.onchainDataHash === onchainDataHash(body) &&
      (token.nftData === undefined || nftBefore(executed, left) === BigInt(token.nftData)),
  );

const isSame = <Type extends Transaction>(a: Type, b: Type): boolean =>
  Object.entries(a).every(([name, value]) => b[name as keyof Type] === value);

function nftBefore({ transactions, index }: Executed, { accountId, tokenId }: TransactionOf<'Withdrawal'>) {
  const [minter, token] = [transactions[index - 2], transactions[index - 1]];
  if (minter?.type !== 'NftData' || token?.type !== 'NftData' || minter.kind !== 0) return null;
  const { nftType, nftId: nftID, creatorFeeBips } = minter;
  // The pair says the same twice, but for the address.
  const described = { ...minter, kind: 1, address: token.address };
  const isPair = minter.accountId === accountId && minter.tokenId === tokenId && isSame(described, token);
  return isPair ? nftDataOf({ minter: minter.address, nftType, token: token.address, nftID, creatorFeeBips }) : null;
}

/** The token contract is an account in the block, and only the state knows whose. */
export const mintExecution = (
  body: {
    readonly minterId: number;
    readonly nftType: number;
    readonly nftId: string;
    readonly amount: string;
    readonly creatorFeeBips?: number | undefined;
    readonly maxFee: MaxFee;
  },
  storageId: number | null,
): Execution =>
  carriedOutOnce(
    'NftMint',
    (minted) =>
      minted.minterId === body.minterId && minted.feeTokenId === body.maxFee.tokenId && minted.storageId === storageId,
    (minted) =>
      minted.nftType === body.nftType &&
      minted.nftId === BigInt(body.nftId) &&
      minted.amount === BigInt(body.amount) &&
      minted.creatorFeeBips === (body.creatorFeeBips ?? 0) &&
      feeFits(body.maxFee, minted),
  );

export const keyUpdateExecution = (body: {
  readonly accountId: number;
  readonly owner: string;
  readonly publicKey: { readonly x: string; readonly y: string };
  readonly nonce: number;
  readonly maxFee: MaxFee;
}): Execution =>
  carriedOutOnce(
    'AccountUpdate',
    (updated) => updated.accountId === body.accountId && updated.nonce === body.nonce,
    (updated) =>
      updated.owner === BigInt(body.owner) &&
      updated.publicKey === packPoint({ x: BigInt(body.publicKey.x), y: BigInt(body.publicKey.y) }) &&
      feeFits(body.maxFee, updated),
  );

/**
 * The LP tokens go to the pool with the fee, and right before that the pool pays at least what was
 * signed.
 */
export const exitExecution = (
  body: {
    readonly owner: string;
    readonly poolAddress: string;
    readonly maxFee: string;
    readonly unPooled: readonly { readonly tokenId: number; readonly volume: string }[];
    readonly burned: { readonly tokenId: number; readonly volume: string };
  },
  storageId: number | null,
): Execution => {
  const [owner, pool] = [BigInt(body.owner), BigInt(body.poolAddress)];
  return carriedOutOnce(
    'Transfer',
    (sent) => sent.from === owner && sent.tokenId === body.burned.tokenId && sent.storageId === storageId,
    (sent, { transactions, index }) =>
      sent.to === pool &&
      isExecuted(sent.amount, BigInt(body.burned.volume), Float24) &&
      feeFits({ tokenId: body.unPooled.at(-1)?.tokenId ?? 0, volume: body.maxFee }, sent) &&
      body.unPooled.every(({ tokenId, volume }, place) => {
        const paid = transactions[index - body.unPooled.length + place];
        return (
          paid?.type === 'Transfer' &&
          paid.from === pool &&
          paid.to === owner &&
          paid.tokenId === tokenId &&
          paid.amount >= BigInt(volume)
        );
      }),
  );
};

/**
 * Both tokens go to the pool, the fee with the second, and right after that the pool gives at least
 * the signed LP amount.
 */
export const joinExecution = (
  body: {
    readonly owner: string;
    readonly poolAddress: string;
    readonly fee: string;
    readonly joinTokens: {
      readonly pooled: readonly { readonly tokenId: number; readonly volume: string }[];
      readonly minimumLp: { readonly tokenId: number; readonly volume: string };
    };
  },
  storageId: number | null,
): Execution => {
  const [owner, pool] = [BigInt(body.owner), BigInt(body.poolAddress)];
  const { pooled, minimumLp } = body.joinTokens;
  const last = pooled.length - 1;
  const isPart = (sent: Transaction | undefined, place: number): sent is TransactionOf<'Transfer'> =>
    sent?.type === 'Transfer' &&
    sent.from === owner &&
    sent.tokenId === pooled[place]?.tokenId &&
    sent.storageId === storageId;
  return carriedOutOnce(
    'Transfer',
    (sent) => isPart(sent, last),
    (sent, { transactions, index }) => {
      const given = transactions[index + 1];
      return (
        feeFits({ tokenId: pooled[last]?.tokenId ?? 0, volume: body.fee }, sent) &&
        pooled.every(({ volume }, place) => {
          const part = transactions[index - last + place];
          if (!isPart(part, place) || part.to !== pool || part.amount > BigInt(volume)) return false;
          return place === last || part.fee === 0n;
        }) &&
        given?.type === 'Transfer' &&
        given.from === pool &&
        given.to === owner &&
        given.tokenId === minimumLp.tokenId &&
        given.amount >= BigInt(minimumLp.volume)
      );
    },
  );
};

interface SignedOrder {
  readonly accountId: number;
  readonly sells: { readonly tokenId: number; readonly amount: string };
  readonly buys: { readonly tokenId: number; readonly amount: string };
  readonly fillAmountBOrS: boolean | 'true' | 'false';
  readonly maxFeeBips: number;
}

/**
 * Rounding to the digits of a block may cost an order a thousandth of its price: the protocol's own
 * rule.
 */
const PRICE_SLACK = { most: 1001n, of: 1000n } as const;

/**
 * Fills of an order: each at its price and fee, all of them together within its amount. An NFT that
 * is bought gets some slot.
 */
export function orderExecution(order: SignedOrder, storageId: number | null): Execution {
  const { accountId, sells, buys, maxFeeBips } = order;
  const countsByBuy = String(order.fillAmountBOrS) === 'true';
  const [amountS, amountB] = [BigInt(sells.amount), BigInt(buys.amount)];
  const sideOf = (trade: TransactionOf<'SpotTrade'>) =>
    tradeSides(trade).find(
      (side) => side.accountId === accountId && side.sells === sells.tokenId && side.storageId === storageId,
    );
  return {
    isOf: (transaction) => transaction.type === 'SpotTrade' && sideOf(transaction) !== undefined,
    fits(found) {
      let filled = 0n;
      for (const { transactions, index } of found) {
        const side = sideOf(transactions[index] as TransactionOf<'SpotTrade'>);
        if (!side) return false;
        const { fillByBuy, feeBips } = readOrderFlags(...side.flags);
        filled += fillByBuy ? side.bought : side.sold;
        const isSigned =
          fillByBuy === countsByBuy &&
          feeBips <= maxFeeBips &&
          (isNftToken(buys.tokenId) ? isNftToken(side.buys) : side.buys === buys.tokenId) &&
          side.sold * amountB * PRICE_SLACK.of <= side.bought * amountS * PRICE_SLACK.most;
        if (!isSigned) return false;
      }
      return found.length > 0 && filled <= (countsByBuy ? amountB : amountS);
    },
  };
}
