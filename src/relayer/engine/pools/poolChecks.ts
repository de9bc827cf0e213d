import { domainSeparator, poolDomain, type RelayerTypedData } from '../../../protocol/typedData.ts';
import { Refusal } from '../../errors.ts';
import type { Account } from '../accounts.ts';
import type { Pool } from '../catalog.ts';
import type { Relayer } from '../relayer.ts';
import { checkEddsa, checkOwnerApproval } from '../signatures.ts';

/** @throws {Refusal} EXCHANGE_ID_INCORRECT: no pool of this exchange has the address. */
export function findPool(relayer: Relayer, address: string): Pool {
  const pool = relayer.catalog.pool(address);
  if (!pool) throw new Refusal('EXCHANGE_ID_INCORRECT', `poolAddress: ${address} is no pool of this exchange`);
  return pool;
}

/** Joins and exits are signed by the account key, or by the owner over the same typed data. */
export async function checkPoolSignature(
  relayer: Relayer,
  account: Account,
  body: {
    readonly owner: string;
    readonly eddsaSignature?: string | undefined;
    readonly ecdsaSignature?: string | undefined;
  },
  message: bigint,
  typedData: RelayerTypedData,
): Promise<void> {
  if (body.owner.toLowerCase() !== account.owner)
    throw new Refusal('SENDER_INVALID', 'owner: the API key belongs to the account of another address');
  if (body.eddsaSignature || !body.ecdsaSignature)
    return checkEddsa(relayer, message, body.eddsaSignature, account.publicKey, 'eddsaSignature');
  const { ecdsaSignature } = body;
  await checkOwnerApproval(relayer, account.owner, typedData, { ecdsaSignature });
}

/**
 * Checks that joins and exits share: the domain and the order of the pool's tokens.
 * @throws {Refusal} EXCHANGE_ID_INCORRECT, FEE_TOKEN_INCONSISTENT for other tokens than the pool's.
 */
export function checkPoolRequest(
  relayer: Relayer,
  pool: Pool,
  separator: string | undefined,
  tokens: readonly { readonly tokenId: number }[],
): void {
  const own = domainSeparator(poolDomain(relayer.config.chainId, pool.name, pool.address));
  if (separator !== undefined && separator.toLowerCase() !== own)
    throw new Refusal('EXCHANGE_ID_INCORRECT', "domainSeparator: not this pool's");
  if (tokens.some(({ tokenId }, index) => tokenId !== pool.tokens[index]?.tokenId))
    throw new Refusal(
      'FEE_TOKEN_INCONSISTENT',
      `the pool's tokens are ${pool.tokens.map((token) => token.tokenId).join(' and ')}, in this order`,
    );
}
