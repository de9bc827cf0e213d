import { type PoolIdentity, poolJoinTypedData } from '../typedData.ts';
import { poolScalar } from './poolScalar.ts';

/** Members of the body of joinAmmPool that `ammJoinScalar` reads. */
export type AmmJoinPayload = Parameters<typeof poolJoinTypedData>[1];

/**
 * Body fields that the signature fixes. Token ids are not in it: the pool's own order of tokens
 * gives them.
 */
export const ammJoinBoundFields = [
  'owner',
  'poolAddress',
  'joinTokens.pooled.0.volume',
  'joinTokens.pooled.1.volume',
  'storageIds',
  'joinTokens.minimumLp.volume',
  'fee',
  'validUntil',
] as const;

/**
 * Computes the message that EdDSA signs for a pool join: the EIP-712 digest of PoolJoin, shifted
 * right by 3 bits to fit the field.
 * @param pool - chain and pool name; a `domainSeparator` from a pool list has to equal the computed
 *   one.
 * @throws {PayloadError}
 */
export function ammJoinScalar(pool: PoolIdentity, join: AmmJoinPayload): bigint {
  return poolScalar(pool, poolJoinTypedData(pool, join));
}
