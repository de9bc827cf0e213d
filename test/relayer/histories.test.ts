import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_OFFSET } from '../../src/protocol/fields.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import type { TestRelayer } from './support/startRelayer.ts';
import { LRC_ETH_POOL, type Reply, type TestAccount } from './support/testAccount.ts';
import { ether, LRC } from './support/tokens.ts';

describe.each(databases)('the histories on $name', ({ start }) => {
  let test: TestRelayer;
  let alice: TestAccount;
  let bob: TestAccount;
  const sent: string[] = [];
  let middle = 0;

  beforeAll(async () => {
    test = await start();
    alice = await test.account([
      { symbol: 'ETH', amount: String(10n * ether) },
      { symbol: 'LRC', amount: String(100_000n * ether) },
    ]);
    bob = await test.account();
    for (let n = 1; n <= 5; n++) {
      if (n === 3) middle = (await test.call('GET', '/api/v3/timestamp')).body.timestamp;
      const reply = await alice.post('/api/v3/transfer', await alice.transfer(bob.owner, [LRC, BigInt(n) * ether]));
      sent.push(reply.body.hash);
      await test.advance(1_000);
    }
    await test.block();
    await alice.post('/api/v3/user/withdrawals', await alice.withdrawal([LRC, 9n * ether]));
    for (const nftId of [1, 2, 3]) {
      await alice.post('/api/v3/nft/mint', await alice.mint(`0x${nftId.toString(16).padStart(64, '0')}`, 5n));
      await test.block();
    }
    await alice.post('/api/v3/amm/join', await alice.join(LRC_ETH_POOL, [1_500n * ether, ether / 10n]));
    await test.block();
    await alice.post('/api/v3/amm/exit', await alice.exit(LRC_ETH_POOL, ether));
    await test.call('POST', '/dev/deposit', { body: { owner: alice.owner, symbol: 'LRC', amount: '777' } });
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  const amounts = ({ body }: Reply) =>
    body.transactions.map((row: { amount: string }) => Number(BigInt(row.amount) / ether));
  const transfers = (query: Record<string, string | number>) => alice.get('/api/v3/user/transfers', query);

  it('list the newest first, in pages, with the number of all', async () => {
    expect(amounts(await transfers({}))).toEqual([5, 4, 3, 2, 1]);
    const page = await transfers({ limit: 2, offset: 1 });
    expect(amounts(page)).toEqual([4, 3]);
    expect(page.body.totalNum).toBe(5);
  });

  it('skip as many rows as are read to be skipped, and say how many those are', async () => {
    expect((await transfers({ offset: MAX_OFFSET })).body).toMatchObject({ totalNum: 5, transactions: [] });
    for (const path of ['/api/v3/user/transfers', '/api/v3/orders', '/api/v3/user/trades'])
      expect((await alice.get(path, { offset: MAX_OFFSET + 1 })).body.resultInfo).toEqual({
        code: 100001,
        message: `offset is above ${MAX_OFFSET}`,
      });
  });

  it('keep to start, end, hashes, token and status', async () => {
    expect(amounts(await transfers({ start: middle }))).toEqual([5, 4, 3]);
    expect(amounts(await transfers({ end: middle - 1 }))).toEqual([2, 1]);
    expect(amounts(await transfers({ start: 0, end: 0 }))).toHaveLength(5);
    expect(amounts(await transfers({ hashes: `${sent[0]},${sent[4]}` }))).toEqual([5, 1]);
    const first = sent[0] as string;
    const other = `0x00${first.slice(4)}`;
    const rename = 'UPDATE requests SET hash = $2 WHERE hash = $1';
    await test.relayer.db.query(rename, [first, other]);
    expect(amounts(await transfers({ hashes: `0x${first.slice(4).toUpperCase()}` }))).toEqual([1]);
    await test.relayer.db.query(rename, [other, first]);
    expect(amounts(await transfers({ tokenSymbol: 'ETH' }))).toEqual([]);
    expect(amounts(await transfers({ tokenSymbol: 'LRC', status: 'processed' }))).toHaveLength(5);
    expect(amounts(await transfers({ status: 'failed,received' }))).toEqual([]);
    expect(amounts(await transfers({ transferTypes: 'withdrawal' }))).toEqual([]);
  });

  it('show a transfer to both sides', async () => {
    const { body } = await bob.get('/api/v3/user/transfers');
    expect(body.totalNum).toBe(5);
    expect(body.transactions[0]).toMatchObject({ receiver: bob.accountId, senderAddress: alice.owner.toLowerCase() });
  });

  it('show everything of an account by type', async () => {
    const types = async (filter?: string) => {
      const { body } = await alice.get('/api/v3/user/transactions', { limit: 50, ...(filter && { types: filter }) });
      return body.transactions.map((row: { txType: string }) => row.txType);
    };
    expect(new Set(await types())).toEqual(new Set(['DEPOSIT', 'TRANSFER', 'OFFCHAIN_WITHDRAWAL', 'CHANGE_PWD']));
    expect(await types('offchain_withdrawal')).toEqual(['OFFCHAIN_WITHDRAWAL']);
    expect(await types('change_password,deposit')).toEqual(['DEPOSIT', 'CHANGE_PWD', 'DEPOSIT', 'DEPOSIT']);
    expect(await types('unheard_of')).toEqual([]);
  });

  it('show a deposit as received and pending until its block', async () => {
    const [row] = (await alice.get('/api/v3/user/deposits')).body.transactions;
    expect(row).toMatchObject({ status: 'received', progress: '0%', amount: '777' });
    const pending = async () => (await alice.get('/api/v3/user/balances', { tokens: '1' })).body[0].pending.deposit;
    expect(await pending()).toBe('777');
    await test.block();
    expect(await pending()).toBe('0');
    expect((await alice.get('/api/v3/user/deposits', { hashes: row.hash })).body.transactions[0].status).toBe(
      'processed',
    );
  });

  it('page NFT mints by their begin id and filter them by NFT', async () => {
    const { body } = await alice.get('/api/v3/user/nft/mints');
    expect(body.totalNum).toBe(3);
    const [newest, second] = body.transfers;
    const older = (await alice.get('/api/v3/user/nft/mints', { startId: second.id })).body;
    expect(older.transfers.map((row: { id: number }) => row.id)).toEqual([second.id, body.transfers[2].id]);
    const one = (await alice.get('/api/v3/user/nft/mints', { nftData: newest.nftData })).body;
    expect(one.transfers).toHaveLength(1);
    expect((await alice.get('/api/v3/user/nft/transactions', { types: 'transfer' })).body.totalNum).toBe(0);
    expect(
      (await alice.get('/api/v3/user/nft/transactions', { types: 'mint', txStatus: 'processed' })).body.totalNum,
    ).toBe(3);
  });

  it('name the receiver of an NFT transfer as payee and the sender of a deposit as depositor', async () => {
    const carol = await test.account();
    const contract = `0x${'7c'.repeat(20)}`;
    const deposit = { owner: carol.owner, tokenAddress: contract, nftId: `0x${'07'.repeat(32)}`, amount: '4' };
    const arrived = (await test.call('POST', '/dev/nftDeposit', { body: deposit })).body;
    await test.block();
    const sentNft = await carol.post('/api/v3/nft/transfer', await carol.nftTransfer(bob.owner, arrived, 1n));
    expect(sentNft.status).toBe(200);
    await test.block();
    const [moved] = (await carol.get('/api/v3/user/nft/transfers')).body.transfers;
    expect(moved).toMatchObject({ payeeId: bob.accountId, payeeAddress: bob.owner.toLowerCase() });
    expect(moved).not.toHaveProperty('depositFrom');
    const [came] = (await carol.get('/api/v3/user/nft/deposits')).body.deposits;
    expect(came).toMatchObject({ depositFrom: carol.owner.toLowerCase() });
    expect(came).not.toHaveProperty('payeeAddress');
    const mixed = (await carol.get('/api/v3/user/nft/transactions')).body.transactions;
    expect(mixed.map((row: object) => ['payeeAddress' in row, 'depositFrom' in row])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('show the amount that was asked for, and what moved of it', async () => {
    const [carol, dave] = [await test.account(), await test.account()];
    const before = (await dave.balance(LRC)).total;
    const asked = 1_234_567_890_123_456_789n;
    await carol.post('/api/v3/transfer', await carol.transfer(dave.owner, [LRC, asked]));
    await test.block();
    const moved = (await dave.balance(LRC)).total - before;
    expect(moved).toBeLessThan(asked);
    for (const account of [carol, dave])
      expect((await account.get('/api/v3/user/transfers')).body.transactions[0]).toMatchObject({
        amount: String(asked),
        actualAmount: String(moved),
      });
  });

  it('show joins and exits with what they asked for and what they got', async () => {
    const ask = async (query: Record<string, string>) =>
      (await alice.get('/api/v3/amm/user/transactions', query)).body.transactions;
    const [exit] = await ask({ txTypes: 'exit' });
    const [join] = await ask({ txTypes: 'join', txStatus: 'processed', ammPoolAddress: LRC_ETH_POOL.address });
    expect(exit).toMatchObject({
      txType: 'exit',
      ammLayerType: 'layer_2',
      lpToken: { tokenId: 100, amount: ether.toString() },
    });
    expect(join.poolTokens[0]).toMatchObject({ tokenId: LRC, amount: (1_500n * ether).toString() });
    expect(BigInt(join.poolTokens[0].actualAmount) <= 1_500n * ether).toBe(true);
    expect(join.storageInfo).toHaveLength(2);
    expect(await ask({ ammPoolAddress: test.place.exchange })).toEqual([]);
  });

  it('list NFT slots with their contracts, those that hold something unless asked otherwise', async () => {
    const list = async (query: Record<string, string | number | boolean>) =>
      (await alice.get('/api/v3/user/nft/balances', query)).body;
    const all = await list({});
    expect(all.totalNum).toBe(3);
    const [first] = all.data;
    expect(first).toMatchObject({ tokenId: 32_768, nftType: 'ERC1155', isCounterFactualNFT: true, total: '5' });
    expect((await list({ tokenIds: '32769' })).data[0].tokenId).toBe(32_769);
    expect((await list({ nftDatas: first.nftData })).totalNum).toBe(1);
    expect((await list({ tokenAddrs: test.place.exchange })).totalNum).toBe(0);
    await alice.post('/api/v3/nft/transfer', await alice.nftTransfer(bob.owner, first, 5n));
    await test.block();
    expect((await list({})).totalNum).toBe(2);
    expect((await list({ nonZero: false })).totalNum).toBe(3);
  });

  it('say of what failed that nothing moved and no fee was paid', async () => {
    const requests = [
      ['transfer', await bob.transfer(alice.owner, [LRC, ether])],
      ['nft/mint', await bob.mint(`0x${'f'.repeat(64)}`, 1n)],
    ] as const;
    for (const [path, body] of requests) {
      await bob.post(`/api/v3/${path}`, body);
      await test.call('POST', '/dev/failNext', { body: { step: 'settle' } });
      await test.block();
    }
    const rows = await Promise.all(
      ['transactions', 'transfers', 'nft/transactions'].map(async (path) => {
        const { body } = await bob.get(`/api/v3/user/${path}`, { limit: 1 });
        const { status, amount, actualAmount, feeAmount } = body.transactions[0];
        return { status, amount, actualAmount, feeAmount };
      }),
    );
    const transfer = { status: 'failed', amount: String(ether), actualAmount: '0', feeAmount: '0' };
    expect(rows).toEqual([transfer, transfer, { status: 'failed', amount: '1', feeAmount: '0' }]);
  });
});
