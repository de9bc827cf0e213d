/**
 * Accounts and orders that a transaction changed, for the processes that push them. Written by
 * triggers, so that no way of changing a balance or an order can forget it; a row carries its
 * transaction, because readers find what is new by their last snapshot. Kept for minutes.
 * `socket_keys` are those of connections that have not been opened yet.
 */
export const accountChanges = `
CREATE TABLE socket_keys (
  key_hash text PRIMARY KEY,
  issued_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE account_changes (
  changed_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
  changed_at timestamptz NOT NULL DEFAULT now(),
  accounts bigint[] NOT NULL,
  orders bigint[] NOT NULL
);
CREATE INDEX account_changes_by ON account_changes (changed_by);
CREATE INDEX account_changes_at ON account_changes (changed_at);

CREATE FUNCTION note_balances() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO account_changes (accounts, orders) SELECT array_agg(DISTINCT account_id), '{}' FROM changed HAVING count(*) > 0; RETURN NULL; END $$;

CREATE FUNCTION note_orders() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO account_changes (accounts, orders) SELECT '{}', array_agg(seq) FROM changed HAVING count(*) > 0; RETURN NULL; END $$;

CREATE TRIGGER balances_inserted AFTER INSERT ON balances REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_balances();
CREATE TRIGGER balances_updated AFTER UPDATE ON balances REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_balances();
CREATE TRIGGER orders_inserted AFTER INSERT ON orders REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_orders();
CREATE TRIGGER orders_updated AFTER UPDATE ON orders REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_orders();
`;
