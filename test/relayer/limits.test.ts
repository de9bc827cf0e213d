import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Endpoint } from '../../src/protocol/endpoint.ts';
import { endpoints } from '../../src/protocol/endpointTable.ts';
import { clientAddress, networkOf } from '../../src/relayer/server/admission.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { type FakeL1Node, startFakeL1Node } from './support/fakeL1Node.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { startOnPostgres, startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { type Reply, TestAccount } from './support/testAccount.ts';

const LIMIT = 5;
const inOneWindow = (send: (index: number) => Promise<Reply>, count = 40) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));
/** Windows that have begun since a moment: each may take the limit once. */
const windowsSince = (started: number) => 1 + Math.ceil((performance.now() - started) / 950);
const taken = (replies: readonly Reply[]) => replies.filter(({ status }) => status !== 429).length;

describe('requests a second', () => {
  let test: TestRelayer;
  let node: FakeL1Node;
  beforeAll(async () => {
    node = await startFakeL1Node();
    test = await startOnPostgres({ requestsPerSecond: LIMIT, l1Url: node.url });
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await test.close();
    node.close();
  });
  const pause = () => new Promise((resolve) => setTimeout(resolve, 1_100));

  it('are counted by address, whatever API keys are invented', async () => {
    let started = performance.now();
    const reads = await inOneWindow((index) =>
      test.call('GET', '/api/v3/exchange/tokens', { headers: { 'x-api-key': `invented-${index}` } }),
    );
    expect(taken(reads)).toBeLessThanOrEqual(windowsSince(started) * LIMIT);
    expect(taken(reads)).toBeGreaterThan(0);
    started = performance.now();
    const guarded = await inOneWindow((index) =>
      test.call('GET', '/api/v3/storageId', {
        query: { accountId: 10_001, sellTokenId: 0 },
        headers: { 'x-api-key': `invented-${index}` },
      }),
    );
    expect(taken(guarded)).toBeLessThanOrEqual(windowsSince(started) * LIMIT);
    expect(new Set(guarded.map(({ body }) => body.resultInfo.code)).has(104002)).toBe(true);
  });

  it('are counted by account once its key is known, so that accounts behind one address do not share a limit', async () => {
    const alice = await test.account();
    await pause();
    const bob = await test.account();
    const read = (account: TestAccount) =>
      account.call('GET', '/api/v3/user/balances', {
        query: { accountId: account.accountId },
        headers: account.keyHeader,
      });
    await pause();
    for (const account of [alice, bob]) expect((await read(account)).status).toBe(200);
    await pause();
    const started = performance.now();
    const replies = await Promise.all(
      [alice, bob].map((account) => inOneWindow(() => read(account), 3 * LIMIT).then(taken)),
    );
    const windows = windowsSince(started);
    for (const count of replies) {
      expect(count).toBeGreaterThanOrEqual(LIMIT);
      expect(count).toBeLessThanOrEqual(windows * LIMIT);
    }
  });

  it('have a limit where the interface document names none, and reads of code reach layer 1 once', async () => {
    const address = `0x${'c0'.repeat(20)}`;
    const started = performance.now();
    node.code.set(address, '0x6001');
    const replies = await inOneWindow(() => test.call('POST', '/api/v3/delegator/getCode', { body: { address } }), 100);
    expect(taken(replies)).toBeLessThanOrEqual(windowsSince(started) * 4 * LIMIT);
    expect(new Set(replies.filter(({ status }) => status === 200).map(({ body }) => body.result))).toEqual(
      new Set(['0x6001']),
    );
    expect(node.asked.filter((asked) => asked === `eth_getCode ${address}`)).toHaveLength(1);
  });
});

describe('the limit of a client', () => {
  it(
    'is one for all processes on a database',
    async () => {
      const database = await createDatabase();
      onTestFinished(database.drop);
      const options = { databaseUrl: database.url, requestsPerSecond: LIMIT };
      const relayers = await Promise.all([startRelayer(options), startRelayer(options)]);
      for (const relayer of relayers) onTestFinished(() => relayer.close());
      const started = performance.now();
      let count = 0;
      while (performance.now() - started < 6_000) {
        const replies = await Promise.all(relayers.map(({ call }) => call('GET', '/api/v3/exchange/tokens')));
        count += taken(replies);
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
      const seconds = (performance.now() - started) / 950;
      // Each process may give one burst before it hears of the other; twice the limit would be
      // twice as much.
      expect(count).toBeLessThanOrEqual(LIMIT * seconds + 2 * LIMIT);
      expect(count).toBeGreaterThanOrEqual(LIMIT);
    },
    START_TIMEOUT_MS,
  );

  it(
    'is that of the address that the first trusted proxy has seen',
    async () => {
      const second = '198.51.100.9';
      const test = await startRelayer({ requestsPerSecond: 1, trustProxy: true, trustedProxies: 2 });
      onTestFinished(() => test.close());
      const askAs = (forwarded: (index: number) => string) =>
        inOneWindow(
          (index) => test.call('GET', '/api/v3/exchange/tokens', { headers: { 'x-forwarded-for': forwarded(index) } }),
          16,
        ).then(taken);
      expect(await askAs((index) => `192.0.2.${index}, ${second}`)).toBe(16);
      const started = performance.now();
      // What the client itself has put before it opens no limit of its own.
      const forged = await askAs((index) => `203.0.113.${index}, 192.0.2.77, ${second}`);
      expect(forged).toBeGreaterThan(0);
      expect(forged).toBeLessThanOrEqual(windowsSince(started));
    },
    START_TIMEOUT_MS,
  );

  it('is that of the connection without a trusted proxy, and of the outermost proxy there was', () => {
    const seen = (header: string | undefined, trustProxy: boolean, trustedProxies: number) =>
      clientAddress(
        { headers: { 'x-forwarded-for': header }, socket: { remoteAddress: '10.0.0.1' } } as never as IncomingMessage,
        { trustProxy, trustedProxies },
      );
    const three = '203.0.113.1, 192.0.2.7 ,198.51.100.9';
    expect(seen(three, false, 1)).toBe('10.0.0.1');
    expect([1, 2, 3, 4].map((proxies) => seen(three, true, proxies))).toEqual([
      '198.51.100.9',
      '192.0.2.7',
      '203.0.113.1',
      '203.0.113.1',
    ]);
    for (const header of [undefined, '', ' , ']) expect(seen(header, true, 2)).toBe('10.0.0.1');
  });

  it('is that of its network with IPv6, where a subscriber has many addresses', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(networkOf('2001:DB8:1:2::9')).toBe('2001:db8:1:2::/64');
    expect(networkOf('2001:db8::9')).toBe('2001:db8:0:0::/64');
    expect(networkOf('::1')).toBe('0:0:0:0::/64');
    expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
    expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(networkOf('192.0.2.7')).toBe('192.0.2.7');
    expect(networkOf('192.0.2.7:50123')).toBe('192.0.2.7');
    expect(networkOf('[2001:db8:1:2::9]:50123')).toBe('2001:db8:1:2::/64');
    expect(networkOf('[2001:db8:1:2::9]')).toBe('2001:db8:1:2::/64');
    expect(networkOf('[::ffff:192.0.2.7]:50123')).toBe('192.0.2.7');
    expect(networkOf('x'.repeat(1_000))).toHaveLength(64);
  });
});

