/**
 * Contract deployments that were paid, each with the one layer-1 transaction that carries it out.
 * `WAITING` → `SENDING` (claimed by one process until `lease_until`) → `SENT` → `DEPLOYED`, or
 * `REVERTED`. The signed bytes are stored before they leave, so that every repeat sends the same
 * transaction.
 */
export const l1Deployments = `
CREATE TABLE l1_deployments (
  address text PRIMARY KEY REFERENCES nft_contracts,
  request_hash text NOT NULL,
  status text NOT NULL,
  lease_holder text NOT NULL DEFAULT '',
  lease_until timestamptz,
  nonce bigint,
  raw_transaction text NOT NULL DEFAULT '',
  tx_hash text NOT NULL DEFAULT '',
  sent_at timestamptz,
  updated_at bigint NOT NULL
);
CREATE INDEX l1_deployments_open ON l1_deployments (status) WHERE status IN ('WAITING', 'SENDING', 'SENT');
INSERT INTO l1_deployments (address, request_hash, status, tx_hash, updated_at)
  SELECT address, '', CASE WHEN deploy_tx_hash = '' THEN 'WAITING' ELSE 'SENT' END, deploy_tx_hash, updated_at
  FROM nft_contracts WHERE status = 'DEPLOYING' AND (deploy_tx_hash <> '' OR EXISTS (
    SELECT 1 FROM requests WHERE kind = 'nftDeploy' AND requests.status IN ('processing', 'processed')
      AND details->>'tokenAddress' ILIKE nft_contracts.address));
ALTER TABLE nft_contracts DROP COLUMN deploy_tx_hash;
`;
