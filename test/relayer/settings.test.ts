import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { feeRequestTypes } from '../../src/protocol/endpoints/getOffchainFee.ts';
import { DEVELOPMENT_EXCHANGE, type RelayerConfigInput, readConfig } from '../../src/relayer/config.ts';
import { createRelayer } from '../../src/relayer/createRelayer.ts';
import { migrate, migrations } from '../../src/relayer/db/migrate.ts';
import { openPostgres } from '../../src/relayer/db/postgres.ts';
import { applySettings, differencesOf } from '../../src/relayer/engine/deployment.ts';
import type { Selection } from '../../src/relayer/engine/marketData/selection.ts';
import { describeTrade, type Trade } from '../../src/relayer/engine/marketData/trades.ts';
import { developmentMarket, exampleMarket, type MarketConfigInput } from '../../src/relayer/market.ts';
import { lockUserAccount } from '../../src/relayer/operator/userAccount.ts';
import { textFrame } from '../../src/relayer/push/textFrame.ts';
import { typedUrl } from '../../src/ui/shared/typedUrl.ts';
import { auditDatabase } from './support/audit.ts';
import { runBuilt } from './support/builtRelayer.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { startRelayer } from './support/startRelayer.ts';
import { TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const OTHER = '0x00000000000000000000000000000000000000aa';

let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
}, START_TIMEOUT_MS);
afterAll(() => database.drop());
const market = (changes: Partial<MarketConfigInput> = {}): MarketConfigInput => ({ ...developmentMarket, ...changes });
const start = async (input: RelayerConfigInput = {}) => {
  const test = await startRelayer({ databaseUrl: database.url, ...input });
  onTestFinished(() => test.close());
  return test;
};
/** What a start with these settings says. */
const refusal = (input: RelayerConfigInput) =>
  createRelayer({
    dev: true,
    devOnPostgres: true,
    port: 0,
    logLevel: 'silent',
    databaseUrl: database.url,
    ...input,
  }).then(
    async (relayer) => {
      await relayer.close();
      return 'started';
    },
    (error: Error) => error.message,
  );
const issues = (input: RelayerConfigInput): string => {
  try {
    readConfig(input);
    return '';
  } catch (error) {
    return (error as { issues: { path: unknown[]; message: string }[] }).issues
      .map(({ path, message }) => `${path.join('.')} ${message}`)
      .join('\n');
  }
};

describe('a start with --dev', () => {
  it('has an exchange and a deposit contract of its own, none that exists on a chain', () => {
    const { exchangeAddress, depositAddress } = readConfig({ dev: true });
    const folder = join(import.meta.dirname, '../vectors');
    const vectors = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').toLowerCase());
    expect(exchangeAddress).toBe(DEVELOPMENT_EXCHANGE);
    // The mainnet exchange stands in the vectors; its deposit contract is published.
    expect(vectors.some((text) => text.includes('0x0baba1ad5be3a5c0a66e7ac838a129bf948f1ea4'))).toBe(true);
    expect(vectors.some((text) => text.includes(exchangeAddress.toLowerCase()))).toBe(false);
    expect(depositAddress.toLowerCase()).not.toBe('0x674bdf20a0f284d710bc40872100128e2d66bd3f');
  });
});

describe('a start without --dev', () => {
  it('is refused until chain, contracts, addresses and market are given', () => {
    const given: Record<string, unknown> = {
      l1Url: 'http://127.0.0.1:1',
      market: exampleMarket,
      chainId: 1,
      exchangeAddress: OTHER,
      depositAddress: OTHER,
      operatorAddress: OTHER,
      brokerAddress: OTHER,
      confirmBlocks: 'report',
      publicUrls: ['https://relayer.example'],
    };
    expect(issues(given)).toBe('');
    const deploying = { ...given, l1DeployerKey: `0x${'ab'.repeat(32)}` };
    expect(issues(deploying)).toBe(
      'nftFactory is required; only --dev has a default for it\nnftImplementation is required; only --dev has a default for it',
    );
    expect(issues({ ...deploying, nftFactory: OTHER, nftImplementation: OTHER })).toBe('');
    for (const name of Object.keys(given)) {
      const { [name]: _, ...rest } = given;
      expect(issues(rest)).toBe(`${name} is required; only --dev has a default for it`);
    }
    const seeded = 'seed is put in with --dev only; the first join gives a pool its liquidity';
    expect(issues({ ...given, market: developmentMarket })).toBe(`market.pools.0.${seeded}\nmarket.pools.1.${seeded}`);
  });
});

