import { type PoolIdentity, poolExitTypedData } from '../typedData.ts';
import { poolScalar } from './poolScalar.ts';

/** Members of the body of exitAmmPool that `ammExitScalar` reads. */
export type AmmExitPayload = Parameters<typeof poolExitTypedData>[1];

/**
 * Body fields that the signature fixes. Token ids are not in it: the pool's own order of tokens
 * gives them.
 */
export const ammExitBoundFields = [
  'owner',
  'poolAddress',
  'exitTokens.burned',
  'storageId',
  'exitTokens.unPooled.0.volume',
  'exitTokens.unPooled.1.volume',
  'maxFee',
  'validUntil',
] as const;

/**
 * Computes the message that EdDSA signs for a pool exit: the EIP-712 digest of PoolExit, shifted
 * right by 3 bits to fit the field.
 * @param pool - chain and pool name; a `domainSeparator` from a pool list has to equal the computed
 *   one.
 * @throws {PayloadError}
 */
export function ammExitScalar(pool: PoolIdentity, exit: AmmExitPayload): bigint {
  return poolScalar(pool, poolExitTypedData(pool, exit));
}
