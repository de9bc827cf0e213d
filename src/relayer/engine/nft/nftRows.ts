import type { Hex } from 'viem';
import type { z } from 'zod';
import { MAX_TOKEN_ID, MIN_NFT_TOKEN_ID } from '../../../protocol/limits.ts';
import type { nftTokenInfo } from '../../../protocol/resources.ts';
import type { DeploymentStatus } from '../../../protocol/statuses.ts';
import type { Sql } from '../../db/port.ts';
import { Refusal } from '../../errors.ts';

/** An NFT with its contract. */
export interface NftRow {
  readonly nft_data: Hex;
  readonly minter: Hex;
  readonly nft_type: number;
  readonly token_address: Hex;
  readonly nft_id: Hex;
  readonly creator_fee_bips: number;
  readonly royalty_address: string;
  readonly factory: string;
  readonly owner: string;
  readonly base_uri: string;
  readonly status: DeploymentStatus;
  /** Whether a mint or deposit of it was ever settled. */
  readonly minted: boolean;
}

const WITH_CONTRACT = 'nfts JOIN nft_contracts ON nft_contracts.address = nfts.token_address';

export async function findNft(sql: Sql, nftData: string): Promise<NftRow | undefined> {
  const [row] = await sql.query<NftRow>(`SELECT * FROM ${WITH_CONTRACT} WHERE nft_data = $1`, [canonicalHash(nftData)]);
  return row;
}

/** An NFT that a slot or request names. */
export async function needNft(sql: Sql, nftData: string): Promise<NftRow> {
  const nft = await findNft(sql, nftData);
  if (!nft) throw new Error(`the NFT ${nftData} is unknown`);
  return nft;
}

export async function findNfts(sql: Sql, nftDatas: readonly string[]): Promise<NftRow[]> {
  return sql.query<NftRow>(`SELECT * FROM ${WITH_CONTRACT} WHERE nft_data = ANY($1::text[]) ORDER BY nft_data`, [
    nftDatas.map(canonicalHash),
  ]);
}

export async function findNftById(
  sql: Sql,
  minter: string,
  tokenAddress: string,
  nftId: string,
): Promise<NftRow | undefined> {
  const [row] = await sql.query<NftRow>(
    `SELECT * FROM ${WITH_CONTRACT} WHERE token_address = $1 AND nft_id = $2 AND minter = $3
     ORDER BY nfts.created_at LIMIT 1`,
    [tokenAddress.toLowerCase(), canonicalHash(nftId), minter.toLowerCase()],
  );
  return row;
}

/** Hashes and NFT ids without leading zeros are the same number. */
export function canonicalHash(hash: string): Hex {
  return `0x${hash.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** Reads the NFT that the account holds in a slot; `undefined` for a slot that was never used. */
export async function nftInSlot(sql: Sql, accountId: number, tokenId: number): Promise<Hex | undefined> {
  const [row] = await sql.query<{ nft_data: Hex }>(
    'SELECT nft_data FROM nft_slots WHERE account_id = $1 AND token_id = $2',
    [accountId, tokenId],
  );
  return row?.nft_data;
}

/**
 * The slot of an NFT in an account, a new one when it has none. A slot is never another NFT's, not
 * even when the mint that took it failed: an order that was signed meanwhile names its slot alone.
 * The caller has locked the account.
 * @throws {Refusal} STORAGE_ID_EXHAUSTED when all 32768 slots are taken.
 */
export async function takeNftSlot(tx: Sql, accountId: number, nftData: string): Promise<number> {
  const [held] = await tx.query<{ token_id: number }>(
    'SELECT token_id FROM nft_slots WHERE account_id = $1 AND nft_data = $2',
    [accountId, nftData],
  );
  if (held) return held.token_id;
  const [next] = await tx.query<{ token_id: number }>(
    `SELECT coalesce(
       (SELECT max(token_id) FROM requests WHERE account_id = $1 AND kind = 'nftMint' AND nft_data = $2
          AND NOT EXISTS (SELECT 1 FROM nft_slots WHERE account_id = $1 AND token_id = requests.token_id)),
       greatest(
         (SELECT max(token_id) FROM nft_slots WHERE account_id = $1),
         (SELECT max(token_id) FROM requests WHERE account_id = $1 AND kind = 'nftMint')) + 1,
       ${MIN_NFT_TOKEN_ID}) AS token_id`,
    [accountId, nftData],
  );
  const tokenId = next?.token_id ?? MIN_NFT_TOKEN_ID;
  if (tokenId > MAX_TOKEN_ID) throw new Refusal('STORAGE_ID_EXHAUSTED', 'the account has no free NFT slot');
  await tx.query('INSERT INTO nft_slots (account_id, token_id, nft_data) VALUES ($1, $2, $3)', [
    accountId,
    tokenId,
    nftData,
  ]);
  return tokenId;
}

/** NFT standards by their number in hashes. */
export const nftTypeNames = ['ERC1155', 'ERC721'] as const;

export function describeNft(row: NftRow): z.input<ReturnType<typeof nftTokenInfo>> {
  return {
    nftData: row.nft_data,
    minter: row.minter,
    nftType: nftTypeNames[row.nft_type] ?? 'ERC1155',
    tokenAddress: row.token_address,
    nftId: row.nft_id,
    creatorFeeBips: row.creator_fee_bips,
    royaltyPercentage: row.creator_fee_bips,
    status: row.minted,
    nftFactory: row.factory,
    nftOwner: row.owner,
    nftBaseUri: row.base_uri,
    royaltyAddress: row.royalty_address,
    originalMinter: row.minter,
  };
}