describe('a database', () => {
  it(
    'refuses a process with other settings and names them; apply changes what may change',
    async () => {
      await (await start()).relayer.close();
      const [eth, lrc, ...rest] = developmentMarket.tokens as [
        MarketConfigInput['tokens'][0],
        MarketConfigInput['tokens'][0],
        ...MarketConfigInput['tokens'],
      ];
      const cases: [RelayerConfigInput, string][] = [
        [{ chainId: 5 }, 'chainId: 31337 in the database, 5 given (cannot be changed)'],
        [{ exchangeAddress: OTHER }, `exchangeAddress: ${DEVELOPMENT_EXCHANGE} in the database`],
        [
          { operatorAddress: OTHER },
          `operatorAddress: 0x000000000000000000000000000000000000fee1 in the database, ${OTHER} given`,
        ],
        [{ apiKeySecret: 'x'.repeat(40) }, 'apiKeySecret (fingerprint): '],
        [
          { depositAddress: OTHER },
          `depositAddress: 0x000000000000000000000000000000000000De90 in the database, ${getAddress(OTHER)} given`,
        ],
        [
          { brokerAddress: OTHER },
          `brokerAddress: 0x000000000000000000000000000000000000b40c in the database, ${getAddress(OTHER)} given`,
        ],
        [{ nftFactory: OTHER }, `, ${getAddress(OTHER)} given`],
        [{ nftImplementation: OTHER }, `, ${getAddress(OTHER)} given`],
        [{ walletFactory: OTHER }, `, ${getAddress(OTHER)} given`],
        [{ walletProxyCode: '0x6001' }, 'walletProxyCode (fingerprint): '],
        [{ keyUpdatesByOldKey: true }, 'keyUpdatesByOldKey: false in the database, true given'],
        [{ makerBips: 5 }, 'makerBips: 0 in the database, 5 given'],
        [{ takerBips: 30 }, 'takerBips: 20 in the database, 30 given'],
        [{ nftBips: 40 }, 'nftBips: 50 in the database, 40 given'],
        [
          { market: market({ tokens: [{ ...eth, minimum: '2000000000000000' }, lrc, ...rest] }) },
          'market: token 0 minimum: 1000000000000000 in the database, 2000000000000000 given',
        ],
        [
          { market: market({ tokens: [{ ...eth, fastWithdrawLimit: '0' }, lrc, ...rest] }) },
          'market: token 0 fastWithdrawLimit: 10000000000000000000 in the database, 0 given',
        ],
        [
          {
            market: market({
              tokens: [{ ...lrc, tokenId: 2 }, eth, { ...rest[0], tokenId: 1 } as never, ...rest.slice(1)],
            }),
          },
          'market: token 2 symbol: USDT in the database, LRC given (cannot be changed)',
        ],
        [
          { market: market({ markets: developmentMarket.markets.slice(1), pools: [] }) },
          'market: pair LRC-ETH: listed in the database, missing given',
        ],
        [
          { market: market({ pools: developmentMarket.pools.map((pool) => ({ ...pool, feeBips: 30 })) }) },
          'feeBips: 20 in the database, 30 given',
        ],
      ];
      for (const [input, text] of cases) expect(await refusal(input)).toContain(text);
      expect(await refusal({ snapshotDir: '/no/such' })).toMatch(/^snapshotDir: ENOENT: .*'\/no\/such'/);
      expect(await refusal({})).toBe('started');

      const db = await openPostgres(database.url, 2);
      onTestFinished(() => db.close());
      const settings = (input: RelayerConfigInput) => readConfig({ dev: true, ...input });
      await expect(applySettings(db, settings({ chainId: 5, operatorAddress: OTHER }), 0)).rejects.toThrow('chainId');
      expect(await differencesOf(db, settings({}))).toEqual([]);
      const [first, second] = developmentMarket.pools as [MarketConfigInput['pools'][0], MarketConfigInput['pools'][0]];
      const changed: RelayerConfigInput = {
        operatorAddress: OTHER,
        depositAddress: OTHER,
        brokerAddress: OTHER,
        keyUpdatesByOldKey: true,
        makerBips: 5,
        takerBips: 30,
        nftBips: 40,
        // A pool that comes first must not take the account of another.
        market: market({
          tokens: [
            ...developmentMarket.tokens,
            {
              ...lrc,
              tokenId: 102,
              paysFees: false,
              fastWithdrawLimit: '0',
              type: 'LP',
              symbol: 'LP-ETH-DAI',
              address: OTHER,
            },
          ],
          pools: [
            {
              address: '0x00000000000000000000000000000000000000bb',
              base: 'ETH',
              quote: 'DAI',
              lp: 'LP-ETH-DAI',
              feeBips: 10,
            },
            first,
            { ...second, feeBips: 30 },
          ],
        }),
      };
      expect((await applySettings(db, settings(changed), 0)).length).toBe(10);
      expect(await refusal(changed)).toBe('started');
      expect(await refusal({})).toContain('operatorAddress');
      expect(await refusal({ ...changed, takerBips: 20 })).toContain('takerBips: 30 in the database, 20 given');
      const twins = ['USDC-E', 'ETH-USDC', 'E'].map((symbol, index) => ({
        ...lrc,
        ...{ tokenId: 200 + index, symbol, address: `0x${String(index).padStart(40, '7')}` },
      }));
      const pair = (base: string, quote: string) =>
        settings({
          market: market({
            tokens: [...developmentMarket.tokens, ...twins],
            markets: [...developmentMarket.markets, { base, quote }],
          }),
        });
      await applySettings(db, pair('ETH', 'USDC-E'), 0);
      await expect(applySettings(db, pair('ETH-USDC', 'E'), 0)).rejects.toThrow(
        'pair ETH-USDC-E base: ETH in the database, ETH-USDC given (cannot be changed)',
      );
      await applySettings(db, settings({}), 0);
      expect(await refusal({})).toBe('started');
    },
    START_TIMEOUT_MS,
  );

  it(
    'of a version that did not keep a setting gets it with its next start, or with apply',
    async () => {
      const own = await createDatabase();
      onTestFinished(own.drop);
      const input = { databaseUrl: own.url };
      expect(await refusal(input)).toBe('started');
      const db = await openPostgres(own.url, 2);
      onTestFinished(() => db.close());
      const forget = () =>
        db.query(
          `DELETE FROM settings WHERE key LIKE ANY ('{%\\_bips,nft\\_%,wallet\\_%}') OR
           key IN ('deposit_address', 'broker_address', 'key_updates_by_old_key')`,
        );
      const told = async (given: RelayerConfigInput) =>
        (await differencesOf(db, readConfig({ dev: true, ...given }))).map(
          ({ setting, database: kept }) => `${setting} ${kept}`,
        );
      const names = [
        ...['depositAddress', 'brokerAddress', 'nftFactory', 'nftImplementation', 'walletFactory'],
        ...['walletProxyCode (fingerprint)', 'keyUpdatesByOldKey', 'makerBips', 'takerBips', 'nftBips'],
      ];

      await forget();
      expect(await told({})).toEqual(names.map((name) => `${name} nothing`));
      expect(await refusal({ ...input, takerBips: 30 })).toBe('started');
      expect(await refusal(input)).toContain('takerBips: 30 in the database, 20 given');

      await forget();
      await applySettings(db, readConfig({ dev: true, takerBips: 25 }), 0);
      expect(await told({})).toEqual(['takerBips 25']);
    },
    START_TIMEOUT_MS,
  );

  it(
    'lists a pool to whose address somebody has paid before',
    async () => {
      const own = await createDatabase();
      onTestFinished(own.drop);
      const pools = developmentMarket.pools.slice(1);
      const test = await startRelayer({ databaseUrl: own.url, market: market({ pools }) });
      onTestFinished(() => test.close());
      const [pool] = developmentMarket.pools as [MarketConfigInput['pools'][0]];
      const alice = await test.account();
      await alice.post('/api/v3/transfer', await alice.transfer(pool.address as `0x${string}`, [LRC, ether]));
      await test.block();
      const query = { owner: pool.address };
      const { accountId } = (await test.call('GET', '/api/v3/account', { query })).body;
      const listed = (publicKey: string) =>
        test.relayer.db
          .query('UPDATE accounts SET public_key_x = $2, public_key_y = $2 WHERE account_id = $1', [
            accountId,
            publicKey,
          ])
          .then(() => applySettings(test.relayer.db, readConfig({ dev: true }), 0));
      await expect(listed('1')).rejects.toThrow(`account ${accountId} of this address has a key of its own`);
      await listed('');
      expect(
        await test.relayer.db.query('SELECT account_id FROM amm_pools WHERE address = $1', [pool.address]),
      ).toEqual([{ account_id: accountId }]);
      await test.block();
      expect(await auditDatabase(test.relayer.db)).toEqual([]);
      await expect(test.relayer.db.transaction((tx) => lockUserAccount(tx, accountId))).rejects.toThrow(
        'no account of a user',
      );
    },
    START_TIMEOUT_MS,
  );

  it(
    'knows a pool by its address in any case, and says whose LP token a new one names',
    async () => {
      const own = await createDatabase();
      onTestFinished(own.drop);
      expect(await refusal({ databaseUrl: own.url })).toBe('started');
      const db = await openPostgres(own.url, 2);
      onTestFinished(() => db.close());
      const [first, second] = developmentMarket.pools as [MarketConfigInput['pools'][0], MarketConfigInput['pools'][0]];
      const settings = (...pools: MarketConfigInput['pools']) => readConfig({ dev: true, market: market({ pools }) });
      const lower = { ...first, address: first.address.toLowerCase() };
      expect(await differencesOf(db, settings(lower, second))).toEqual([]);
      const name = `market: pool ${lower.address} feeBips`;
      const changed = settings({ ...lower, feeBips: 30 }, second);
      expect(await applySettings(db, changed, 0)).toMatchObject([{ setting: name }]);
      expect(await db.query('SELECT address, fee_bips FROM amm_pools WHERE enabled ORDER BY account_id')).toEqual([
        { address: first.address, fee_bips: 30 },
        { address: second.address, fee_bips: second.feeBips },
      ]);
      await expect(applySettings(db, settings({ ...first, address: OTHER }, second), 0)).rejects.toThrow(
        `market: pool ${OTHER} lp: ${first.lp} of pool ${first.address} in the database, ${first.lp} given (cannot`,
      );
    },
    START_TIMEOUT_MS,
  );

  it(
    'lets an operator whose nonce rises with each block get a key while another account is the operator',
    async () => {
      const own = await createDatabase();
      onTestFinished(own.drop);
      const l1 = privateKeyToAccount(generatePrivateKey());
      const test = await startRelayer({ databaseUrl: own.url, operatorAddress: l1.address });
      onTestFinished(() => test.close());
      const operator = await new TestAccount(test.place, l1).faucet();
      const alice = await test.account();
      const blocks = async () => {
        for (let n = 0; n < 3; n++) {
          await alice.post('/api/v3/transfer', await alice.transfer(OTHER, [LRC, ether]));
          await test.block();
        }
      };
      const nonceNow = async () =>
        (await test.call('GET', '/api/v3/account', { query: { owner: l1.address } })).body.nonce as number;
      const register = async () => {
        const update = await operator.keyUpdate(operator.secretKey, { nonce: await nonceNow() });
        // As long as its wallet shows it.
        await blocks();
        return test.call('POST', '/api/v3/account', update);
      };
      const apply = (operatorAddress: string) =>
        applySettings(test.relayer.db, readConfig({ dev: true, operatorAddress }), 0);
      expect((await register()).body.resultInfo).toMatchObject({ code: 102021 });

      await apply('0x00000000000000000000000000000000000000ab');
      // The block that is open still names the account before.
      await blocks();
      expect((await register()).status).toBe(200);
      await test.block();
      await apply(l1.address);
      await blocks();
      await operator.login();
      expect(await auditDatabase(test.relayer.db)).toEqual([]);
    },
    START_TIMEOUT_MS,
  );

  it(
    'refuses a suspended account as the operator, which could not be resumed then',
    async () => {
      const own = await createDatabase();
      onTestFinished(own.drop);
      const test = await startRelayer({ databaseUrl: own.url });
      onTestFinished(() => test.close());
      const { accountId, owner } = await test.account();
      const apply = () => applySettings(test.relayer.db, readConfig({ dev: true, operatorAddress: owner }), 0);
      const suspend = (suspended: boolean) =>
        test.relayer.db.query('UPDATE accounts SET suspended = $2 WHERE account_id = $1', [accountId, suspended]);
      await suspend(true);
      await expect(apply()).rejects.toThrow(`operatorAddress: account ${accountId} of this address is suspended`);
      await suspend(false);
      expect(await apply()).toMatchObject([{ setting: 'operatorAddress' }]);
    },
    START_TIMEOUT_MS,
  );

  it(
    'switches a pair off in every running process',
    async () => {
      const test = await start();
      const alice = await test.account();
      const order = () => alice.order([LRC, 100n * ether], [ETH, ether]).then((body) => alice.submit(body));
      expect((await order()).status).toBe(200);
      const db = await openPostgres(database.url, 2);
      onTestFinished(() => db.close());
      await applySettings(
        db,
        readConfig({ dev: true, market: market({ markets: developmentMarket.markets.slice(1), pools: [] }) }),
        0,
      );
      await expect.poll(async () => (await order()).body.resultInfo?.code).toBe(102005);
      await db.query('DELETE FROM orders');
    },
    START_TIMEOUT_MS,
  );

  it(
    'gives a pool of the example market the price of its first join',
    async () => {
      const test = await startRelayer({ market: exampleMarket });
      onTestFinished(() => test.close());
      const alice = await test.account();
      const [place] = exampleMarket.pools as [MarketConfigInput['pools'][0]];
      const address = place.address as `0x${string}`;
      const pool = { name: 'AMM-LRC-ETH', address, tokens: [LRC, ETH], lp: 100 } as const;
      for (const [lrc, shares] of [
        [400n, 20n],
        [800n, 40n],
      ] as const) {
        const reply = await alice.post('/api/v3/amm/join', await alice.join(pool, [lrc * ether, ether]));
        expect(reply.status, JSON.stringify(reply.body)).toBe(200);
        await test.block();
        expect((await alice.balance(100)).total).toBe(shares * ether);
      }
      // Too little for one unit of a share: not even the fee is taken.
      const before = await alice.balance(ETH);
      expect((await alice.post('/api/v3/amm/join', await alice.join(pool, [10n, ether]))).status).toBe(200);
      await test.block();
      expect(await alice.balance(ETH)).toEqual(before);
      expect(await auditDatabase(test.relayer.db)).toEqual([]);
    },
    START_TIMEOUT_MS,
  );

  it(
    'lets users leave a pool whose second token pays no fees any more',
    async () => {
      const own = await createDatabase();
      onTestFinished(own.drop);
      const test = await startRelayer({ databaseUrl: own.url });
      onTestFinished(() => test.close());
      const alice = await test.account();
      const [USDT, LP] = [2, 101];
      const [, place] = developmentMarket.pools as [unknown, MarketConfigInput['pools'][0]];
      const address = place.address as `0x${string}`;
      const pool = { name: 'AMM-ETH-USDT', address, tokens: [ETH, USDT], lp: LP } as const;
      const join = await alice.join(pool, [ether, 3_000_000_000n], { fee: '1000000' });
      expect((await alice.post('/api/v3/amm/join', join)).status).toBe(200);
      await test.block();

      const tokens = developmentMarket.tokens.map((token) =>
        token.tokenId === USDT ? { ...token, paysFees: false, fastWithdrawLimit: '0' } : token,
      );
      await applySettings(test.relayer.db, readConfig({ dev: true, market: market({ tokens }) }), 0);
      const payIn = async (requestType: number) =>
        (await alice.get('/api/v3/user/offchainFee', { requestType })).body.fees.map(
          ({ token }: { token: string }) => token,
        );
      await expect.poll(() => payIn(feeRequestTypes.TRANSFER)).not.toContain('USDT');
      expect(await payIn(feeRequestTypes.AMM_EXIT)).toEqual(['ETH', 'USDT']);
      const shares = (await alice.balance(LP)).total;
      const exit = await alice.post('/api/v3/amm/exit', await alice.exit(pool, shares, { maxFee: '1000000' }));
      expect(exit.status, JSON.stringify(exit.body)).toBe(200);
      await test.block();
      expect((await alice.balance(LP)).total).toBeLessThan(10_000n);
    },
    START_TIMEOUT_MS,
  );

  it(
    'lets what users hold leave by exits and withdrawals when a pool and its tokens are no longer listed',
    async () => {
      const own = await createDatabase();
      onTestFinished(own.drop);
      const test = await startRelayer({ databaseUrl: own.url });
      onTestFinished(() => test.close());
      const alice = await test.account();
      const [, place] = developmentMarket.pools as [unknown, MarketConfigInput['pools'][0]];
      const [USDT, LP] = [2, 101];
      const pool = {
        name: 'AMM-ETH-USDT',
        address: place.address as `0x${string}`,
        tokens: [ETH, USDT],
        lp: LP,
      } as const;
      const fee = '1000000';
      const join = () =>
        alice.join(pool, [ether, 3_000_000_000n], { fee }).then((body) => alice.post('/api/v3/amm/join', body));
      expect((await join()).status).toBe(200);
      await test.block();
      const shares = (await alice.balance(LP)).total;
      expect(shares).toBeGreaterThan(0n);

      const unlisted = market({
        tokens: developmentMarket.tokens.filter(({ tokenId }) => tokenId !== USDT && tokenId !== LP),
        markets: developmentMarket.markets.filter(({ base, quote }) => base !== 'USDT' && quote !== 'USDT'),
        pools: developmentMarket.pools.slice(0, 1),
      });
      await applySettings(test.relayer.db, readConfig({ dev: true, market: unlisted }), 0);
      const status = async () => (await test.call('GET', '/api/v3/amm/pools')).body.pools[1].status;
      // Bits 0 and 3: it can be left, and is shown.
      await expect.poll(status).toBe(9);
      const code = async (sent: Promise<{ body: { resultInfo?: { code: number } } }>) =>
        (await sent).body.resultInfo?.code;
      expect(await code(join())).toBe(102023);
      const offered = await alice.get('/api/v3/user/offchainFee', { requestType: 6 });
      expect(offered.body.fees.map(({ token }: { token: string }) => token)).toContain('USDT');
      const held = (await alice.balance(USDT)).total;
      const exit = await alice.post('/api/v3/amm/exit', await alice.exit(pool, shares, { maxFee: fee }));
      expect(exit.status, JSON.stringify(exit.body)).toBe(200);
      await test.block();
      expect((await alice.balance(LP)).total).toBeLessThan(10_000n);
      const freed = (await alice.balance(USDT)).total;
      expect(freed).toBeGreaterThan(held + 2_990_000_000n);

      expect(await code(alice.post('/api/v3/transfer', await alice.transfer(OTHER, [USDT, 1n])))).toBe(102002);
      const all = (changes = {}) =>
        alice.withdrawal([USDT, freed], changes).then((body) => alice.post('/api/v3/user/withdrawals', body));
      expect(await code(all({ maxFee: { tokenId: USDT, volume: fee } }))).toBe(102024);
      expect(await code(all({ fastWithdrawalMode: true }))).toBe(100001);
      expect((await all()).status).toBe(200);
      await test.block();
      expect((await alice.balance(USDT)).total).toBe(0n);
      expect(await auditDatabase(test.relayer.db)).toEqual([]);
    },
    START_TIMEOUT_MS,
  );

  it(
    'lets the secret of the API keys change: old keys work until their account asks again',
    async () => {
      const own = await createDatabase();
      onTestFinished(own.drop);
      const first = await startRelayer({ databaseUrl: own.url, apiKeySecret: 'a'.repeat(40) });
      const alice = await first.account();
      await first.close();
      const db = await openPostgres(own.url, 2);
      await applySettings(db, readConfig({ dev: true, apiKeySecret: 'b'.repeat(40) }), 0);
      await db.close();
      const second = await startRelayer({ databaseUrl: own.url, apiKeySecret: 'b'.repeat(40) });
      onTestFinished(() => second.close());
      const here = alice.at(second.place);
      const before = alice.apiKey;
      const balances = (apiKey: string) =>
        second.call('GET', '/api/v3/user/balances', {
          query: { accountId: alice.accountId },
          headers: { 'x-api-key': apiKey },
        });
      expect((await balances(before)).status).toBe(200);
      const { body } = await here.signed('GET', '/api/v3/apiKey', { query: { accountId: alice.accountId } });
      expect(body.apiKey).not.toBe(before);
      expect((await balances(body.apiKey)).status).toBe(200);
      expect((await balances(before)).body.resultInfo.code).toBe(104002);
    },
    START_TIMEOUT_MS,
  );
});

