import { describe, expect, it } from 'vitest';
import type { Endpoint, EndpointName, RelayerErrorName } from '../../src/protocol/index.ts';
import { endpoints } from '../../src/protocol/index.ts';
import { documented } from '../support/documentedEndpoints.ts';

const table: readonly [EndpointName, Endpoint][] = Object.entries(endpoints) as [EndpointName, Endpoint][];

describe('endpoint table', () => {
  it('has the 26 endpoints of the document and 48 for log-in, lookup, market data and proofs', () => {
    expect(Object.keys(documented)).toHaveLength(26);
    expect(table).toHaveLength(74);
    for (const name of Object.keys(documented)) expect(endpoints).toHaveProperty(name);
  });

  it('names each endpoint like its key and gives each method and path once', () => {
    for (const [name, definition] of table) expect(definition.name).toBe(name);
    const calls = table.map(([, { method, path }]) => `${method} ${path}`);
    expect(new Set(calls).size).toBe(calls.length);
    for (const [, { path }] of table) expect(path).toMatch(/^(\/api)?\/v3\/[A-Za-z/]+$/);
  });

  it.each(Object.entries(documented))('%s has the method, headers, limit and codes of the document', (name, row) => {
    const definition: Endpoint = endpoints[name as EndpointName];
    expect(`${definition.method} ${definition.path}`).toBe(row.call);
    if (row.key) expect(definition.apiKey).toBe('required');
    if (row.signature) expect(definition.signature).toBe(row.signature);
    if (row.limited) expect(definition.requestsPerSecond).toBe(5);
    expect(definition.errorCodes).toEqual(expect.arrayContaining([...(row.codes ?? [])]));
  });

  it('demands no API key where a client cannot have one yet', () => {
    for (const name of ['getApiKey', 'getAccount', 'updateAccount', 'getExchangeInfo', 'getTimestamp'] as const)
      expect(endpoints[name].apiKey).toBe('none');
  });

  it.each(table)('%s lists the codes of its headers, each code once', (_name, definition) => {
    const has = (list: readonly RelayerErrorName[]) => list.every((name) => definition.errorCodes.includes(name));
    expect(has(['API_KEY_EMPTY'])).toBe(definition.apiKey === 'required');
    expect(has(['API_KEY_INVALID', 'API_ACCOUNT_INVALID'])).toBe(definition.apiKey !== 'none');
    if (definition.signature !== 'none') expect(has(['SIGNATURE_MISSING', 'SIGNATURE_WRONG'])).toBe(true);
    expect(new Set(definition.errorCodes).size).toBe(definition.errorCodes.length);
  });

  it.each(table)('%s may be repeated blindly only when it changes nothing', (name, definition) => {
    const reads = (definition.method === 'GET' && name !== 'getSocketKey') || name === 'getCode';
    expect(definition.resend === 'repeat').toBe(reads);
  });
});
