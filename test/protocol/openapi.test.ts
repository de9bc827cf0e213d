import { describe, expect, it } from 'vitest';
import { type Endpoint, endpoints, openApiDocument, relayerErrors } from '../../src/protocol/index.ts';
import { type OpenApi, schemaProblems } from '../support/openApiCheck.ts';
import { answers, bodies, queries } from './samples.ts';

type Json = Record<string, unknown>;
const document = openApiDocument('http://127.0.0.1:4510', { queries, bodies, answers }) as unknown as OpenApi & {
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

  it('has a named schema for each body, answer and resource, each used', () => {
    const text = JSON.stringify(document);
    const names = Object.keys(document.components.schemas);
    for (const { name, method } of Object.values<Endpoint>(endpoints)) {
      const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      const operation = operationOf(
        endpoints[name as keyof typeof endpoints],
      ) as unknown as OpenApi['paths'][string][string];
      expect(operation.responses[200]?.content['application/json']?.schema).toEqual({ $ref: expect.any(String) });
      if (method === 'POST') expect(names).toContain(`${title}Body`);
      expect(Object.keys(operation.responses)).toEqual(
        method === 'POST' ? ['200', '400', '413', '429', '503'] : ['200', '400', '429', '503'],
      );
    }
    expect(names).toEqual(
      expect.arrayContaining(['TokenVolumeV3', 'NftTokenInfo', 'Refusal', 'TransferData', 'Block']),
    );
    const refs = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref);
    expect(new Set(refs)).toEqual(new Set(names.map((name) => `#/components/schemas/${name}`)));
  });

  it.each(Object.values<Endpoint>(endpoints).map((definition) => [definition.name, definition] as const))(
    '%s has examples that fit its schemas',
    (_name, { path, method }) => {
      const operation = document.paths[path]?.[method.toLowerCase()];
      for (const [status, { content }] of Object.entries(operation?.responses ?? {})) {
        const { example, schema } = content['application/json'] ?? {};
        expect(example, status).toBeDefined();
        expect(schemaProblems(document, schema, example)).toEqual([]);
      }
      const sent = operation?.requestBody?.content['application/json'];
      if (sent) expect(schemaProblems(document, sent.schema, sent.example)).toEqual([]);
    },
  );

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
      example: 10005,
      schema: { type: 'integer', minimum: 0, maximum: 4294967295 },
    });
    const order = JSON.stringify(document.components.schemas.SubmitOrderBody);
    expect(order).toContain('"allOrNone":{"enum":[false,"false"]');
    expect(order).toContain('"additionalProperties":false');
    expect(document.components.schemas.GetBalancesAnswer).toMatchObject({ type: 'array' });
  });
});