describe('a market file', () => {
  const [eth, lrc, ...rest] = developmentMarket.tokens as [
    MarketConfigInput['tokens'][0],
    MarketConfigInput['tokens'][0],
    ...MarketConfigInput['tokens'],
  ];
  it.each([
    [
      'a pair with the name of NFT orders',
      {
        tokens: developmentMarket.tokens.map((token) => (token.tokenId === 1 ? { ...token, symbol: 'NFT' } : token)),
        markets: [{ base: 'NFT', quote: 'ETH' }],
        pools: [],
      },
      'NFT-ETH is the market of NFT orders',
    ],
    [
      'two pairs with one name',
      {
        tokens: developmentMarket.tokens.map((token) => ({
          ...token,
          symbol: { LRC: 'ETH-USDC', USDT: 'USDC-E', DAI: 'E' }[token.symbol] ?? token.symbol,
        })),
        markets: [
          { base: 'ETH', quote: 'USDC-E' },
          { base: 'ETH-USDC', quote: 'E' },
        ],
        pools: [],
      },
      'market.markets.1 ETH-USDC-E is the market of ETH and USDC-E already',
    ],
    [
      'two pairs whose names differ in case alone',
      {
        tokens: developmentMarket.tokens.map((token) =>
          token.symbol === 'DAI' ? { ...token, symbol: 'usdt' } : token,
        ),
        markets: [
          { base: 'ETH', quote: 'USDT' },
          { base: 'ETH', quote: 'usdt' },
        ],
        pools: [],
      },
      'market.markets.1 ETH-usdt is the market of ETH and USDT already',
    ],
    [
      'two tokens whose symbols differ in case alone',
      { tokens: [eth, { ...lrc, symbol: 'eth' }, ...rest] },
      'market.tokens two tokens share a symbol',
    ],
    [
      'a base that is taken for the pool of another market',
      {
        tokens: developmentMarket.tokens.map((token) =>
          token.symbol === 'DAI' ? { ...token, symbol: 'amm-LRC' } : token,
        ),
        markets: [{ base: 'amm-LRC', quote: 'ETH' }],
        pools: [],
      },
      'market.markets.0.base amm-LRC-ETH would be read as the pool or the book of another market',
    ],
    [
      'no coin of the chain as token 0',
      { tokens: developmentMarket.tokens.map((token) => (token.tokenId === 0 ? { ...token, tokenId: 7 } : token)) },
      'market.tokens token 0 is the coin of the chain, of type ETH',
    ],
    [
      'a coin of the chain without a price',
      { tokens: [{ ...eth, priceMicroUsd: '0' }, lrc, ...rest] },
      'market.tokens.0.priceMicroUsd of the coin of the chain is zero',
    ],
    [
      'a token that pays fees without a price',
      { tokens: [eth, { ...lrc, priceMicroUsd: '0' }, ...rest] },
      'market.tokens.1.priceMicroUsd of LRC is zero',
    ],
    ['a token for itself', { markets: [{ base: 'ETH', quote: 'ETH' }], pools: [] }, 'ETH is not traded for itself'],
    [
      'a pair and its inverse',
      {
        markets: [
          { base: 'LRC', quote: 'ETH' },
          { base: 'ETH', quote: 'LRC' },
        ],
        pools: [],
      },
      'market.markets.1 ETH-LRC is listed already as markets.0',
    ],
    [
      'a minimum above the maximum',
      { tokens: [{ ...eth, maximum: '1' }, lrc, ...rest] },
      'of ETH is above its maximum',
    ],
    [
      'two tokens of one contract',
      { tokens: [eth, { ...lrc, address: rest[0]?.address ?? '' }, ...rest] },
      'of USDT is the one of LRC',
    ],
    ['a pool without its pair', { markets: developmentMarket.markets.slice(1) }, 'LRC-ETH is no market'],
  ])('with %s is refused', (_name, changes, text) => {
    expect(issues({ dev: true, market: market(changes as Partial<MarketConfigInput>) })).toContain(text);
  });
});

