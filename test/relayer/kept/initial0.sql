CREATE TABLE settings (
  key text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE tokens (
  token_id integer PRIMARY KEY CHECK (token_id BETWEEN 0 AND 32767),
  type text NOT NULL,
  symbol text NOT NULL UNIQUE,
  name text NOT NULL,
  address text NOT NULL,
  decimals integer NOT NULL,
  precision integer NOT NULL,
  precision_for_order integer NOT NULL,
  minimum numeric(40,0) NOT NULL,
  maximum numeric(40,0) NOT NULL,
  dust numeric(40,0) NOT NULL,
  price_micro_usd numeric(40,0) NOT NULL,
  pays_fees boolean NOT NULL,
  enabled boolean NOT NULL
);

CREATE TABLE markets (
  market text PRIMARY KEY,
  base_token_id integer NOT NULL REFERENCES tokens,
  quote_token_id integer NOT NULL REFERENCES tokens,
  precision_for_price integer NOT NULL,
  enabled boolean NOT NULL,
  created_at bigint NOT NULL
);

CREATE SEQUENCE account_ids START 10001;

CREATE TABLE accounts (
  account_id bigint PRIMARY KEY,
  owner text NOT NULL UNIQUE,
  public_key_x text NOT NULL DEFAULT '',
  public_key_y text NOT NULL DEFAULT '',
  nonce bigint NOT NULL DEFAULT 0,
  key_nonce bigint NOT NULL DEFAULT 0,
  key_seed text NOT NULL DEFAULT '',
  frozen boolean NOT NULL DEFAULT false,
  tags text NOT NULL DEFAULT '',
  wallet_factory text,
  wallet_owner text,
  wallet_salt text,
  created_at bigint NOT NULL
);

CREATE TABLE api_keys (
  account_id bigint PRIMARY KEY REFERENCES accounts,
  generation bigint NOT NULL,
  key_hash text NOT NULL UNIQUE,
  created_at bigint NOT NULL
);

CREATE TABLE balances (
  account_id bigint NOT NULL REFERENCES accounts,
  token_id integer NOT NULL,
  total numeric(40,0) NOT NULL DEFAULT 0 CHECK (total >= 0),
  locked numeric(40,0) NOT NULL DEFAULT 0,
  pending_withdraw numeric(40,0) NOT NULL DEFAULT 0 CHECK (pending_withdraw >= 0),
  pending_deposit numeric(40,0) NOT NULL DEFAULT 0 CHECK (pending_deposit >= 0),
  PRIMARY KEY (account_id, token_id),
  CONSTRAINT locked_within_total CHECK (locked >= 0 AND locked <= total)
);

CREATE TABLE ledger (
  id bigserial PRIMARY KEY,
  account_id bigint NOT NULL,
  token_id integer NOT NULL,
  nft_data text,
  delta numeric(41,0) NOT NULL,
  kind text NOT NULL,
  ref text NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX ledger_account ON ledger (account_id, token_id);

CREATE TABLE storage_slots (
  account_id bigint NOT NULL REFERENCES accounts,
  token_id integer NOT NULL,
  slot integer NOT NULL CHECK (slot BETWEEN 0 AND 16383),
  storage_id bigint NOT NULL CHECK (storage_id % 16384 = slot),
  ref text NOT NULL,
  PRIMARY KEY (account_id, token_id, slot)
);

CREATE TABLE orders (
  seq bigserial UNIQUE,
  hash text PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts,
  owner text NOT NULL,
  storage_id bigint NOT NULL,
  token_s integer NOT NULL,
  token_b integer NOT NULL,
  amount_s numeric(40,0) NOT NULL CHECK (amount_s > 0),
  amount_b numeric(40,0) NOT NULL CHECK (amount_b > 0),
  fill_by_b boolean NOT NULL,
  valid_until bigint NOT NULL,
  max_fee_bips integer NOT NULL,
  maker_bips integer NOT NULL,
  taker_bips integer NOT NULL,
  taker text NOT NULL,
  order_type text NOT NULL,
  channel text NOT NULL,
  pool_address text NOT NULL,
  client_order_id text NOT NULL,
  affiliate text NOT NULL,
  market text NOT NULL,
  side text NOT NULL,
  price numeric NOT NULL,
  filled_s numeric(40,0) NOT NULL DEFAULT 0 CHECK (filled_s >= 0 AND filled_s <= amount_s),
  filled_b numeric(40,0) NOT NULL DEFAULT 0 CHECK (filled_b >= 0),
  fee numeric(40,0) NOT NULL DEFAULT 0,
  locked numeric(40,0) NOT NULL CHECK (locked >= 0),
  status text NOT NULL,
  resting boolean NOT NULL DEFAULT false,
  digest text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);
CREATE INDEX orders_book ON orders (market, side, price, seq) WHERE status = 'processing' AND resting;
CREATE INDEX orders_new ON orders (seq) WHERE status = 'processing' AND NOT resting;
CREATE INDEX orders_deadline ON orders (valid_until) WHERE status = 'processing';
CREATE INDEX orders_account ON orders (account_id, seq);
CREATE INDEX orders_account_open ON orders (account_id) WHERE status = 'processing';
CREATE UNIQUE INDEX orders_client_id ON orders (account_id, client_order_id) WHERE client_order_id <> '';

CREATE TABLE fills (
  id bigserial PRIMARY KEY,
  market text NOT NULL,
  taker_hash text NOT NULL REFERENCES orders,
  maker_hash text REFERENCES orders,
  pool_address text,
  taker_account_id bigint NOT NULL,
  maker_account_id bigint NOT NULL,
  taker_sold numeric(40,0) NOT NULL,
  taker_bought numeric(40,0) NOT NULL,
  taker_fee numeric(40,0) NOT NULL,
  maker_fee numeric(40,0) NOT NULL,
  block_id bigint NOT NULL,
  index_in_block integer NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX fills_taker ON fills (taker_account_id, id);
CREATE INDEX fills_maker ON fills (maker_account_id, id);

CREATE TABLE requests (
  id bigserial PRIMARY KEY,
  kind text NOT NULL,
  hash text NOT NULL UNIQUE,
  account_id bigint NOT NULL REFERENCES accounts,
  owner text NOT NULL,
  other_account_id bigint NOT NULL DEFAULT 0,
  other_address text NOT NULL DEFAULT '',
  token_id integer NOT NULL,
  nft_data text NOT NULL DEFAULT '',
  amount numeric(40,0) NOT NULL,
  fee_token_id integer NOT NULL,
  fee numeric(40,0) NOT NULL,
  storage_token_id integer NOT NULL DEFAULT 0,
  storage_id bigint,
  nonce bigint,
  valid_until bigint NOT NULL,
  status text NOT NULL,
  failure text NOT NULL DEFAULT '',
  memo text NOT NULL DEFAULT '',
  tx_hash text NOT NULL DEFAULT '',
  details jsonb NOT NULL DEFAULT '{}',
  digest text NOT NULL,
  block_id bigint,
  index_in_block integer,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);
CREATE INDEX requests_received ON requests (id) WHERE status = 'received';
CREATE INDEX requests_block ON requests (block_id) WHERE status = 'processing';
CREATE INDEX requests_account ON requests (account_id, id);
CREATE INDEX requests_other ON requests (other_account_id, id);
CREATE INDEX requests_arriving ON requests (block_id) WHERE kind IN ('withdrawal', 'nftWithdrawal') AND tx_hash = '';

CREATE TABLE nft_contracts (
  address text PRIMARY KEY,
  factory text NOT NULL,
  owner text NOT NULL,
  base_uri text NOT NULL,
  status text NOT NULL,
  deploy_tx_hash text NOT NULL DEFAULT '',
  updated_at bigint NOT NULL
);

CREATE TABLE nfts (
  nft_data text PRIMARY KEY,
  minter text NOT NULL,
  nft_type integer NOT NULL,
  token_address text NOT NULL REFERENCES nft_contracts,
  nft_id text NOT NULL,
  creator_fee_bips integer NOT NULL,
  royalty_address text NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX nfts_by_id ON nfts (token_address, nft_id, minter);

CREATE TABLE nft_slots (
  account_id bigint NOT NULL REFERENCES accounts,
  token_id integer NOT NULL CHECK (token_id BETWEEN 32768 AND 65535),
  nft_data text NOT NULL REFERENCES nfts,
  PRIMARY KEY (account_id, token_id),
  UNIQUE (account_id, nft_data)
);

CREATE TABLE amm_pools (
  address text PRIMARY KEY,
  name text NOT NULL,
  market text NOT NULL,
  version text NOT NULL,
  account_id bigint NOT NULL UNIQUE REFERENCES accounts,
  token_0 integer NOT NULL REFERENCES tokens,
  token_1 integer NOT NULL REFERENCES tokens,
  lp_token integer NOT NULL UNIQUE REFERENCES tokens,
  fee_bips integer NOT NULL,
  enabled boolean NOT NULL,
  lp_supply numeric(40,0) NOT NULL DEFAULT 0 CHECK (lp_supply >= 0),
  created_at bigint NOT NULL
);

CREATE TABLE blocks (
  block_id bigint PRIMARY KEY,
  status text NOT NULL,
  size integer NOT NULL,
  tx_hash text NOT NULL DEFAULT '',
  created_at bigint NOT NULL,
  status_at bigint NOT NULL
);
CREATE UNIQUE INDEX blocks_open ON blocks (status) WHERE status = 'open';

CREATE TABLE block_transactions (
  block_id bigint NOT NULL REFERENCES blocks,
  index_in_block integer NOT NULL,
  tx_type text NOT NULL,
  data jsonb NOT NULL,
  PRIMARY KEY (block_id, index_in_block)
);

CREATE TABLE gas_prices (
  slot bigint PRIMARY KEY,
  wei numeric(40,0) NOT NULL
);

CREATE TABLE l1_code (
  address text PRIMARY KEY,
  code text NOT NULL,
  visible_at bigint NOT NULL
);

CREATE TABLE l1_approvals (
  owner text NOT NULL,
  digest text NOT NULL,
  PRIMARY KEY (owner, digest)
);

CREATE TABLE l1_arrivals (
  hash text PRIMARY KEY,
  recipient text NOT NULL,
  token_id integer NOT NULL,
  amount numeric(40,0) NOT NULL,
  created_at bigint NOT NULL
);
