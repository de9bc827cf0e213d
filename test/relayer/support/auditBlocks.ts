import {
  applyBlock,
  type Block,
  decodeBlock,
  decodeTransaction,
  encodeTransaction,
  RollupState,
  replayBlock,
  type Transaction,
} from '../../../src/protocol/rollup/index.ts';
import type { Sql } from '../../../src/relayer/db/port.ts';

interface ReadBlock extends Block {
  readonly blockId: number;
  readonly open: boolean;
  readonly data: Uint8Array | undefined;
  /** What these bytes say. */
  readonly published: Block | undefined;
  readonly rootBefore: bigint;
  readonly rootAfter: bigint;
}

/** The blocks of a database, the open one last, as the bytes of their transactions say. */
async function readBlocks(db: Sql): Promise<ReadBlock[]> {
  const blocks = await db.query<{
    block_id: number;
    operator_id: number;
    status: string;
    data: string | null;
    root_before: string | null;
    root_after: string | null;
  }>(
    `SELECT block_id, operator_id, status, encode(data, 'hex') AS data, root_before, root_after FROM blocks WHERE operator_id IS NOT NULL ORDER BY block_id`,
  );
  const rows = await db.query<{ block_id: number; bytes: string }>(
    `SELECT block_id, encode(bytes, 'hex') AS bytes FROM block_transactions WHERE bytes IS NOT NULL
     ORDER BY block_id, index_in_block`,
  );
  const transactions = new Map<number, Transaction[]>();
  for (const { block_id, bytes } of rows) {
    const list = transactions.get(block_id) ?? [];
    transactions.set(block_id, list);
    list.push(decodeTransaction(Buffer.from(bytes, 'hex')));
  }
  return blocks.map(({ block_id: blockId, operator_id: operatorAccountId, status, data, root_before, root_after }) => {
    const bytes = data === null ? undefined : Buffer.from(data, 'hex');
    return {
      blockId,
      open: status === 'open',
      data: bytes,
      published: bytes && decodeBlock(bytes),
      rootBefore: BigInt(root_before ?? 0),
      rootAfter: BigInt(root_after ?? 0),
      header: {
        ...{ exchange: 0n, rootBefore: 0n, rootAfter: 0n, timestamp: 0, numConditionalTransactions: 0 },
        ...{ protocolTakerFeeBips: 0, protocolMakerFeeBips: 0, operatorAccountId },
      },
      transactions: transactions.get(blockId) ?? [],
    };
  });
}

/** The state that the bytes of all transactions lead to, those of the open block included. */
export const replayDatabase = async (db: Sql): Promise<RollupState> => replay(await readBlocks(db));

function replay(blocks: readonly ReadBlock[]): RollupState {
  const state = new RollupState();
  for (const block of blocks) {
    try {
      const rows = block.transactions.map(encodeTransaction);
      const published = block.published?.transactions.map(encodeTransaction) ?? rows;
      // Rows of old blocks may be archived.
      if (rows.length > 0 && Buffer.concat(rows).compare(Buffer.concat(published)) !== 0)
        throw new Error('its bytes hold other transactions than its rows');
      // The bytes that are published are those transactions, between the roots before and after
      // them.
      if (block.data) replayBlock(state, block as typeof block & { data: Uint8Array });
      else applyBlock(state, block);
    } catch (error) {
      throw new Error(`block ${block.blockId}: ${(error as Error).message}`, { cause: error });
    }
    // Only sealing raises it.
    const operator = block.header.operatorAccountId;
    if (block.open) state.setAccount(operator, { nonce: state.account(operator).nonce - 1 });
  }
  return state;
}

/**
 * Rebuilds balances, NFTs, nonces, keys and storage from the bytes of the blocks alone, and
 * compares them with the ledger.
 * @returns One sentence for each difference.
 */
export async function auditBlocks(db: Sql): Promise<string[]> {
  const blocks = await readBlocks(db);
  const others = [...(await auditDeadlines(db, blocks)), ...auditForms(blocks)];
  let state: RollupState;
  try {
    state = replay(blocks);
  } catch (error) {
    return [(error as Error).message, ...others];
  }
  return [...others, ...(await compareLedger(db, state))];
}

/**
 * Finds transactions that the protocol's circuit writes otherwise: a signed transfer names both
 * addresses or none, but one that opens its receiver's account may name that alone; a slot with the
 * number of the one that the NFT leaves is 0.
 */
function auditForms(blocks: readonly ReadBlock[]): string[] {
  const opened = new Set<number>();
  return blocks.flatMap(({ blockId, published, transactions }) =>
    (published?.transactions ?? transactions).flatMap((transaction, index) => {
      const problems: string[] = [];
      const { type } = transaction;
      if (type === 'Transfer') {
        const { kind, toId, to, from, tokenId, toTokenId } = transaction;
        if (kind === 0 && (to === 0n) !== (from === 0n) && (to === 0n || opened.has(toId)))
          problems.push('names one address alone');
        if (toTokenId !== 0 && toTokenId === tokenId) problems.push('repeats its token');
      }
      if (type === 'SpotTrade') {
        const { tokenA, tokenB, boughtTokenA, boughtTokenB } = transaction;
        if ((boughtTokenA !== 0 && boughtTokenA === tokenB) || (boughtTokenB !== 0 && boughtTokenB === tokenA))
          problems.push('repeats a token');
      }
      if (type === 'Deposit' || type === 'AccountUpdate') opened.add(transaction.accountId);
      if (type === 'Transfer' || type === 'NftMintTo') opened.add(transaction.toId);
      return problems.map((problem) => `block ${blockId}, ${type} ${index}: ${problem}`);
    }),
  );
}

