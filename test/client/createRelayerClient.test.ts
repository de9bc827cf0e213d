import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRelayerClient, RelayerClientError, type RelayerClientOptions } from '../../src/client/index.ts';
import { requestMessage } from '../../src/protocol/index.ts';
import { answers } from '../protocol/samples.ts';
import { createTestServer } from '../support/testServer.ts';

// One for each test: what a test gave up can arrive after its end.
let server: Awaited<ReturnType<typeof createTestServer>>;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.close());

/** A client that does not really wait between tries. */
const create = (options: Partial<RelayerClientOptions> = {}) =>
  createRelayerClient({ baseUrl: server.url, ...fast(), ...options });

/** Each window is over as soon as somebody waits for it. */
function fast() {
  let time = 0;
  return {
    now: () => time,
    sleep: async (ms: number) => {
      time += ms;
    },
  };
}

const apiKey = 'k'.repeat(64);
const signature = `0x${'5e'.repeat(96)}`;
const hash = `0x${'1a'.repeat(32)}`;
const cancel = { query: { accountId: 10005, orderHash: hash }, apiKey, signature };
const cancelled = { hash, clientOrderId: '', status: 'cancelled', isIdempotent: false };

async function failure(promise: Promise<unknown>): Promise<RelayerClientError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RelayerClientError);
  return error as RelayerClientError;
}

describe('a call', () => {
  it('takes nothing along that the browser keeps for the relayer’s site', async () => {
    server.answer(200, cancelled);
    const sent: (RequestInit | undefined)[] = [];
    const watched: typeof fetch = (input, init) => {
      sent.push(init);
      return fetch(input, init);
    };
    await create({ fetch: watched }).cancelOrder(cancel);
    expect(sent).toMatchObject([{ credentials: 'omit', redirect: 'error' }]);
  });

  it('sends what the endpoint takes, and nothing else', async () => {
    server.answer(200, cancelled);
    expect(await create().cancelOrder(cancel)).toEqual(cancelled);
    const [request] = server.seen;
    expect(request).toMatchObject({
      method: 'DELETE',
      url: `/api/v3/order?accountId=10005&orderHash=${hash}`,
      body: '',
    });
    expect(request?.headers).toMatchObject({ 'x-api-key': apiKey, 'x-api-sig': signature });
    for (const name of ['cookie', 'referer', 'origin', 'content-type'])
      expect(request?.headers).not.toHaveProperty(name);

    server.answer(200, { timestamp: 1_800_000_000_000 });
    await create().getTimestamp({ apiKey, signature });
    for (const name of ['x-api-key', 'x-api-sig']) expect(server.seen[1]?.headers).not.toHaveProperty(name);
  });

  it('writes the query that was signed', async () => {
    server.answer(200, cancelled);
    const query = { clientOrderId: 'a.b_c-1', accountId: 10005 };
    await create().cancelOrder({ ...cancel, query });
    const url = new URL(server.seen[0]?.url ?? '', server.url);
    const message = requestMessage({ method: 'DELETE', baseUrl: server.url, path: url.pathname, query });
    expect(message).toBe(
      ['DELETE', `${server.url}${url.pathname}`, url.search.slice(1)]
        .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
        .join('&'),
    );
  });

  it('keeps the bytes of a body exactly', async () => {
    server.answer(200, { apiKey: 'new' });
    const bodyText = '{ "accountId" :10005}';
    await create().resetApiKey({ bodyText, apiKey, signature });
    expect(server.seen[0]?.body).toBe(bodyText);
    expect(server.seen[0]?.headers['content-type']).toBe('application/json');
    await create().resetApiKey({ body: { accountId: 10005 }, apiKey, signature });
    expect(server.seen[1]?.body).toBe('{"accountId":10005}');
  });

  it('keeps a path in the base URL and ignores a slash at its end', async () => {
    server.answer(200, { timestamp: 1 });
    await create({ baseUrl: `${server.url}/relayer/` }).getTimestamp({});
    expect(server.seen[0]?.url).toBe('/relayer/api/v3/timestamp');
  });
});

it('a call that is wrong is not sent, and a secret that no header can hold is not shown', async () => {
  const client = create();
  const query = { accountId: 1, sellTokenId: 1 };
  const wrong = { kind: 'bad-request', outcome: 'not-sent' };
  const without = client.getStorageId({ query: { accountId: 1 } as never, apiKey });
  expect(await failure(without)).toMatchObject({ ...wrong, field: 'query.sellTokenId' });
  const error = await failure(client.getStorageId({ query, apiKey: 'se\ncret' }));
  expect(error).toMatchObject({ ...wrong, field: 'apiKey' });
  expect(error.message).not.toContain('cret');
  expect(server.seen).toHaveLength(0);
});