it.each(['relayer.example:443', 'https://a.example,https://b.example', 'postgres://a.example'])(
  'the URL %s is none of a relayer or an L1 node',
  (url) => {
    const text = 'is not one http:// or https:// URL';
    expect(issues({ dev: true, publicUrls: [url], l1Url: url })).toBe(`publicUrls.0 ${text}\nl1Url ${text}`);
  },
);

it('a public URL is the one that clients sign, however it is written', () => {
  const publicUrls = ['https://Relayer.Example', 'https://relayer.example:443//', 'http://a.example:4510/Base/'];
  const read = readConfig({ dev: true, publicUrls }).publicUrls;
  expect(read).toEqual(['https://relayer.example', 'https://relayer.example', 'http://a.example:4510/Base']);
  const signed = ['https://Relayer.Example', 'https://relayer.example:443//'].map(typedUrl);
  expect(signed).toMatchObject(read.slice(0, 2).map((baseUrl) => ({ baseUrl })));
});

it('a standby is one server, beside its primary', () => {
  expect(issues({ databaseStandbyUrl: 'postgres://x/y' })).toContain('a standby belongs to a PostgreSQL server');
  expect(issues({ databaseStandbyUrl: 'postgres://a,b/y' })).toContain('names several servers');
});

it('the URL of a database is one, or leads to a socket', () => {
  const urls = (databaseUrl: string) => issues({ dev: true, devOnPostgres: true, databaseUrl });
  for (const url of ['u:p%23w@h/db', 'u@a:5432,b/db', 'u@/db?host=/run/postgresql', '/db', '%2Frun%2Fpostgresql/db'])
    expect(urls(`postgres://${url}`)).toBe('');
  const text = 'databaseUrl is not a URL; percent-encode the password';
  for (const url of ['u:p#w@h/db', 'u:p/w@h/db', 'u:p?w@h/db', 'u@a,b:x/db'])
    expect(urls(`postgres://${url}`)).toBe(text);
  expect(urls('mysql://h/db')).toBe('databaseUrl is not a postgres:// URL');
});

