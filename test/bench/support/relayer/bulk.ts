import { createHash, randomBytes } from 'node:crypto';
import type { Hex } from 'viem';
import { createSigner, formatSignature, getPublicKey, packPoint, type Signer } from '../../../../src/crypto/index.ts';
import { formatHash } from '../../../../src/protocol/formatHash.ts';
import { orderHash } from '../../../../src/protocol/payloads/order.ts';
import type { Db } from '../../../../src/relayer/db/port.ts';
import { type BlockEntry, depositEntry, OpenBlock } from '../../../../src/relayer/engine/blocks.ts';
import { lockEngine } from '../../../../src/relayer/engine/engineLock.ts';
import { randomSecretKey } from '../../../relayer/support/testAccount.ts';
import { ETH, ether, LRC } from '../../../relayer/support/tokens.ts';

/**
 * Fills a relayer's database by SQL with accounts, balances and resting orders, every ledger and
 * slot as the relayer would have written it, so that the audit of the tests holds. Prices keep
 * clear of the pool's (15,000 LRC for 1 ETH).
 */
/** Market makers; each gets enough of both tokens for the whole bench. */
export const SIGNERS = 1_000;
const FUNDS = [
  [LRC, 10_000_000n * ether],
  [ETH, 1_000n * ether],
] as const;
const FIRST_SIGNER_ID = 20_001;
const FIRST_FILLER_ID = 1_000_001;
/**
 * Accounts in one statement, so that none meets the statement timeout of the relayer's connections.
 */
const AT_ONCE = 25_000;
const POOL_PRICE = 10n ** 36n / 15_000n;

/** An account that can sign orders. */
export interface BenchSigner {
  readonly accountId: number;
  readonly apiKey: string;
  readonly signer: Signer;
  /** Orders made so far by token sold; the next storage id is twice that. */
  readonly made: [eth: number, lrc: number];
}

export async function addSigners(db: Db): Promise<BenchSigner[]> {
  const signers: BenchSigner[] = [];
  const keys: { x: string; y: string }[] = [];
  for (let n = 0; n < SIGNERS; n++) {
    const secret = randomSecretKey();
    const { x, y } = getPublicKey(secret);
    keys.push({ x: formatHash(x), y: formatHash(y) });
    signers.push({
      accountId: FIRST_SIGNER_ID + n,
      apiKey: randomBytes(32).toString('base64url'),
      signer: createSigner(secret),
      made: [0, 0],
    });
  }
  const ids = signers.map(({ accountId }) => accountId);
  await db.query(
    `INSERT INTO accounts (account_id, owner, public_key_x, public_key_y, nonce, created_at)
     SELECT id, '0x' || lpad(to_hex(id), 40, '0'), x, y, 1, 0 FROM unnest($1::bigint[], $2::text[], $3::text[]) AS k (id, x, y)`,
    [ids, keys.map(({ x }) => x), keys.map(({ y }) => y)],
  );
  await db.query(
    `INSERT INTO api_keys (account_id, generation, key_hash, created_at)
     SELECT id, 1, hash, 0 FROM unnest($1::bigint[], $2::text[]) AS k (id, hash)`,
    [ids, signers.map(({ apiKey }) => createHash('sha256').update(apiKey).digest('hex'))],
  );
  for (const [token, amount] of FUNDS) await credit(db, token, amount, FIRST_SIGNER_ID, FIRST_SIGNER_ID + SIGNERS - 1);
  await publish(db, signers);
  return signers;
}

const ownerOf = (accountId: number): Hex => `0x${accountId.toString(16).padStart(40, '0')}`;

/**
 * Puts the accounts into the blocks as well: what the state does not know cannot be traded in a
 * block.
 */
async function publish(db: Db, signers: readonly BenchSigner[]): Promise<void> {
  const entries = signers.flatMap(({ accountId, signer }): BlockEntry[] => {
    const owner = ownerOf(accountId);
    const update = { accountId, owner: BigInt(owner), feeTokenId: 0, fee: 0n, nonce: 0 };
    return [
      {
        executed: { type: 'AccountUpdate', kind: 1, ...update, publicKey: packPoint(signer.publicKey) },
        shown: { txType: 'AccountUpdate', accountId, owner, nonce: 0, valid: true },
      },
      ...FUNDS.map(([token, amount]) => depositEntry(accountId, owner, token, amount)),
    ];
  });
  await db.transaction(async (tx) => {
    await lockEngine(tx);
    const block = await OpenBlock.take(tx, Date.now());
    await block.append(entries);
    await block.close();
  }, 'maintenance');
}

function credit(db: Db, token: number, amount: bigint, from: number, to: number): Promise<unknown> {
  return db.script(`
    INSERT INTO balances (account_id, token_id, total) SELECT id, ${token}, ${amount} FROM generate_series(${from}, ${to}) AS id;
    INSERT INTO ledger (account_id, token_id, delta, kind, ref, created_at)
      SELECT id, ${token}, ${amount}, 'deposit', 'bench', 0 FROM generate_series(${from}, ${to}) AS id;
    INSERT INTO ledger (account_id, token_id, delta, kind, ref, created_at)
      VALUES (0, ${token}, ${-amount * BigInt(to - from + 1)}, 'deposit', 'bench', 0);`);
}

