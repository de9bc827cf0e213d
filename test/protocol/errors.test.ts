import { describe, expect, it } from 'vitest';
import { endpoints, relayerErrorNamed, relayerErrors } from '../../src/protocol/index.ts';

/** The error table of the interface document, letter for letter. */
const documented: Record<number, string> = {
  100000: 'Unknown error',
  100001: 'Invalid argument',
  102001: 'Exchange ID is incorrect',
  102002: 'Unsupported token id in the order',
  102003: 'Invalid account ID',
  102004: 'Invalid order ID',
  102005: 'Market not supported',
  102006: 'Illegal rate field',
  102007: 'Order already exists',
  102008: 'Order has expired',
  102010: 'Order is missing signature information',
  102011: 'Insufficient user balance',
  102012: 'Order amount too small',
  102014: 'Failed to freeze the amount; retry later',
  102020: 'Exceeded the maximum order amount',
  102021: 'Nonce is invalid',
  102022: 'Transfer sender is invalid',
  102023: 'Transfer receiver is invalid',
  102024: 'Fee token is unsupported',
  102025: 'Transfer token is not consistent with fee token',
  102027: 'Submit order failed',
  102117: 'No orders to cancel',
  102118: 'Failed to cancel orders; retry later',
  102120: 'Order is not valid',
  104001: 'Empty ApiKey',
  104002: 'Invalid ApiKey',
  104003: 'Invalid Account ID',
  104004: 'No signature information provided',
  104005: 'Wrong signature information',
  107001: 'User ID cannot be empty',
};

const fieldCodes = [
  100002, 100202, 100203, 100204, 101001, 101002, 102028, 102030, 102032, 102040, 102119, 102122, 102127, 104208,
  104209, 105001, 107002, 107003, 108000, 108001, 108003, 114001, 114002,
];

describe('error table', () => {
  it('has every code of the document with its meaning, and no other under that source', () => {
    const fromDocument = Object.entries(relayerErrors)
      .filter(([, entry]) => entry.source === 'document')
      .map(([, { code, meaning }]) => [code, meaning]);
    expect(Object.fromEntries(fromDocument)).toEqual(documented);
  });

  it('has every code met in the field', () => {
    const fromField = Object.values(relayerErrors).filter(({ source }) => source === 'field');
    expect(fromField.map(({ code }) => code)).toEqual(fieldCodes);
  });

  it('gives each name a code of its own', () => {
    const entries = Object.entries(relayerErrors);
    expect(new Set(entries.map(([, { code }]) => code)).size).toBe(entries.length);
    for (const [name] of entries) expect(name).toMatch(/^[A-Z0-9_]+$/);
  });

  it('never calls a repeat safe that could submit a second request', () => {
    const submissions = [
      'FREEZE_FAILED',
      'ORDER_SUBMIT_FAILED',
      'CANCEL_FAILED',
      'UNKNOWN_ERROR',
      'REQUEST_TIMEOUT',
      'DUPLICATE_REQUEST',
    ] as const;
    for (const name of submissions) expect(relayerErrors[name].retry).toBe('same-bytes');
  });

  it('names its own codes and no others', () => {
    for (const [name, { code }] of Object.entries(relayerErrors)) expect(relayerErrorNamed(code)).toBe(name);
    for (const code of [0, 102009, Number.NaN]) expect(relayerErrorNamed(code)).toBeUndefined();
  });

  it('has every refusal that an endpoint lists', () => {
    for (const { errorCodes } of Object.values(endpoints))
      for (const name of errorCodes) expect(relayerErrors).toHaveProperty(name);
  });
});
