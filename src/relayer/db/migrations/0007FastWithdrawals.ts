/** Fast withdrawals are paid out ahead of their block, up to a limit of each token. */
export const fastWithdrawals = `
ALTER TABLE tokens ADD COLUMN fast_withdraw_limit numeric(40,0) NOT NULL DEFAULT 0;
CREATE INDEX requests_fast ON requests (token_id)
  WHERE kind = 'withdrawal' AND details->>'fast' = 'ahead' AND status <> 'failed';
`;