/**
 * Brings the number of filler accounts, each with one open order deep in the book, from `have` to
 * `want`. Half sell LRC 5 to 105 % above the pool's price, half buy it 5 to 55 % below.
 */
export async function fillBook(db: Db, have: number, want: number, validUntil: number): Promise<void> {
  for (let done = have; done < want; done += AT_ONCE)
    await fillPart(db, FIRST_FILLER_ID + done, FIRST_FILLER_ID + Math.min(done + AT_ONCE, want) - 1, validUntil);
  await db.script('ANALYZE');
}

async function fillPart(db: Db, from: number, to: number, validUntil: number): Promise<void> {
  const lrc = 20n * ether;
  await db.script(
    `INSERT INTO accounts (account_id, owner, public_key_x, public_key_y, nonce, created_at)
     SELECT id, '0x' || lpad(to_hex(id), 40, '0'), '0x00', '0x01', 1, 0 FROM generate_series(${from}, ${to}) AS id`,
  );
  await credit(db, LRC, lrc, from, to);
  await credit(db, ETH, ether, from, to);
  await db.script(`
    WITH made AS (
      SELECT id, id % 2 = 0 AS sells,
        CASE WHEN id % 2 = 0 THEN ${POOL_PRICE} * (105000 + (id * 7919) % 100000) / 100000
             ELSE ${POOL_PRICE} * (95000 - (id * 7919) % 50000) / 100000 END::numeric AS price
      FROM generate_series(${from}::bigint, ${to}::bigint) AS id),
    priced AS (SELECT *, trunc(${lrc} * price / 1e36) AS eth FROM made),
    slots AS (
      INSERT INTO storage_slots (account_id, token_id, slot, storage_id, ref)
      SELECT id, CASE WHEN sells THEN ${LRC} ELSE ${ETH} END, 0, 0, '0xf' || lpad(to_hex(id), 63, '0') FROM priced),
    held AS (
      UPDATE balances SET locked = CASE WHEN sells THEN ${lrc} ELSE eth END FROM priced
      WHERE account_id = id AND token_id = CASE WHEN sells THEN ${LRC} ELSE ${ETH} END)
    INSERT INTO orders (hash, account_id, owner, storage_id, token_s, token_b, amount_s, amount_b, fill_by_b, valid_until,
      max_fee_bips, maker_bips, taker_bips, taker, order_type, channel, pool_address, client_order_id, affiliate, market, side,
      price, locked, status, resting, digest, created_at, updated_at)
    SELECT '0xf' || lpad(to_hex(id), 63, '0'), id, '0x' || lpad(to_hex(id), 40, '0'), 0,
      CASE WHEN sells THEN ${LRC} ELSE ${ETH} END, CASE WHEN sells THEN ${ETH} ELSE ${LRC} END,
      CASE WHEN sells THEN ${lrc} ELSE eth END, CASE WHEN sells THEN eth ELSE ${lrc} END, false, ${validUntil},
      60, 0, 20, '0x0000000000000000000000000000000000000000', 'LIMIT_ORDER', 'ORDER_BOOK', '', '', '', 'LRC-ETH',
      CASE WHEN sells THEN 'SELL' ELSE 'BUY' END, trunc(eth * 1e36 / ${lrc}), CASE WHEN sells THEN ${lrc} ELSE eth END,
      'processing', true, md5(id::text), 0, 0
    FROM priced`);
}

/**
 * Signed orders, spread over the signers so that neighbours have different accounts, or `inARow` of
 * one account after each other. Of four orders three rest 2 to 4 % off the pool's price, and one
 * takes what rests on the other side.
 */
export function signOrders(
  signers: readonly BenchSigner[],
  exchange: string,
  validUntil: number,
  count: number,
  inARow = 1,
): { account: BenchSigner; body: string }[] {
  return Array.from({ length: count }, (_, n) => {
    const account = signers[Math.floor(n / inARow) % signers.length] as BenchSigner;
    const sells = n % 2 === 0;
    const takes = n % 8 === 3 || n % 8 === 6;
    const lrc = 20n * ether;
    // Ten-thousandths of the pool's price; a taker reaches to the far end of the other side.
    const away = takes ? -420 : 200 + ((n * 37) % 200);
    const eth = (lrc * BigInt(10_000 + (sells ? away : -away))) / (15_000n * 10_000n);
    const storageId = 2 * account.made[sells ? 1 : 0]++;
    const order = {
      exchange,
      accountId: account.accountId,
      storageId,
      sellToken: sells ? { tokenId: LRC, volume: lrc.toString() } : { tokenId: ETH, volume: eth.toString() },
      buyToken: sells ? { tokenId: ETH, volume: eth.toString() } : { tokenId: LRC, volume: lrc.toString() },
      allOrNone: false,
      fillAmountBOrS: false,
      validUntil,
      maxFeeBips: 60,
      orderType: 'LIMIT_ORDER',
      tradeChannel: takes ? 'ORDER_BOOK' : 'MIXED',
    };
    const eddsaSignature = formatSignature(account.signer.sign(orderHash(order)));
    return { account, body: JSON.stringify({ ...order, eddsaSignature }) };
  });
}
