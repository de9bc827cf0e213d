import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { z } from 'zod/mini';
import type { Endpoint } from '../../src/protocol/endpoint.ts';
import { type EndpointName, endpoints } from '../../src/protocol/endpointTable.ts';
import { relayerErrors } from '../../src/protocol/errors.ts';
import { answerProblems, type OpenApi } from '../support/openApiCheck.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { buildWorld, type Sent, send, validCalls, type World } from './support/validCalls.ts';

const table = Object.entries(endpoints) as [EndpointName, Endpoint][];
const having = (wanted: (endpoint: Endpoint) => boolean) =>
  table.filter(([, endpoint]) => wanted(endpoint)).map(([name]) => name);

const listedCodes = (name: EndpointName): number[] =>
  endpoints[name].errorCodes.map((code) => relayerErrors[code].code);

/** An answer without the moment at which it was given, which two calls do not share. */
function withoutTime(name: EndpointName, body: { readonly tickers: readonly string[][] }): unknown {
  if (name === 'getTimestamp' || name === 'getSocketKey') return null;
  if (name === 'getTicker' || name === 'getMixTicker') return body.tickers.map((row) => row.toSpliced(1, 1));
  const times = name === 'getPrice' ? ['updatedAt'] : name === 'getWithdrawalAgents' ? ['timestamp'] : [];
  return JSON.parse(JSON.stringify(body, (key, value) => (times.includes(key) ? undefined : value)));
}

/**
 * Query fields that are filters by free text or by a list of numbers: what nothing meets is no
 * error.
 */
const TAKEN = [
  'getTrades market nines',
  'getOffchainFee market snowman',
  'getOffchainFee market nines',
  'getOrders market snowman',
  'getOrders market nines',
  'getOrders orderTypes nines',
  'getOrders tradeChannels nines',
  'getOrders extraOrderTypes nines',
  'getTransfers tokenSymbol snowman',
  'getTransfers tokenSymbol nines',
  'getTransfers transferTypes nines',
  'getWithdrawals tokenSymbol snowman',
  'getWithdrawals tokenSymbol nines',
  'getWithdrawals types nines',
  'getDeposits tokenSymbol snowman',
  'getDeposits tokenSymbol nines',
  'getDeposits types nines',
  'getUserTransactions tokenSymbol snowman',
  'getUserTransactions tokenSymbol nines',
  'getUserTransactions types nines',
  'getUserTrades market snowman',
  'getUserTrades market nines',
  'getNftTransactions types nines',
];