it('the queue of a push client holds the longest message', () => {
  const most = 2n ** 96n - 1n;
  const market = {
    market: `${'B'.repeat(31)}-${'Q'.repeat(31)}`,
    ...{ base: { decimals: 36 }, quote: { decimals: 0 }, precisionForPrice: 18 },
  } as Selection['market'];
  const trade = { created_at: 10 ** 13 - 1, id: Number.MAX_SAFE_INTEGER, side: 'SELL', taker_fee: most } as const;
  const row = describeTrade({ name: market.market, market, book: true, pool: true }, {
    ...trade,
    ...{ taker_sold: most, taker_bought: most - 1n },
  } as Trade).slice(0, 7);
  const topic = { topic: 'mixtrade', market: market.market };
  const { length } = textFrame(JSON.stringify({ topic, ts: trade.created_at, data: Array(1_000).fill(row) }));
  expect(length).toBeGreaterThan(200_000);
  expect(issues({ dev: true, pushQueueBytes: length })).toMatch(/^pushQueueBytes /);
});

it('proxies are counted from 1 on, and only where one is trusted', () => {
  const text = 'trustedProxies without trustProxy no proxy is trusted; set trustProxy';
  expect(issues({ dev: true, trustedProxies: 2 })).toBe(text);
  expect(issues({ dev: true, trustedProxies: 2, trustProxy: true })).toBe('');
  for (const trustedProxies of [0, 1.5, 11, 'two'])
    expect(issues({ dev: true, trustedProxies, trustProxy: true })).toMatch(/^trustedProxies /);
});

