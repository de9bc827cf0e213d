import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { endpoints } from '../../src/protocol/endpointTable.ts';
import { describeConfig, relayerConfig } from '../../src/relayer/config.ts';
import { createRelayer } from '../../src/relayer/createRelayer.ts';
import { migrations } from '../../src/relayer/db/migrate.ts';
import { createRateLimit } from '../../src/relayer/server/rateLimit.ts';
import { builtRelayer, runBuilt } from './support/builtRelayer.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { holding } from './support/holding.ts';
import { until } from './support/operated.ts';
import { freePort } from './support/postgresCluster.ts';
import { exited, startProcess } from './support/relayerProcess.ts';
import { startOnPostgres, type TestRelayer } from './support/startRelayer.ts';
import { LRC_ETH_POOL, type Reply } from './support/testAccount.ts';
import { ether } from './support/tokens.ts';

describe('the server', () => {
  let test: TestRelayer;
  beforeAll(async () => {
    test = await startOnPostgres({ bodyLimitBytes: 2_000 });
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  const post = (body: string, headers: Record<string, string> = {}) =>
    test.call('POST', '/api/v3/delegator/getCode', { body, headers });

  it('refuses what is no JSON object, too deep, too large or no endpoint', async () => {
    expect((await post('{"address":')).body.resultInfo).toEqual({ code: 100001, message: 'the body is not JSON' });
    for (const text of ['[1]', 'null', '7'])
      expect((await post(text)).body.resultInfo.message).toBe('the body is not a JSON object');
    expect((await post(`{"address":${'['.repeat(500)}${']'.repeat(500)}}`)).body.resultInfo.message).toBe(
      'the body is nested deeper than 12 levels',
    );
    expect((await post(JSON.stringify({ address: '[{"'.repeat(20) }))).body.resultInfo.message).toContain('address');
    expect((await post(JSON.stringify({ address: '\\"[[[[[[[[[[[[[[' }))).body.resultInfo.message).toContain('address');
    const siblings = JSON.stringify({ address: Array.from({ length: 20 }, () => [{}]) });
    expect((await post(siblings)).body.resultInfo.message).toContain('address');
    const bytes = await fetch(`${test.place.url}/api/v3/delegator/getCode`, {
      method: 'POST',
      body: Buffer.from('{"address":"\xff"}', 'latin1'),
    });
    expect(await bytes.json()).toEqual({ resultInfo: { code: 100001, message: 'the body is not UTF-8' } });
    const refused = () => test.metric('requests_total{endpoint="getCode",outcome="100001"}');
    const before = await refused();
    const large = await post(JSON.stringify({ address: 'x'.repeat(3_000) }));
    expect(await refused()).toBe(before + 1);
    expect([large.status, large.body.resultInfo.message]).toEqual([413, 'the body is larger than 2000 bytes']);
    const missing = await test.call('GET', '/api/v3/nothing');
    expect([missing.status, missing.body.resultInfo.code]).toEqual([404, 100001]);
  });

  it('refuses a book without slots and a parameter that is given twice', async () => {
    const refusal = async (path: string) => (await test.call('GET', `/api/v3/${path}`)).body.resultInfo;
    for (const path of ['depth', 'mix/depth'])
      expect(await refusal(`${path}?market=LRC-ETH&limit=0`)).toMatchObject({ code: 100001 });
    const twice = await refusal('depth?market=LRC-ETH&limit=1&limit=2');
    expect(twice).toEqual({ code: 100001, message: 'limit is given more than once' });
    expect(await refusal('depth?market=LRC-ETH&other=1&other=2')).toBeUndefined();
  });

  it('names both parameters of which one is needed, and an unknown member', async () => {
    const message = async (path: string) => (await test.call('GET', `/api/v3/${path}`)).body.resultInfo.message;
    expect(await message('account')).toBe('query: owner or accountId is needed');
    expect(await message('account?owner=&accountId=')).toBe('query: owner or accountId is needed');
    expect(await message('counterFactualInfo')).toBe('query: accountId or address is needed');
    expect(await message('price')).toBe('legal is missing');
    expect((await post('{"address":"0x","other":1}')).body.resultInfo.message).toMatch(/^address is not an address/);
    const unknown = await post(`{"address":"${LRC_ETH_POOL.address}","other":1}`);
    expect(unknown.body.resultInfo.message).toBe('body: unknown field "other"');
  });

  it('takes the name of a market in any case where it tells the least amounts', async () => {
    const alice = await test.account();
    const amounts = async (market: string) => (await alice.get('/api/v3/user/orderUserRateAmount', { market })).body;
    expect((await amounts('lrc-eth')).amounts).toEqual((await amounts('LRC-ETH')).amounts);
    expect((await amounts('lrc-eth')).amounts).toHaveLength(2);
  });

  it('sends long answers in gzip to whoever takes it, and short ones as they are', async () => {
    const ask = (path: string, acceptEncoding: string) =>
      new Promise<{ readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }>((resolve, reject) =>
        get(`${test.place.url}${path}`, { headers: { 'accept-encoding': acceptEncoding } }, async (reply) => {
          resolve({ headers: reply.headers, bytes: Buffer.concat(await reply.toArray()) });
        }).on('error', reject),
      );
    for (const path of ['/api/v3/exchange/tokens', '/openapi.json', '/']) {
      const plain = await ask(path, 'gzip;q=0, deflate');
      expect(plain.headers).toMatchObject({ vary: 'accept-encoding', 'content-length': `${plain.bytes.length}` });
      expect(plain.headers).not.toHaveProperty('content-encoding');
      const packed = await ask(path, 'br, GZIP;q=0.5');
      expect(packed.headers).toMatchObject({
        ...{ vary: 'accept-encoding', 'content-encoding': 'gzip', 'content-length': `${packed.bytes.length}` },
        ...{ 'content-type': plain.headers['content-type'], 'access-control-allow-origin': '*' },
      });
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    }
    const short = await ask('/api/v3/timestamp', 'gzip');
    expect(short.headers).not.toHaveProperty('content-encoding');
    expect(JSON.parse(short.bytes.toString())).toHaveProperty('timestamp');
  });

  it('measures a body that does not say its length', async () => {
    const reply = await fetch(`${test.place.url}/api/v3/delegator/getCode`, {
      method: 'POST',
      body: new ReadableStream({
        pull(controller) {
          controller.enqueue(new TextEncoder().encode('x'.repeat(1_000)));
        },
      }),
      duplex: 'half',
    } as RequestInit).then(
      (response) => response.status,
      () => 'cut off',
    );
    expect([413, 'cut off']).toContain(reply);
  });

  /** Sends raw bytes and waits for the server to end the connection. */
  const raw = (bytes: string) =>
    new Promise<string>((resolve) => {
      let seen = '';
      const socket = connect(test.relayer.port, '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (chunk) => {
        seen += chunk;
      });
      socket.on('close', () => resolve(seen));
      socket.on('error', () => undefined);
    });

  it('ends clients that are slow with their headers or send too many', async () => {
    const [slow, cut] = await Promise.all([
      raw('GET /health HTTP/1.1\r\nhost: x\r\nx-slow: '),
      raw('POST /api/v3/order HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{'),
    ]);
    expect(slow).toMatch(/^HTTP\/1.1 408 [\s\S]*\r\n\r\n{"resultInfo":{"code":100002,"message":"[^"]+"}}$/);
    const large = await raw(`GET /health HTTP/1.1\r\nhost: x\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1.1 431 [\s\S]*\r\n\r\n{"resultInfo":{"code":100001,"message":"[^"]+"}}$/);
    expect(await raw('hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [\s\S]*\r\n\r\n{"resultInfo":{"code":100001,/);
    expect(cut).toMatch(/^HTTP\/1.1 408 [\s\S]*"code":100002/);
    for (const refusal of [slow, large, cut]) expect(refusal).toContain('access-control-allow-origin: *');
  });

  it('may be called by pages and extensions of any origin', async () => {
    const reply = await fetch(`${test.place.url}/api/v3/order`, {
      method: 'OPTIONS',
      headers: { origin: 'chrome-extension://abc', 'access-control-request-headers': 'x-api-key,x-api-sig' },
    });
    expect(reply.status).toBe(204);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(reply.headers.get('access-control-allow-headers')).toContain('x-api-sig');
    expect(reply.headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, DELETE, OPTIONS');
    expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('measures the event loop until it is closed', async () => {
    const other = await createRelayer({ dev: true, port: 0, engine: 'stepped', logLevel: 'silent' });
    const disabled = vi.spyOn(Object.getPrototypeOf(monitorEventLoopDelay()), 'disable');
    onTestFinished(() => disabled.mockRestore());
    await other.close();
    expect(disabled).toHaveBeenCalledOnce();
  });

  it('serves health, metrics, the OpenAPI document and a page that loads nothing from elsewhere', async () => {
    expect((await test.call('GET', '/health')).body).toEqual({ status: 'ok' });
    await test.account();
    const metrics = (await test.call('GET', '/metrics')).body as string;
    expect(metrics).toMatch(/^relayer_requests_total\{endpoint="updateAccount",outcome="200"\} \d+$/m);
    expect(metrics).toMatch(/^relayer_signature_check_seconds_count\{kind="eddsa"\} \d+$/m);
    expect(metrics).toMatch(/^relayer_open_orders 0$/m);
    expect(metrics).toContain(
      `\n# TYPE relayer_build_info gauge\nrelayer_build_info{version="${project.version}",schema="${migrations.length}",database="postgres"} 1\n`,
    );
    const { body: document } = await test.call('GET', '/openapi.json');
    const operations = Object.values(document.paths as Record<string, object>).flatMap((path) =>
      Object.values(path as Record<string, { operationId: string }>).map((operation) => operation.operationId),
    );
    expect(operations.sort()).toEqual(Object.keys(endpoints).sort());
    const page = await fetch(test.place.url);
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(html).not.toMatch(/<script|<link|<img|src=/i);
    for (const { path } of Object.values(endpoints)) expect(html).toContain(path);
    for (const limit of ['100000', '400000']) expect(html).toContain(` ${limit} requests a second.`);
  });

  it('answers only for the base URLs that it was told', async () => {
    const alice = await test.account();
    const ask = (url: string) => {
      const query = { accountId: alice.accountId };
      const { headers } = alice.at({ ...alice.place, url }).signatureOf('GET', '/api/v3/apiKey', { query });
      return alice.call('GET', '/api/v3/apiKey', { query, headers });
    };
    expect((await ask('https://another.example')).body.resultInfo.code).toBe(104005);
    expect((await ask(`http://localhost:${test.relayer.port}`)).status).toBe(200);
  });
});

it('a relayer listens nowhere when its operations port is taken', async () => {
  const [port, operationsPort] = [await freePort(), await freePort()];
  const other = createServer().listen(operationsPort, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  await expect(createRelayer({ dev: true, logLevel: 'silent', port, operationsPort })).rejects.toThrow('EADDRINUSE');
  await expect(fetch(`http://127.0.0.1:${port}/live`)).rejects.toThrow('fetch failed');
});

it.each(['port', 'operationsPort'])('a relayer leaves no timer behind when its %s is taken', async (taken) => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const [made, cleared] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')];
  onTestFinished(() => {
    made.mockRestore();
    cleared.mockRestore();
  });
  const { port } = other.address() as AddressInfo;
  const ports = { port: 0, operationsPort: 0, [taken]: port };
  await expect(createRelayer({ dev: true, logLevel: 'silent', ...ports })).rejects.toThrow('EADDRINUSE');
  const ended = new Set(cleared.mock.calls.map(([timer]) => timer));
  const left = made.mock.results.filter(({ value }) => !ended.has(value));
  expect([made.mock.calls.length > 0, left]).toEqual([true, []]);
});

describe('a relayer under more load than it takes', () => {
  it(
    'answers 503 to what is too much and the rest when the database has time',
    async () => {
      const test = await startOnPostgres({ maxConcurrentRequests: 4 });
      onTestFinished(() => test.close());
      const ask = () => test.call('GET', '/api/v3/account', { query: { accountId: 1 } });
      let waiting: Promise<Reply>[] = [];
      await holding(test.relayer.db, 'LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE', async () => {
        waiting = Array.from({ length: 4 }, ask);
        await until('four are in progress', async () => (await test.metric('requests_in_progress')) === 4);
        const refused = await ask();
        expect([refused.status, refused.body]).toEqual([
          503,
          { resultInfo: { code: 100000, message: 'the relayer is overloaded; send the same request again' } },
        ]);
        expect(refused.headers.get('retry-after')).toBe('1');
      });
      expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await ask()).status).toBe(200);
      expect((await test.call('GET', '/metrics')).body).toMatch(
        /^relayer_requests_total\{endpoint="getAccount",outcome="100000"\} [1-9]/m,
      );

      // Sixteen bodies that do not come to their end: the next POST is refused before its body is
      // read.
      const slow = Array.from({ length: 16 }, () => {
        const socket = connect(test.relayer.port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write('POST /api/v3/order HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{');
        return socket;
      });
      const post = () => test.call('POST', '/api/v3/delegator/getCode', { body: { address: `0x${'1'.repeat(40)}` } });
      const refused = await until('a POST is refused', async () => {
        const reply = await post();
        return reply.status === 503 && reply;
      });
      expect(refused.body.resultInfo.code).toBe(100000);
      for (const socket of slow) socket.destroy();
      const taken = await until('a POST is taken again', async () => {
        const reply = await post();
        return reply.status !== 503 && reply;
      });
      expect(taken.status).toBe(200);
    },
    START_TIMEOUT_MS,
  );
});

it(
  'slow histories leave a connection to key lookups, readiness and everything else',
  async () => {
    const test = await startOnPostgres();
    onTestFinished(() => test.close());
    const alice = await test.account();
    const { db } = test.relayer;
    let waiting: Promise<Reply>[] = [];
    await holding(db, 'LOCK TABLE fills IN ACCESS EXCLUSIVE MODE', async () => {
      waiting = Array.from({ length: 12 }, () =>
        test.call('GET', '/api/v3/amm/trades', { query: { ammPoolAddress: LRC_ETH_POOL.address } }),
      );
      await until('twelve are in progress', async () => (await test.metric('requests_in_progress')) === 12);
      const answers = [await alice.get('/api/v3/user/balances'), await test.call('GET', '/ready')];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    });
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
  },
  START_TIMEOUT_MS,
);

it(
  'an account that reads its lists faster than they are answered takes the places of nobody else',
  async () => {
    const test = await startOnPostgres({ maxConcurrentRequests: 20 });
    onTestFinished(() => test.close());
    const [alice, bob] = [await test.account(), await test.account()];
    const list = () => alice.get('/api/v3/user/trades');
    let waiting: Promise<Reply>[] = [];
    await holding(test.relayer.db, 'LOCK TABLE fills IN ACCESS EXCLUSIVE MODE', async () => {
      waiting = Array.from({ length: 9 }, list);
      await until('nine are in progress', async () => (await test.metric('requests_in_progress')) === 9);
      const refused = await Promise.all(Array.from({ length: 11 }, list));
      expect(new Set(refused.map(({ status, headers }) => [status, headers.get('retry-after')].join()))).toEqual(
        new Set(['429,1']),
      );
      expect(await test.metric('requests_in_progress')).toBe(9);
      expect((await bob.get('/api/v3/orders')).status).toBe(200);
    });
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await list()).status).toBe(200);
  },
  START_TIMEOUT_MS,
);

