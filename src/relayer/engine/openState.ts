import type { Hex } from 'viem';
import { packPoint } from '../../crypto/index.ts';
import { MIN_NFT_TOKEN_ID } from '../../protocol/limits.ts';
import type { Sql } from '../db/port.ts';
import { applyMovements, OUTSIDE } from './balances.ts';
import { type BlockEntry, depositEntry, OpenBlock, sealBlock } from './blocks.ts';
import { nftDepositEntries } from './nft/nftEntries.ts';
import { needNft } from './nft/nftRows.ts';
import { currentOperator } from './operatorAccount.ts';
import { LP_TOKENS } from './pools/poolState.ts';
import { publishPool } from './pools/publishPool.ts';

/** Transactions of an opening block; the accounts of one group may exceed it. */
const BLOCK = 4_096;
/** Accounts that are read at once. */
const GROUP = 200;

/**
 * Opens the state of a database whose blocks have no bytes: the next blocks deposit what every
 * account has, and bring nonces and keys to where they are. What was filled of open orders before
 * is known to the database only. Does nothing when a block has bytes already. The caller holds the
 * engine's lock.
 */
export async function openState(tx: Sql, now: number): Promise<void> {
  const [begun] = await tx.query('SELECT 1 FROM blocks WHERE operator_id IS NOT NULL LIMIT 1');
  if (begun) return;
  const [open] = await tx.query<{ block_id: number }>(`SELECT block_id FROM blocks WHERE status = 'open'`);
  if (open) await sealBlock(tx, open.block_id, now);
  let block = await OpenBlock.take(tx, now);
  const operator = await currentOperator(tx);
  // First of all and in one block: from then on each block raises its nonce.
  await openAccounts(tx, block, [operator.accountId], now);
  for (let after = -1; ; ) {
    const accounts = await tx.query<{ account_id: number }>(
      `SELECT account_id FROM accounts WHERE account_id > $1 ORDER BY account_id LIMIT ${GROUP}`,
      [after],
    );
    const last = accounts.at(-1);
    if (!last) break;
    after = last.account_id;
    const ids = accounts.map(({ account_id }) => account_id).filter((id) => id !== operator.accountId);
    await openAccounts(tx, block, ids, now);
    if (block.size < BLOCK) continue;
    await block.close();
    await sealBlock(tx, block.blockId, now);
    block = await OpenBlock.take(tx, now);
  }
  await openPools(tx, block, now);
  await block.close();
}

interface OpenedAccount {
  readonly accountId: number;
  readonly owner: Hex;
  /** Of the public key, decimal; '' without a key. */
  readonly x: string;
  readonly y: string;
  readonly nonce: number;
}

async function openAccounts(tx: Sql, block: OpenBlock, ids: readonly number[], now: number): Promise<void> {
  const accounts = await tx.query<OpenedAccount>(
    `SELECT account_id AS "accountId", owner, public_key_x AS x, public_key_y AS y, nonce FROM accounts
     WHERE account_id = ANY($1::bigint[]) ORDER BY account_id`,
    [ids],
  );
  const balances = await tx.query<{ account_id: number; token_id: number; total: bigint; nft_data: Hex | null }>(
    `SELECT account_id, token_id, total, nft_data FROM balances LEFT JOIN nft_slots USING (account_id, token_id)
     WHERE account_id = ANY($1::bigint[]) AND total > 0 ORDER BY account_id, token_id`,
    [ids],
  );
  const entries: BlockEntry[] = [];
  for (const account of accounts) {
    const { accountId, owner } = account;
    for (let nonce = 0; nonce < account.nonce; nonce++) entries.push(keyEntry(account, nonce));
    for (const { token_id: tokenId, total: amount, nft_data } of balances.filter((b) => b.account_id === accountId))
      if (tokenId < MIN_NFT_TOKEN_ID) entries.push(depositEntry(accountId, owner, tokenId, amount));
      else if (nft_data === null) throw new Error(`slot ${tokenId} of account ${accountId} holds no known NFT`);
      else entries.push(...(await nftEntries(tx, nft_data, { accountId, owner, tokenId, amount }, now)));
  }
  if (entries.length > 0) await block.append(entries);
}

/** Its minter has to be in the state before, also when its account comes later. */
async function nftEntries(
  tx: Sql,
  nftData: Hex,
  { accountId, owner, tokenId, amount }: { accountId: number; owner: Hex; tokenId: number; amount: bigint },
  now: number,
): Promise<BlockEntry[]> {
  const nft = await needNft(tx, nftData);
  const [minting, ...pair] = await nftDepositEntries(
    tx,
    nft,
    { account_id: accountId, owner, token_id: tokenId, amount, other_address: nft.token_address },
    now,
  );
  if (minting?.executed.type !== 'NftMintTo') return [minting as BlockEntry, ...pair];
  return [depositEntry(minting.executed.minterId, nft.minter, 0, 0n), minting, ...pair];
}

/** Every step of the nonce is a key update of its own; all of them set the key of today. */
function keyEntry({ accountId, owner, x, y }: OpenedAccount, nonce: number): BlockEntry {
  return {
    executed: {
      type: 'AccountUpdate',
      kind: 1,
      owner: BigInt(owner),
      accountId,
      feeTokenId: 0,
      fee: 0n,
      publicKey: x === '' ? 0n : packPoint({ x: BigInt(x), y: BigInt(y) }),
      nonce,
    },
    shown: { txType: 'AccountUpdate', accountId, owner, nonce, valid: true },
  };
}

/** Pools get the LP tokens that nobody has. */
async function openPools(tx: Sql, block: OpenBlock, now: number): Promise<void> {
  const pools = await tx.query<{ address: Hex; account_id: number; lp_token: number; held: bigint }>(
    `SELECT address, account_id, lp_token, coalesce((SELECT sum(total) FROM balances WHERE token_id = lp_token), 0)::numeric AS held
     FROM amm_pools ORDER BY account_id`,
  );
  for (const { address, account_id: accountId, lp_token: tokenId, held } of pools) {
    const amount = LP_TOKENS - held;
    const into = { from: OUTSIDE, to: accountId, frozen: false, kind: 'deposit', ref: address };
    await applyMovements(tx, [{ ...into, tokenId, amount }], now);
    await block.append([depositEntry(accountId, address.toLowerCase(), tokenId, amount)]);
    await publishPool(tx, block, address);
  }
}
