import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/protocol/time.ts';
import type { SqlValue } from '../../../src/relayer/db/port.ts';
import { applySettings, differencesOf } from '../../../src/relayer/engine/deployment.ts';
import { auditDatabase } from '../support/audit.ts';
import { databases, START_TIMEOUT_MS } from '../support/databases.ts';
import { DEPOSITOR, type Operated, someEvent, startOperated, until } from '../support/operated.ts';
import type { TestAccount } from '../support/testAccount.ts';
import { ether, LRC } from '../support/tokens.ts';

const CONTRACT = '0x00000000000000000000000000000000000000c2';
const RECIPIENT = '0x00000000000000000000000000000000000000b7';
const [TX, OTHER_TX] = [`0x${'aa'.repeat(32)}`, `0x${'bb'.repeat(32)}`];

describe.each(databases)('payouts and blocks that the operator reports, on $name', ({ start }) => {
  let operated: Operated;
  let account: TestAccount;
  beforeAll(async () => {
    operated = await startOperated(start, { confirmBlocks: 'report', confirmAfterMs: 1, finalizeAfterMs: 50 });
    account = await operated.funded();
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    expect(await auditDatabase(operated.test.relayer.db)).toEqual([]);
    await operated.close();
  });

  /** A withdrawal that is settled and stands in a sealed block. */
  const withdraw = async (amount: bigint): Promise<string> => {
    const reply = await account.post('/api/v3/user/withdrawals', await account.withdrawal([LRC, amount]));
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    await until('the withdrawal is in a block', async () => (await rowOf(reply.body.hash))?.status === 'processed');
    return reply.body.hash;
  };
  const rowOf = async (hash: string) =>
    (await account.get('/api/v3/user/withdrawals')).body.transactions.find(
      (row: { hash: string }) => row.hash.toLowerCase() === hash.toLowerCase(),
    );
  const settled = (total: bigint) =>
    until('the balance is as expected', async () => (await account.balance(LRC)).total === total);

  it('list a withdrawal with all that its payout needs, until it is paid, once', async () => {
    const hash = await withdraw(3n * ether);
    const before = await account.balance(LRC);
    const [waiting] = (await operated.list('withdrawals')).slice(-1);
    expect(waiting).toMatchObject({
      ...{ hash, accountId: account.accountId, recipient: account.owner.toLowerCase(), symbol: 'LRC' },
      ...{ amount: String(3n * ether), minGas: 0, extraData: '0x', fast: false, blockStatus: 'pending' },
    });
    expect(before.withdraw).toBe(3n * ether);
    expect(await operated.tell('withdrawal-paid', { hash, txHash: TX })).toMatchObject({ body: { repeated: false } });
    expect(await operated.tell('withdrawal-paid', { hash, txHash: TX })).toMatchObject({ body: { repeated: true } });
    const spelled = `0x${'AA'.repeat(32)}`;
    expect((await operated.tell('withdrawal-paid', { hash, txHash: spelled })).body.repeated).toBe(true);
    expect(await operated.list('withdrawals', { after: Number(waiting?.number) - 1 })).toEqual([]);
    expect(await account.balance(LRC)).toEqual({ ...before, withdraw: 0n });
    expect((await rowOf(hash)).withdrawalInfo.distributeHash).toBe(TX);
  });

  it('name the recipient, the gas and the data that were signed', async () => {
    const signed = { to: RECIPIENT, minGas: 10_000, extraData: '0xc0ffee' };
    const { body } = await account.post('/api/v3/user/withdrawals', await account.withdrawal([LRC, ether], signed));
    const waiting = await until('it waits for its payout', async () =>
      (await operated.list('withdrawals')).find(({ hash }) => hash === body.hash),
    );
    expect(waiting).toMatchObject({
      owner: account.owner.toLowerCase(),
      ...{ recipient: RECIPIENT, minGas: 10_000, extraData: '0xc0ffee' },
    });
    expect((await operated.tell('withdrawal-paid', { hash: body.hash, txHash: TX })).status).toBe(200);
  });

  it('give the amount of a withdrawal that cannot be paid back exactly once, as a deposit', async () => {
    const { total } = await account.balance(LRC);
    const hash = await withdraw(3n * ether);
    const after = (await account.balance(LRC)).total;
    expect(after).toBeLessThan(total);
    const told = { hash, reason: 'the recipient reverts' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => operated.tell('withdrawal-failed', told)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.filter(({ body }) => !body.repeated)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.returnedBy)).size).toBe(1);
    await settled(after + 3n * ether);
    expect((await operated.tell('withdrawal-failed', { ...told, reason: 'again' })).body.repeated).toBe(true);
    expect((await account.balance(LRC)).withdraw).toBe(0n);
    const { body } = await account.get('/api/v3/user/deposits', { hashes: answers[0]?.body.returnedBy });
    expect(body.transactions).toMatchObject([
      {
        ...{ amount: String(3n * ether), txHash: '' },
        ...{ memo: 'returned: the withdrawal could not be paid on layer 1' },
      },
    ]);
    // The withdrawal stands in a block: it stays what it was there.
    expect((await rowOf(hash)).status).toBe('processed');
    expect(await operated.list('withdrawals')).toEqual([]);
  });

  it('refuse a payout that contradicts another report, whichever comes first', async () => {
    const [paid, failed] = [await withdraw(ether), await withdraw(ether)];
    const { total } = await account.balance(LRC);
    await operated.tell('withdrawal-paid', { hash: paid, txHash: TX });
    await operated.tell('withdrawal-failed', { hash: failed, reason: 'no such recipient' });
    for (const [word, body, text] of [
      ['withdrawal-paid', { hash: paid, txHash: OTHER_TX }, `was paid by ${TX}`],
      ['withdrawal-failed', { hash: paid, reason: 'x' }, `was paid by ${TX}`],
      ['withdrawal-paid', { hash: failed, txHash: TX }, 'its amount given back: no such recipient'],
    ] as const) {
      const reply = await operated.tell(word, body);
      expect(reply, word).toMatchObject({ status: 409, body: { error: { reason: 'contradiction' } } });
      expect(reply.body.error.message).toContain(text);
    }
    await settled(total + ether);
  });

  it('refuse what is no withdrawal, and a reason that is no sentence', async () => {
    const unknown = await operated.tell('withdrawal-paid', { hash: TX, txHash: TX });
    expect(unknown).toMatchObject({ status: 404, body: { error: { reason: 'unknown' } } });
    const [deposit] = (await account.get('/api/v3/user/deposits')).body.transactions;
    expect((await operated.tell('withdrawal-failed', { hash: deposit.hash, reason: 'x' })).status).toBe(404);
    const hash = await withdraw(ether);
    await operated.tell('withdrawal-paid', { hash, txHash: TX });
    for (const reason of ['', 'x'.repeat(201), 'two\nlines'])
      expect((await operated.tell('withdrawal-failed', { hash, reason })).status).toBe(400);
  });

  it('give an NFT back into the slot that it left', async () => {
    const nft = { from: DEPOSITOR, nftType: 'ERC721', tokenAddress: CONTRACT, nftId: '0x7', amount: '1' };
    await operated.tell('nft-deposit-confirmed', { owner: account.owner, ...nft, ...someEvent() });
    const held = await until('the NFT is credited', async () => {
      const { body } = await account.get('/api/v3/user/nft/balances');
      return body.data[0]?.total === '1' && body.data[0];
    });
    await operated.code(CONTRACT);
    const sent = await account.post('/api/v3/nft/withdrawal', await account.nftWithdrawal(held, 1n));
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    const waiting = await until('it waits for its payout', async () =>
      (await operated.list('withdrawals')).find(({ hash }) => hash === sent.body.hash),
    );
    expect(waiting).toMatchObject({ nftType: 'ERC721', tokenAddress: CONTRACT, amount: '1' });
    expect(BigInt(String(waiting.nftId))).toBe(7n);
    await operated.tell('withdrawal-failed', { hash: sent.body.hash, reason: 'the vault is closed' });
    const back = await until('the NFT is back', async () => {
      const { body } = await account.get('/api/v3/user/nft/balances');
      return body.data[0]?.total === '1' && body.data[0];
    });
    expect(back.tokenId).toBe(held.tokenId);
  });

  it('never give back an NFT that was minted here: no deposit of layer 1 could bring it back', async () => {
    const minted = await account.post('/api/v3/nft/mint', await account.mint(`0x${'c3'.repeat(32)}`, 1n));
    expect(minted.status, JSON.stringify(minted.body)).toBe(200);
    const held = await until('the NFT is minted', async () => {
      const { body } = await account.get('/api/v3/user/nft/balances');
      return body.data.find(
        (one: { total: string; tokenAddress: string }) =>
          one.total === '1' && one.tokenAddress.toLowerCase() !== CONTRACT,
      );
    });
    operated.code(held.tokenAddress);
    const { body } = await account.post('/api/v3/nft/withdrawal', await account.nftWithdrawal(held, 1n));
    const { hash } = body;
    const waits = async () => (await operated.list('withdrawals')).some((one) => one.hash === hash);
    await until('it waits for its payout', waits);
    const refused = await operated.tell('withdrawal-failed', { hash, reason: 'no such recipient' });
    expect(refused).toMatchObject({ status: 409, body: { error: { reason: 'contradiction' } } });
    expect(refused.body.error.message).toContain('was minted here; it can only be paid');
    expect(await waits()).toBe(true);
    expect((await operated.tell('withdrawal-paid', { hash, txHash: TX })).body.repeated).toBe(false);
  });

  it('leave sealed blocks pending until they are reported, one after another', async () => {
    await withdraw(ether);
    await withdraw(ether);
    const [first, second] = (await operated.list('blocks')).map(({ number }) => Number(number));
    const statusOf = async (id: number) => (await account.get('/api/v3/block/getBlock', { id })).body;
    expect(await statusOf(first as number)).toMatchObject({ status: 'pending', txHash: '' });
    const ahead = await operated.tell('block-submitted', { blockId: second, txHash: TX });
    expect(ahead).toMatchObject({ status: 409, body: { error: { reason: 'early' } } });
    expect(ahead.body.error.message).toBe(`block ${first} comes before it and was not reported yet`);
    const told = { blockId: first, txHash: TX };
    const answers = await Promise.all(Array.from({ length: 6 }, () => operated.tell('block-submitted', told)));
    expect(answers.filter(({ body }) => body.repeated === false)).toHaveLength(1);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const spelled = { ...told, txHash: `0x${'AA'.repeat(32)}` };
    expect((await operated.tell('block-submitted', spelled)).body).toEqual({ repeated: true });
    const other = await operated.tell('block-submitted', { ...told, txHash: OTHER_TX });
    expect(other).toMatchObject({ status: 409, body: { error: { reason: 'contradiction' } } });
    expect((await operated.list('blocks')).map(({ number }) => number)).not.toContain(first);
    const block = await until('the block is finalized', async () => {
      const body = await statusOf(first as number);
      return body.status === 'finalized' && body;
    });
    expect(block.txHash).toBe(TX);
    expect((await statusOf(second as number)).status).toBe('pending');
    expect((await operated.tell('block-submitted', { blockId: 999_999, txHash: TX })).status).toBe(404);
    expect((await operated.tell('block-submitted', { blockId: 0, txHash: TX })).status).toBe(400);
  });

  it('show what waits in the metrics', async () => {
    await withdraw(ether);
    const { metric } = operated.test;
    expect(await metric('unpaid_withdrawals')).toBe((await operated.list('withdrawals')).length);
    expect(await metric('oldest_unpaid_withdrawal_seconds')).toBeGreaterThan(0);
    expect(await metric('unsubmitted_blocks')).toBeGreaterThan(0);
  });

  it('are counted alike by every process: a start with another rule is refused until it is applied', async () => {
    const { db, config } = operated.test.relayer;
    const byTime = { ...config, confirmBlocks: 'time' } as const;
    const difference = { setting: 'confirmBlocks', database: 'report', given: 'time', fixed: false };
    expect(await differencesOf(db, config)).toEqual([]);
    expect(await differencesOf(db, byTime)).toEqual([difference]);
    expect(await applySettings(db, byTime, 0)).toEqual([difference]);
    expect(await differencesOf(db, byTime)).toEqual([]);
    await applySettings(db, config, 0);
  });

  it('refuse a block that is open, or has no roots yet', async () => {
    const { db, engine, config } = operated.test.relayer;
    Object.assign(config, { blockAgeMs: 3_600_000 });
    await account.post('/api/v3/user/withdrawals', await account.withdrawal([LRC, ether]));
    const blockId = await until('a block is open', async () => {
      const [open] = await db.query<{ id: number }>(
        `SELECT block_id AS id FROM blocks WHERE status = 'open' AND size > 0`,
      );
      return open?.id;
    });
    expect((await operated.list('blocks')).map(({ number }) => number)).not.toContain(blockId);
    const report = async (id: unknown = blockId) => {
      const { status, body } = await operated.tell('block-submitted', { blockId: id, txHash: TX });
      return [status, body.error?.reason, body.error?.message];
    };
    for (const { number } of await operated.list('blocks')) await report(number);
    expect(await report()).toEqual([409, 'early', `block ${blockId} is not sealed yet`]);
    await engine.run({ seal: true });
    const data = await until('it has roots', async () => {
      const [block] = await db.query<{ data: SqlValue }>('SELECT data FROM blocks WHERE block_id = $1', [blockId]);
      return block?.data ?? undefined;
    });
    await engine.stop();
    const setData = (bytes: SqlValue) => db.query('UPDATE blocks SET data = $2 WHERE block_id = $1', [blockId, bytes]);
    await setData(null);
    expect(await report()).toEqual([409, 'early', `block ${blockId} has no roots yet`]);
    await setData(data);
    expect(await report()).toEqual([200, undefined, undefined]);
    expect((await account.get('/api/v3/block/getBlock', { id: blockId })).body.status).toBe('confirmed');
  });

  it('refuse a payout before its withdrawal is settled, and of one that failed', async () => {
    const { db, engine } = operated.test.relayer;
    await engine.stop();
    const { body } = await account.post('/api/v3/user/withdrawals', await account.withdrawal([LRC, ether]));
    const told = { hash: body.hash, txHash: TX };
    const early = await operated.tell('withdrawal-paid', told);
    expect(early).toMatchObject({ status: 409, body: { error: { reason: 'early' } } });
    await db.query(`UPDATE requests SET status = 'failed', failure = 'too late' WHERE hash = $1`, [body.hash]);
    const failed = await operated.tell('withdrawal-failed', { hash: body.hash, reason: 'x' });
    await db.query(`UPDATE requests SET status = 'received', failure = '' WHERE hash = $1`, [body.hash]);
    expect(failed).toMatchObject({ status: 409, body: { error: { reason: 'contradiction' } } });
    expect(failed.body.error.message).toContain('failed on layer 2: too late');
  });
});

