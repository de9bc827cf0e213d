import { describe, expect, it } from 'vitest';
import { RelayerClientError } from '../../src/client/errors.ts';
import { readAnswer, readBody } from '../../src/client/readAnswer.ts';
import { type EndpointName, endpoints, relayerErrors } from '../../src/protocol/index.ts';

/** What a caller learns of an answer that is none. */
function failureOf(name: EndpointName, httpStatus: number, answer: unknown): Partial<RelayerClientError> {
  const body = typeof answer === 'string' || answer === undefined ? answer : JSON.stringify(answer);
  try {
    readAnswer(endpoints[name], httpStatus, body);
  } catch (error) {
    if (error instanceof RelayerClientError) return error;
    throw error;
  }
  throw new Error('it was taken for an answer');
}

const refusal = (code: number | string, message = 'no') => ({ resultInfo: { code, message } });
const { UNKNOWN_ERROR, INVALID_ARGUMENT, GAS_PRICE_UNAVAILABLE } = relayerErrors;
const unnamed = 199_999;

describe('a refusal', () => {
  it.each([
    // Of a read nothing is left behind: it may be asked again wherever that can help.
    ['getBalances', 400, UNKNOWN_ERROR.code, 'refused'],
    ['getBalances', 400, INVALID_ARGUMENT.code, 'refused'],
    ['getBalances', 400, unnamed, 'refused'],
    ['getBalances', 499, unnamed, 'refused'],
    ['getBalances', 500, unnamed, 'refused'],
    ['getBalances', 400, GAS_PRICE_UNAVAILABLE.code, 'refused'],
    // What changes something may have been taken all the same.
    ['submitOrder', 400, UNKNOWN_ERROR.code, 'unknown'],
    ...[100_002, 100_202, 102_014, 102_027, 102_118].map((code) => ['submitOrder', 400, code, 'unknown'] as const),
    ['submitOrder', 200, INVALID_ARGUMENT.code, 'refused'],
    ['submitOrder', 400, INVALID_ARGUMENT.code, 'refused'],
    ['submitOrder', 500, INVALID_ARGUMENT.code, 'refused'],
    ['submitOrder', 499, unnamed, 'refused'],
    ['submitOrder', 500, unnamed, 'unknown'],
    ['submitOrder', 400, GAS_PRICE_UNAVAILABLE.code, 'refused'],
    // A second new key would make the first one useless.
    ['resetApiKey', 400, UNKNOWN_ERROR.code, 'unknown'],
    ['resetApiKey', 400, INVALID_ARGUMENT.code, 'refused'],
  ] as const)('of %s with HTTP status %i and code %i: %s', (name, httpStatus, code, outcome) => {
    const failure = failureOf(name, httpStatus, refusal(code));
    expect(failure).toMatchObject({ kind: 'refused', relayerCode: code, outcome });
  });

  it.each([
    ['a text of digits', refusal('100001'), 100_001],
    ['a single digit', refusal('7'), 7],
    ['a result beside the data of an answer', { timestamp: 1, ...refusal(100_001) }, 100_001],
    ['nine digits', refusal('123456789'), 123_456_789],
    ['the older name of its text', { resultInfo: { code: 100_001, msg: 'no' } }, 100_001],
    ['the flat form of older answers', { code: 100_001, msg: 'no' }, 100_001],
    ['the flat form with the newer name', { code: 100_001, message: 'no' }, 100_001],
    ['an error of the L1 node', { jsonrpc: '2.0', error: { code: -32_000, message: 'no' } }, -32_000],
  ])('has its code from %s', (_form, answer, relayerCode) => {
    expect(failureOf('getBalances', 200, answer)).toMatchObject({ kind: 'refused', relayerCode, relayerMessage: 'no' });
  });

  it('names the endpoint and the code, and the code as programs know it', () => {
    const failure = failureOf('getBalances', 400, refusal(INVALID_ARGUMENT.code));
    expect(failure.message).toBe('getBalances: the relayer refused with code 100001');
    expect(failure).toMatchObject({ endpoint: 'getBalances', httpStatus: 400, relayerName: 'INVALID_ARGUMENT' });
  });

  it('has at most 500 characters of what the relayer says, and none where it says nothing', () => {
    expect(failureOf('getBalances', 400, refusal(unnamed, 'x'.repeat(501))).relayerMessage).toHaveLength(500);
    const wordless = failureOf('getBalances', 400, { resultInfo: { code: unnamed } });
    expect(wordless).toMatchObject({ kind: 'refused', relayerCode: unnamed });
    expect(wordless.relayerMessage).toBeUndefined();
  });

  it.each([
    ['a text that is none', { resultInfo: { code: unnamed, message: 7, msg: 8 } }],
    ['an error of the L1 node with a text that is none', { jsonrpc: '2.0', error: { code: unnamed, message: {} } }],
  ])('counts with %s', (_form, answer) => {
    expect(failureOf('getBalances', 400, answer)).toMatchObject({ kind: 'refused', relayerCode: unnamed });
  });

  it.each([
    ['a code alone', { code: unnamed }],
    ['a text alone', { message: 'no', msg: 'no' }],
    ['a text that is none', { code: unnamed, msg: 7 }],
    ['a message that is none', { code: unnamed, message: 7 }],
    ['an error without the name of its protocol', { error: { code: unnamed, message: 'no' } }],
    ['an error without a code', { jsonrpc: '2.0', error: { message: 'no' } }],
    ['an error with a broken code', { jsonrpc: '2.0', error: { code: 1.5, message: 'no' } }],
    ['a result without a code', { resultInfo: { message: 'no' } }],
    ['code 0', { resultInfo: { code: 0, message: 'SUCCESS' } }],
    ['code 0 with a flat form of a refusal', { resultInfo: { code: 0 }, code: unnamed, msg: 'no' }],
    ['nothing', null],
  ])('is not %s', (_form, answer) => {
    expect(failureOf('getBalances', 200, answer)).toMatchObject({ kind: 'off-schema', relayerCode: undefined });
  });

  it.each(['1234567890', '12345678901', '12x', 'x12', ''])('is not made of the code %j', (code) => {
    expect(failureOf('getBalances', 200, refusal(code)).kind).toBe('off-schema');
  });
});

