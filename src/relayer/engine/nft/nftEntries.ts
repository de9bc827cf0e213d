import type { Sql } from '../../db/port.ts';
import { openAccount } from '../accounts.ts';
import { type BlockEntry, type BlockToken, depositEntry, tokenOf } from '../blocks.ts';
import type { RequestRow } from '../requestRow.ts';
import type { NftRow } from './nftRows.ts';

export const nftTokenOf = (nft: NftRow, tokenId: number, amount: bigint): BlockToken => ({
  tokenId,
  tokenAddress: nft.token_address,
  nftData: nft.nft_data,
  nftId: nft.nft_id,
  amount: amount.toString(),
});

export const nftTypeOf = ({ nft_type }: NftRow) => (nft_type === 1 ? 'eip721' : 'eip1155');

/** The pair that tells which NFT a slot holds: a block has its hash only. */
export function nftDataEntries(nft: NftRow, accountId: number, tokenId: number, amount: bigint): BlockEntry[] {
  return [nft.minter, nft.token_address].map((address, kind) => ({
    executed: {
      type: 'NftData',
      kind,
      accountId,
      tokenId,
      nftId: BigInt(nft.nft_id),
      creatorFeeBips: nft.creator_fee_bips,
      nftType: nft.nft_type,
      address: BigInt(address),
    },
    shown: {
      txType: 'NftData',
      accountId,
      minter: nft.minter,
      nftToken: nftTokenOf(nft, tokenId, amount),
      nftType: nftTypeOf(nft),
      valid: true,
    },
  }));
}

/**
 * The account that an NFT contract owns: a mint names the contract by it. Opened in the state when
 * it is first needed.
 * @returns `opening`: what stands in the block before its first use.
 */
export async function contractAccount(
  tx: Sql,
  address: string,
  now: number,
): Promise<{ accountId: number; opening: BlockEntry[] }> {
  const [known] = await tx.query<{ account_id: number | null }>(
    'SELECT account_id FROM nft_contracts WHERE address = $1',
    [address],
  );
  if (known?.account_id != null) return { accountId: known.account_id, opening: [] };
  const { accountId } = await openAccount(tx, address, now);
  await tx.query('UPDATE nft_contracts SET account_id = $2 WHERE address = $1', [address, accountId]);
  return { accountId, opening: [depositEntry(accountId, address, 0, 0n)] };
}

/**
 * A deposit of an NFT: minted into the slot in the name of its minter, which is its contract for
 * those made on layer 1.
 */
export async function nftDepositEntries(
  tx: Sql,
  nft: NftRow,
  { account_id: accountId, owner, token_id: tokenId, amount, other_address: from }: DepositOfNft,
  now: number,
): Promise<BlockEntry[]> {
  const minter =
    nft.minter === nft.token_address
      ? await contractAccount(tx, nft.token_address, now)
      : { accountId: (await openAccount(tx, nft.minter, now)).accountId, opening: [] };
  return [
    ...minter.opening,
    {
      executed: {
        type: 'NftMintTo',
        kind: 2,
        minterId: minter.accountId,
        toTokenId: tokenId,
        feeTokenId: 0,
        fee: 0n,
        amount,
        storageId: 0,
        toId: accountId,
        to: BigInt(owner),
      },
      shown: {
        txType: 'Deposit',
        accountId,
        owner,
        token: tokenOf(tokenId, amount, nft.nft_data),
        nftToken: nftTokenOf(nft, tokenId, amount),
        toAccountId: accountId,
        toAccountAddress: owner,
        fromAddress: from,
        toAddress: owner,
        valid: true,
      },
    },
    ...nftDataEntries(nft, accountId, tokenId, amount),
  ];
}

type DepositOfNft = Pick<RequestRow, 'account_id' | 'owner' | 'token_id' | 'amount' | 'other_address'>;
