/**
 * The largest slot that an account's mints ever had, also those that failed: no slot is given to a
 * second NFT.
 */
export const mintSlots = `
CREATE INDEX requests_mint_slots ON requests (account_id, token_id) WHERE kind = 'nftMint';
`;