describe('a refusal', () => {
  it('carries code, name, status and the text for debugging', async () => {
    server.answer(400, { resultInfo: { code: 102117, message: 'No orders to cancel' } });
    const error = await failure(create().cancelOrder(cancel));
    expect({ ...error }).toMatchInlineSnapshot(`
      {
        "endpoint": "cancelOrder",
        "field": undefined,
        "httpStatus": 400,
        "kind": "refused",
        "name": "RelayerClientError",
        "outcome": "refused",
        "queueFreeInMs": undefined,
        "relayerCode": 102117,
        "relayerMessage": "No orders to cancel",
        "relayerName": "NO_ORDER_TO_CANCEL",
      }
    `);
    expect(error.message).toBe('cancelOrder: the relayer refused with code 102117');
  });

  it('of a read that may be repeated is not repeated by itself', async () => {
    server.answer(400, { resultInfo: { code: 100000, message: 'x' } });
    const error = await failure(create().getApiKey({ query: { accountId: 1 }, signature }));
    expect(error).toMatchObject({ kind: 'refused', outcome: 'refused' });
    expect(server.seen).toHaveLength(1);
  });
});

describe('an answer', () => {
  /** Each list with a word that is new in one of its rows. */
  const rowOf = (
    name: 'getTransfers' | 'getNftTransfers' | 'getNftTransactions' | 'getOrders' | 'getAmmTransactions',
  ) => {
    const answer = structuredClone(answers[name]) as Record<string, unknown>;
    const rows = Object.values(answer).find(Array.isArray) as Record<string, unknown>[];
    const [row] = rows as [Record<string, unknown>];
    return { answer, rows, row };
  };

  it.each([
    ['getTransfers', 'status'],
    ['getNftTransfers', 'status'],
    ['getNftTransactions', 'status'],
    ['getOrders', 'status'],
    ['getAmmTransactions', 'txStatus'],
    ['getAmmTransactions', 'ammLayerType'],
  ] as const)('of %s keeps its page when the %s of a row is new', async (name, field) => {
    const { answer, rows, row } = rowOf(name);
    rows.push({ ...row, [field]: 'frozen_by_l1' });
    server.answer(200, answer);
    const read = await create()[name]({ query: { accountId: 1 }, apiKey } as never);
    expect(read).toEqual(answer);
    rows.push({ ...row, [field]: 7 });
    server.answer(200, answer);
    expect(await failure(create()[name]({ query: { accountId: 1 }, apiKey } as never))).toMatchObject({
      kind: 'off-schema',
      field: expect.stringContaining(field),
    });
  });

  it('of getBlock may have any status and any kind of transaction', async () => {
    const block = structuredClone(answers.getBlock) as { status: string; transactions: { txType: string }[] };
    block.status = 'verified';
    (block.transactions[0] as { txType: string }).txType = 'Rebate';
    server.answer(200, block);
    expect(await create().getBlock({ query: {}, apiKey })).toEqual(block);
  });

  it('of getBlock keeps every digit of a fill', async () => {
    const fill = '14985014985014985014985';
    const text = JSON.stringify(answers.getBlock).replaceAll('"fillS":1', `"fillS":${fill}`);
    expect(text).toContain(`"fillS":${fill}`);
    server.answer(200, text);
    const { transactions } = await create().getBlock({ query: {}, apiKey });
    expect(transactions[0]?.orderA?.fillS).toBe(fill);
  });

  it('calls a pool transaction by the word of the document', async () => {
    const { answer, row } = rowOf('getAmmTransactions');
    row.txType = 'AMM_JOIN';
    server.answer(200, { ...answer, transactions: [row, { ...row, txType: 'AMM_EXIT' }] });
    const { transactions } = await create().getAmmTransactions({ query: { accountId: 1 }, apiKey });
    expect(transactions.map(({ txType }) => txType)).toEqual(['join', 'exit']);
  });

  it('of the L1 node may be null, which is no code, or an error, which is a refusal', async () => {
    const address = `0x${'0f'.repeat(20)}` as const;
    server.answer(200, { id: 1, jsonrpc: '2.0', result: null });
    expect((await create().getCode({ body: { address } })).result).toBe('0x');
    server.answer(200, { id: 1, jsonrpc: '2.0', error: { code: -32000, message: 'header not found' } });
    expect(await failure(create().getCode({ body: { address } }))).toMatchObject({
      kind: 'refused',
      relayerCode: -32000,
      relayerMessage: 'header not found',
    });
    server.answer(200, { id: 1, jsonrpc: '2.0' });
    expect(await failure(create().getCode({ body: { address } }))).toMatchObject({
      kind: 'off-schema',
      field: 'result',
    });
  });

  it('is not read beyond 4 MiB', async () => {
    let sent = 0;
    server.on((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const chunk = ' '.repeat(64 * 1024);
      const more = () => {
        if (response.destroyed || sent > 64 * 1024 * 1024) return response.end();
        sent += chunk.length;
        return response.write(chunk) ? setImmediate(more) : response.once('drain', more);
      };
      more();
    });
    const error = await failure(create().getTimestamp({}));
    expect(error).toMatchObject({ kind: 'off-schema' });
    expect(error.message).toBe('getTimestamp: the answer is too long');
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it('that sends elsewhere is not followed', async () => {
    const other = await createTestServer();
    server.answer(307, '', { Location: `${other.url}/api/v3/order` });
    expect(await failure(create().cancelOrder(cancel))).toMatchObject({ kind: 'transport', outcome: 'unknown' });
    expect(other.seen).toHaveLength(0);
    await other.close();
  });
});

describe('no answer', () => {
  it('within the time-out leaves the outcome unknown, and only a read may be made again', async () => {
    server.on(() => {});
    const client = create({ timeoutMs: 60 });
    expect(await failure(client.cancelOrder(cancel))).toMatchObject({
      kind: 'timeout',
      outcome: 'unknown',
      message: 'cancelOrder: no answer within 60 ms',
    });
    expect(await failure(client.getTimestamp({}))).toMatchObject({ kind: 'timeout' });
    const reset = client.resetApiKey({ body: { accountId: 1 }, apiKey, signature });
    expect(await failure(reset)).toMatchObject({ outcome: 'unknown' });
  });

  it('to the end of the body counts as none', async () => {
    server.on((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write('{"hash":');
    });
    expect(await failure(create({ timeoutMs: 60 }).cancelOrder(cancel))).toMatchObject({
      kind: 'timeout',
      outcome: 'unknown',
    });
  });

  it('because the connection breaks leaves a write unknown and never sends it twice', async () => {
    server.on((_request, response) => response.destroy());
    expect(await failure(create().cancelOrder(cancel))).toMatchObject({
      kind: 'transport',
      outcome: 'unknown',
    });
    expect(server.seen).toHaveLength(1);
  });

  it.each([500, 502, 503])('but HTTP status %i without a code leaves a write unknown', async (status) => {
    server.answer(status, 'bad gateway');
    expect(await failure(create().cancelOrder(cancel))).toMatchObject({
      kind: 'transport',
      outcome: 'unknown',
      httpStatus: status,
    });
    expect(server.seen).toHaveLength(1);
  });
});

describe('too many requests', () => {
  it('means that a write was not taken and may be sent again as it is', async () => {
    server.answer(429, { resultInfo: { code: 100000, message: 'slow down' } });
    expect(await failure(create().cancelOrder(cancel))).toMatchObject({
      kind: 'transport',
      outcome: 'not-sent',
      httpStatus: 429,
    });
    expect(server.seen).toHaveLength(1);
  });

  it('are not sent: five a window for each endpoint', async () => {
    server.answer(200, { timestamp: 5 });
    let time = 0;
    const client = create({
      now: () => time,
      sleep: async (ms) => {
        time += ms;
      },
    });
    await Promise.all(Array.from({ length: 12 }, () => client.getTimestamp({})));
    expect(server.seen).toHaveLength(12);
    expect(time).toBeGreaterThanOrEqual(2200);
  });
});

it('never puts a key, a signature or a body into an error', async () => {
  const secrets = { apiKey: 'SECRET-KEY', signature: 'SECRET-SIGNATURE' };
  const failures: RelayerClientError[] = [];
  for (const [status, body] of [
    [400, { resultInfo: { code: 102120, message: 'no' } }],
    [429, ''],
    [500, ''],
    [200, '{}'],
  ] as const) {
    server.answer(status, body);
    failures.push(await failure(create().cancelOrder({ ...cancel, ...secrets })));
  }
  server.on((_request, response) => response.destroy());
  failures.push(await failure(create().cancelOrder({ ...cancel, ...secrets })));
  failures.push(await failure(create().cancelOrder({ ...cancel, apiKey: 'SECRET\u0000KEY' })));
  for (const error of failures) {
    const text = `${error.stack} ${JSON.stringify(error)} ${(error.cause as Error | undefined)?.stack}`;
    expect(text).not.toMatch(/SECRET/);
  }
});
