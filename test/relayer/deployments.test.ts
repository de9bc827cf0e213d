import { readFileSync } from 'node:fs';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { relayerErrors } from '../../src/protocol/index.ts';
import { DEVELOPMENT_EXCHANGE, type RelayerConfigInput } from '../../src/relayer/config.ts';
import { openClock } from '../../src/relayer/engine/clock.ts';
import { followDeployments } from '../../src/relayer/engine/l1Deployments.ts';
import type { Relayer } from '../../src/relayer/engine/relayer.ts';
import { jsonRpcChain } from '../../src/relayer/l1/jsonRpcChain.ts';
import { loggedError } from '../../src/relayer/server/loggedError.ts';
import { ANVIL_KEY } from './support/anvil.ts';
import { auditDatabase } from './support/audit.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import { type FakeL1Node, sentBy, startFakeL1Node } from './support/fakeL1Node.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';
import { ETH, ether } from './support/tokens.ts';

const DEPLOY = '/api/v3/nft/deployTokenAddress';
const FEE = { tokenId: ETH, volume: '20000000000000000' };

/** An account with an NFT of its own, undeployed contract. */
async function minter(test: TestRelayer) {
  const account = await test.account();
  const mint = await account.post('/api/v3/nft/mint', await account.mint(`0x${'ab'.repeat(32)}`, 3n));
  await test.block();
  return { account, nftData: mint.body.nftData as Hex, tokenAddress: await account.nftContract() };
}

/** What the broker was paid in ETH. */
async function paidToBroker(test: TestRelayer): Promise<bigint> {
  const [row] = await test.relayer.db.query<{ paid: bigint }>(
    `SELECT coalesce(sum(delta), 0)::numeric(40,0) AS paid FROM ledger JOIN accounts USING (account_id)
     WHERE owner = $1 AND kind = 'transfer'`,
    [test.relayer.config.brokerAddress.toLowerCase()],
  );
  return row?.paid ?? 0n;
}

async function rowOf(test: TestRelayer, address: string) {
  const [row] = await test.relayer.db.query<{ status: string; tx_hash: string; nonce: number | null }>(
    'SELECT status, tx_hash, nonce FROM l1_deployments WHERE address = $1',
    [address.toLowerCase()],
  );
  return row;
}

