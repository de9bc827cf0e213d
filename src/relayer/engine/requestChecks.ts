import type { RelayerErrorCode } from '../../protocol/errors.ts';
import { Refusal } from '../errors.ts';
import type { Token } from './catalog.ts';
import type { Relayer } from './relayer.ts';

/** Checks that every kind of submission shares. */

/** @throws {Refusal} 102001 */
export function checkExchange(relayer: Relayer, exchange: string): void {
  if (exchange.toLowerCase() !== relayer.config.exchangeAddress.toLowerCase())
    throw new Refusal(102001, `exchange: this relayer serves ${relayer.config.exchangeAddress}`);
}

/** An affiliate that is ignored would wait for a share that never comes. */
export function checkAffiliate(affiliate: string | undefined): void {
  if (affiliate !== undefined && BigInt(affiliate) !== 0n)
    throw new Refusal(102120, 'affiliate: no share of the fee is paid here; leave it out');
}

/** @param validUntil - seconds */
export function checkDeadline(relayer: Relayer, validUntil: number, code: RelayerErrorCode): void {
  const now = Math.floor(relayer.clock.now() / 1000);
  if (validUntil <= now) throw new Refusal(code, `validUntil ${validUntil} has passed; the relayer's time is ${now}`);
}

/**
 * A listed token that can leave an account.
 * @throws {Refusal} 102002
 */
export function checkMovable(relayer: Relayer, tokenId: number): Token {
  const token = relayer.catalog.token(tokenId);
  if (!token?.enabled) throw new Refusal(102002, `token ${tokenId} is not listed or switched off`);
  return token;
}
