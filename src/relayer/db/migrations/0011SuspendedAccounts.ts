/** Accounts that the operator has suspended: nothing of theirs is accepted. */
export const suspendedAccounts = `
ALTER TABLE accounts ADD COLUMN suspended boolean NOT NULL DEFAULT false;
CREATE INDEX accounts_suspended ON accounts (account_id) WHERE suspended;
`;
