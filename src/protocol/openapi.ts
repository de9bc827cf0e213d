import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpointTable.ts';
import { relayerErrors } from './errors.ts';
import { API_KEY_HEADER, API_SIGNATURE_HEADER } from './headers.ts';
import { refusalBody } from './refusal.ts';
import * as resources from './resources.ts';
import { z } from './zod.ts';

type Json = Record<string, unknown>;

/** Name of the metadata that says how a transformed field looks on the wire. */
const WIRE = 'wire';

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: target }) => {
      const wire = z.globalRegistry.get(zodSchema as unknown as z.ZodMiniType)?.[WIRE];
      if (wire === undefined) return;
      const description = target.description;
      for (const key of Object.keys(target)) delete target[key as keyof typeof target];
      Object.assign(target, wire, description === undefined ? {} : { description });
    },
  }) as Json;
  return rest;
}

const NO_EXAMPLES: Examples = { queries: {}, bodies: {}, answers: {} };

/** Requests and answers of endpoints by name, put into the document beside their schemas. */
export interface Examples {
  readonly queries: Readonly<Record<string, object>>;
  readonly bodies: Readonly<Record<string, object>>;
  readonly answers: Readonly<Record<string, unknown>>;
}

const pascal = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/**
 * The named schemas of the document. Whatever has the form of a resource becomes a reference to it,
 * so that generated clients get one type for each resource, body and answer.
 */
class Components {
  readonly schemas: Record<string, Json> = {};
  readonly #names = new Map<string, string>();

  constructor() {
    const forms = Object.entries(resources).flatMap(([name, schema]) => {
      const [answer, body] = (['output', 'input'] as const).map((io) => jsonSchema(schema(), io));
      return [
        { name: pascal(name), form: answer as Json },
        { name: `${pascal(name)}Input`, form: body as Json },
      ];
    });
    // The small ones first: they are parts of the others.
    forms.sort((a, b) => JSON.stringify(a.form).length - JSON.stringify(b.form).length);
    for (const { name, form } of forms) if (form.type === 'object') this.name(name, form);
  }

  /**
   * @returns A reference to the schema under this name, or under the name that the same form has
   *   already.
   */
  name(name: string, form: Json): Json {
    const schema = this.#inside(form);
    const { description: _, ...bare } = schema;
    const key = JSON.stringify(bare);
    const known = this.#names.get(key) ?? name;
    this.#names.set(key, known);
    this.schemas[known] ??= schema;
    return { $ref: `#/components/schemas/${known}` };
  }

  #inside(schema: Json): Json {
    return Object.fromEntries(Object.entries(schema).map(([member, value]) => [member, this.#replace(value)]));
  }

  #replace(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((part) => this.#replace(part));
    if (typeof value !== 'object' || value === null) return value;
    const schema = this.#inside(value as Json);
    const { description, ...bare } = schema;
    const name = this.#names.get(JSON.stringify(bare));
    if (name === undefined) return schema;
    return { $ref: `#/components/schemas/${name}`, ...(description === undefined ? {} : { description }) };
  }
}

function queryParameters(query: z.ZodMiniType, example: Readonly<Record<string, unknown>>): Json[] {
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
    ...(example[name] === undefined ? {} : { example: example[name] }),
  }));
}

const signatureTexts = {
  eddsa: 'EdDSA signature of the request: 0x, then Rx, Ry and S as 64 hex digits each',
  ecdsa: 'ECDSA signature over the EIP-712 typed data of the body; left out when hashApproved stands for it',
} as const;

function operation(definition: Endpoint, components: Components, examples: Examples): Json {
  const refusals = definition.errorCodes.map((name) => relayerErrors[name]).sort((a, b) => a.code - b.code);
  const hasBody = !(definition.body instanceof z.ZodMiniUndefined);
  const content = (name: string, schema: z.ZodMiniType, io: 'input' | 'output', example: unknown) => ({
    'application/json': {
      schema: components.name(name, jsonSchema(schema, io)),
      ...(example !== undefined && { example }),
    },
  });
  const refusal = (description: string, code: number, message: string) => ({
    description,
    content: content('Refusal', refusalBody(), 'output', { resultInfo: { code, message } }),
  });
  const title = pascal(definition.name);
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
      ...queryParameters(definition.query, (examples.queries[definition.name] ?? {}) as Record<string, unknown>),
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
            content: content(`${title}Body`, definition.body, 'input', examples.bodies[definition.name]),
          },
        }
      : {}),
    responses: {
      200: {
        description: 'Answer',
        content: content(`${title}Answer`, definition.answer, 'output', examples.answers[definition.name]),
      },
      400: refusal('Refusal', refusals[0]?.code ?? 0, refusals[0]?.meaning ?? ''),
      ...(hasBody && {
        413: refusal('The body is too large', relayerErrors.INVALID_ARGUMENT.code, 'the body is too large'),
      }),
      429: refusal(
        'Above the rate limit; the retry-after header says when to come again',
        relayerErrors.UNKNOWN_ERROR.code,
        'wait a second',
      ),
      503: refusal(
        'Overloaded, stopping, or without its database. Whether the request was carried out is unknown',
        relayerErrors.UNKNOWN_ERROR.code,
        'the relayer is overloaded',
      ),
    },
  };
}

/**
 * The OpenAPI 3.1 document of the whole interface, generated from the endpoint table.
 * @param baseUrl - where the relayer is reached, scheme and host.
 * @param examples - apart, so that whoever needs none does not load them.
 */
export function openApiDocument(baseUrl: string, examples: Examples = NO_EXAMPLES): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const definition of Object.values<Endpoint>(endpoints)) {
    const path = paths[definition.path] ?? {};
    path[definition.method.toLowerCase()] = operation(definition, components, examples);
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
    components: {
      schemas: components.schemas,
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: API_KEY_HEADER } },
    },
  };
}
