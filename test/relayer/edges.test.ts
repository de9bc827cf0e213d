import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIRST_UPDATE_PAID } from '../../src/protocol/endpoints/getAccount.ts';
import { feeRequestTypes } from '../../src/protocol/endpoints/getOffchainFee.ts';
import { submitOrder } from '../../src/protocol/endpoints/submitOrder.ts';
import { submitTransfer } from '../../src/protocol/endpoints/submitTransfer.ts';
import { validateOrder } from '../../src/protocol/endpoints/validateOrder.ts';
import { formatHash } from '../../src/protocol/formatHash.ts';
import { nftOrderHash } from '../../src/protocol/payloads/nftOrder.ts';
import { orderHash } from '../../src/protocol/payloads/order.ts';
import { transferHash } from '../../src/protocol/payloads/transfer.ts';
import { relayerConfig } from '../../src/relayer/config.ts';
import { isAlive, processIdentity } from '../../src/relayer/db/processIdentity.ts';
import { acceptRequest, movedWithFee } from '../../src/relayer/engine/acceptRequest.ts';
import { type Account, findAccount, lockAccount } from '../../src/relayer/engine/accounts.ts';
import { openClock } from '../../src/relayer/engine/clock.ts';
import { type CheckedNftOrder, placeNftOrder } from '../../src/relayer/engine/nft/placeNftOrder.ts';
import type { CheckedOrder } from '../../src/relayer/engine/orders/checkedOrder.ts';
import { orderRecorder } from '../../src/relayer/engine/orders/recordOrders.ts';
import type { Relayer } from '../../src/relayer/engine/relayer.ts';
import { getApiKey } from '../../src/relayer/routes/getApiKey.ts';
import { resetApiKey } from '../../src/relayer/routes/resetApiKey.ts';
import { loggedError } from '../../src/relayer/server/loggedError.ts';
import type { Call } from '../../src/relayer/server/route.ts';
import { auditDatabase } from './support/audit.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import type { TestRelayer } from './support/startRelayer.ts';
import { randomSecretKey, TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const MAX_BALANCE = 2n ** 96n - 1n;
const id = (byte: string) => `0x${byte.repeat(32)}` as const;

const transferDraft = (signed: Awaited<ReturnType<TestAccount['transfer']>>) => {
  const body = submitTransfer.body.parse(signed);
  return { ...movedWithFee(body, LRC, ether, 0n), ...({ kind: 'transfer', hash: transferHash(body), body } as const) };
};

/** The account as it was before its key was replaced, and the parts of the relayer that record. */
async function withEarlierKey({ relayer: { db } }: TestRelayer, { accountId }: TestAccount) {
  const account = await findAccount(db, accountId);
  if (!account) throw new Error('there is no account');
  const parts = {
    ...{ db, clock: await openClock(db), apiKeySecret: 'secret', catalog: {} },
    ...{ faults: { pass: () => {} }, metrics: { count: () => {} }, wake: () => {} },
  };
  return { relayer: parts as unknown as Relayer, before: { ...account, keyNonce: account.keyNonce - 1 } };
}

describe.each(databases)('a relayer on $name', ({ start }) => {
  let test: TestRelayer;
  beforeAll(async () => {
    test = await start();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  it.each([
    ['clientOrderId', { clientOrderId: 'a\u0000b' }],
    ['affiliate', { affiliate: '\u0007' }],
  ])('refuses control characters and names the field: %s', async (field, changes) => {
    const alice = await test.account();
    const reply = await alice.submit({ ...(await alice.order([LRC, 10n * ether], [ETH, ether])), ...changes });
    expect(reply.body.resultInfo).toEqual({ code: 100001, message: `${field} has a control character` });
    const read = await alice.get('/api/v3/user/balances', { tokens: '0\u0000' });
    expect(read.body.resultInfo).toEqual({ code: 100001, message: 'tokens has a control character' });
  });

  it('refuses a text with half of a surrogate pair, which the database cannot keep, and names the field', async () => {
    const alice = await test.account();
    const update = await alice.keyUpdate(alice.secretKey, { keySeed: 'a\ud800b' });
    const reply = await test.call('POST', '/api/v3/account', update);
    expect(reply.body.resultInfo).toEqual({ code: 100001, message: 'keySeed has a lone surrogate' });
    const order = await alice.order([LRC, 10n * ether], [ETH, ether], { clientOrderId: 'a whole pair: \u{1f680}' });
    expect((await alice.submit(order)).body).toMatchObject({ status: 'processing' });
  });

  it('refuses an order that names an affiliate, because no share of the fee is paid, and takes the affiliate 0 for none', async () => {
    const alice = await test.account();
    const order = await alice.order([LRC, 10n * ether], [ETH, ether]);
    const refusal = { code: 102120, message: 'affiliate: no share of the fee is paid here; leave it out' };
    expect((await alice.submit({ ...order, affiliate: '10010' })).body.resultInfo).toEqual(refusal);
    expect((await alice.submit({ ...order, affiliate: '0' })).body).toMatchObject({ status: 'processing' });
    const purchase = await alice.nftOrder(
      { tokenId: ETH, amount: String(ether) },
      { tokenId: 32_768, amount: '1', nftData: id('0b') },
      { affiliate: '10010' },
    );
    const validated = await alice.post('/api/v3/nft/validateOrder', purchase);
    expect(validated.body.resultInfo).toEqual(refusal);
  });

  it('forgets the NFT and the slot of a mint that failed, and mints it the next time', async () => {
    const alice = await test.account();
    const first = await alice.mint(id('a1'), 5n, { validUntil: await alice.inSeconds(5) });
    const accepted = await alice.post('/api/v3/nft/mint', first);
    expect(accepted.status).toBe(200);
    const { nftData } = accepted.body;
    const waiting = await test.call('GET', '/api/v3/nft/info/nfts', { query: { nftDatas: nftData } });
    expect(waiting.body.map((nft: { status: boolean }) => nft.status)).toEqual([false]);
    await test.advance(10_000);
    await test.block();
    const gone = await test.call('GET', '/api/v3/nft/info/nfts', { query: { nftDatas: nftData } });
    expect(gone.body).toEqual([]);
    const again = await alice.post('/api/v3/nft/mint', await alice.mint(id('a1'), 5n));
    expect(again.body).toMatchObject({ status: 'received', nftTokenId: 32_768 });
    await test.block();
    const real = await test.call('GET', '/api/v3/nft/info/nfts', { query: { nftDatas: nftData } });
    expect(real.body.map((nft: { status: boolean }) => nft.status)).toEqual([true]);
    expect((await alice.get('/api/v3/user/nft/balances')).body.data[0].total).toBe('5');
  });

  it('gives the slot of a mint that failed to no other NFT, so that an order signed for it sells none', async () => {
    const alice = await test.account();
    const failing = await alice.mint(id('b1'), 5n, { validUntil: await alice.inSeconds(5) });
    expect((await alice.post('/api/v3/nft/mint', failing)).body).toMatchObject({ nftTokenId: 32_768 });
    await test.advance(10_000);
    await test.block();
    const other = await alice.post('/api/v3/nft/mint', await alice.mint(id('b2'), 5n));
    expect(other.body).toMatchObject({ status: 'received', nftTokenId: 32_769 });
    await test.block();
    const sale = await alice.nftOrder({ tokenId: 32_768, amount: '1' }, { tokenId: ETH, amount: String(ether) });
    const validated = await alice.post('/api/v3/nft/validateOrder', sale);
    expect(validated).toMatchObject({ status: 400, body: { resultInfo: { code: 102022 } } });
  });

  it('keeps the NFT of a mint that took the slot of an earlier mint of the same NFT', async () => {
    const alice = await test.account();
    const first = await alice.mint(id('a2'), 5n);
    expect((await alice.post('/api/v3/nft/mint', first)).status).toBe(200);
    const second = await alice.mint(id('a2'), 7n, { storageId: first.storageId + 16_384 });
    expect((await alice.post('/api/v3/nft/mint', second)).body).toMatchObject({ status: 'received' });
    await test.block();
    expect((await alice.get('/api/v3/user/nft/balances')).body.data[0].total).toBe('7');
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('keeps the NFT and its slot when another mint of it fails, after one was settled and while one waits', async () => {
    const alice = await test.account();
    const minted = async (nftId: Hex, amount: bigint, changes: object) => {
      const body = await alice.mint(nftId, amount, { forceToMint: true, ...changes });
      expect((await alice.post('/api/v3/nft/mint', body)).body).toMatchObject({ status: 'received' });
    };
    const late = async () => ({ validUntil: await alice.inSeconds(5) });
    const held = async () => {
      const { data } = (await alice.get('/api/v3/user/nft/balances')).body;
      return data.map(({ tokenId, total }: { tokenId: number; total: string }) => [tokenId, total]);
    };
    await minted(id('a4'), 5n, {});
    await test.block();
    await minted(id('a4'), 7n, await late());
    await minted(id('a5'), 11n, await late());
    await minted(id('a5'), 13n, {});
    await test.advance(10_000);
    await test.block();
    expect(await held()).toEqual([
      [32_768, '5'],
      [32_769, '13'],
    ]);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('leaves nothing pending of the withdrawal of an NFT that failed', async () => {
    const alice = await test.account();
    const { body: mint } = await alice.post('/api/v3/nft/mint', await alice.mint(id('a6'), 5n));
    await test.block();
    const nft = { tokenId: mint.nftTokenId, nftData: mint.nftData };
    await alice.signed('POST', '/api/v3/nft/deployTokenAddress', { body: await alice.deployment(nft.nftData) });
    await test.block();
    await test.advance(60_000);
    await test.block();
    const held = async () => (await alice.get('/api/v3/user/nft/balances')).body.data[0];
    const late = await alice.nftWithdrawal(nft, 2n, { validUntil: await alice.inSeconds(5) });
    expect((await alice.post('/api/v3/nft/withdrawal', late)).body).toMatchObject({ status: 'received' });
    expect(await held()).toMatchObject({ total: '5', locked: '2', pending: { withdraw: '2' } });
    await test.advance(10_000);
    await test.block();
    expect(await held()).toMatchObject({ total: '5', locked: '0', pending: { withdraw: '0' } });
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('settles no key update whose nonce a sealed block has used since it was checked', async () => {
    const alice = await test.account();
    const { relayer, before } = await withEarlierKey(test, alice);
    const checked = { ...before, keyNonce: before.keyNonce + 1 };
    const fee = { tokenId: ETH, amount: 0n, feeTokenId: ETH, fee: 0n, storage: [], hold: [] };
    const details = { x: formatHash(1n), y: formatHash(2n), keySeed: '', byOldKey: false };
    const terms = { nonce: checked.nonce - 1, validUntil: await alice.inSeconds(3600), details, settledAtOnce: true };
    const update = { kind: 'accountUpdate', hash: 77n, body: {}, ...fee, ...terms } as const;
    await expect(acceptRequest(relayer, checked, update)).rejects.toMatchObject({ reason: 'INVALID_ARGUMENT' });
    expect(await findAccount(test.relayer.db, alice.accountId)).toEqual(checked);
  });

  it('replaces a key while a deposit waits, which is credited all the same', async () => {
    const alice = await test.account();
    const before = (await alice.balance(LRC)).total;
    const key = randomSecretKey();
    await alice.sendKey(key);
    const body = { owner: alice.owner, symbol: 'LRC', amount: String(ether) };
    expect((await test.call('POST', '/dev/deposit', { body })).status).toBe(200);
    await test.block();
    alice.secretKey = key;
    await alice.login();
    expect((await alice.balance(LRC)).total).toBe(before + ether);
  });

  it('charges one of two transfers that both pay the receiver’s activation, and the usual fee of the other', async () => {
    const [alice, bob, carol] = [await test.account(), await test.account(), await test.account()];
    const newcomer = new TestAccount(test.place);
    const pays = { payPayeeUpdateAccount: true, maxFee: { tokenId: ETH, volume: String(ether) } };
    for (const [payer, body] of [
      [alice, await alice.transfer(newcomer.owner, [LRC, ether], pays)],
      [bob, await bob.transfer(newcomer.owner, [LRC, ether], pays)],
      [carol, await carol.transfer(newcomer.owner, [LRC, ether], { maxFee: pays.maxFee })],
    ] as const)
      expect((await payer.post('/api/v3/transfer', body)).body).toMatchObject({ status: 'received' });
    await test.block();
    const fees = await test.relayer.db.query<{ fee: bigint }>(
      `SELECT fee FROM requests WHERE kind = 'transfer' AND other_address = $1 ORDER BY id`,
      [newcomer.owner.toLowerCase()],
    );
    const [first, second, third] = fees.map(({ fee }) => fee);
    expect(second).toBe(third);
    expect(first).toBeGreaterThan(second ?? 0n);
    for (const payer of [alice, bob]) expect((await payer.balance(ETH)).locked).toBe(0n);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('charges no activation to a receiver who activated the account before, and never more than was held', async () => {
    const alice = await test.account();
    const bob = await new TestAccount(test.place).faucet();
    await bob.sendKey(bob.secretKey);
    const pays = { payPayeeUpdateAccount: true, maxFee: { tokenId: ETH, volume: String(ether) } };
    for (const changes of [pays, pays, { maxFee: pays.maxFee }]) {
      const body = await alice.transfer(bob.owner, [LRC, ether], changes);
      expect((await alice.post('/api/v3/transfer', body)).body).toMatchObject({ status: 'received' });
    }
    const ids = await test.relayer.db.query<{ id: number; fee: bigint }>(
      `SELECT id, fee FROM requests WHERE kind = 'transfer' AND account_id = $1 ORDER BY id`,
      [alice.accountId],
    );
    // As if gas had become dearer than at the time of its quote.
    await test.relayer.db.query(
      `UPDATE requests SET details = jsonb_set(details, '{feeWithoutActivation}', to_jsonb($2::text)) WHERE id = $1`,
      [ids[1]?.id ?? 0, String(ether)],
    );
    await test.block();
    const settled = await test.relayer.db.query<{ fee: bigint; status: string }>(
      `SELECT fee, status FROM requests WHERE kind = 'transfer' AND account_id = $1 ORDER BY id`,
      [alice.accountId],
    );
    expect(settled.map(({ fee }) => fee)).toEqual([ids[2]?.fee, ids[1]?.fee, ids[2]?.fee]);
    expect(settled.every(({ status }) => status === 'processed')).toBe(true);
    const account = (await test.call('GET', '/api/v3/account', { query: { owner: bob.owner } })).body;
    expect(account).toMatchObject({ nonce: 1, tags: '' });
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('quotes nothing for the first key of an account whose activation somebody paid', async () => {
    const alice = await test.account();
    const bob = await new TestAccount(test.place).faucet([{ symbol: 'LRC', amount: '1' }]);
    const quoted = async () => {
      const query = { accountId: bob.accountId, requestType: feeRequestTypes.ACCOUNT_UPDATE };
      const { fees } = (await test.call('GET', '/api/v3/user/offchainFee', { query })).body;
      return fees.map(({ fee }: { fee: string }) => fee);
    };
    const usual = await quoted();
    expect(usual).not.toContain('0');
    const pays = { payPayeeUpdateAccount: true, maxFee: { tokenId: ETH, volume: String(ether) } };
    const transfer = await alice.transfer(bob.owner, [LRC, ether], pays);
    expect((await alice.post('/api/v3/transfer', transfer)).status).toBe(200);
    await test.block();
    expect(await quoted()).toEqual(usual.map(() => '0'));
    // Nobody pays it a second time.
    const again = await alice.post('/api/v3/transfer', await alice.transfer(bob.owner, [LRC, ether], pays));
    expect(again.body.resultInfo).toMatchObject({ code: 100001 });
    const tags = async () => (await test.call('GET', '/api/v3/account', { query: { owner: bob.owner } })).body.tags;
    expect(await tags()).toBe(FIRST_UPDATE_PAID);
    await bob.activate();
    expect(await quoted()).toEqual(usual);
    expect(await tags()).toBe('');
  });

  it('charges nothing for a first key update whose activation is paid while it waits', async () => {
    const alice = await test.account();
    const bob = await new TestAccount(test.place).faucet();
    const updates = () =>
      test.relayer.db.query<{ fee: bigint }>(
        `SELECT fee FROM requests WHERE kind = 'accountUpdate' AND account_id = $1`,
        [bob.accountId],
      );
    const pays = { payPayeeUpdateAccount: true, maxFee: { tokenId: ETH, volume: String(ether) } };
    const transfer = await alice.transfer(bob.owner, [LRC, ether], pays);
    expect((await alice.post('/api/v3/transfer', transfer)).body).toMatchObject({ status: 'received' });
    await bob.sendKey(bob.secretKey);
    expect((await updates())[0]?.fee).toBeGreaterThan(0n);
    await test.block();
    expect(await updates()).toEqual([{ fee: 0n }]);
    bob.nonce += 1;
    await bob.login();
    expect((await bob.balance(ETH)).locked).toBe(0n);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('knows a request that it holds also when the key was replaced while the repeat was checked', async () => {
    const alice = await test.account();
    const signed = await alice.transfer(`0x${'0c'.repeat(20)}`, [LRC, ether]);
    expect((await alice.post('/api/v3/transfer', signed)).body).toMatchObject({ isIdempotent: false });
    const { relayer, before } = await withEarlierKey(test, alice);
    expect(await acceptRequest(relayer, before, transferDraft(signed))).toMatchObject({ isIdempotent: true });
  });

  it.each<[string, (relayer: Relayer, before: Account, alice: TestAccount) => Promise<unknown>]>([
    [
      'a transfer',
      async (relayer, before, alice) =>
        acceptRequest(relayer, before, transferDraft(await alice.transfer(`0x${'0c'.repeat(20)}`, [LRC, ether]))),
    ],
    [
      'an order',
      async (relayer, account, alice) => {
        const body = submitOrder.body.parse(await alice.order([LRC, 10n * ether], [ETH, ether]));
        const terms = { market: { market: 'LRC-ETH' }, side: 'SELL', orderType: 'LIMIT_ORDER', channel: 'MIXED' };
        const rates = { makerBips: 0, takerBips: 0 };
        const order = { account, body, hash: formatHash(orderHash(body)), digest: '', terms, rates };
        return orderRecorder(relayer)(order as unknown as CheckedOrder);
      },
    ],
    [
      'an NFT order',
      async (relayer, account, alice) => {
        const sides = [
          { tokenId: LRC, amount: '1' },
          { tokenId: 32_768, amount: '1', nftData: id('0b') },
        ] as const;
        const body = validateOrder.body.parse(await alice.nftOrder(...sides));
        const nft = { nft_data: id('0b') };
        const order = {
          hash: formatHash(nftOrderHash(body)),
          account,
          body,
          nft,
          quote: { symbol: 'LRC' },
          feeBips: 0,
        };
        return relayer.db.transaction(async (tx) =>
          placeNftOrder(relayer, tx, order as unknown as CheckedNftOrder, await lockAccount(tx, account.accountId)),
        );
      },
    ],
    [
      'a request for the API key',
      async (relayer, account) => getApiKey.handle({ relayer, account } as Call<'getApiKey'>),
    ],
    [
      'a reset of the API key',
      async (relayer, account) => resetApiKey.handle({ relayer, account } as Call<'resetApiKey'>),
    ],
  ])('refuses %s when the key was replaced while the signature was checked', async (_, submit) => {
    const alice = await test.account();
    const { relayer, before } = await withEarlierKey(test, alice);
    const kept = () =>
      test.relayer.db.query(
        `SELECT (SELECT sum(locked) FROM balances WHERE account_id = $1) AS locked,
           (SELECT count(*) FROM orders WHERE account_id = $1) AS orders,
           (SELECT count(*) FROM requests WHERE account_id = $1 AND kind = 'transfer') AS transfers,
           (SELECT count(*) FROM storage_slots WHERE account_id = $1) AS slots,
           (SELECT key_hash FROM api_keys WHERE account_id = $1) AS key`,
        [alice.accountId],
      );
    const [rows] = await kept();
    await expect(submit(relayer, before, alice)).rejects.toMatchObject({ reason: 'SIGNATURE_WRONG' });
    expect(await kept()).toEqual([{ ...rows, locked: 0n, orders: 0, transfers: 0 }]);
  });

  it('lets no slot hold more than a balance of 96 bits', async () => {
    const alice = await test.account();
    const mint = async (amount: bigint) =>
      alice.post('/api/v3/nft/mint', await alice.mint(id('a3'), amount, { forceToMint: true }));
    expect((await mint(MAX_BALANCE)).status).toBe(200);
    await test.block();
    expect((await mint(1n)).status).toBe(200);
    await test.block();
    expect((await alice.get('/api/v3/user/nft/balances')).body.data[0].total).toBe(MAX_BALANCE.toString());
    const { body } = await alice.get('/api/v3/user/nft/mints');
    expect(body.transfers[0].status).toBe('failed');
  });

  it('pays a withdrawal out with the data that was signed, and only with gas that its fee covers', async () => {
    const alice = await test.account();
    const costly = await alice.withdrawal([LRC, ether], { minGas: 10_001 });
    expect((await alice.post('/api/v3/user/withdrawals', costly)).body.resultInfo).toMatchObject({
      code: 100001,
      message: expect.stringContaining('minGas'),
    });
    const signed = await alice.withdrawal([LRC, ether], { minGas: 10_000, extraData: '0xc0ffee' });
    const { body } = await alice.post('/api/v3/user/withdrawals', signed);
    expect(body.status).toBe('received');
    for (let round = 0; round < 3; round++) {
      await test.block();
      await test.advance(60_000);
    }
    await test.block();
    const arrived = await test.relayer.db.query('SELECT min_gas, extra_data FROM l1_arrivals WHERE hash = $1', [
      body.hash,
    ]);
    expect(arrived).toEqual([{ min_gas: 10_000, extra_data: '0xc0ffee' }]);
  });

  it('never charges a resting order more than was signed', async () => {
    const alice = await test.account();
    const config = test.relayer.config as { makerBips: number };
    config.makerBips = 60;
    try {
      const reply = await alice.submit(await alice.order([LRC, 5_000n * ether], [ETH, ether], { maxFeeBips: 20 }));
      expect(reply.body.resultInfo).toMatchObject({ code: 102006, message: expect.stringContaining('60') });
    } finally {
      config.makerBips = 0;
    }
  });

  it.each([
    ['https://evil.example', 400],
    ['null', 400],
    ['http://127.0.0.1.evil.example', 400],
    ['http://localhost:5173', 200],
    [undefined, 200],
  ])('answers development requests of the origin %s with %d', async (origin, status) => {
    const reply = await test.call('POST', '/dev/clock', {
      body: { advanceMs: 0 },
      ...(origin !== undefined && { headers: { origin } }),
    });
    expect(reply.status).toBe(status);
  });
});

it('settings under which resting orders pay more than taking ones are refused', () => {
  const { error } = relayerConfig.safeParse({ makerBips: 60, takerBips: 20 });
  expect(error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([
    'makerBips: 60 is above takerBips 20: resting orders would pay more than taking ones',
  ]);
});

it('a process is told from a later one with the same id', () => {
  const own = processIdentity(process.pid);
  expect(isAlive(own)).toBe(true);
  const [pid, boot] = own.split(' ');
  expect(isAlive(`${pid} ${boot} 1`)).toBe(false);
  expect(isAlive(`${pid} another-boot 1`)).toBe(false);
  expect(isAlive(String(process.pid))).toBe(true);
  expect(isAlive('999999999')).toBe(false);
  expect(isAlive('')).toBe(false);
});

it('a logged error has no parameter, statement, detail or quoted value', () => {
  const error = Object.assign(new Error('invalid input "the key seed" for \'memo\'\nsecond line of data'), {
    code: '22021',
    detail: 'Key (a)=(secret detail)',
    params: ['secret parameter'],
    query: 'INSERT secret statement',
  });
  const text = JSON.stringify(loggedError(error));
  expect(text).not.toMatch(/secret|the key seed|memo|second line/);
  expect(loggedError(error)).toMatchObject({ type: 'Error', message: 'invalid input … for …', code: '22021' });
  expect(loggedError(error).stack).toContain('at ');
  expect(loggedError('secret')).toEqual({ type: 'string', message: 'not an error object' });
});
