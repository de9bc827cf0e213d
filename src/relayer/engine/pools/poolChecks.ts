import { domainSeparator, poolDomain, type RelayerTypedData } from '../../../protocol/typedData.ts';
import { Refusal } from '../../errors.ts';
import type { Account } from '../accounts.ts';
import type { Pool } from '../catalog.ts';
import type { Relayer } from '../relayer.ts';
import { checkEddsa, checkOwnerApproval } from '../signatures.ts';

/** @throws {Refusal} 102001: no pool of this exchange has the address. */
export function findPool(relayer: Relayer, address: string): Pool {
  const pool = relayer.catalog.pool(address);
  if (!pool) throw new Refusal(102001, `poolAddress: ${address} is no pool of this exchange`);
  return pool;
}

/** Joins and exits are signed by the L2 key, or by the owner over the same typed data. */
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
    throw new Refusal(102022, 'owner: the API key belongs to the account of another address');
  if (body.eddsaSignature || !body.ecdsaSignature)
    return checkEddsa(relayer, message, body.eddsaSignature, account.publicKey, 'eddsaSignature');
  await checkOwnerApproval(relayer, {
    owner: account.owner,
    typedData,
    headerSignature: undefined,
    bodySignature: body.ecdsaSignature,
    hashApproved: undefined,
    counterFactualInfo: undefined,
  });
}

/**
 * What joins and exits share: the domain, the pool's state, the order of its tokens.
 * @throws {Refusal} 102001, 102023 for a closed pool, 102025 for other tokens than the pool's.
 */
export function checkPoolRequest(
  relayer: Relayer,
  pool: Pool,
  separator: string | undefined,
  tokens: readonly { readonly tokenId: number }[],
): void {
  const own = domainSeparator(poolDomain(relayer.config.chainId, pool.name, pool.address));
  if (separator !== undefined && separator.toLowerCase() !== own)
    throw new Refusal(102001, "domainSeparator: not this pool's");
  if (!pool.enabled) throw new Refusal(102023, 'poolAddress: the pool is closed');
  if (tokens.some(({ tokenId }, index) => tokenId !== pool.tokens[index]?.tokenId))
    throw new Refusal(
      102025,
      `the pool's tokens are ${pool.tokens.map((token) => token.tokenId).join(' and ')}, in this order`,
    );
}