describe('one address', () => {
  it(
    'whose bodies never arrive is refused, and nobody else is',
    async () => {
      const test = await startOnPostgres({ trustProxy: true });
      onTestFinished(() => test.close());
      const from = (address: string) =>
        test.call('POST', '/api/v3/delegator/getCode', {
          body: { address: `0x${'1'.repeat(40)}` },
          headers: { 'x-forwarded-for': address },
        });
      const slow = Array.from({ length: 64 }, () => {
        const socket = connect(test.relayer.port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(
          'POST /api/v3/order HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 192.0.2.1\r\ncontent-length: 100\r\n\r\n{',
        );
        return socket;
      });
      await expect.poll(async () => (await from('192.0.2.1')).status, { timeout: 8_000 }).toBe(429);
      const refused = await from('192.0.2.1');
      expect([refused.headers.get('retry-after'), refused.body.resultInfo.code]).toEqual(['1', 100000]);
      expect((await test.call('GET', '/metrics')).body).toMatch(
        /^relayer_requests_total\{endpoint="getCode",outcome="100000"\} [1-9]/m,
      );
      expect((await from('192.0.2.2')).status).toBe(200);
      for (const socket of slow) socket.destroy();
      await expect.poll(async () => (await from('192.0.2.1')).status, { timeout: 8_000 }).toBe(200);
      // Bodies that arrive with their headers hold no place, however many there are.
      const whole = await Promise.all(Array.from({ length: 200 }, () => from('192.0.2.3')));
      expect(new Set(whole.map(({ status }) => status))).toEqual(new Set([200]));
    },
    START_TIMEOUT_MS,
  );
});

describe('the settings', () => {
  const issues = (input: object) =>
    relayerConfig.safeParse(input).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

  it('refuse /dev on anything but loopback', () => {
    expect(issues({ dev: true, host: '0.0.0.0' })).toEqual([
      'dev: /dev routes hand out money; they are refused on 0.0.0.0 and served on loopback only',
    ]);
    expect(issues({ dev: true, host: '192.168.1.5' })).toHaveLength(1);
    for (const host of ['127.0.0.1', '127.0.0.2', '::1', 'localhost'])
      expect(issues({ dev: true, host })).toBeUndefined();
  });

  it('name what is wrong', () => {
    expect(issues({ port: 70_000 })?.[0]).toMatch(/^port: /);
    expect(issues({ exchangeAddress: '0x12' })).toEqual(['exchangeAddress: is not an address']);
    expect(issues({ dataDir: 'a', databaseUrl: 'postgres://b' })).toEqual([
      'databaseUrl: dataDir and databaseUrl exclude each other',
    ]);
    expect(issues({ engine: 'stepped' })).toEqual(['engine: the stepped engine is moved by /dev/blocks; needs dev']);
    expect(issues({ surprise: 1 })?.[0]).toMatch(/surprise/);
  });

  it('are printed without secrets', () => {
    const secrets = {
      databaseUrl: 'postgres://operator:hunter2@db.example/relayer?sslpassword=hunter2',
      l1DeployerKey: `0x${'ab'.repeat(32)}`,
      apiKeySecret: 'a very long secret that nobody may see',
      l1Url: 'https://l1.example/v3/project-token-hunter2',
    };
    const text = JSON.stringify(describeConfig(relayerConfig.parse(secrets)));
    expect(text).toContain('db.example');
    expect(text).not.toMatch(/hunter2|abababab|nobody may see/);
    const databaseUrl = 'postgres://operator:hunter2@a.example:5432,b.example:5433/relayer?sslpassword=hunter2';
    expect(describeConfig(relayerConfig.parse({ databaseUrl })).database).toBe(
      'postgres://a.example:5432/relayer postgres://b.example:5433/relayer',
    );
  });

  it(
    'have a help text with every flag and no flag for secrets',
    async () => {
      const { code, output: text } = await runBuilt(['--help']);
      expect(code).toBe(0);
      for (const flag of ['--port', '--data-dir', '--dev', '--l1-url', '--market']) expect(text).toContain(flag);
      for (const name of ['DATABASE_URL', 'RELAYER_API_KEY_SECRET', 'RELAYER_L1_DEPLOYER_KEY'])
        expect(text).toContain(name);
      expect(text).not.toMatch(/--(database-url|api-key-secret|l1-deployer-key)/);
    },
    START_TIMEOUT_MS,
  );
});

describe('the log', () => {
  it(
    'has no key, signature or header in it, whatever passes through',
    async () => {
      const child = spawn(process.execPath, [
        await builtRelayer(),
        '--dev',
        ...['--port', '0', '--engine', 'stepped', '--drain-ms', '0', '--log-level', 'trace'],
      ]);
      let text = '';
      const listening = new Promise<string>((resolve) => {
        child.stdout.on('data', (chunk) => {
          text += chunk;
          const match = /"listening":"([^"]+)"/.exec(text);
          if (match?.[1]) resolve(match[1]);
        });
      });
      const { TestAccount, callerOf } = await import('./support/testAccount.ts');
      const url = await listening;
      const { body: info } = await callerOf(url)('GET', '/api/v3/exchange/info');
      const alice = await (
        await new TestAccount({ url, exchange: info.exchangeAddress, chainId: info.chainId }).faucet()
      ).activate();
      const order = await alice.order([1, 10n * ether], [0, ether]);
      await alice.submit(order);
      await alice.submit({ ...order, eddsaSignature: order.eddsaSignature.replace(/.$/, 'f'), maxFeeBips: 61 });
      await alice.call('GET', `/api/v3/user/balances`, {
        query: { accountId: 1, tokens: alice.apiKey },
        headers: alice.keyHeader,
      });
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('close', resolve));
      expect(text.split('\n').filter((line) => line.includes('"requestId"')).length).toBeGreaterThan(8);
      expect(text).not.toContain(alice.apiKey);
      expect(text).not.toContain(order.eddsaSignature.slice(2, 60));
      expect(text).not.toMatch(/x-api-(key|sig)/i);
    },
    START_TIMEOUT_MS,
  );
});

