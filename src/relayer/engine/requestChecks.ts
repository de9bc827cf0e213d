import type { RelayerErrorName } from '../../protocol/errors.ts';
import { Refusal } from '../errors.ts';
import type { Token } from './catalog.ts';
import type { Relayer } from './relayer.ts';

/** Checks that every kind of submission shares. */

/** @throws {Refusal} EXCHANGE_ID_INCORRECT */
export function checkExchange(relayer: Relayer, exchange: string): void {
  if (exchange.toLowerCase() !== relayer.config.exchangeAddress.toLowerCase())
    throw new Refusal('EXCHANGE_ID_INCORRECT', `exchange: this relayer serves ${relayer.config.exchangeAddress}`);
}

/** An affiliate that is ignored would wait for a share that never comes. */
export function checkAffiliate(affiliate: string | undefined): void {
  if (affiliate !== undefined && BigInt(affiliate) !== 0n)
    throw new Refusal('ORDER_INVALID', 'affiliate: no share of the fee is paid here; leave it out');
}

/** @param validUntil - seconds */
export function checkDeadline(relayer: Relayer, validUntil: number, code: RelayerErrorName): void {
  const now = Math.floor(relayer.clock.now() / 1000);
  if (validUntil <= now) throw new Refusal(code, `validUntil ${validUntil} has passed; the relayer's time is ${now}`);
}

/**
 * A token of this exchange, listed or delisted.
 * @throws {Refusal} TOKEN_UNSUPPORTED
 */
export function checkKnown(relayer: Relayer, tokenId: number): Token {
  const token = relayer.catalog.token(tokenId);
  if (!token) throw new Refusal('TOKEN_UNSUPPORTED', `there is no token ${tokenId}`);
  return token;
}

/**
 * A listed token, which can go to another account.
 * @throws {Refusal} TOKEN_UNSUPPORTED
 */
export function checkListed(relayer: Relayer, tokenId: number): Token {
  const token = checkKnown(relayer, tokenId);
  if (!token.enabled) throw new Refusal('TOKEN_UNSUPPORTED', `token ${tokenId} is not listed any more`);
  return token;
}
