import type { Hex } from 'viem';
import { formatHash } from '../../../protocol/formatHash.ts';
import { nftDataHash } from '../../../protocol/payloads/nftData.ts';
import type { Sql } from '../../db/port.ts';
import type { Account } from '../accounts.ts';
import { canonicalHash, nftTypeNames, takeNftSlot } from './nftRows.ts';

interface ArrivingNft {
  readonly tokenAddress: Hex;
  readonly nftId: Hex;
  readonly nftType: (typeof nftTypeNames)[number];
}

/**
 * An NFT that comes from layer 1, made known here, and the slot that the account has for it: as in
 * the exchange contract, its contract counts as the minter and it has no royalty. The caller has
 * locked the account.
 */
export async function arrivingNft(
  tx: Sql,
  account: Account,
  { tokenAddress, nftId, nftType }: ArrivingNft,
  now: number,
): Promise<{ tokenId: number; nftData: Hex }> {
  const contract = tokenAddress.toLowerCase() as Hex;
  const type = nftTypeNames.indexOf(nftType);
  const nftData = formatHash(
    nftDataHash({ minterAddress: contract, nftType: type, tokenAddress: contract, nftId, creatorFeeBips: 0 }),
  );
  await tx.query(
    `INSERT INTO nft_contracts (address, factory, owner, base_uri, status, updated_at)
     VALUES ($1, '', '', '', 'DEPLOYED', $2) ON CONFLICT (address) DO NOTHING`,
    [contract, now],
  );
  await tx.query(
    `INSERT INTO nfts (nft_data, minter, nft_type, token_address, nft_id, creator_fee_bips, royalty_address, created_at)
     VALUES ($1, $2, $3, $2, $4, 0, '', $5) ON CONFLICT (nft_data) DO NOTHING`,
    [nftData, contract, type, canonicalHash(nftId), now],
  );
  return { tokenId: await takeNftSlot(tx, account.accountId, nftData), nftData };
}