describe.each(databases)('a deployment on $name', ({ start }) => {
  let test: TestRelayer;
  beforeAll(async () => {
    test = await start();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  it('is paid with its acceptance, so that a deadline that passes right after it changes nothing', async () => {
    const { account, nftData, tokenAddress } = await minter(test);
    const before = await paidToBroker(test);
    const body = await account.deployment(nftData, { token: FEE, validUntil: await account.inSeconds(5) });
    const reply = await account.signed('POST', DEPLOY, { body });
    expect(reply.body).toMatchObject({ status: 'SEND_TX_SUCCESS', isIdempotent: false });
    expect(await paidToBroker(test)).toBe(before + BigInt(FEE.volume));
    await test.advance(60_000);
    await test.block();
    const code = await test.call('POST', '/api/v3/delegator/getCode', { body: { address: tokenAddress } });
    expect(code.body.result).not.toBe('0x');
    expect(await paidToBroker(test)).toBe(before + BigInt(FEE.volume));
    const { body: history } = await account.get('/api/v3/user/transfers');
    expect(history.transactions[0]).toMatchObject({ status: 'processed', amount: FEE.volume });
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('cannot be made free by a request that takes its slot', async () => {
    const { account, nftData } = await minter(test);
    const friend = privateKeyToAccount(ANVIL_KEY).address;
    const before = await paidToBroker(test);
    const body = await account.deployment(nftData, { token: FEE });
    const { storageId } = body.transfer;
    const [reply, thief] = await Promise.all([
      account.signed('POST', DEPLOY, { body }),
      account
        .transfer(friend, [ETH, 1n], { storageId: storageId + 16_384 })
        .then((transfer) => account.post('/api/v3/transfer', transfer)),
    ]);
    await test.block();
    const paid = (await paidToBroker(test)) - before;
    const sent = reply.body.status === 'SEND_TX_SUCCESS';
    expect(sent || reply.body.resultInfo.code === 102030).toBe(true);
    expect(paid).toBe(sent ? BigInt(FEE.volume) : 0n);
    expect(thief.status).toBe(200);
    // In this order the thief always comes second.
    const next = await minter(test);
    const paidBefore = await paidToBroker(test);
    const second = await next.account.deployment(next.nftData, { token: FEE });
    expect((await next.account.signed('POST', DEPLOY, { body: second })).body.status).toBe('SEND_TX_SUCCESS');
    const late = await next.account.transfer(friend, [ETH, 1n], {
      storageId: second.transfer.storageId + 16_384,
    });
    await next.account.post('/api/v3/transfer', late);
    await test.block();
    expect(await paidToBroker(test)).toBe(paidBefore + BigInt(FEE.volume));
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('is paid once when several requests for one contract come together, each with a payment of its own', async () => {
    const { account, nftData } = await minter(test);
    const before = await paidToBroker(test);
    const { offchainId } = await account.storageId(ETH);
    const bodies = await Promise.all(
      [0, 2, 4].map((more) => account.deployment(nftData, { token: FEE, storageId: offchainId + more })),
    );
    const replies = await Promise.all(bodies.map((body) => account.signed('POST', DEPLOY, { body })));
    expect(replies.map(({ body }) => body.status ?? body.resultInfo.code).toSorted()).toEqual([
      100001,
      100001,
      'SEND_TX_SUCCESS',
    ]);
    await test.block();
    expect(await paidToBroker(test)).toBe(before + BigInt(FEE.volume));
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('that cannot be paid is refused and leaves the contract as it was', async () => {
    const { account, nftData, tokenAddress } = await minter(test);
    const [{ total }] = [await account.balance(ETH)];
    const body = await account.deployment(nftData, { token: { tokenId: ETH, volume: String(total + ether) } });
    expect((await account.signed('POST', DEPLOY, { body })).body.resultInfo.code).toBe(102011);
    expect(await rowOf(test, tokenAddress)).toBeUndefined();
    const { body: balances } = await account.get('/api/v3/user/nft/balances');
    expect(balances.data[0].deploymentStatus).toBe('NOT_DEPLOYED');
  });
});

describe('a deployment through a node of layer 1', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let node: FakeL1Node;
  let tests: TestRelayer[] = [];
  const startOn = async (input: RelayerConfigInput = {}) => {
    const test = await startRelayer({
      databaseUrl: database.url,
      l1Url: node.url,
      l1DeployerKey: ANVIL_KEY,
      ...input,
    });
    tests.push(test);
    return test;
  };
  /** @returns What moves the clock beyond the engine's pause after a failure. */
  const skippingPauses = () => {
    const now = performance.now.bind(performance);
    let ahead = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
    onTestFinished(() => clock.mockRestore());
    return () => {
      ahead += 6_000;
    };
  };
  beforeEach(async () => {
    database = await createDatabase();
    node = await startFakeL1Node();
  }, START_TIMEOUT_MS);
  afterEach(async () => {
    await Promise.all(tests.map((test) => test.close()));
    tests = [];
    node.close();
    await database.drop();
  });

  it('is sent once and paid once, however many repeats reach however many processes', async () => {
    node.sendDelayMs = 300;
    const options = { engine: 'timer', engineIntervalMs: 20 } as const;
    const first = await startOn(options);
    const second = await startOn(options);
    const { account, nftData, tokenAddress } = await minter(first);
    const body = await account.deployment(nftData, { token: FEE });
    const accounts = [account.at(first.place), account.at(second.place)];
    const again = [relayerErrors.FREEZE_FAILED.code, relayerErrors.L1_NODE_ERROR.code];
    const replies = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 12));
        const send = () => (accounts[index % 2] as TestAccount).signed('POST', DEPLOY, { body });
        let reply = await send();
        // Who waits too long, for the others, layer 1 or a busy process, is asked to send the same
        // bytes again.
        while (reply.status === 503 || again.includes(reply.body.resultInfo?.code)) reply = await send();
        return reply;
      }),
    );
    expect([...new Set(replies.map(({ body: reply }) => reply.status ?? reply.resultInfo.code))]).toEqual([
      'SEND_TX_SUCCESS',
    ]);
    expect(new Set(replies.map(({ body: reply }) => reply.hash)).size).toBe(1);
    // The one that paid sends the same bytes again, too, when layer 1 takes long.
    expect(replies.filter(({ body: reply }) => !reply.isIdempotent).length).toBeLessThanOrEqual(1);
    // Bytes that are open for a minute are sent again.
    expect(new Set(node.received).size).toBe(1);
    expect(await sentBy(node.received[0] as Hex)).toEqual({ from: privateKeyToAccount(ANVIL_KEY).address, nonce: 0 });
    expect(await paidToBroker(first)).toBe(BigInt(FEE.volume));
    node.code.set(tokenAddress.toLowerCase(), '0x60');
    node.receipts.set(replies[0]?.body.hash, 'success');
    // The engine looks again after a pause.
    await expect.poll(async () => (await rowOf(first, tokenAddress))?.status).toBe('DEPLOYED');
    expect((await accounts[0]?.signed('POST', DEPLOY, { body }))?.body.hash).toBe(replies[0]?.body.hash);
  });

  it('whose answer was lost is sent again as the same bytes', async () => {
    node.fate = 'answerLost';
    const test = await startOn();
    const { account, nftData, tokenAddress } = await minter(test);
    const body = await account.deployment(nftData, { token: FEE });
    const reply = await account.signed('POST', DEPLOY, { body });
    expect(reply.body.status ?? reply.body.resultInfo.code).toBe('SEND_TX_SUCCESS');
    node.fate = 'taken';
    const again = await account.signed('POST', DEPLOY, { body });
    expect(again.body).toMatchObject({ hash: reply.body.hash, isIdempotent: true });
    expect(new Set(node.received).size).toBe(1);
    expect((await rowOf(test, tokenAddress))?.status).toBe('SENT');
  });

  it('of a process that died while it sent is taken over with the same bytes', async () => {
    node.fate = 'neverArrives';
    node.sendDelayMs = 60_000;
    const dying = await startOn();
    const { account, nftData, tokenAddress } = await minter(dying);
    const body = await account.deployment(nftData, { token: FEE });
    const lost = account.signed('POST', DEPLOY, { body }).catch(() => undefined);
    while (node.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await rowOf(dying, tokenAddress))?.status).toBe('SENDING');

    node.fate = 'taken';
    node.sendDelayMs = 0;
    const other = await startOn();
    await other.block();
    expect(node.received).toHaveLength(1);
    await other.relayer.db.query(`UPDATE l1_deployments SET lease_until = now() - interval '1 second'`);
    await other.block();
    expect(node.received).toHaveLength(2);
    expect(new Set(node.received).size).toBe(1);
    expect((await rowOf(other, tokenAddress))?.status).toBe('SENT');
    expect(await paidToBroker(other)).toBe(BigInt(FEE.volume));
    node.close();
    await lost;
  });

  it.each([
    ['lapses', `NEW.lease_until := clock_timestamp() - interval '1 second'`],
    ['goes to another process', `NEW.lease_holder := 'another'`],
  ])('whose claim %s before it has signed sends nothing', async (_how, change) => {
    const test = await startOn();
    const { account, nftData, tokenAddress } = await minter(test);
    await test.relayer.db.script(
      `CREATE FUNCTION lapse() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN ${change}; RETURN NEW; END $$`,
    );
    await test.relayer.db.script(
      `CREATE TRIGGER lapse BEFORE UPDATE ON l1_deployments FOR EACH ROW
       WHEN (NEW.status = 'SENDING' AND NEW.raw_transaction = '') EXECUTE FUNCTION lapse()`,
    );
    const body = await account.deployment(nftData, { token: FEE });
    expect((await account.signed('POST', DEPLOY, { body })).body.resultInfo.code).toBe(104208);
    expect(node.received).toEqual([]);
    await test.relayer.db.script('DROP TRIGGER lapse ON l1_deployments');
    await test.relayer.db.query(`UPDATE l1_deployments SET lease_until = now() - interval '1 second'`);
    expect((await account.signed('POST', DEPLOY, { body })).body.status).toBe('SEND_TX_SUCCESS');
    expect(node.received).toHaveLength(1);
    expect((await rowOf(test, tokenAddress))?.status).toBe('SENT');
  });

  it('that the database cannot claim is answered as every trouble of the database, not of layer 1', async () => {
    const test = await startOn();
    const { account, nftData } = await minter(test);
    await test.relayer.db.script(
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE 'no space' USING ERRCODE = 'disk_full'; END $$;
       CREATE TRIGGER full_disk BEFORE UPDATE ON l1_deployments FOR EACH ROW EXECUTE FUNCTION full_disk()`,
    );
    const body = await account.deployment(nftData, { token: FEE });
    const { status, body: answer } = await account.signed('POST', DEPLOY, { body });
    expect([status, answer.resultInfo.code]).toEqual([503, relayerErrors.UNKNOWN_ERROR.code]);
    await test.relayer.db.script('DROP TRIGGER full_disk ON l1_deployments');
    expect((await account.signed('POST', DEPLOY, { body })).body.status).toBe('SEND_TX_SUCCESS');
  });

  it('waits for no process that died before it had signed another one', async () => {
    const test = await startOn();
    const [left, next] = [await minter(test), await minter(test)];
    node.refusesSending = 'insufficient funds for gas * price + value';
    const unsent = await left.account.deployment(left.nftData, { token: FEE });
    await left.account.signed('POST', DEPLOY, { body: unsent });
    await test.relayer.db.query(
      `UPDATE l1_deployments SET status = 'SENDING', raw_transaction = '', tx_hash = '', nonce = NULL,
         lease_holder = 'gone', lease_until = now() - interval '1 second'`,
    );
    node.refusesSending = '';
    const body = await next.account.deployment(next.nftData, { token: FEE });
    expect((await next.account.signed('POST', DEPLOY, { body })).body.status).toBe('SEND_TX_SUCCESS');
    expect((await rowOf(test, left.tokenAddress))?.status).toBe('SENDING');
  });

  it('that the deployer cannot pay is logged once with the cause, counted, and sent once there is ether', async () => {
    const test = await startOn();
    const { account, nftData, tokenAddress } = await minter(test);
    node.refusesSending = 'insufficient funds for gas * price + value';
    const body = await account.deployment(nftData, { token: FEE });
    expect((await account.signed('POST', DEPLOY, { body })).body.resultInfo.code).toBe(104208);
    const logged: { err: unknown }[] = [];
    const l1 = jsonRpcChain({
      ...{ url: node.url, chainId: 31_337, headMaxAgeMs: 60_000, now: Date.now },
      exchangeAddress: DEVELOPMENT_EXCHANGE,
      deployerKey: ANVIL_KEY,
    });
    const { db } = test.relayer;
    const log = { warn: (line: { err: unknown }) => logged.push(line) };
    const config = { engine: 'timer' };
    const relayer = { db, l1, log, config, clock: await openClock(db) } as unknown as Relayer;
    const start = performance.now();
    let clock = vi.spyOn(performance, 'now');
    for (const at of [0, 1_000, 6_000, 12_000]) {
      clock.mockReturnValue(start + at);
      const before = node.asked.length;
      await followDeployments(relayer);
      expect(node.asked.length > before, `${at} ms after the first attempt`).toBe(at !== 1_000);
    }
    clock.mockRestore();
    expect(logged.map(({ err }) => loggedError(err))).toMatchObject([
      { type: 'InvalidInputRpcError', details: 'insufficient funds for gas * price + value' },
    ]);
    expect(await test.metric('open_deployments')).toBe(1);
    await test.advance(700_000);
    expect(await test.metric('oldest_open_deployment_seconds')).toBeGreaterThan(600);
    node.refusesSending = '';
    // The engine's own attempt may have begun before and fails yet.
    await expect.poll(async () => (await account.signed('POST', DEPLOY, { body })).body.status).toBe('SEND_TX_SUCCESS');
    expect((await rowOf(test, tokenAddress))?.status).toBe('SENT');
    // In the chain, and not deep enough yet.
    node.code.set(tokenAddress.toLowerCase(), '0x60');
    clock = vi.spyOn(performance, 'now');
    for (const at of [20_000, 21_000, 26_000]) {
      clock.mockReturnValue(start + at);
      const before = node.asked.length;
      await followDeployments(relayer);
      expect(node.asked.length > before, `${at} ms after the first attempt`).toBe(at !== 21_000);
    }
    clock.mockRestore();
    expect(await test.metric('open_deployments')).toBe(1);
    expect(await test.metric('oldest_open_deployment_seconds')).toBe(0);
  });

  it('and another one at the same time have different nonces', async () => {
    node.sendDelayMs = 100;
    const test = await startOn();
    const makers = await Promise.all([minter(test), minter(test), minter(test)]);
    // Each claim takes so long that the others begin meanwhile.
    await test.relayer.db.script(`
      CREATE FUNCTION hesitate() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(0.3); RETURN NEW; END $$;
      CREATE TRIGGER hesitate BEFORE UPDATE ON l1_deployments FOR EACH ROW
        WHEN (OLD.status = 'WAITING') EXECUTE FUNCTION hesitate();`);
    const bodies = await Promise.all(makers.map(({ account, nftData }) => account.deployment(nftData, { token: FEE })));
    const replies = await Promise.all(
      makers.map(({ account }, index) => account.signed('POST', DEPLOY, { body: bodies[index] as object })),
    );
    expect(replies.map(({ body }) => body.status)).toEqual(Array(3).fill('SEND_TX_SUCCESS'));
    const nonces = await Promise.all(node.received.map(async (raw) => (await sentBy(raw)).nonce));
    expect(nonces.sort()).toEqual([0, 1, 2]);
  });

  it('that layer 1 undid is reported as failed, and one whose nonce somebody else used is signed anew', async () => {
    const test = await startOn();
    const failing = await minter(test);
    const reply = await failing.account.signed('POST', DEPLOY, {
      body: await failing.account.deployment(failing.nftData, { token: FEE }),
    });
    node.receipts.set(reply.body.hash, 'reverted');
    await test.block();
    const { body: balances } = await failing.account.get('/api/v3/user/nft/balances');
    expect(balances.data[0].deploymentStatus).toBe('DEPLOY_FAILED');
    expect(await test.metric('reverted_deployments')).toBe(1);
    const beyondBalance = { ...FEE, volume: String(10_000n * ether) };
    for (const token of [FEE, beyondBalance]) {
      const retry = await failing.account.deployment(failing.nftData, { token });
      expect((await failing.account.signed('POST', DEPLOY, { body: retry })).body.resultInfo.message).toBe(
        'tokenAddress: its deployment was paid already',
      );
    }
    const guide = readFileSync('docs/operator.md', 'utf8');
    const [, look = '', again = ''] =
      /```sql\n(SELECT.*);\n```[\s\S]*```sql\nBEGIN;\n([\s\S]*?)COMMIT;\n```/.exec(guide) ?? [];
    const failed = { address: failing.tokenAddress.toLowerCase(), status: 'REVERTED' };
    expect(await test.relayer.db.query(look)).toEqual([expect.objectContaining(failed)]);
    for (const statement of again.replaceAll('0x…', failing.tokenAddress).split(';'))
      if (statement.trim()) await test.relayer.db.query(statement);
    await test.block();
    expect(await rowOf(test, failing.tokenAddress)).toMatchObject({ status: 'SENT' });
    const second = (await rowOf(test, failing.tokenAddress))?.tx_hash as Hex;
    expect(second).not.toBe(reply.body.hash);
    expect(await test.metric('reverted_deployments')).toBe(0);
    node.code.set(failing.tokenAddress.toLowerCase(), '0x60');
    node.receipts.set(second, 'success');
    await test.block();
    expect(await rowOf(test, failing.tokenAddress)).toMatchObject({ status: 'DEPLOYED', tx_hash: second });

    const { account, nftData, tokenAddress } = await minter(test);
    const body = await account.deployment(nftData, { token: FEE });
    const sent = await account.signed('POST', DEPLOY, { body });
    expect(sent.body.status).toBe('SEND_TX_SUCCESS');
    const before = await rowOf(test, tokenAddress);
    await test.block();
    expect(await rowOf(test, tokenAddress)).toEqual(before);
    node.pool.clear();
    node.minedNonce = (before?.nonce ?? 0) + 1;
    await test.block();
    await test.block();
    const anew = await rowOf(test, tokenAddress);
    expect(anew).toMatchObject({ status: 'SENT', nonce: node.minedNonce });
    expect(anew?.tx_hash).not.toBe(before?.tx_hash);
  });

  it('that no node took is signed anew once its nonce is used', async () => {
    const test = await startOn();
    const { account, nftData, tokenAddress } = await minter(test);
    node.refusesSending = 'transaction underpriced';
    const body = await account.deployment(nftData, { token: FEE });
    expect((await account.signed('POST', DEPLOY, { body })).body.resultInfo.code).toBe(104208);
    const before = await rowOf(test, tokenAddress);
    expect(before).toMatchObject({ status: 'SENDING', nonce: 0 });
    node.refusesSending = 'nonce too low';
    node.minedNonce = 1;
    await test.block();
    node.refusesSending = '';
    await test.block();
    expect(await rowOf(test, tokenAddress)).toMatchObject({ status: 'SENT', nonce: 1 });
  });

  it('is sent although more than are followed at once stand before it and do not move', async () => {
    const test = await startOn();
    const { account, nftData, tokenAddress } = await minter(test);
    node.refusesSending = 'insufficient funds for gas * price + value';
    const body = await account.deployment(nftData, { token: FEE });
    expect((await account.signed('POST', DEPLOY, { body })).body.resultInfo.code).toBe(104208);
    await test.relayer.db.query(
      `INSERT INTO nft_contracts (address, factory, owner, base_uri, status, updated_at)
       SELECT '0x' || lpad(n::text, 40, '0'), '', '', '', 'DEPLOYING', 0 FROM generate_series(1, 120) AS n`,
    );
    await test.relayer.db.query(
      `INSERT INTO l1_deployments (address, request_hash, status, raw_transaction, tx_hash, nonce, sent_at, updated_at)
       SELECT address, '', 'SENT', '0x00', '0x' || lpad('', 64, '0'), 1, now(), 0 FROM nft_contracts
       WHERE address LIKE '0x00000000%'`,
    );
    node.refusesSending = '';
    for (let round = 0; round < 3; round++) await test.block();
    expect((await rowOf(test, tokenAddress))?.status).toBe('SENT');
    expect(node.received).toHaveLength(1);
  });

  it('that was reverted because somebody else deployed the contract just before is none that failed', async () => {
    const test = await startOn();
    const { account, nftData, tokenAddress } = await minter(test);
    const body = await account.deployment(nftData, { token: FEE });
    const { hash } = (await account.signed('POST', DEPLOY, { body })).body;
    // Between the question for the code and the one for the receipt.
    node.receipts.get = () => {
      node.code.set(tokenAddress.toLowerCase(), '0x60');
      return 'reverted';
    };
    await test.block();
    expect(await rowOf(test, tokenAddress)).toMatchObject({ status: 'DEPLOYED', tx_hash: hash });
  });

  it('of a contract that somebody else deployed is sent until its nonce is used, as later ones wait for it', async () => {
    const test = await startOn();
    const skipPause = skippingPauses();
    const [first, second, third] = await Promise.all([minter(test), minter(test), minter(test)]);
    const body = await first.account.deployment(first.nftData, { token: FEE });
    node.refusesSending = 'insufficient funds for gas * price + value';
    expect((await first.account.signed('POST', DEPLOY, { body })).body.resultInfo.code).toBe(104208);
    const waiting = await second.account.deployment(second.nftData, { token: FEE });
    expect((await second.account.signed('POST', DEPLOY, { body: waiting })).body.resultInfo.code).toBe(104208);
    node.code.set(first.tokenAddress.toLowerCase(), '0x60');
    await test.block();
    const { body: balances } = await first.account.get('/api/v3/user/nft/balances');
    expect(balances.data[0].deploymentStatus).toBe('DEPLOYED');
    // Nothing was sent, so no hash is named.
    expect((await first.account.signed('POST', DEPLOY, { body })).body.resultInfo.code).toBe(104208);
    expect(await test.metric('open_deployments')).toBe(2);

    node.refusesSending = '';
    const last = await third.account.deployment(third.nftData, { token: FEE });
    expect((await third.account.signed('POST', DEPLOY, { body: last })).body.status).toBe('SEND_TX_SUCCESS');
    const { tx_hash: hash = '' } = (await rowOf(test, first.tokenAddress)) ?? {};
    expect((await first.account.signed('POST', DEPLOY, { body })).body.hash).toBe(hash);
    expect((await second.account.signed('POST', DEPLOY, { body: waiting })).body.status).toBe('SEND_TX_SUCCESS');
    const nonces = await Promise.all(node.received.map(async (raw) => (await sentBy(raw)).nonce));
    expect([...new Set(nonces)].sort()).toEqual([0, 1, 2]);

    node.receipts.set(hash, 'reverted');
    skipPause();
    await test.block();
    expect((await rowOf(test, first.tokenAddress))?.status).toBe('DEPLOYED');
    expect((await first.account.signed('POST', DEPLOY, { body })).body).toMatchObject({
      hash,
      status: 'SEND_TX_SUCCESS',
      isIdempotent: true,
    });
  });

  it('of a contract that somebody else deployed ends when another transaction used its nonce', async () => {
    const test = await startOn();
    const { account, nftData, tokenAddress } = await minter(test);
    const body = await account.deployment(nftData, { token: FEE });
    const { hash } = (await account.signed('POST', DEPLOY, { body })).body;
    node.code.set(tokenAddress.toLowerCase(), '0x60');
    await test.block();
    expect((await rowOf(test, tokenAddress))?.status).toBe('SENT');
    node.pool.clear();
    node.minedNonce = 1;
    for (let round = 0; round < 2; round++) await test.block();
    expect((await rowOf(test, tokenAddress))?.status).toBe('DEPLOYED');
    expect((await account.signed('POST', DEPLOY, { body })).body).toMatchObject({ hash, isIdempotent: true });
  });

  it('ends only when it is so deep in the chain that no reorganisation undoes it', async () => {
    const test = await startOn();
    const { account, nftData, tokenAddress } = await minter(test);
    const body = await account.deployment(nftData, { token: FEE });
    const { hash } = (await account.signed('POST', DEPLOY, { body })).body;
    node.confirmations = 11;
    node.code.set(tokenAddress.toLowerCase(), '0x60');
    node.receipts.set(hash, 'success');
    node.pool.clear();
    node.minedNonce = 1;
    await test.block();
    const { body: balances } = await account.get('/api/v3/user/nft/balances');
    expect(balances.data[0].deploymentStatus).toBe('DEPLOYED');
    expect((await rowOf(test, tokenAddress))?.status).toBe('SENT');
    // The block is undone: the same bytes are sent again, so that no nonce is missing.
    node.code.clear();
    node.receipts.clear();
    node.minedNonce = 0;
    await test.relayer.db.query(`UPDATE l1_deployments SET sent_at = now() - interval '2 minutes'`);
    await test.block();
    expect(node.received).toHaveLength(2);
    expect(new Set(node.received).size).toBe(1);
    node.code.set(tokenAddress.toLowerCase(), '0x60');
    node.receipts.set(hash, 'reverted');
    await test.block();
    expect((await rowOf(test, tokenAddress))?.status).toBe('SENT');
    node.receipts.set(hash, 'success');
    node.confirmations = 12;
    await test.block();
    expect(await rowOf(test, tokenAddress)).toMatchObject({ status: 'DEPLOYED', tx_hash: hash });
  });

  it('is not ended by what became of bytes that another process replaced meanwhile', async () => {
    const test = await startOn();
    const { account, nftData, tokenAddress } = await minter(test);
    const body = await account.deployment(nftData, { token: FEE });
    const { hash } = (await account.signed('POST', DEPLOY, { body })).body;
    node.code.set(tokenAddress.toLowerCase(), '0x60');
    node.receipts.set(hash, 'success');
    node.minedNonce = 1;
    const { db } = test.relayer;
    const chain = jsonRpcChain({
      ...{ url: node.url, chainId: 31_337, headMaxAgeMs: 60_000, now: Date.now },
      exchangeAddress: DEVELOPMENT_EXCHANGE,
      deployerKey: ANVIL_KEY,
    });
    const signed = `0x${'77'.repeat(32)}`;
    const fateOf: typeof chain.fateOf = async (sent) => {
      const fate = await chain.fateOf(sent);
      await db.query(`UPDATE l1_deployments SET raw_transaction = '0x02', tx_hash = $1, nonce = 1`, [signed]);
      return fate;
    };
    const config = { engine: 'stepped' };
    const relayer = { db, l1: { ...chain, fateOf }, config, clock: await openClock(db) } as unknown as Relayer;
    await followDeployments(relayer);
    expect(await rowOf(test, tokenAddress)).toEqual({ status: 'SENT', tx_hash: signed, nonce: 1 });
  });

  it('that was not sent yet stays open until the code of somebody else is as deep', async () => {
    const test = await startOn();
    node.refusesSending = 'insufficient funds for gas * price + value';
    const { account, nftData, tokenAddress } = await minter(test);
    await account.signed('POST', DEPLOY, { body: await account.deployment(nftData, { token: FEE }) });
    await test.relayer.db.query(
      `UPDATE l1_deployments SET status = 'WAITING', raw_transaction = '', tx_hash = '', nonce = NULL`,
    );
    node.refusesSending = '';
    node.confirmations = 0;
    node.code.set(tokenAddress.toLowerCase(), '0x60');
    await test.block();
    expect((await rowOf(test, tokenAddress))?.status).toBe('WAITING');
    node.code.clear();
    await test.block();
    expect((await rowOf(test, tokenAddress))?.status).toBe('SENT');
  });

  it('of which nothing was sent before somebody else deployed the contract is called paid', async () => {
    const test = await startOn();
    const { account, nftData, tokenAddress } = await minter(test);
    const body = await account.deployment(nftData, { token: FEE });
    await account.signed('POST', DEPLOY, { body });
    await test.relayer.db.query(
      `UPDATE l1_deployments SET status = 'WAITING', raw_transaction = '', tx_hash = '', nonce = NULL`,
    );
    node.code.set(tokenAddress.toLowerCase(), '0x60');
    await test.block();
    expect(await rowOf(test, tokenAddress)).toMatchObject({ status: 'DEPLOYED', tx_hash: '' });
    expect((await account.signed('POST', DEPLOY, { body })).body.resultInfo.message).toBe(
      'tokenAddress: the deployment is paid, and somebody else deployed the contract before anything was sent',
    );
  });

  it('is not taken for somebody else’s by a node that is behind', async () => {
    const test = await startOn();
    const { account, nftData, tokenAddress } = await minter(test);
    const body = await account.deployment(nftData, { token: FEE });
    const { hash } = (await account.signed('POST', DEPLOY, { body })).body;
    node.minedNonce = 1;
    node.pool.clear();
    node.confirmations = 12;
    // One node behind the URL knows that the nonce is used, another one lacks the receipt at first.
    let asked = 0;
    node.receipts.get = () => (asked++ === 0 ? undefined : 'success');
    await test.block();
    expect(asked).toBeGreaterThan(1);
    expect(await rowOf(test, tokenAddress)).toMatchObject({ status: 'SENT', tx_hash: hash });
    node.code.set(tokenAddress.toLowerCase(), '0x60');
    await test.block();
    expect(await rowOf(test, tokenAddress)).toMatchObject({ status: 'DEPLOYED', tx_hash: hash });
    expect(node.received).toHaveLength(1);
  });

  it('that seemed superseded keeps its hash when it was carried out after all', async () => {
    const test = await startOn();
    const skipPause = skippingPauses();
    const { account, nftData, tokenAddress } = await minter(test);
    const body = await account.deployment(nftData, { token: FEE });
    const { hash } = (await account.signed('POST', DEPLOY, { body })).body;
    node.minedNonce = 1;
    node.pool.clear();
    await test.block();
    expect(await rowOf(test, tokenAddress)).toMatchObject({ status: 'WAITING' });
    // One node is so far behind that the nonce is free there.
    node.minedNonce = 0;
    skipPause();
    await test.block();
    expect(node.received).toHaveLength(1);
    // One node has the code, another one knows nothing of the transaction.
    node.code.set(tokenAddress.toLowerCase(), '0x60');
    skipPause();
    await test.block();
    expect(await rowOf(test, tokenAddress)).toMatchObject({ status: 'WAITING', tx_hash: hash });
    node.code.clear();
    node.minedNonce = 1;
    node.receipts.set(hash, 'success');
    skipPause();
    await test.block();
    expect(node.received).toHaveLength(1);
    node.code.set(tokenAddress.toLowerCase(), '0x60');
    skipPause();
    await test.block();
    expect((await rowOf(test, tokenAddress))?.status).toBe('DEPLOYED');
    expect((await account.signed('POST', DEPLOY, { body })).body.hash).toBe(hash);
  });

  it('is not paid at a gas price of long ago, and not sent while it costs far more than was paid', async () => {
    const test = await startOn();
    const { account, nftData, tokenAddress } = await minter(test);
    const usual = 250_000n * 1_000_000_000n;
    const pay = async (volume: bigint) =>
      account.signed('POST', DEPLOY, {
        body: await account.deployment(nftData, { token: { tokenId: ETH, volume: String(volume) } }),
      });
    // What layer 1 asked for then is a fiftieth of what it asks for now.
    await test.relayer.db.query('UPDATE gas_prices SET wei = wei / 50');
    await test.advance(105 * 60_000);
    expect((await pay(usual / 50n)).body.resultInfo.code).toBe(relayerErrors.FEE_OUTDATED.code);
    await test.advance(15 * 60_000);
    await test.relayer.db.query('UPDATE gas_prices SET wei = wei / 50');
    // That of the last quarter of an hour counts, and layer 1 has become dearer meanwhile.
    expect((await pay(usual / 50n)).body.resultInfo).toEqual({
      code: relayerErrors.L1_NODE_ERROR.code,
      message: 'the deployment is paid and waits for layer 1; send the same request again',
    });
    expect(node.received).toEqual([]);
    expect(await rowOf(test, tokenAddress)).toMatchObject({ status: 'WAITING', nonce: null });
    node.gasPrice /= 50n;
    await test.block();
    expect((await rowOf(test, tokenAddress))?.status).toBe('SENT');
    expect(node.received).toHaveLength(1);
  });

  it('costs what layer 1 estimates for this contract, and the quote says so', async () => {
    const test = await startOn();
    const { account, nftData, tokenAddress } = await minter(test);
    const quote = async (query: object = {}) => {
      const { body } = await account.get('/api/v3/user/nft/offchainFee', { requestType: 13, ...query });
      return BigInt(body.fees.find(({ token }: { token: string }) => token === 'ETH').fee);
    };
    const usual = await quote();
    expect(usual).toBe(250_000n * 1_000_000_000n);
    expect(await quote({ tokenAddress })).toBe(usual);
    // A long base URI is stored word by word.
    node.estimate = 1_000_000n;
    expect(await quote()).toBe(usual);
    // What layer 1 said is remembered for a while.
    expect(await quote({ tokenAddress })).toBe(usual);
    await test.advance(11_000);
    const own = await quote({ tokenAddress });
    expect(own).toBe(5n * usual);
    const pay = async (volume: bigint) =>
      account.signed('POST', DEPLOY, {
        body: await account.deployment(nftData, { token: { tokenId: ETH, volume: String(volume) } }),
      });
    expect((await pay(usual)).body.resultInfo.code).toBe(relayerErrors.FEE_OUTDATED.code);
    expect(node.received).toEqual([]);
    expect((await pay(own)).body.status).toBe('SEND_TX_SUCCESS');
  });

  it('is refused by a relayer that has no key to pay it, and by one whose factory refuses', async () => {
    const without = await startOn({ l1DeployerKey: undefined });
    const { account, nftData } = await minter(without);
    const before = await account.balance(ETH);
    const body = await account.deployment(nftData, { token: FEE });
    expect((await account.signed('POST', DEPLOY, { body })).body.resultInfo).toEqual({
      code: 100001,
      message: 'this relayer does not deploy contracts: it has no deployer key',
    });
    const withKey = await startOn();
    node.refusesEstimates = true;
    const refused = await account.at(withKey.place).signed('POST', DEPLOY, { body });
    expect(refused.body.resultInfo).toMatchObject({
      code: 100001,
      message: expect.stringContaining('factory refuses'),
    });
    expect(await account.balance(ETH)).toEqual(before);
    expect(node.received).toEqual([]);
  });
});
