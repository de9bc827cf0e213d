import { describe, expect, it } from 'vitest';
import { RelayerClientError } from '../../src/client/errors.ts';
import { readAnswer } from '../../src/client/readAnswer.ts';
import { type EndpointName, endpoints, relayerErrors } from '../../src/protocol/index.ts';

/** What a caller learns of an answer that is none. */
function failureOf(name: EndpointName, httpStatus: number, answer: unknown): Partial<RelayerClientError> {
  const body = typeof answer === 'string' ? answer : JSON.stringify(answer);
  try {
    readAnswer(endpoints[name], httpStatus, body);
  } catch (error) {
    if (error instanceof RelayerClientError) return error;
    throw error;
  }
  throw new Error('it was taken for an answer');
}

const refusal = (code: number | string, message = 'no') => ({ resultInfo: { code, message } });
const { UNKNOWN_ERROR, INVALID_ARGUMENT } = relayerErrors;
const unnamed = 199_999;

describe('a refusal', () => {
  it.each([
    // Of a read nothing is left behind: it may be asked again wherever that can help.
    ['getBalances', 400, UNKNOWN_ERROR.code, 'refused', 'safe'],
    ['getBalances', 400, INVALID_ARGUMENT.code, 'refused', 'no'],
    ['getBalances', 400, unnamed, 'refused', 'no'],
    ['getBalances', 499, unnamed, 'refused', 'no'],
    ['getBalances', 500, unnamed, 'refused', 'safe'],
    // What changes something may have been taken all the same.
    ['submitOrder', 400, UNKNOWN_ERROR.code, 'unknown', 'same-bytes'],
    ['submitOrder', 400, INVALID_ARGUMENT.code, 'refused', 'no'],
    ['submitOrder', 499, unnamed, 'refused', 'no'],
    ['submitOrder', 500, unnamed, 'unknown', 'same-bytes'],
  ] as const)('of %s with HTTP status %i and code %i: %s, %s', (name, httpStatus, code, outcome, retry) => {
    const failure = failureOf(name, httpStatus, refusal(code));
    expect(failure).toMatchObject({ kind: 'refused', relayerCode: code, outcome, retry });
  });

  it.each([
    ['a text of digits', refusal('100001'), 100_001],
    ['the flat form of older answers', { code: 100_001, msg: 'no' }, 100_001],
    ['an error of the L1 node', { jsonrpc: '2.0', error: { code: -32_000, message: 'no' } }, -32_000],
  ])('has its code from %s', (_form, answer, relayerCode) => {
    expect(failureOf('getBalances', 200, answer)).toMatchObject({ kind: 'refused', relayerCode, relayerMessage: 'no' });
  });

  it.each(['12345678901', '12x', 'x12', ''])('is not made of the code %j', (code) => {
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
    expect(failure).toMatchObject({ field: 'timestamp', outcome: 'unknown', retry: 'safe' });
    expect(failure.message).toContain('getTimestamp: the answer does not have the form of the interface at timestamp');
  });

  it('with HTTP status 300 is no success, whatever it says', () => {
    expect(failureOf('getTimestamp', 300, { timestamp: 1 }).kind).toBe('off-schema');
  });
});
