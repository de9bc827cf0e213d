/**
 * The operator interface: the block of each layer-1 transaction that was reported, and the audit
 * log, which refuses every change but a new line.
 */
export const operator = `
CREATE TABLE l1_transactions (
  tx_hash text PRIMARY KEY,
  block_hash text NOT NULL
);

CREATE TABLE operator_log (
  id bigserial PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  operator text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  request jsonb NOT NULL,
  outcome text NOT NULL,
  message text NOT NULL
);
CREATE FUNCTION refuse_log_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the operator log is append-only'; END $$;
CREATE TRIGGER operator_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
`;