describe('an answer that is none', () => {
  it.each([
    [200, 'off-schema'],
    [299, 'off-schema'],
    [300, 'off-schema'],
    [403, 'refused'],
    [499, 'off-schema'],
    [500, 'transport'],
  ])('with HTTP status %i is %s', (httpStatus, kind) => {
    expect(failureOf('submitOrder', httpStatus, 'no JSON')).toMatchObject({ kind, httpStatus });
  });

  it('names the place where it leaves the form of the interface', () => {
    const failure = failureOf('getTimestamp', 200, { timestamp: 'soon' });
    expect(failure).toMatchObject({ field: 'timestamp', outcome: 'unknown' });
    expect(failure.message).toContain('getTimestamp: the answer does not have the form of the interface at timestamp');
  });

  it('has values below more than 32 others', () => {
    const nested = (levels: number, open = '[', close = ']') =>
      `{"x":${open.repeat(levels - 1)}7${close.repeat(levels - 1)}}`;
    expect(readAnswer(endpoints.cancelOrdersByHash, 200, nested(32))).toHaveProperty('x');
    for (const body of [nested(33), nested(33, '{"]":', '}'), nested(3_000), nested(1_000_000)]) {
      const known = { kind: 'off-schema', outcome: 'unknown' };
      expect(failureOf('cancelOrdersByHash', 200, body)).toMatchObject(known);
    }
  });

  it('with HTTP status 300 is no success, whatever it says', () => {
    expect(failureOf('getTimestamp', 300, { timestamp: 1 }).kind).toBe('off-schema');
  });
});

