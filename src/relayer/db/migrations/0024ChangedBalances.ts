/**
 * Balances that a transaction changed: `tokens` has the token of each account in `accounts`, so
 * that a push reads these alone.
 */
export const changedBalances = `
ALTER TABLE account_changes ADD COLUMN tokens integer[] NOT NULL DEFAULT '{}';

CREATE OR REPLACE FUNCTION note_balances() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO account_changes (accounts, tokens, orders) SELECT array_agg(account_id), array_agg(token_id), '{}' FROM changed HAVING count(*) > 0; RETURN NULL; END $$;
`;
