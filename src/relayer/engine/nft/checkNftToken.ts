import type { Hex } from 'viem';
import { Refusal } from '../../errors.ts';
import type { Account } from '../accounts.ts';
import type { Relayer } from '../relayer.ts';
import { canonicalHash, nftInSlot } from './nftRows.ts';

/**
 * A request signs the slot, its body names the NFT: both must fit, or the sender means another NFT
 * than it would move.
 * @throws {Refusal} TOKEN_UNSUPPORTED, INVALID_ARGUMENT for an amount of zero.
 */
export async function checkNftToken(
  relayer: Relayer,
  account: Account,
  token: { readonly tokenId: number; readonly nftData: string; readonly amount: string },
): Promise<{ readonly nftData: Hex; readonly amount: bigint }> {
  const nftData = await nftInSlot(relayer.db, account.accountId, token.tokenId);
  if (nftData !== canonicalHash(token.nftData))
    throw new Refusal(
      'TOKEN_UNSUPPORTED',
      `token: slot ${token.tokenId} of account ${account.accountId} does not hold this NFT`,
    );
  const amount = BigInt(token.amount);
  if (amount === 0n) throw new Refusal('INVALID_ARGUMENT', 'token.amount is zero');
  return { nftData, amount };
}
