import { z } from 'zod';
import { pageMethods } from '../../src/background/pageMethods/index.ts';
import { readableEndpoints } from '../../src/background/pageMethods/reads.ts';
import { operations } from '../../src/operations/index.ts';
import { standingApproval } from '../../src/operations/standingApproval.ts';
import { type Endpoint, endpoints } from '../../src/protocol/index.ts';
import { type JsonSchema, printType } from './printType.ts';

/** Methods of the relayer's interface as this wallet offers them to pages, without `relayer_`. */
export const relayerMethodNames = [...pageMethods.keys()]
  .filter((name) => name.startsWith('relayer_'))
  .map((name) => name.slice('relayer_'.length));

const operationOf = (name: string) => Object.values(operations).find(({ method }) => method === `relayer_${name}`);
export const endpointOf = (name: string): Endpoint | undefined =>
  readableEndpoints.some((readable) => readable === name) ? endpoints[name as keyof typeof endpoints] : undefined;

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;

const ACCOUNT: JsonSchema = {
  type: 'string',
  pattern: '^0x',
  description: "Owner address of one of the accounts that the site sees; the client's account, else the first",
};
const KEY: JsonSchema = {
  type: 'string',
  description: "The site's own name for the request, up to 120 characters; a repeat under it joins the first",
};

function withFields(schema: JsonSchema, fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const own = schema.type === 'object' ? schema : {};
  return { ...own, type: 'object', properties: { ...own.properties, ...fields } };
}

function withoutField({ properties = {}, required = [], ...schema }: JsonSchema, field: string): JsonSchema {
  const { [field]: _, ...rest } = properties;
  return { ...schema, properties: rest, required: required.filter((name) => name !== field) };
}

/** What a page passes to a method. */
function parametersOf(name: string): JsonSchema {
  const operation = operationOf(name);
  if (operation) return withFields(jsonSchema(operation.intent, 'input'), { account: ACCOUNT, idempotencyKey: KEY });
  if (standingApproval.method === `relayer_${name}`)
    return withFields(jsonSchema(standingApproval.intent, 'input'), { account: ACCOUNT });
  const endpoint = endpointOf(name);
  if (endpoint) {
    const asked = jsonSchema(endpoint.method === 'POST' ? endpoint.body : endpoint.query, 'input');
    // The wallet fills in the account's number.
    return withFields(withoutField(asked, 'accountId'), { account: ACCOUNT });
  }
  const method = pageMethods.get(`relayer_${name}`);
  const schema = jsonSchema(method?.params ?? z.undefined(), 'input');
  return schema.type === 'object' && schema.properties?.account ? withFields(schema, { account: ACCOUNT }) : schema;
}

const typeName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

function declaration(name: string, doc: string, schema: JsonSchema, direction: 'parameters' | 'answer'): string {
  const type = printType(schema, direction);
  const head = `/** ${doc} */\n`;
  return type.startsWith('{') && !type.includes('\n} ') && !type.startsWith('{ ')
    ? `${head}export interface ${name} ${type}\n`
    : `${head}export type ${name} = ${type};\n`;
}

/** The text of `src/viem/methods.ts`. */
export function methodTypes(): string {
  const parts = relayerMethodNames.flatMap((name) => {
    const endpoint = endpointOf(name);
    const parameters = declaration(
      `${typeName(name)}Parameters`,
      `Parameters of \`relayer_${name}\`.`,
      parametersOf(name),
      'parameters',
    );
    if (!endpoint) return [parameters];
    const answer = jsonSchema(endpoint.answer, 'output');
    return [
      parameters,
      declaration(
        `${typeName(name)}ReturnType`,
        `Answer of \`relayer_${name}\`: ${endpoint.summary}.`,
        answer,
        'answer',
      ),
    ];
  });
  const signedOrder = declaration(
    'SignedNftOrder',
    'A signed NFT order, as `POST /api/v3/nft/validateOrder` and the site that matches it take it.',
    jsonSchema(endpoints.validateOrder.body, 'output'),
    'answer',
  );
  return `/*
 * What each relayer_* method takes, and what each read answers. Written by \`npm run build:viem\` from the zod schemas that
 * the wallet parses with, so that dApps get the types without the schemas; a test compares.
 */
import type { Hex } from 'viem';

/** Base units of a token: a bigint, or the decimal text that travels. */
export type Amount = bigint | string;

${parts.join('\n')}
${signedOrder}`;
}