describe.each(databases)('every endpoint on $name', ({ start }) => {
  let test: TestRelayer;
  let world: World;
  let calls: ReturnType<typeof validCalls>;
  /** As the relayer serves it. */
  let document: OpenApi;
  beforeAll(async () => {
    test = await start();
    world = await buildWorld(test);
    calls = validCalls(world);
    document = (await test.call('GET', '/openapi.json')).body;
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  const without = (sent: Sent, header: string): Sent => ({
    ...sent,
    headers: Object.fromEntries(Object.entries(sent.headers ?? {}).filter(([name]) => name !== header)),
  });
  const withHeader = (sent: Sent, header: string, value: string): Sent => ({
    ...sent,
    headers: { ...sent.headers, [header]: value },
  });
  const codeOf = async (name: EndpointName, sent: Sent) => {
    const reply = await send(test, name, sent);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ resultInfo: { code: expect.any(Number), message: expect.any(String) } });
    expect(answerProblems(document, endpoints[name], reply.status, reply.body)).toEqual([]);
    expect(listedCodes(name)).toContain(reply.body.resultInfo.code);
    return reply.body.resultInfo.code;
  };

  it.each(table.map(([name]) => name))('%s answers in the form of its schema', async (name) => {
    const reply = await send(test, name, await calls[name]());
    // Clients in use take any resultInfo for a refusal, except in the old envelope of this one.
    if (name === 'getLatestTokenPrices') expect(reply.body.resultInfo.code).toBe(0);
    else expect(reply.body).not.toHaveProperty('resultInfo');
    expect(reply.status).toBe(200);
    expect(endpoints[name].answer.safeParse(reply.body).error).toBeUndefined();
    expect(answerProblems(document, endpoints[name], 200, reply.body)).toEqual([]);
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(having(({ apiKey }) => apiKey === 'required'))(
    '%s answers 104001 without, 104002 for an unknown API key',
    async (name) => {
      const sent = await calls[name]();
      expect(await codeOf(name, without(sent, 'x-api-key'))).toBe(104001);
      expect(await codeOf(name, withHeader(sent, 'x-api-key', 'unknown'))).toBe(104002);
    },
  );

  it.each(
    having(({ apiKey, errorCodes }) => apiKey === 'required' && errorCodes.includes('API_ACCOUNT_INVALID')).filter(
      // These name no account: the API key alone says whose call it is.
      (name) => !['getAmmBalance', 'getBlock', 'getNftData', 'joinAmmPool', 'exitAmmPool', 'tradeNft'].includes(name),
    ),
  )("%s answers 104003 for another account's API key", async (name) => {
    const sent = await calls[name]();
    expect(await codeOf(name, withHeader(sent, 'x-api-key', world.bob.apiKey))).toBe(104003);
  });

  it.each(having(({ signature }) => signature === 'eddsa'))(
    '%s answers 104004 without, 104005 for a wrong header signature',
    async (name) => {
      const sent = await calls[name]();
      const signature = sent.headers?.['x-api-sig'] ?? '';
      expect(await codeOf(name, without(sent, 'x-api-sig'))).toBe(104004);
      expect(await codeOf(name, withHeader(sent, 'x-api-sig', '0x12'))).toBe(104005);
      const flipped = `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`;
      expect(await codeOf(name, withHeader(sent, 'x-api-sig', flipped))).toBe(104005);
    },
  );

  it.each(having(({ signature }) => signature === 'ecdsa'))(
    "%s answers 104004 without the owner's signature, 104005 for another's",
    async (name) => {
      const sent = await calls[name]();
      const bare = without({ ...sent, body: { ...sent.body, ecdsaSignature: undefined } }, 'x-api-sig');
      expect(await codeOf(name, bare)).toBe(104004);
      const foreign = await world.bob.l1.signMessage({ message: 'something else' });
      expect(await codeOf(name, withHeader(sent, 'x-api-sig', foreign))).toBe(104005);
    },
  );

  it.each(having(({ body }) => 'eddsaSignature' in ((body as Partial<z.ZodMiniObject>).shape ?? {})))(
    '%s takes an empty signature for none',
    async (name) => {
      const sent = without(await calls[name](), 'x-api-sig');
      const { ecdsaSignature: _, ...body } = sent.body as Record<string, unknown>;
      const isOrder = name === 'submitOrder' || name === 'validateOrder';
      const empty = { ...body, eddsaSignature: '', ...(!isOrder && { ecdsaSignature: '' }) };
      expect(await codeOf(name, { ...sent, body: empty })).toBe(104004);
    },
  );

  it.each(having(({ signature }) => signature === 'ecdsa'))(
    '%s takes the signature of the header when that of the body is empty',
    async (name) => {
      const sent = await calls[name]();
      expect(sent.headers).toHaveProperty('x-api-sig');
      const reply = await send(test, name, { ...sent, body: { ...sent.body, ecdsaSignature: '' } });
      expect(reply.body).not.toHaveProperty('resultInfo');
    },
  );

  it.each(table.map(([name]) => name))('%s answers 100000 when the database is in trouble', async (name) => {
    const sent = await calls[name]();
    await test.call('POST', '/dev/failNext', { body: { step: 'read' } });
    expect(await codeOf(name, sent)).toBe(100000);
  });

  // GETs that are signed have a signature over the query, which `calls` makes without the addition.
  it.each(having(({ method, signature }) => method === 'GET' && signature === 'none'))(
    '%s ignores a parameter that it does not know, and an empty one of its own',
    async (name) => {
      const sent = await calls[name]();
      const known = Object.keys((endpoints[name].query as z.ZodMiniObject).shape);
      const empty = Object.fromEntries(
        known.filter((field) => sent.query?.[field] === undefined).map((field) => [field, '']),
      );
      const reply = await send(test, name, {
        ...sent,
        query: { ...sent.query, ...empty, surprise: 'x', metadata: true },
      });
      expect(reply.status).toBe(200);
      expect(withoutTime(name, reply.body)).toEqual(withoutTime(name, (await send(test, name, sent)).body));
    },
  );

  it('refuses every field of a query that it cannot read with a code that it lists, but for filters', async () => {
    const taken: string[] = [];
    for (const name of having(({ method, signature }) => method === 'GET' && signature === 'none')) {
      const sent = await calls[name]();
      for (const field of Object.keys((endpoints[name].query as z.ZodMiniObject).shape))
        for (const value of ['☃', '9'.repeat(40)]) {
          const { status, body } = await send(test, name, { ...sent, query: { ...sent.query, [field]: value } });
          expect(answerProblems(document, endpoints[name], status, body)).toEqual([]);
          if (status === 200) taken.push(`${name} ${field} ${value === '☃' ? 'snowman' : 'nines'}`);
          else expect(listedCodes(name)).toContain(body.resultInfo.code);
        }
    }
    expect(taken).toEqual(TAKEN);
  });

  it.each(having(({ method }) => method !== 'GET'))(
    '%s answers 100001 for a parameter that it does not know',
    async (name) => {
      const sent = await calls[name]();
      const reply = await send(test, name, { ...sent, query: { ...sent.query, surprise: 1 } });
      expect(reply.body.resultInfo.code).toBe(100001);
    },
  );
});

describe('the rate limit', () => {
  let test: TestRelayer;
  let document: OpenApi;
  beforeAll(async () => {
    test = await startRelayer({ requestsPerSecond: 5 });
    document = (await test.call('GET', '/openapi.json')).body;
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  it.each(having(({ requestsPerSecond }) => requestsPerSecond === 5))(
    '%s lets five requests of a client pass in a second and answers 429 to the sixth',
    async (name) => {
      const burst = (headers: Record<string, string>, count: number) =>
        Promise.all(
          Array.from({ length: count }, () =>
            send(test, name, { headers, ...(endpoints[name].method === 'POST' && { body: {} }) }),
          ),
        );
      // However long a loaded machine takes, the six come within a second.
      const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
      onTestFinished(() => clock.mockRestore());
      const replies = await burst({ 'x-api-key': `key of ${name}` }, 6);
      expect(replies.filter((reply) => reply.status === 429)).toHaveLength(1);
      const refused = replies.find((reply) => reply.status === 429);
      expect(answerProblems(document, endpoints[name], 429, refused?.body)).toEqual([]);
      expect(refused?.body).toEqual({
        resultInfo: { code: 100000, message: `more than 5 requests a second to ${name}; wait a second` },
      });
      expect(refused?.headers.get('retry-after')).toBe('1');
    },
  );
});
