import { describe, expect, it } from 'vitest';
import { buildRequest, type RequestInput } from '../../src/client/buildRequest.ts';
import { RelayerClientError } from '../../src/client/index.ts';
import { type Endpoint, endpoints } from '../../src/protocol/index.ts';
import { z } from '../../src/protocol/zod.ts';

const BASE = 'https://relayer.example';
const apiKey = 'k'.repeat(64);
const signature = `0x${'5e'.repeat(96)}`;
const ALWAYS = { Accept: 'application/json', feeVersion: 'v2', pf: 'web' };
const free: Endpoint = { ...endpoints.getTimestamp, name: 'free', path: '/free', query: z.any(), body: z.any() };

const caught = (endpoint: Endpoint, input: RequestInput): unknown => {
  try {
    return buildRequest(BASE, endpoint, input);
  } catch (error) {
    return error;
  }
};
const bad = (endpoint: Endpoint, input: RequestInput) => {
  const error = caught(endpoint, input);
  expect(error).toBeInstanceOf(RelayerClientError);
  const { kind, outcome, endpoint: name, field, message } = error as RelayerClientError;
  expect({ kind, outcome, name }).toEqual({
    ...{ kind: 'bad-request', outcome: 'not-sent', name: endpoint.name },
  });
  return { field, message };
};

describe('the query of a request', () => {
  const urlOf = (query: Record<string, unknown> | undefined) => buildRequest(BASE, free, { query }).url;

  it('is sorted by name, without what is undefined or empty', () => {
    expect(urlOf({ b: 2, c: '', a: true, d: undefined, aa: 0, B: false })).toBe(`${BASE}/free?B=false&a=true&aa=0&b=2`);
  });

  it('is encoded once, all but letters, digits and four signs', () => {
    expect(urlOf({ a: "AZaz09-_.~ !'()*&=%/ä," })).toBe(
      `${BASE}/free?a=AZaz09-_.~%20%21%27%28%29%2A%26%3D%25%2F%C3%A4%2C`,
    );
  });

  it('leaves no sign behind when there is none', () => {
    expect(urlOf(undefined)).toBe(`${BASE}/free`);
    expect(urlOf({ a: '' })).toBe(`${BASE}/free`);
  });

  it('that is wrong is named by its first wrong field', () => {
    const query = { accountId: 1, sellTokenId: 70_000 };
    expect(bad(endpoints.getStorageId, { query, apiKey })).toEqual({
      field: 'query.sellTokenId',
      message: expect.stringMatching(/^getStorageId: query\.sellTokenId is wrong: ./),
    });
    expect(bad(endpoints.getTimestamp, { query: { at: 1 } }).field).toBe('query');
  });
});

describe('the body of a request', () => {
  it('is written from fields, or is the very text that was signed', () => {
    const { body, headers, method } = buildRequest(BASE, endpoints.resetApiKey, {
      ...{ body: { accountId: 10005 }, apiKey, signature },
    });
    expect({ body, method }).toEqual({ body: '{"accountId":10005}', method: 'POST' });
    expect(headers).toEqual({
      ...{ ...ALWAYS, 'Content-Type': 'application/json' },
      ...{ 'X-API-KEY': apiKey, 'X-API-SIG': signature },
    });
    const bodyText = '{ "accountId" :10005}';
    expect(buildRequest(BASE, endpoints.resetApiKey, { bodyText, body: {}, apiKey, signature }).body).toBe(bodyText);
  });

  it('is none where none is given', () => {
    expect(buildRequest(BASE, endpoints.getTimestamp, {})).toEqual({
      ...{ url: `${BASE}/api/v3/timestamp`, method: 'GET', headers: ALWAYS, body: undefined },
    });
  });

  it('that is missing, not wanted, wrong or no JSON is named', () => {
    const keys = { apiKey, signature };
    expect(bad(endpoints.resetApiKey, keys).field).toBe('body');
    expect(bad(endpoints.getTimestamp, { body: {} }).field).toBe('body');
    expect(bad(endpoints.resetApiKey, { ...keys, body: { accountId: 'x' } }).field).toBe('body.accountId');
    expect(bad(endpoints.resetApiKey, { ...keys, bodyText: '{"accountId":"x"}' }).field).toBe('body.accountId');
    expect(bad(endpoints.resetApiKey, { ...keys, bodyText: '{' })).toEqual({
      ...{ field: 'bodyText', message: 'resetApiKey: bodyText is no JSON' },
    });
  });
});

describe('the secrets of a request', () => {
  const query = { accountId: 1 };
  const read = { query: { accountId: 1, sellTokenId: 1 } };

  it('go only where they are taken', () => {
    expect(buildRequest(BASE, endpoints.getTimestamp, { apiKey, signature }).headers).toEqual(ALWAYS);
    expect(buildRequest(BASE, endpoints.getStorageId, { ...read, apiKey, signature }).headers).toEqual({
      ...{ ...ALWAYS, 'X-API-KEY': apiKey },
    });
  });

  it('may be left out where they are not demanded', () => {
    const optional: Endpoint = { ...free, apiKey: 'optional', signature: 'ecdsa' };
    expect(buildRequest(BASE, optional, {}).headers).toEqual(ALWAYS);
    expect(buildRequest(BASE, optional, { apiKey, signature }).headers).toMatchObject({
      ...{ 'X-API-KEY': apiKey, 'X-API-SIG': signature },
    });
  });

  it('that are missing are named', () => {
    expect(bad(endpoints.getStorageId, read)).toEqual({
      ...{ field: 'apiKey', message: 'getStorageId: apiKey is missing' },
    });
    expect(bad(endpoints.getApiKey, { query })).toEqual({
      ...{ field: 'signature', message: 'getApiKey: signature is missing' },
    });
  });

  it.each(['', ' key', 'key ', '\nkey', 'key\n', 'k\ney', 'schlüssel', 'k\u007f', 'k'.repeat(4097)])(
    'that no header can hold are named without their value: %j',
    (secret) => {
      expect(bad(endpoints.getStorageId, { ...read, apiKey: secret })).toEqual({
        ...{ field: 'apiKey', message: 'getStorageId: apiKey cannot be sent in a header' },
      });
    },
  );

  it('may have every sign that a header can hold', () => {
    const secret = `!~${'k'.repeat(4094)}`;
    expect(buildRequest(BASE, endpoints.getStorageId, { ...read, apiKey: secret }).headers).toMatchObject({
      'X-API-KEY': secret,
    });
  });
});