describe('the id of a request', () => {
  it(
    'is the one that it came with in its answer and in the log, and a new one for one that is long or odd',
    async () => {
      const relayer = await startProcess({}, ['--dev', '--drain-ms', '0', '--log-level', 'info']);
      const ask = async (id: string | undefined) => {
        const headers: Record<string, string> = id === undefined ? {} : { 'x-request-id': id };
        const reply = await fetch(`${relayer.url}/api/v3/timestamp`, { headers });
        return reply.headers.get('x-request-id') ?? '';
      };
      const kept = ['7', '0af7651916cd43dd8448eb211c80319c', 'proxy-1_a.B', 'x'.repeat(64)];
      for (const id of kept) expect(await ask(id)).toBe(id);
      const made: string[] = [];
      for (const id of [undefined, '', 'x'.repeat(65), 'a b', '{"level":60}', 'ü']) {
        made.push(await ask(id));
        expect(made.at(-1), id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      }
      expect(new Set(made).size).toBe(made.length);
      const logged = () => relayer.lines.filter(({ msg }) => msg === 'request').map(({ requestId }) => requestId);
      await expect.poll(logged).toEqual([...kept, ...made]);
      relayer.process.kill('SIGTERM');
      await exited(relayer.process);
    },
    START_TIMEOUT_MS,
  );
});

describe('the rate limit', () => {
  it('forgets the oldest clients instead of growing without bound', () => {
    let now = 0;
    const limit = createRateLimit(() => now);
    for (let i = 0; i < 60_000; i++) limit.take(`client ${i}`, 'submitOrder', 5);
    for (let i = 0; i < 5; i++) expect(limit.take('me', 'submitOrder', 5)).toBe(true);
    expect(limit.take('me', 'submitOrder', 5)).toBe(false);
    expect(limit.take('me', 'cancelOrder', 5)).toBe(true);
    now += 1_000;
    expect(limit.take('me', 'submitOrder', 5)).toBe(true);
  });

  it('forgets first whoever has not asked for the longest time', () => {
    const limit = createRateLimit(() => 0);
    const take = (client: string) => limit.take(client, 'submitOrder', 1);
    const strangers = (from: number, to: number) => {
      for (let i = from; i < to; i++) take(`client ${i}`);
    };
    expect(['quiet', 'busy'].map(take)).toEqual([true, true]);
    strangers(0, 30_000);
    expect(take('busy')).toBe(false);
    strangers(30_000, 60_000);
    expect(['quiet', 'busy'].map(take)).toEqual([true, false]);
  });
});
