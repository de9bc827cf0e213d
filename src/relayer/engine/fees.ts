import { feeRequestTypes } from '../../protocol/endpoints/getOffchainFee.ts';
import { Float16, roundToFloat } from '../../protocol/floats.ts';
import { Refusal } from '../errors.ts';
import { findAccount, isFirstUpdatePaid } from './accounts.ts';
import type { Pool, Token } from './catalog.ts';
import { tierOf } from './feeTiers.ts';
import { currentGasPrice, GAS_SLOT_MS, previousGasPrice } from './gasPrice.ts';
import { ceilDiv } from './orders/fillMath.ts';
import type { Relayer } from './relayer.ts';

/** Share of L1 gas that one request of each kind causes, in gas units. */
const gasUnits: Readonly<Record<number, bigint>> = {
  [feeRequestTypes.ORDER]: 100n,
  [feeRequestTypes.WITHDRAWAL]: 3_000n,
  [feeRequestTypes.ACCOUNT_UPDATE]: 1_500n,
  [feeRequestTypes.TRANSFER]: 300n,
  [feeRequestTypes.FAST_WITHDRAWAL]: 30_000n,
  [feeRequestTypes.OPEN_ACCOUNT]: 1_500n,
  [feeRequestTypes.AMM_EXIT]: 600n,
  [feeRequestTypes.DEPOSIT]: 3_000n,
  [feeRequestTypes.AMM_JOIN]: 600n,
  [feeRequestTypes.NFT_MINT]: 1_200n,
  [feeRequestTypes.NFT_WITHDRAWAL]: 6_000n,
  [feeRequestTypes.NFT_TRANSFER]: 400n,
  // The least, and what is quoted where no estimate can be had: 62,000 for the bare clone, and its
  // initialization.
  [feeRequestTypes.NFT_DEPLOY]: 250_000n,
  [feeRequestTypes.TRANSFER_AND_ACTIVATE]: 1_800n,
  [feeRequestTypes.NFT_TRANSFER_AND_ACTIVATE]: 1_900n,
  // Extra requests settle as transfers, the dearest of them of an NFT.
  [feeRequestTypes.EXTRA]: 400n,
};

/**
 * Units of a deployment that the chain estimates at `gas`: a quarter more, because the price of gas
 * moves between the quote and the block, in steps, so that an estimate that moves a little changes
 * no quote.
 */
export function deploymentUnits(gas: bigint): bigint {
  const least = gasUnits[feeRequestTypes.NFT_DEPLOY] ?? 0n;
  const step = 50_000n;
  const units = ceilDiv(gas + gas / 4n, step) * step;
  return units > least ? units : least;
}

/**
 * What an owner pays of the usual fee, in hundredths. The operator pays for a deployment in ether
 * at once, so no tier takes anything off.
 */
const requestShare = (relayer: Relayer, requestType: number, owner: string): number =>
  requestType === feeRequestTypes.NFT_DEPLOY ? 100 : tierOf(relayer, owner).requestShare;

export function hasFee(requestType: number): boolean {
  return gasUnits[requestType] !== undefined;
}

/**
 * Base units of `token` that are worth `wei` of the chain's coin, rounded up to three digits (fees
 * are 16-bit floats).
 */
function weiToToken(relayer: Relayer, wei: bigint, token: Token): bigint {
  const coin = relayer.catalog.token(0);
  if (!coin || token.priceMicroUsd === 0n) return 0n;
  const scale = 10n ** BigInt(coin.decimals) * token.priceMicroUsd;
  const exact = ceilDiv(wei * coin.priceMicroUsd * 10n ** BigInt(token.decimals), scale);
  const digits = exact.toString().length;
  const step = digits > 3 ? 10n ** BigInt(digits - 3) : 1n;
  return ceilDiv(exact, step) * step;
}

/** What an amount of `token` is worth in wei of the chain's coin; `undefined` without a price. */
export function tokenToWei({ catalog }: Relayer, amount: bigint, token: Token): bigint | undefined {
  const coin = catalog.token(0);
  if (!coin || coin.priceMicroUsd === 0n || token.priceMicroUsd === 0n) return undefined;
  const scale = coin.priceMicroUsd * 10n ** BigInt(token.decimals);
  return (amount * token.priceMicroUsd * 10n ** BigInt(coin.decimals)) / scale;
}

