import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpointTable.ts';
import { relayerErrors } from './errors.ts';
import { API_KEY_HEADER, API_SIGNATURE_HEADER } from './headers.ts';
import { refusalBody } from './refusal.ts';

type Json = Record<string, unknown>;

/** Name of the metadata that says how a transformed field looks on the wire. */
const WIRE = 'wire';

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: target }) => {
      const wire = z.globalRegistry.get(zodSchema as unknown as z.ZodType)?.[WIRE];
      if (wire === undefined) return;
      const description = target.description;
      for (const key of Object.keys(target)) delete target[key as keyof typeof target];
      Object.assign(target, wire, description === undefined ? {} : { description });
    },
  }) as Json;
  return rest;
}

function queryParameters(query: z.ZodType): Json[] {
  const { properties = {}, required = [] } = jsonSchema(query, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

const signatureTexts = {
  eddsa: 'EdDSA signature of the request: 0x, then Rx, Ry and S as 64 hex digits each',
  ecdsa: 'ECDSA signature over the EIP-712 typed data of the body; left out when hashApproved stands for it',
} as const;

function operation(definition: Endpoint): Json {
  const refusals = definition.errorCodes.map((name) => relayerErrors[name]).sort((a, b) => a.code - b.code);
  const hasBody = !(definition.body instanceof z.ZodUndefined);
  const answer = (description: string, schema: z.ZodType) => ({
    description,
    content: { 'application/json': { schema: jsonSchema(schema, 'output') } },
  });
  return {
    operationId: definition.name,
    summary: definition.summary,
    tags: [definition.path.split('/')[3] as string],
    description: [
      definition.requestsPerSecond === null ? '' : `At most ${definition.requestsPerSecond} requests a second.`,
      `Codes: ${refusals.map(({ code, meaning }) => `${code} ${meaning}`).join('; ')}.`,
    ]
      .join(' ')
      .trim(),
    'x-error-codes': refusals.map(({ code }) => code),
    security:
      definition.apiKey === 'required'
        ? [{ apiKey: [] }]
        : definition.apiKey === 'optional'
          ? [{}, { apiKey: [] }]
          : [],
    parameters: [
      ...queryParameters(definition.query),
      ...(definition.signature === 'none'
        ? []
        : [
            {
              name: API_SIGNATURE_HEADER,
              in: 'header',
              required: definition.signature === 'eddsa',
              description: signatureTexts[definition.signature],
              schema: { type: 'string' },
            },
          ]),
    ],
    ...(hasBody
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(definition.body, 'input') } },
          },
        }
      : {}),
    responses: {
      200: answer('Answer', definition.answer),
      400: answer('Refusal', refusalBody),
      429: answer('Above the rate limit', refusalBody),
    },
  };
}

/**
 * The OpenAPI 3.1 document of the whole interface, generated from the endpoint table.
 * @param baseUrl - where the relayer is reached, scheme and host.
 */
export function openApiDocument(baseUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const definition of Object.values<Endpoint>(endpoints)) {
    const path = paths[definition.path] ?? {};
    path[definition.method.toLowerCase()] = operation(definition);
    paths[definition.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Layer-2 exchange relayer',
      version: '3',
      description: 'Orders, AMM pools, accounts and NFTs. Amounts are decimal texts in base units.',
    },
    servers: [{ url: baseUrl }],
    paths,
    components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: API_KEY_HEADER } } },
  };
}
