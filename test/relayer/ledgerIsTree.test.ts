import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import type { transactionBlock } from '../../src/protocol/resources.ts';
import { decodeTransaction, encodeTransaction, type Transaction } from '../../src/protocol/rollup/index.ts';
import { accountUpdateTypedData } from '../../src/protocol/typedData.ts';
import { readConfig } from '../../src/relayer/config.ts';
import { applySettings } from '../../src/relayer/engine/deployment.ts';
import { auditDatabase } from './support/audit.ts';
import { auditBlocks, replayDatabase } from './support/auditBlocks.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { everyTransaction } from './support/everyTransaction.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { LRC_ETH_POOL, type Reply, TestAccount } from './support/testAccount.ts';
import { ether } from './support/tokens.ts';

const OPERATOR = 1;
const [ETH, LRC] = [0, 1];
const NEXT_OPERATOR = `0x${'0e'.repeat(20)}` as const;

describe('the ledger is the state that the blocks lead to', () => {
  let test: TestRelayer;
  beforeEach(async () => {
    test = await startRelayer();
  }, START_TIMEOUT_MS);
  afterEach(() => test.close());
  const typesInBlocks = async () =>
    (
      await test.relayer.db.query<{ type: number }>(
        'SELECT DISTINCT get_byte(bytes, 0) AS type FROM block_transactions',
      )
    )
      .map(({ type }) => type)
      .sort((a, b) => a - b);

  it('after every kind of transaction, and the rows of the block query name its accounts, amounts and fees', async () => {
    await everyTransaction(test);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
    // Deposit, Withdrawal, Transfer, SpotTrade, AccountUpdate, AmmUpdate, NftMint and NftData.
    expect(await typesInBlocks()).toEqual([1, 2, 3, 4, 5, 6, 8, 9]);
    const rows = await test.relayer.db.query<{ data: z.output<ReturnType<typeof transactionBlock>>; bytes: string }>(
      `SELECT data, encode(bytes, 'hex') AS bytes FROM block_transactions WHERE get_byte(bytes, 0) = 3`,
    );
    expect(rows.map(({ data }) => data.txType)).toEqual(expect.arrayContaining(['Transfer', 'JoinAmm', 'ExitAmm']));
    for (const { data, bytes } of rows) {
      const executed = decodeTransaction(Buffer.from(bytes, 'hex')) as Extract<Transaction, { type: 'Transfer' }>;
      expect({
        ...{ fromId: data.accountId, from: BigInt(data.owner ?? 0) },
        ...{ toId: data.toAccountId, to: BigInt(data.toAccountAddress ?? 0) },
        ...{ tokenId: data.token?.tokenId, amount: BigInt(data.token?.amount ?? 0) },
        ...{ feeTokenId: data.fee?.tokenId, fee: BigInt(data.fee?.amount ?? 0), storageId: data.storageId },
      }).toEqual({
        ...{ fromId: executed.fromId, from: executed.from, toId: executed.toId, to: executed.to },
        ...{ tokenId: executed.tokenId, amount: executed.amount },
        ...{ feeTokenId: executed.feeTokenId, fee: executed.fee, storageId: executed.storageId },
      });
    }
  });

  it('when the fee of an exit comes out of what the pool pays', async () => {
    const alice = await test.account();
    await alice.post('/api/v3/amm/join', await alice.join(LRC_ETH_POOL, [15_000n * ether, ether]));
    await test.block();
    // All of it: what a float leaves over goes with the next ones.
    for (let left = 1n; left > 0n; left = (await alice.balance(ETH)).total) {
      const all = (await alice.balance(ETH)).total;
      const maxFee = { tokenId: LRC, volume: String(ether) };
      const pay = await alice.transfer(NEXT_OPERATOR, [ETH, all], { maxFee });
      expect((await alice.post('/api/v3/transfer', pay)).status).toBe(200);
      await test.block();
    }
    const { total: shares } = await alice.balance(LRC_ETH_POOL.lp);
    await alice.post('/api/v3/amm/exit', await alice.exit(LRC_ETH_POOL, shares));
    await test.block();
    expect((await alice.balance(ETH)).total > 0n).toBe(true);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('also when the operator changes: the one before keeps its account, the next block names the other', async () => {
    const alice = await test.account();
    await test.block();
    const trade = async () => {
      const pay = await alice.transfer(NEXT_OPERATOR, [LRC, ether]);
      expect((await alice.post('/api/v3/transfer', pay)).status).toBe(200);
    };
    await trade();
    await test.relayer.engine.run();
    const config = readConfig({ dev: true, operatorAddress: NEXT_OPERATOR });
    const before = await replayDatabase(test.relayer.db);
    await applySettings(test.relayer.db, config, 0);
    await trade();
    await test.block();
    const kept = (await replayDatabase(test.relayer.db)).balance(OPERATOR, 0).balance;
    // The open block was begun for the one before.
    expect(kept > before.balance(OPERATOR, 0).balance).toBe(true);
    await trade();
    await test.block();
    const after = await replayDatabase(test.relayer.db);
    expect(after.balance(OPERATOR, 0).balance).toBe(kept);
    expect(after.account(OPERATOR).owner).toBe(BigInt(test.relayer.config.operatorAddress));
    const { body } = await test.call('GET', '/api/v3/account', { query: { owner: NEXT_OPERATOR } });
    expect(after.balance(body.accountId, 0).balance > 0n).toBe(true);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('counts each block in the nonce of the operator, and takes its key update in one piece', async () => {
    const l1 = privateKeyToAccount(generatePrivateKey());
    const own = await startRelayer({ operatorAddress: l1.address });
    try {
      const operator = await new TestAccount(own.place, l1).faucet();
      const nonce = async () =>
        (await own.call('GET', '/api/v3/account', { query: { owner: l1.address } })).body.nonce as number;
      expect(operator.accountId).toBe(OPERATOR);
      expect(await nonce()).toBe(0);
      await own.block();
      expect(await nonce()).toBe(1);
      operator.nonce = 1;
      const body = await operator.updateBody(operator.secretKey);
      const headers = { 'x-api-sig': await operator.typedSignature(accountUpdateTypedData(own.place.chainId, body)) };
      expect((await own.call('POST', '/api/v3/account', { body, headers })).status).toBe(200);
      // No block can come between the two.
      expect(await nonce()).toBe(2);
      const { apiKey } = await operator.login();
      await own.block();
      expect(await nonce()).toBe(3);
      // A block is no key update: the key that works is answered again.
      expect((await operator.login()).apiKey).toBe(apiKey);
      // Nor is one that is sealed during a request.
      const duringBlock = async (work: () => Promise<Reply>) => {
        const sealed = vi.spyOn(own.relayer.db, 'transaction').mockImplementationOnce(async (body) => {
          await new TestAccount(own.place).faucet();
          await own.block();
          return own.relayer.db.transaction(body);
        });
        try {
          const before = await nonce();
          const reply = await work();
          expect([reply.status, await nonce()], JSON.stringify(reply.body)).toEqual([200, before + 1]);
        } finally {
          sealed.mockRestore();
        }
      };
      const accountId = OPERATOR;
      await duringBlock(() => operator.signed('GET', '/api/v3/apiKey', { query: { accountId } }));
      await duringBlock(() => operator.signed('POST', '/api/v3/apiKey', { body: { accountId } }));
      await operator.login();
      const { body: minted } = await operator.post('/api/v3/nft/mint', await operator.mint(`0x${'e1'.repeat(32)}`, 1n));
      await own.block();
      const sale = await operator.nftOrder(
        { tokenId: minted.nftTokenId, amount: '1' },
        { tokenId: ETH, amount: String(ether) },
      );
      await duringBlock(() => operator.post('/api/v3/nft/validateOrder', sale));
      expect(await auditDatabase(own.relayer.db)).toEqual([]);
    } finally {
      await own.close();
    }
  });

  it('and every difference is named', async () => {
    const [alice] = await everyTransaction(test);
    const { db } = test.relayer;
    const audit = async (damage: string) => {
      await db.query(damage);
      const [problem = 'none'] = await auditBlocks(db);
      return problem;
    };
    expect(
      await audit(`UPDATE balances SET total = total + 1 WHERE account_id = ${alice.accountId} AND token_id = 0`),
    ).toMatch(`token 0 of account ${alice.accountId}: `);
    await db.query(`UPDATE balances SET total = total - 1 WHERE account_id = ${alice.accountId} AND token_id = 0`);
    expect(await audit(`UPDATE accounts SET nonce = nonce + 1 WHERE account_id = ${alice.accountId}`)).toMatch(
      `nonce of account ${alice.accountId}: `,
    );
    await db.query(`UPDATE accounts SET nonce = nonce - 1 WHERE account_id = ${alice.accountId}`);
    expect(await audit(`UPDATE fills SET taker_sold = taker_sold + 1`)).toMatch('storage id ');
    await db.query(`UPDATE fills SET taker_sold = taker_sold - 1`);
    expect(await auditBlocks(db)).toEqual([]);
    expect(await audit(`DELETE FROM block_transactions WHERE tx_type = 'JoinAmm'`)).toMatch(
      /^block [0-9]+: its bytes hold other transactions than its rows$/,
    );
    await db.query('UPDATE blocks SET data = NULL');
    expect((await auditBlocks(db))[0]).toMatch(
      /^block [0-9]+: transaction [0-9]+ .*: account [0-9]+ has [0-9]+ too little/,
    );
  });

  describe('and a form that the circuit does not write is named', () => {
    /**
     * Rewrites transactions of the blocks.
     * @returns What the audit finds, each once and with N for its numbers.
     */
    const damaged = async (change: (transaction: Transaction) => Transaction) => {
      await everyTransaction(test);
      const { db } = test.relayer;
      // The rows alone count.
      await db.query('UPDATE blocks SET data = NULL');
      expect(await auditBlocks(db)).toEqual([]);
      const rows = await db.query<{ block_id: number; index_in_block: number; bytes: string }>(
        `SELECT block_id, index_in_block, encode(bytes, 'hex') AS bytes FROM block_transactions WHERE bytes IS NOT NULL`,
      );
      for (const { block_id, index_in_block, bytes } of rows) {
        const after = Buffer.from(encodeTransaction(change(decodeTransaction(Buffer.from(bytes, 'hex'))))).toString(
          'hex',
        );
        if (after === bytes) continue;
        await db.query(
          `UPDATE block_transactions SET bytes = decode($3, 'hex') WHERE block_id = $1 AND index_in_block = $2`,
          [block_id, index_in_block, after],
        );
      }
      return [...new Set((await auditBlocks(db)).map((problem) => problem.replace(/[0-9]+/g, 'N')))].sort();
    };

    it('a transfer that names its receiver alone and opens no account', async () => {
      const problems = await damaged((transaction) =>
        transaction.type === 'Transfer' && transaction.kind === 0 ? { ...transaction, from: 0n } : transaction,
      );
      expect(problems).toEqual(['block N, Transfer N: names one address alone']);
    });

    it('a slot that is repeated', async () => {
      const problems = await damaged((transaction) => {
        if (transaction.type === 'Transfer' && transaction.toTokenId === 0)
          return { ...transaction, toTokenId: transaction.tokenId };
        if (transaction.type === 'SpotTrade' && transaction.boughtTokenA === 0)
          return { ...transaction, boughtTokenA: transaction.tokenB };
        return transaction;
      });
      expect(problems).toEqual(['block N, SpotTrade N: repeats a token', 'block N, Transfer N: repeats its token']);
    });
  });
});