it(
  'a report of a block that is final already, by its time, says where it stands and takes nothing back',
  async () => {
    const operated = await startOperated(undefined, { confirmAfterMs: 1, finalizeAfterMs: 1 });
    try {
      const account = await operated.funded();
      const block = async () => (await account.get('/api/v3/block/getBlock', { id: 1 })).body;
      await until('the block is final', async () => (await block()).status === 'finalized');
      const before = await block();
      expect((await operated.tell('block-submitted', { blockId: 1, txHash: TX })).body).toEqual({ repeated: false });
      expect(await block()).toEqual({ ...before, txHash: TX });
    } finally {
      await operated.close();
    }
  },
  START_TIMEOUT_MS,
);

it(
  'a report of a block that is not old enough to be confirmed by its time confirms it',
  async () => {
    const operated = await startOperated(undefined, { confirmAfterMs: DAY_MS });
    try {
      const account = await operated.funded();
      const status = async () => (await account.get('/api/v3/block/getBlock', { id: 1 })).body.status;
      const report = async () => (await operated.tell('block-submitted', { blockId: 1, txHash: TX })).status === 200;
      await until('the block has its roots', report);
      expect(await status()).toBe('confirmed');
    } finally {
      await operated.close();
    }
  },
  START_TIMEOUT_MS,
);
