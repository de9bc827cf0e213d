/**
 * NFTs exist from their first settled mint or deposit on; a payout carries the signed data of its
 * withdrawal.
 */
export const mintedNfts = `
ALTER TABLE nfts ADD COLUMN minted boolean NOT NULL DEFAULT false;
UPDATE nfts SET minted = true WHERE EXISTS (SELECT 1 FROM ledger WHERE ledger.nft_data = nfts.nft_data);
ALTER TABLE l1_arrivals ADD COLUMN min_gas bigint NOT NULL DEFAULT 0;
ALTER TABLE l1_arrivals ADD COLUMN extra_data text NOT NULL DEFAULT '0x';
`;