/**
 * Compares the timestamps of sealed blocks, which must be earlier, with the deadlines of what they
 * carry out.
 */
async function auditDeadlines(db: Sql, blocks: readonly ReadBlock[]): Promise<string[]> {
  const first = new Map(
    (
      await db.query<{ block_id: number; valid_until: number }>(
        `SELECT block_id, min(valid_until) AS valid_until FROM (
           SELECT block_id, valid_until FROM requests WHERE status IN ('processing', 'processed')
           UNION ALL SELECT f.block_id, o.valid_until FROM fills f JOIN orders o ON o.hash IN (f.taker_hash, f.maker_hash)
           UNION ALL SELECT t.block_id, o.valid_until FROM nft_trades t JOIN orders o ON o.hash IN (t.seller_hash, t.buyer_hash)
         ) AS signed WHERE valid_until > 0 AND block_id IS NOT NULL GROUP BY block_id`,
      )
    ).map(({ block_id, valid_until }) => [block_id, valid_until]),
  );
  return blocks.flatMap(({ blockId, published }) => {
    const validUntil = first.get(blockId);
    if (!published || validUntil === undefined) return [];
    const { timestamp } = published.header;
    return timestamp < validUntil
      ? []
      : [`block ${blockId}: its timestamp ${timestamp} is not before ${validUntil}, a validUntil in it`];
  });
}

/**
 * Compares the ledger with a state that blocks lead to.
 * @returns One sentence for each difference.
 */
export async function compareLedger(db: Sql, state: RollupState): Promise<string[]> {
  const problems: string[] = [];
  const compare = (what: string, ledger: unknown, blocks: unknown) => {
    if (ledger !== blocks) problems.push(`${what}: ${ledger} in the ledger, ${blocks} by the blocks`);
  };
  const balances = await db.query<{ account_id: number; token_id: number; total: bigint; nft_data: string | null }>(
    'SELECT account_id, token_id, total, nft_data FROM balances LEFT JOIN nft_slots USING (account_id, token_id)',
  );
  const known = new Set<string>();
  for (const { account_id, token_id, total, nft_data } of balances) {
    known.add(`${account_id}/${token_id}`);
    const { balance, weightAmm } = state.balance(account_id, token_id);
    compare(`token ${token_id} of account ${account_id}`, total, balance);
    if (token_id >= 32_768)
      compare(`NFT in slot ${token_id} of account ${account_id}`, total > 0n ? BigInt(nft_data ?? 0) : 0n, weightAmm);
  }
  const accounts = await db.query<{
    account_id: number;
    owner: string;
    nonce: number;
    public_key_x: string;
    public_key_y: string;
  }>('SELECT account_id, owner, nonce, public_key_x, public_key_y FROM accounts');
  const owners = new Map(accounts.map((account) => [account.account_id, account]));
  for (const [accountId, account] of state.accounts()) {
    for (const [tokenId, { balance }] of account.balances)
      if (balance > 0n && !known.has(`${accountId}/${tokenId}`))
        problems.push(`token ${tokenId} of account ${accountId} is not in the ledger`);
    const row = owners.get(accountId);
    if (!row) {
      if (accountId !== 0) problems.push(`account ${accountId} is not in the ledger`);
      continue;
    }
    owners.delete(accountId);
    compare(`owner of account ${accountId}`, BigInt(row.owner), account.owner);
    compare(`nonce of account ${accountId}`, row.nonce, account.nonce);
    compare(`key of account ${accountId}`, BigInt(row.public_key_x || 0), account.publicKeyX);
    compare(`key of account ${accountId}`, BigInt(row.public_key_y || 0), account.publicKeyY);
  }
  // Opened by a deposit that waits, at most.
  for (const [accountId, { nonce }] of owners) compare(`nonce of account ${accountId}`, nonce, 0);
  return [...problems, ...(await auditStorage(db, state))];
}

/**
 * What is filled of orders since the state was opened, and the requests that were carried out since
 * then.
 */
async function auditStorage(db: Sql, state: RollupState): Promise<string[]> {
  const used = await db.query<{ account_id: number; token_id: number; storage_id: number; data: bigint }>(
    `SELECT o.account_id, token_s AS token_id, o.storage_id,
       sum(CASE WHEN fill_by_b = (o.hash = f.taker_hash) THEN taker_bought ELSE taker_sold END) AS data
     FROM orders o JOIN fills f ON o.hash IN (f.taker_hash, f.maker_hash)
     JOIN blocks USING (block_id) WHERE operator_id IS NOT NULL GROUP BY o.hash
     UNION ALL SELECT account_id, token_s, storage_id, CASE WHEN fill_by_b THEN filled_b ELSE filled_s END
     FROM orders WHERE nft_data <> '' AND filled_s > 0
     UNION ALL SELECT account_id, storage_token_id, storage_id, 1 FROM requests JOIN blocks USING (block_id)
     WHERE operator_id IS NOT NULL AND storage_id IS NOT NULL AND requests.status IN ('processing', 'processed')`,
  );
  return used.flatMap(({ account_id, token_id, storage_id, data }) => {
    const leaf = state.storage(account_id, token_id, storage_id);
    // A larger id has taken the slot since.
    if (leaf.storageId > storage_id || (leaf.storageId === storage_id && leaf.data === data)) return [];
    const where = `storage id ${storage_id} of account ${account_id}, token ${token_id}`;
    return [`${where}: ${data} in the ledger, ${leaf.data} of id ${leaf.storageId} by the blocks`];
  });
}