/** A pool exit is paid in the pool's second token, whatever became of that token. */
const isPaidIn = ({ catalog }: Relayer, { tokenId, paysFees, enabled }: Token, requestType?: number) =>
  requestType === feeRequestTypes.AMM_EXIT
    ? catalog.pools.some(({ tokens }) => tokens[1].tokenId === tokenId)
    : paysFees && enabled;

/** Tokens in which the fee of a kind of request can be paid. */
export function feeTokens(relayer: Relayer, requestType?: number): Token[] {
  return relayer.catalog.tokens.filter((token) => isPaidIn(relayer, token, requestType));
}

/** A join is paid in the second token of its pool. */
export const takesJoins = (relayer: Relayer, { enabled, tokens }: Pool): boolean =>
  enabled && feeTokens(relayer, feeRequestTypes.AMM_JOIN).includes(tokens[1]);

/**
 * The fee of one kind of request in one token at the current gas price.
 * @param owner - who pays it, with what its tier takes off; anybody when absent.
 * @param units - gas units, when they are not the usual ones of this kind.
 */
export async function quoteFee(
  relayer: Relayer,
  requestType: number,
  token: Token,
  owner = '',
  units = gasUnits[requestType] ?? 0n,
): Promise<bigint> {
  const { wei } = await currentGasPrice(relayer);
  return feeAt(relayer, units * wei, requestType, token, owner);
}

/**
 * What a request of this kind costs an account now, in each of the tokens. A first key update that
 * somebody has paid costs nothing.
 * @param units - of a kind whose cost is estimated.
 */
export async function quoteFees(
  relayer: Relayer,
  accountId: number,
  requestType: number,
  tokens: readonly Token[],
  units = gasUnits[requestType] ?? 0n,
) {
  const account = await findAccount(relayer.db, accountId);
  const owner = account?.owner ?? '';
  const isPaid = requestType === feeRequestTypes.ACCOUNT_UPDATE && account !== undefined && isFirstUpdatePaid(account);
  const { wei } = await currentGasPrice(relayer);
  const cost = isPaid ? 0n : units * wei;
  return {
    gasPrice: wei.toString(),
    fees: tokens.map((token) => ({
      token: token.symbol,
      fee: feeAt(relayer, cost, requestType, token, owner).toString(),
      discount: requestShare(relayer, requestType, owner) / 100,
    })),
  };
}

function feeAt(relayer: Relayer, cost: bigint, requestType: number, token: Token, owner: string): bigint {
  return weiToToken(relayer, (cost * BigInt(requestShare(relayer, requestType, owner))) / 100n, token);
}

/**
 * Cost of settling one trade in a token; minimum amounts and small orders' rates follow from it.
 */
export function tradeCost(relayer: Relayer, gasPriceWei: bigint, token: Token): bigint {
  return weiToToken(relayer, (gasUnits[feeRequestTypes.ORDER] ?? 0n) * gasPriceWei, token);
}

/**
 * The fee that a request pays: the current quote, or the signer's ceiling when that still covers
 * the one at the gas price before. A deployment, which the operator pays in ether at once, has to
 * cover one of this or the last quarter of an hour.
 * @throws {Refusal} FEE_TOKEN_UNSUPPORTED when the token pays no fees, FEE_OUTDATED when the
 *   ceiling is too low.
 */
export async function feeToCharge(
  relayer: Relayer,
  owner: string,
  requestType: number,
  maxFee: { readonly tokenId: number; readonly amount: bigint },
  units = gasUnits[requestType] ?? 0n,
): Promise<bigint> {
  const token = relayer.catalog.token(maxFee.tokenId);
  if (!token || !isPaidIn(relayer, token, requestType))
    throw new Refusal('FEE_TOKEN_UNSUPPORTED', `fees are not paid in token ${maxFee.tokenId}`);
  const current = await quoteFee(relayer, requestType, token, owner, units);
  if (maxFee.amount >= current) return current;
  const before = await previousGasPrice(
    relayer,
    requestType === feeRequestTypes.NFT_DEPLOY ? GAS_SLOT_MS : relayer.config.gasPriceMaxAgeMs,
  );
  if (before !== undefined && maxFee.amount >= feeAt(relayer, units * before, requestType, token, owner))
    return roundToFloat(maxFee.amount, Float16);
  throw new Refusal('FEE_OUTDATED', `the fee is ${current} of ${token.symbol} now, above the signed ${maxFee.amount}`);
}
