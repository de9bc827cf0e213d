/**
 * Register of what was moved out of the database into files. `last_fill` bounds the fills that
 * candles were made from and that are gone.
 */
export const archive = `
CREATE TABLE archive_runs (
  before bigint PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  orders bigint NOT NULL,
  fills bigint NOT NULL,
  last_fill bigint NOT NULL,
  blocks bigint NOT NULL
);
ALTER TABLE blocks ADD COLUMN archived_at bigint;
CREATE INDEX blocks_kept ON blocks (block_id) WHERE archived_at IS NULL;
`;
