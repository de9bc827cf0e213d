import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIELD_PRIME } from '../../src/crypto/index.ts';
import { acceptedRequestMessages, bodyText, requestHash, requestMessage } from '../../src/protocol/index.ts';

const get = { method: 'GET', baseUrl: 'https://relayer.example', path: '/api/v3/apiKey' } as const;
const post = { ...get, method: 'POST' } as const;

describe('requestMessage', () => {
  it('joins method, URL and sorted parameters', () => {
    expect(requestMessage({ ...get, query: { zeta: 'z', accountId: 10005 } })).toBe(
      'GET&https%3A%2F%2Frelayer.example%2Fapi%2Fv3%2FapiKey&accountId%3D10005%26zeta%3Dz',
    );
  });

  it('leaves absent and empty parameters out and keeps 0 and false', () => {
    expect(requestMessage({ ...get, query: { a: undefined, b: '', c: 0, d: false } })).toBe(
      requestMessage({ ...get, query: { c: '0', d: 'false' } }),
    );
    expect(requestMessage(get)).toBe('GET&https%3A%2F%2Frelayer.example%2Fapi%2Fv3%2FapiKey&');
  });

  it('ignores a slash at the end of the base URL and keeps its port', () => {
    expect(requestMessage({ ...get, baseUrl: 'https://relayer.example/' })).toBe(requestMessage(get));
    expect(requestMessage({ ...get, baseUrl: 'http://127.0.0.1:4510' })).toContain('http%3A%2F%2F127.0.0.1%3A4510%2F');
  });

  it('encodes a comma inside a value twice', () => {
    expect(requestMessage({ ...get, query: { orderHash: 'a,b' } })).toMatch(/&orderHash%3Da%252Cb$/);
  });

  it('takes the body as it is sent', () => {
    expect(requestMessage({ ...post, bodyText: '{"accountId":10005}' })).toMatch(/&%7B%22accountId%22%3A10005%7D$/);
    expect(requestMessage({ ...post, bodyText: '{"accountId": 10005}' })).not.toBe(
      requestMessage({ ...post, bodyText: '{"accountId":10005}' }),
    );
  });

  it('differs in everything that it covers', () => {
    const messages = [
      get,
      { ...get, method: 'DELETE' as const },
      { ...get, baseUrl: 'https://other.example' },
      { ...get, path: '/api/v3/order' },
      { ...get, query: { accountId: 1 } },
      { ...post, bodyText: '{}' },
    ].map(requestMessage);
    expect(new Set(messages).size).toBe(messages.length);
  });
});

describe('acceptedRequestMessages', () => {
  it('is the one message for parameters that all clients encode alike', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9._,-]{1,40}$/), (clientOrderId) => {
        const request = { ...get, query: { accountId: 5, clientOrderId } };
        expect(acceptedRequestMessages(request)).toEqual([requestMessage(request)]);
      }),
    );
  });

  it('adds the singly encoded form where clients differ, and the escaped asterisk of a body', () => {
    const query = acceptedRequestMessages({ ...get, query: { clientOrderId: 'a b' } });
    expect(query.map((message) => message.split('&').at(-1))).toEqual([
      'clientOrderId%3Da%2520b',
      'clientOrderId%3Da%20b',
    ]);
    const body = acceptedRequestMessages({ ...post, bodyText: '"*"' });
    expect(body.map((message) => message.split('&').at(-1))).toEqual(['%22*%22', '%22%2A%22']);
  });
});

describe('requestHash', () => {
  it('is below the field prime although SHA-256 seldom is', () => {
    for (let i = 0; i < 50; i++) expect(requestHash(`message ${i}`)).toBeLessThan(FIELD_PRIME);
  });
});

describe('bodyText', () => {
  it('sorts the top-level keys, keeps nested order and leaves undefined out', () => {
    expect(bodyText({ b: { z: 1, a: [2, { y: 1, x: 2 }] }, a: 'ü', c: undefined, B: null })).toBe(
      '{"B":null,"a":"ü","b":{"z":1,"a":[2,{"y":1,"x":2}]}}',
    );
  });

  it('gives the same text for the same fields in any order, and the same value back', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
          fc.jsonValue(),
        ),
        (body) => {
          const reversed = Object.fromEntries(Object.entries(body).reverse());
          expect(bodyText(reversed)).toBe(bodyText(body));
          expect(JSON.parse(bodyText(body))).toEqual(JSON.parse(JSON.stringify(body)));
        },
      ),
    );
  });
});