describe('the server', () => {
  let test: TestRelayer;
  beforeAll(async () => {
    test = await startRelayer({ publicUrls: ['https://relayer.example'] });
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  it.each(['/', '/openapi.json'])('renders %s once and answers 304 to whoever has it', async (path) => {
    const first = await fetch(test.relayer.url + path);
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, etag.length > 20]).toEqual([200, true]);
    const again = await fetch(test.relayer.url + path, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const changed = await fetch(test.relayer.url + path, { headers: { 'if-none-match': '"other"' } });
    expect([changed.status, await changed.text()]).toEqual([200, await first.text()]);
  });

  it(
    'limits a stranger at every endpoint',
    async () => {
      const limited = await startRelayer({ requestsPerSecond: 1 });
      onTestFinished(() => limited.close());
      for (const { name, method, path, requestsPerSecond } of Object.values<Endpoint>(endpoints)) {
        const started = performance.now();
        const invented = (index: number) => ({ headers: { 'x-api-key': `invented-${index}` } });
        const count = taken(await inOneWindow((index) => limited.call(method, path, invented(index)), 16));
        const limit = requestsPerSecond === null ? 4 : 1;
        expect([name, count > 0 && count <= windowsSince(started) * limit]).toEqual([name, true]);
      }
    },
    START_TIMEOUT_MS,
  );

  it(
    'closes a connection that it refused, also when the client never does',
    async () => {
      const own = await startRelayer();
      onTestFinished(() => own.close());
      const requests = [
        'GET /nothing HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n',
        'hello\r\n\r\n',
      ];
      const sockets = requests.map((request) => {
        const socket = connect({ port: own.relayer.port, host: '127.0.0.1', allowHalfOpen: true });
        socket.on('error', () => undefined).resume();
        socket.write(request);
        return socket;
      });
      await Promise.all(sockets.map((socket) => once(socket, 'end')));
      // What is sent to a connection that is still half open is taken; to a closed one it breaks
      // the client's side.
      for (const socket of sockets)
        await expect
          .poll(() => {
            socket.write('x');
            return socket.destroyed;
          })
          .toBe(true);
    },
    START_TIMEOUT_MS,
  );

  it(
    'limits a stranger at its documents, and nobody who asks for its health',
    async () => {
      const limited = await startRelayer({ requestsPerSecond: 1 });
      onTestFinished(() => limited.close());
      const started = performance.now();
      const documents = await inOneWindow((n) => limited.call('GET', n % 2 ? '/' : '/openapi.json'));
      expect(taken(documents)).toBeGreaterThan(0);
      expect(taken(documents)).toBeLessThanOrEqual(windowsSince(started) * 4);
      for (const path of ['/live', '/ready'])
        expect(taken(await inOneWindow(() => limited.call('GET', path)))).toBe(40);
    },
    START_TIMEOUT_MS,
  );

  it('keeps idle connections longer than clients do', async () => {
    const reply = await fetch(`${test.relayer.url}/api/v3/timestamp`);
    const [, seconds] = /timeout=(\d+)/.exec(reply.headers.get('keep-alive') ?? '') ?? [];
    expect(Number(seconds)).toBeGreaterThan(300);
  });

  it('takes no request signature for its local address when it has a public one', async () => {
    const alice = await new TestAccount(test.place).faucet();
    const login = (url: string) =>
      alice.at({ ...test.place, url }).signatureOf('GET', '/api/v3/apiKey', { query: { accountId: alice.accountId } })
        .headers;
    const send = (headers: Record<string, string>) =>
      test.call('GET', '/api/v3/apiKey', { query: { accountId: alice.accountId }, headers });
    await alice.sendKey(alice.secretKey);
    await test.block();
    expect((await send(login(test.relayer.url))).body.resultInfo.code).toBe(104005);
    expect((await send(login(`http://localhost:${test.relayer.port}`))).body.resultInfo.code).toBe(104005);
    expect((await send(login('https://relayer.example'))).status).toBe(200);
  });
});