describe('an answer', () => {
  it('comes with whatever else it has, also beside a result of success', () => {
    expect(readAnswer(endpoints.getTimestamp, 200, '{"timestamp":1}')).toEqual({ timestamp: 1 });
    const answer = { resultInfo: { code: 0, message: 'SUCCESS' }, timestamp: 1 };
    expect(readAnswer(endpoints.getTimestamp, 200, JSON.stringify(answer))).toMatchObject({ timestamp: 1 });
  });

  it.each(['<html>', '', '{"timestamp":'])('that is no JSON is none: %j', (body) => {
    expect(failureOf('getTimestamp', 200, body)).toMatchObject({ kind: 'off-schema', outcome: 'unknown', field: '' });
  });

  it('of success alone is none where any object would be one', () => {
    const failure = failureOf('cancelOrdersByHash', 200, { resultInfo: { code: 0 } });
    expect(failure).toMatchObject({ kind: 'off-schema', outcome: 'unknown', field: undefined });
    expect(failure.message).toBe('cancelOrdersByHash: the answer does not have the form of the interface');
  });

  it('with HTTP status 199 is no success, whatever it says', () => {
    expect(failureOf('getTimestamp', 199, { timestamp: 1 }).kind).toBe('off-schema');
  });

  it('names a place inside by its path', () => {
    expect(failureOf('getOrders', 200, { totalNum: 1, orders: [7] }).field).toBe('orders.0');
  });

  it('that is too long says nothing about the outcome', () => {
    const name = 'submitOrder';
    const failure = failureOf(name, 200, undefined);
    expect(failure).toMatchObject({ kind: 'off-schema', outcome: 'unknown' });
    expect(failure.message).toBe(`${name}: the answer is too long`);
  });

  it.each(['getBalances', 'submitOrder'] as const)('of %s that asks for fewer requests was not taken', (name) => {
    for (const answer of [refusal(unnamed), undefined]) {
      const failure = failureOf(name, 429, answer);
      expect(failure).toMatchObject({ kind: 'transport', outcome: 'not-sent', relayerCode: undefined });
      expect(failure.message).toBe(`${name}: the relayer asks for fewer requests`);
    }
  });

  it('of an overloaded relayer is none to a read, and leaves open what became of an order', () => {
    const failure = failureOf('getBalances', 503, refusal(unnamed));
    expect(failure).toMatchObject({ kind: 'transport', relayerCode: undefined });
    expect(failure.message).toBe('getBalances: the relayer failed with HTTP status 503');
    const order = { kind: 'refused', outcome: 'unknown' };
    expect(failureOf('submitOrder', 503, refusal(unnamed))).toMatchObject(order);
  });

  it.each([401, 403, 404, 405, 413, 414, 415, 431])('with HTTP status %i was turned away for good', (httpStatus) => {
    const failure = failureOf('submitOrder', httpStatus, 'no JSON');
    expect(failure).toMatchObject({ kind: 'refused', outcome: 'refused' });
    expect(failure.message).toBe(`submitOrder: the request was turned away with HTTP status ${httpStatus}`);
  });

  it.each([400, 402, 499, 500, 502])('with HTTP status %i leaves open what became of an order', (httpStatus) => {
    const failure = failureOf('submitOrder', httpStatus, 'no JSON');
    expect(failure).toMatchObject({ outcome: 'unknown' });
    expect(failure.message).toBe(`submitOrder: the relayer failed with HTTP status ${httpStatus}`);
  });

  it.each([
    ['{"fillS":1234567890123456}', '1234567890123456'],
    ['{"fillS": \n 98765432109876543210}', '98765432109876543210'],
  ])('keeps every digit of a fill that no number can hold: %s', (fill, text) => {
    const answer = `{"resultInfo":{"code":7,"message":${JSON.stringify(fill)}}}`;
    expect(failureOf('getBalances', 400, answer).relayerMessage).toBe(fill);
    expect(failureOf('getBalances', 400, `{"code":7,"msg":"no","x":${fill}}`).relayerCode).toBe(7);
    expect(filled(fill)).toBe(text);
  });
});

/** The fill as an answer of any form has it. */
function filled(fill: string): unknown {
  const answer = { ...endpoints.getTimestamp, answer: { safeParse: (data: unknown) => ({ success: true, data }) } };
  return (readAnswer(answer as never, 200, fill) as { fillS: unknown }).fillS;
}

describe('a body', () => {
  const most = 4 * 1024 * 1024;
  const read = (length: number) => readBody(new Response(new Uint8Array(length).fill(97)));

  it('is read up to 4 MiB and not beyond', async () => {
    expect(await read(most)).toHaveLength(most);
    expect(await read(most + 1)).toBeUndefined();
  });

  it('may be empty', async () => {
    expect(await readBody(new Response(null))).toBe('');
  });
});