describe('/dev', () => {
  it(
    'is refused on PostgreSQL without a second flag, and to what came through a proxy',
    async () => {
      expect(issues({ dev: true, databaseUrl: 'postgres://x/y' })).toContain('they need devOnPostgres');
      const test = await startRelayer();
      onTestFinished(() => test.close());
      for (const header of ['x-forwarded-for', 'forwarded', 'via'])
        expect(
          (await test.call('POST', '/dev/faucet', { body: { owner: OTHER }, headers: { [header]: '8.8.8.8' } })).status,
        ).toBe(404);
      expect((await test.call('POST', '/dev/faucet', { body: { owner: OTHER } })).status).toBe(200);
    },
    START_TIMEOUT_MS,
  );
});

describe('the command line', () => {
  /** @returns the exit code, and what it wrote. */
  const runOn = async (databaseUrl: string, ...words: string[]) => {
    const flags = ['--dev', '--dev-on-postgres', '--log-level', 'silent'];
    const { code, output, errors } = await runBuilt([...words, ...flags], { DATABASE_URL: databaseUrl });
    return `${code} ${output}${errors}`;
  };

  it(
    'refuses unknown names, unclear switches and broken market files, each by its name',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'countersign-settings-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const file = join(folder, 'broken.json');
      writeFileSync(file, '{');
      const empty = join(folder, 'empty');
      writeFileSync(empty, '\n');
      const run = async (environment: Record<string, string>, ...flags: string[]) => {
        const { code, errors } = await runBuilt(['--port', '0', ...flags], { RELAYER_DEV: 'true', ...environment });
        return `${code} ${errors}`;
      };
      const said = await Promise.all([
        run({ RELAYER_PUBLIC_URL: 'https://relayer.example' }),
        run({ RELAYER_TRUST_PROXY: 'yes' }),
        run({ RELAYER_MARKET: file }),
        run({ DATABASE_URL: 'notaurl' }),
        run({ DATABASE_URL_FILE: join(folder, 'absent') }),
        run({ RELAYER_API_KEY_SECRET: 'x'.repeat(40), RELAYER_API_KEY_SECRET_FILE: file }),
        // Takes a list apart like the variable.
        run({}, '--public-urls', 'https://a.example,b.example'),
        run({}, '--taker-bips', ''),
        run({}, '--host', ''),
        run({ RELAYER_DRAIN_MS: '5s' }),
        ...[[], ['migrate'], ['config', 'diff']].map((words) => run({ RELAYER_DEV: 'false' }, ...words)),
        run({ RELAYER_MARKET: file }, 'migrate'),
        run({}, 'archive', '--too', folder),
        // The value of a flag, and no command.
        run({}, '--host', '', '--data-dir', 'archive'),
        run({ RELAYER_OPERATOR_KEYS_FILE: empty }),
      ]);
      expect(said[0]).toContain('RELAYER_PUBLIC_URL: there is no such setting');
      expect(said[1]).toContain('RELAYER_TRUST_PROXY: "yes" is not true, false, 1 or 0');
      expect(said[2]).toContain(`the market file ${file} cannot be read`);
      expect(said[3]).toContain('databaseUrl: is not a postgres:// URL');
      expect(said[4]).toContain(`DATABASE_URL_FILE: ${join(folder, 'absent')} cannot be read (ENOENT)`);
      expect(said[5]).toContain('RELAYER_API_KEY_SECRET and RELAYER_API_KEY_SECRET_FILE exclude each other');
      expect(said[6]).toContain('publicUrls.1: is not one http:// or https:// URL');
      expect(said[7]).toContain('--taker-bips is empty');
      expect(said[8]).toContain('--host is empty');
      expect(said[9]).toContain('RELAYER_DRAIN_MS: "5s" is not an integer');
      const needed = 'databaseUrl: is required without --dev; without a database everything is lost at the end\n';
      expect(said.slice(10, 13)).toEqual([`1 The relayer did not start.\n${needed}`, `1 ${needed}`, `1 ${needed}`]);
      expect(said[13]).toMatch(/^1 the market file /);
      expect(said[14]).toMatch(/^1 Unknown option '--too'/);
      expect(said[15]).toMatch(/^1 The relayer did not start\.\n--host is empty/);
      expect(said[16]).toContain(`RELAYER_OPERATOR_KEYS_FILE: ${empty} is empty`);
      expect(said.map((text) => text[0])).toEqual(Array(17).fill('1'));
    },
    START_TIMEOUT_MS,
  );

  it(
    'starts, compares, applies and archives only on the schema of its version, and leaves every other one as it is',
    async () => {
      const own = await createDatabase({ migrated: false });
      onTestFinished(own.drop);
      const db = await openPostgres(own.url, 2);
      onTestFinished(() => db.close());
      const folder = mkdtempSync(join(tmpdir(), 'countersign-settings-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const run = (...words: string[]) => runOn(own.url, ...words, '--port', '0');
      const tables = async () => (await db.query(`SELECT relname FROM pg_class WHERE relkind = 'r'`)).length;
      const names = async () =>
        (await db.query<{ name: string }>('SELECT name FROM migrations')).map(({ name }) => name);
      const archive = ['archive', '--to', folder, '--older-than-days', '30'];

      const empty = await tables();
      expect(await run('config', 'diff')).toContain('older than this version (0001Initial is missing)');
      expect(await tables()).toBe(empty);

      const before = migrations.slice(0, -1);
      await migrate(db, before);
      const each = () =>
        Promise.all([[], ['config', 'diff'], ['config', 'apply'], archive].map((words) => run(...words)));
      for (const said of await each()) {
        expect(said).toMatch(/^1 /);
        expect(said).toContain(`older than this version (${migrations.at(-1)?.name} is missing)`);
        expect(said).toContain('"npm run relayer -- migrate" (in a release "node relayer.mjs migrate")');
      }
      // What a start would refuse is refused while the older version can still go on.
      expect(await run('migrate', '--snapshot-dir', '/no/such')).toContain('snapshotDir: ENOENT');
      expect(await names()).toEqual(before.map(({ name }) => name));

      expect(await run('migrate')).toMatch(/^0 /);
      expect(await run('config', 'diff')).toMatch(/^0 .*chainId: nothing in the database/s);
      expect(await db.query('SELECT 1 FROM settings')).toEqual([]);

      await db.query(`INSERT INTO migrations (name, applied_at) VALUES ('9999Later', now())`);
      for (const said of await each()) expect(said).toContain('changed by a newer version (9999Later)');
    },
    START_TIMEOUT_MS,
  );

  it(
    'migrates only with the settings of the database, and takes everything back otherwise',
    async () => {
      const own = await createDatabase();
      onTestFinished(own.drop);
      const settings = { dev: true, devOnPostgres: true, port: 0, logLevel: 'silent', databaseUrl: own.url } as const;
      await (await createRelayer(settings)).close();
      const db = await openPostgres(own.url, 2);
      onTestFinished(() => db.close());
      await db.script(`DELETE FROM migrations WHERE name = '0020ArchivedOrders'; DROP TABLE archived_orders`);
      const applied = () => db.query(`SELECT 1 FROM migrations WHERE name = '0020ArchivedOrders'`);
      const other = await runOn(own.url, 'migrate', '--taker-bips', '7');
      expect(other).toMatch(
        /^1 .*\bthe database belongs to other settings:\n {2}takerBips: \d+ in the database, 7 given\n/s,
      );
      expect(await applied()).toEqual([]);
      expect(await runOn(own.url, 'migrate')).toMatch(/^0 /);
      expect(await applied()).toHaveLength(1);
      await (await createRelayer(settings)).close();
    },
    START_TIMEOUT_MS,
  );
});
