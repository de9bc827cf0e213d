import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditBlocks } from './support/auditBlocks.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import type { TestRelayer } from './support/startRelayer.ts';
import { startOnPostgres } from './support/startRelayer.ts';
import { LRC_ETH_POOL, randomSecretKey, TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const NFT_ID = `0x${'ab'.repeat(32)}` as const;

describe('off-chain requests from acceptance to the sealed block', () => {
  let test: TestRelayer;
  beforeAll(async () => {
    test = await startOnPostgres();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  const newest = async (account: TestAccount, path: string, list: string) =>
    (await account.get(path, { limit: 1 })).body[list][0];

  it('carries a transfer to an owner who has no account yet', async () => {
    const alice = await test.account();
    const bob = new TestAccount(test.place);
    const before = await alice.balance(LRC);
    const reply = await alice.post(
      '/api/v3/transfer',
      await alice.transfer(bob.owner, [LRC, 25n * ether], { memo: 'hello' }),
    );
    expect(reply.body).toMatchObject({ status: 'received', isIdempotent: false, accountId: alice.accountId });
    expect((await alice.balance(LRC)).locked).toBe(25n * ether);
    await test.block();
    expect((await alice.balance(LRC)).total).toBe(before.total - 25n * ether);
    const { body: account } = await test.call('GET', '/api/v3/account', { query: { owner: bob.owner } });
    expect(account).toMatchObject({ nonce: 0, publicKey: { x: '', y: '' } });
    expect(await newest(alice, '/api/v3/user/transfers', 'transactions')).toMatchObject({
      hash: reply.body.hash,
      txType: 'TRANSFER',
      symbol: 'LRC',
      amount: (25n * ether).toString(),
      receiver: account.accountId,
      status: 'processed',
      progress: '100%',
      memo: 'hello',
    });
  });

  it('carries a withdrawal out of L2 and lets it arrive on L1 after its block is confirmed', async () => {
    const alice = await test.account();
    const before = await alice.balance(LRC);
    const reply = await alice.post('/api/v3/user/withdrawals', await alice.withdrawal([LRC, 100n * ether]));
    expect(reply.body).toMatchObject({ status: 'received' });
    expect(await alice.balance(LRC)).toMatchObject({ locked: 100n * ether, withdraw: 100n * ether });
    await test.block();
    expect(await alice.balance(LRC)).toEqual({
      total: before.total - 100n * ether,
      locked: 0n,
      withdraw: 100n * ether,
    });
    await test.advance(60_000);
    await test.block();
    expect((await alice.balance(LRC)).withdraw).toBe(0n);
    const row = await newest(alice, '/api/v3/user/withdrawals', 'transactions');
    expect(row.status).toBe('processed');
    expect(row.withdrawalInfo.distributeHash).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it('joins a pool, leaves it, and pays out no more than was put in', async () => {
    const alice = await test.account();
    const before = { lrc: await alice.balance(LRC), eth: await alice.balance(ETH) };
    const join = await alice.post('/api/v3/amm/join', await alice.join(LRC_ETH_POOL, [1_500n * ether, ether / 5n]));
    expect(join.body).toMatchObject({ status: 'received' });
    await test.block();
    const lp = (await alice.balance(LRC_ETH_POOL.lp)).total;
    expect(lp > 0n).toBe(true);
    expect((await alice.balance(LRC)).locked).toBe(0n);
    const exit = await alice.post('/api/v3/amm/exit', await alice.exit(LRC_ETH_POOL, lp));
    expect(exit.body).toMatchObject({ status: 'received', isIdempotent: false });
    await test.block();
    expect((await alice.balance(LRC_ETH_POOL.lp)).total).toBe(0n);
    expect((await alice.balance(LRC)).total <= before.lrc.total).toBe(true);
    expect((await alice.balance(ETH)).total < before.eth.total).toBe(true);
    const { body } = await alice.get('/api/v3/amm/user/transactions');
    expect(body.transactions.map((row: { txType: string; txStatus: string }) => [row.txType, row.txStatus])).toEqual([
      ['exit', 'processed'],
      ['join', 'processed'],
    ]);
  });

  it('mints an NFT, moves it, and lets it out only after its contract is deployed', async () => {
    const alice = await test.account();
    const bob = await test.account();
    const mint = await alice.post('/api/v3/nft/mint', await alice.mint(NFT_ID, 10n));
    expect(mint.body).toMatchObject({ nftTokenId: 32_768, status: 'received', isIdempotent: false });
    expect(mint.body.raw_data).toMatchObject({ nftData: mint.body.nftData });
    await test.block();
    const held = { tokenId: 32_768, nftData: mint.body.nftData };
    const moved = await alice.post('/api/v3/nft/transfer', await alice.nftTransfer(bob.owner, held, 4n));
    expect(moved.body).toMatchObject({ status: 'received' });
    await test.block();
    const { body: balances } = await bob.get('/api/v3/user/nft/balances');
    expect(balances.data[0]).toMatchObject({ nftData: held.nftData, total: '4', deploymentStatus: 'NOT_DEPLOYED' });

    const early = await bob.post('/api/v3/nft/withdrawal', await bob.nftWithdrawal(held, 1n));
    expect(early.body.resultInfo).toMatchObject({ code: 100001, message: expect.stringContaining('not deployed') });

    const tokenAddress = await alice.nftContract();
    const deployment = await alice.signed('POST', '/api/v3/nft/deployTokenAddress', {
      body: await alice.deployment(held.nftData),
    });
    expect(deployment.body).toMatchObject({ status: 'SEND_TX_SUCCESS', isIdempotent: false });
    await test.block();
    await test.advance(60_000);
    await test.block();
    const code = await test.call('POST', '/api/v3/delegator/getCode', { body: { address: tokenAddress } });
    expect(code.body.result).toMatch(/^0x363d3d37/);

    const late = await bob.post('/api/v3/nft/withdrawal', await bob.nftWithdrawal(held, 1n));
    expect(late.body).toMatchObject({ status: 'received' });
    await test.block();
    expect((await bob.get('/api/v3/user/nft/balances')).body.data[0].total).toBe('3');
  });

  it('names the slot of a mint in every answer to copies that arrive together', async () => {
    const alice = await test.account();
    const body = await alice.mint(NFT_ID, 1n);
    const answers = await Promise.all(Array.from({ length: 5 }, () => alice.post('/api/v3/nft/mint', body)));
    expect(answers.map((answer) => answer.body.nftTokenId)).toEqual(Array(5).fill(32_768));
    expect(answers.filter((answer) => !answer.body.isIdempotent)).toHaveLength(1);
  });

  it('replaces the key: the old API key, open orders and waiting requests end with it', async () => {
    const alice = await test.account();
    const bob = await test.account();
    await alice.submit(await alice.order([LRC, 1_000n * ether], [ETH, ether]));
    const { body: waiting } = await alice.post('/api/v3/transfer', await alice.transfer(bob.owner, [LRC, ether]));
    const { body: before } = await test.call('GET', '/api/v3/account', { query: { owner: alice.owner } });
    await alice.sendKey(randomSecretKey());
    // As one that took too long and is tried again after those behind it.
    await test.relayer.db.query(
      `UPDATE requests SET id = nextval(pg_get_serial_sequence('requests', 'id')) WHERE hash = $1`,
      [waiting.hash],
    );
    await test.block();
    const { body: after } = await test.call('GET', '/api/v3/account', { query: { owner: alice.owner } });
    expect(after.nonce).toBe(before.nonce + 1);
    expect(after.publicKey).not.toEqual(before.publicKey);
    expect(after.frozen).toBe(false);
    expect((await alice.get('/api/v3/user/balances')).body.resultInfo.code).toBe(104002);
    const states = await test.relayer.db.query(
      `SELECT r.status AS transfer, r.failure, o.status AS "order", b.locked FROM requests r
       JOIN orders o ON o.account_id = r.account_id JOIN balances b ON b.account_id = r.account_id AND b.token_id = $2
       WHERE r.hash = $1`,
      [waiting.hash, LRC],
    );
    expect(states).toEqual([
      { transfer: 'failed', failure: 'the key that signed it was replaced', order: 'cancelled', locked: 0n },
    ]);
    expect((await bob.get('/api/v3/user/balances')).status).toBe(200);
  });

  it('gives a block a time before every deadline in it, also when it is sealed later', async () => {
    const [alice, bob] = [await test.account(), await test.account()];
    await test.block();
    const validUntil = await alice.inSeconds(60);
    await alice.post('/api/v3/transfer', await alice.transfer(bob.owner, [LRC, ether], { validUntil }));
    await alice.submit(await alice.order([LRC, 100n * ether], [ETH, ether / 100n], { validUntil }));
    const { body: taking } = await bob.submit(
      await bob.order([ETH, ether / 100n], [LRC, 100n * ether], { validUntil }),
    );
    await test.relayer.engine.run();
    await test.advance(120_000);
    await test.block();
    expect((await bob.orderOf(taking.hash)).status).toBe('processed');
    expect((await newest(alice, '/api/v3/user/transfers', 'transactions')).status).toBe('processed');
    expect(await auditBlocks(test.relayer.db)).toEqual([]);
  });

  it('prints the transactions of a block with the members of their kind', async () => {
    const alice = await test.account();
    const bob = await test.account();
    await alice.post('/api/v3/transfer', await alice.transfer(bob.owner, [LRC, 25n * ether]));
    const made = await test.call('POST', '/dev/blocks');
    const { body: block } = await alice.get('/api/v3/block/getBlock', { accountId: undefined, id: made.body.blockId });
    expect(block).toMatchObject({ blockId: made.body.blockId, status: 'pending', exchange: test.place.exchange });
    expect(block.transactions.at(-1)).toMatchObject({
      txType: 'Transfer',
      accountId: alice.accountId,
      toAccountId: bob.accountId,
      token: { tokenId: LRC, amount: (25n * ether).toString() },
      valid: true,
    });
    await test.advance(5_000);
    await test.block();
    expect((await alice.get('/api/v3/block/getBlock', { accountId: undefined, id: 'confirmed' })).body.blockId).toBe(
      made.body.blockId,
    );
    await test.advance(60_000);
    await test.block();
    expect((await alice.get('/api/v3/block/getBlock', { accountId: undefined })).body).toMatchObject({
      status: 'finalized',
    });
  });
});
