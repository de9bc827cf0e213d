import { describe, expect, it } from 'vitest';
import { type Endpoint, endpoints, openApiDocument, relayerErrors } from '../../src/protocol/index.ts';

type Json = Record<string, unknown>;
const document = openApiDocument('http://127.0.0.1:4510') as {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Json>>;
};
const operationOf = ({ path, method }: Endpoint): Json => document.paths[path]?.[method.toLowerCase()] as Json;

describe('OpenAPI document', () => {
  it('has one operation for each endpoint and no other', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(endpoints).sort());
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: 'http://127.0.0.1:4510' }]);
  });

  it('is plain JSON without inner metadata', () => {
    const text = JSON.stringify(document);
    expect(JSON.parse(text)).toEqual(document);
    expect(text).not.toContain('"wire"');
    expect(text).not.toContain('$schema');
  });

  it.each(Object.values<Endpoint>(endpoints).map((definition) => [definition.name, definition] as const))(
    '%s says its parameters, body, key, signature and codes',
    (_name, definition) => {
      const operation = operationOf(definition);
      expect(operation.summary).toBe(definition.summary);
      expect(operation['x-error-codes']).toEqual(
        definition.errorCodes.map((name) => relayerErrors[name].code).sort((a, b) => a - b),
      );
      expect(operation.requestBody !== undefined).toBe(definition.method === 'POST');
      const parameters = operation.parameters as { name: string; in: string; schema: Json; description?: string }[];
      expect(parameters.some((parameter) => parameter.name === 'X-API-SIG')).toBe(definition.signature !== 'none');
      for (const { name, schema, description } of parameters) {
        expect(Object.keys(schema), name).not.toHaveLength(0);
        expect(description, name).toBeTruthy();
      }
      expect(operation.security).toEqual(
        { required: [{ apiKey: [] }], optional: [{}, { apiKey: [] }], none: [] }[definition.apiKey],
      );
    },
  );

  it('shows query integers as integers and the fields that are accepted in two forms as such', () => {
    const storageId = operationOf(endpoints.getStorageId).parameters as Json[];
    expect(storageId[0]).toEqual({
      name: 'accountId',
      in: 'query',
      required: true,
      description: 'L2 account id',
      schema: { type: 'integer', minimum: 0, maximum: 4294967295 },
    });
    const order = JSON.stringify(operationOf(endpoints.submitOrder).requestBody);
    expect(order).toContain('"allOrNone":{"enum":[false,"false"]');
    expect(order).toContain('"additionalProperties":false');
    const balances = (operationOf(endpoints.getBalances).responses as Record<string, Json>)[200];
    expect(JSON.stringify(balances)).toContain('"schema":{"type":"array"');
  });
});
