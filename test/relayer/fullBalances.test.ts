import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_AMOUNT, ZERO_ADDRESS } from '../../src/protocol/limits.ts';
import { auditDatabase } from './support/audit.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import type { TestRelayer } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const CONTRACT = '0x00000000000000000000000000000000000000c1';

describe.each(databases)('balances that would be more than a balance can be, on $name', ({ start }) => {
  let test: TestRelayer;
  beforeAll(async () => {
    test = await start();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  const deposit = async (account: TestAccount, symbol: string, amount: bigint) => {
    const reply = await test.call('POST', '/dev/deposit', {
      body: { owner: account.owner, symbol, amount: `${amount}` },
    });
    expect(reply.status).toBe(200);
  };
  const statuses = async (account: TestAccount, kind: string) => {
    const rows = await test.relayer.db.query<{ status: string }>(
      'SELECT status FROM requests WHERE account_id = $1 AND kind = $2 ORDER BY id',
      [account.accountId, kind],
    );
    return rows.map(({ status }) => status);
  };
  /** All blocks have roots, and everything else agrees with them. */
  const sound = async () => {
    await test.block();
    expect(
      await test.relayer.db.query(
        `SELECT block_id FROM blocks WHERE operator_id IS NOT NULL AND status <> 'open' AND data IS NULL`,
      ),
    ).toEqual([]);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  };
  /** An account that holds as much LRC as a balance can be. */
  const full = async () => {
    const account = await test.account([{ symbol: 'ETH', amount: `${100n * ether}` }]);
    await deposit(account, 'LRC', MAX_AMOUNT);
    await test.block();
    expect((await account.balance(LRC)).total).toBe(MAX_AMOUNT);
    return account;
  };

  it('let a deposit of a token wait until there is room, and nothing else', async () => {
    const account = await full();
    const other = await test.account();
    await deposit(account, 'LRC', 7n);
    await deposit(other, 'LRC', 7n);
    await sound();
    expect(await statuses(account, 'deposit')).toEqual(['processed', 'processed', 'received']);
    expect((await statuses(other, 'deposit')).at(-1)).toBe('processed');
    expect((await account.balance(LRC)).total).toBe(MAX_AMOUNT);
    await account.post('/api/v3/user/withdrawals', await account.withdrawal([LRC, 10n * ether]));
    await test.block();
    await sound();
    expect(await statuses(account, 'deposit')).not.toContain('received');
    expect((await account.balance(LRC)).total).toBe(MAX_AMOUNT - 10n * ether + 7n);
  });

  it('let a deposit of an NFT wait', async () => {
    const account = await test.account();
    const body = { owner: account.owner, tokenAddress: CONTRACT, nftId: '0x2a', amount: `${MAX_AMOUNT}` };
    for (let n = 0; n < 2; n++) expect((await test.call('POST', '/dev/nftDeposit', { body })).status).toBe(200);
    await sound();
    expect(await statuses(account, 'nftDeposit')).toEqual(['processed', 'received']);
  });

  it('fail a transfer, whose amount stays with the sender', async () => {
    const [account, sender] = [await full(), await test.account()];
    const before = await sender.balance(LRC);
    await sender.post('/api/v3/transfer', await sender.transfer(account.owner, [LRC, ether]));
    await sound();
    expect(await statuses(sender, 'transfer')).toEqual(['failed']);
    expect(await sender.balance(LRC)).toEqual(before);
    const [{ failure } = { failure: '' }] = await test.relayer.db.query<{ failure: string }>(
      `SELECT failure FROM requests WHERE kind = 'transfer' AND account_id = $1`,
      [sender.accountId],
    );
    expect(failure).toContain(`account ${account.accountId} would hold more of token ${LRC} than 2^96 - 1`);
  });

  it('fail the order that would fill them, not the order that it meets', async () => {
    const [first, second, seller] = [
      await test.account([{ symbol: 'ETH', amount: `${100n * ether}` }]),
      await test.account(),
      await test.account(),
    ];
    const bid = await first.submit(await first.order([ETH, ether], [LRC, 1_000n * ether]));
    const worse = await second.submit(await second.order([ETH, ether], [LRC, 1_010n * ether]));
    await test.block();
    await deposit(first, 'LRC', MAX_AMOUNT);
    await test.block();
    const ask = await seller.submit(await seller.order([LRC, 1_010n * ether], [ETH, ether]));
    await sound();
    const status = async (account: TestAccount, { body }: typeof bid) => (await account.orderOf(body.hash)).status;
    expect([await status(first, bid), await status(second, worse), await status(seller, ask)]).toEqual([
      'failed',
      'processed',
      'processed',
    ]);
    expect((await first.balance(ETH)).locked).toBe(0n);
  });

  it('refuse an order that would buy more than there is room for', async () => {
    const account = await full();
    const bid = async (amount: bigint) => (await account.submit(await account.order([ETH, ether], [LRC, amount]))).body;
    expect((await bid(100n * ether)).resultInfo).toEqual({
      code: 102020,
      message: 'buyToken: the balance would exceed 2^96 - 1 base units',
    });
    await account.post('/api/v3/user/withdrawals', await account.withdrawal([LRC, 100n * ether]));
    await test.block();
    expect((await bid(100n * ether)).status).toBe('processing');
    await sound();
  });

  it('belong to an address: nothing gives the zero address an account', async () => {
    const body = { owner: ZERO_ADDRESS, symbol: 'LRC', amount: '1' };
    const reply = await test.call('POST', '/dev/deposit', { body });
    expect(reply.body.resultInfo).toMatchObject({ code: 102023, message: expect.stringContaining('zero address') });
    const account = await test.account();
    const nft = { owner: account.owner, tokenAddress: ZERO_ADDRESS, nftId: '0x1', amount: '1' };
    expect((await test.call('POST', '/dev/nftDeposit', { body: nft })).status).toBe(200);
    await sound();
    expect(await test.relayer.db.query('SELECT FROM accounts WHERE owner = $1', [ZERO_ADDRESS])).toEqual([]);
  });
});
