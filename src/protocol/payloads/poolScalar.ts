import { domainSeparator, type PoolIdentity, type RelayerTypedData, typedDataDigest } from '../typedData.ts';
import { PayloadError } from './payloadError.ts';

/** `digest >> 3`, after the check of a supplied domain separator. */
export function poolScalar(pool: PoolIdentity, typedData: RelayerTypedData): bigint {
  const supplied = pool.domainSeparator;
  if (supplied !== undefined && BigInt(supplied) !== BigInt(domainSeparator(typedData.domain)))
    throw new PayloadError('rule', 'domainSeparator', 'is not the one of this pool, name and chain');
  return BigInt(typedDataDigest(typedData)) >> 3n;
}
