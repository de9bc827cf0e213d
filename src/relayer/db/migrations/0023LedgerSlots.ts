/**
 * Serves NFT slots alone: nobody looks for the ledger of a token by account, and a fill adds up to
 * eight entries to it.
 */
export const ledgerSlots = `
DROP INDEX ledger_account;
CREATE INDEX ledger_slots ON ledger (account_id, token_id) WHERE token_id >= 32768;
`;
