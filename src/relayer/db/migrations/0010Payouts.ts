/** Reports of payouts that failed, and of blocks that were submitted to layer 1. */
export const payouts = `
ALTER TABLE requests ADD COLUMN payout_failure text NOT NULL DEFAULT '';
ALTER TABLE blocks ADD COLUMN submitted_at bigint;
CREATE INDEX blocks_unsubmitted ON blocks (block_id) WHERE submitted_at IS NULL;
`;
