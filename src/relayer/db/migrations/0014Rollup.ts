/**
 * Blocks as bytes. Each transaction has the 68 bytes that replaying executes; a sealed block gets
 * its bytes and the roots of the state around it. Blocks from before have none: the first block
 * with bytes opens the state with what every account has (`engine/openState.ts`). LP tokens are a
 * fixed supply in the pool's account, so their number in other hands is no longer stored.
 */
export const rollup = `
ALTER TABLE block_transactions ADD COLUMN bytes bytea;
ALTER TABLE blocks ADD COLUMN operator_id bigint;
ALTER TABLE blocks ADD COLUMN sealed_at bigint;
ALTER TABLE blocks ADD COLUMN data bytea;
ALTER TABLE blocks ADD COLUMN root_before text;
ALTER TABLE blocks ADD COLUMN root_after text;
CREATE INDEX blocks_without_roots ON blocks (block_id) WHERE operator_id IS NOT NULL AND data IS NULL;
ALTER TABLE amm_pools ADD COLUMN next_storage_id bigint NOT NULL DEFAULT 1;
ALTER TABLE amm_pools DROP COLUMN lp_supply;
ALTER TABLE nft_contracts ADD COLUMN account_id bigint REFERENCES accounts;
INSERT INTO settings (key, value) SELECT 'operator_account_id', '1' WHERE EXISTS (SELECT 1 FROM accounts WHERE account_id = 1);
`;
