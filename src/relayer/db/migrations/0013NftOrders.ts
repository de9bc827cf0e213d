/**
 * NFT orders lie beside the others, in markets like `NFT-ETH`, which no pair can have; the engine
 * matches them with nobody. `nft_trades` holds what `POST /nft/trade` settled; it stays when its
 * orders are archived.
 */
export const nftOrders = `
ALTER TABLE orders ADD COLUMN nft_data text NOT NULL DEFAULT '';

CREATE TABLE nft_trades (
  id bigserial PRIMARY KEY,
  trade_hash text NOT NULL UNIQUE,
  seller_hash text NOT NULL,
  buyer_hash text NOT NULL,
  seller_is_maker boolean NOT NULL,
  seller_id bigint NOT NULL,
  buyer_id bigint NOT NULL,
  seller_slot integer NOT NULL,
  buyer_slot integer NOT NULL,
  seller_storage_id bigint NOT NULL,
  buyer_storage_id bigint NOT NULL,
  nft_data text NOT NULL,
  amount numeric(40,0) NOT NULL CHECK (amount > 0),
  token_id integer NOT NULL,
  volume numeric(40,0) NOT NULL CHECK (volume > 0),
  seller_fee numeric(40,0) NOT NULL,
  buyer_fee numeric(40,0) NOT NULL,
  royalty numeric(40,0) NOT NULL,
  submitter_id bigint NOT NULL,
  block_id bigint NOT NULL,
  index_in_block integer NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX nft_trades_seller ON nft_trades (seller_id, id);
CREATE INDEX nft_trades_buyer ON nft_trades (buyer_id, id);
`;
