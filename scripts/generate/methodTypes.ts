import { z } from 'zod/mini';
import { pageMethods } from '../../src/background/rpc/page/index.ts';
import { readableEndpoints } from '../../src/background/rpc/page/reads.ts';
import { statuses } from '../../src/journal/lifecycle.ts';
import { operations } from '../../src/operations/index.ts';
import { standingApproval } from '../../src/operations/standingApproval.ts';
import { type Endpoint, endpoints, feeRequestTypes, relayerErrors } from '../../src/protocol/index.ts';
import { fieldComments } from './fieldComments.ts';
import { fieldRules } from './fieldRules.ts';
import { type JsonSchema, printType } from './printType.ts';

/** Methods of the relayer's interface as this wallet offers them to pages, without `relayer_`. */
export const relayerMethodNames = [...pageMethods.keys()]
  .filter((name) => name.startsWith('relayer_'))
  .map((name) => name.slice('relayer_'.length));

const operationOf = (name: string) => Object.values(operations).find(({ method }) => method === `relayer_${name}`);
const endpointOf = (name: string): Endpoint | undefined =>
  readableEndpoints.some((readable) => readable === name) ? endpoints[name as keyof typeof endpoints] : undefined;

const jsonSchema = (schema: z.ZodMiniType, io: 'input' | 'output') =>
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

/** Gives every field a comment, and numbers of fee kinds their values. */
function commented(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, oneOf } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => {
          const description = field.description ?? fieldComments[name];
          const known = name === 'requestType' ? { enum: Object.values(feeRequestTypes) } : field;
          return [name, commented({ ...known, ...(description !== undefined && { description }) })];
        }),
      ),
    }),
    ...(items && { items: commented(items) }),
    ...(anyOf && { anyOf: anyOf.map(commented) }),
    ...(oneOf && { oneOf: oneOf.map(commented) }),
  };
}

/** What a page passes to a method. */
export const parametersOf = (name: string): JsonSchema => commented(fieldsOf(name));

function fieldsOf(name: string): JsonSchema {
  const operation = operationOf(name);
  if (operation) return withFields(jsonSchema(operation.intent(), 'input'), { account: ACCOUNT, idempotencyKey: KEY });
  if (standingApproval.method === `relayer_${name}`)
    return withFields(jsonSchema(standingApproval.intent(), 'input'), { account: ACCOUNT });
  const endpoint = endpointOf(name);
  if (endpoint) {
    const asked = jsonSchema(endpoint.method === 'POST' ? endpoint.body : endpoint.query, 'input');
    // The wallet fills in the account's number.
    return withFields(withoutField(asked, 'accountId'), { account: ACCOUNT });
  }
  const method = pageMethods.get(`relayer_${name}`);
  return withAccount(jsonSchema(method?.params() ?? z.undefined(), 'input'));
}

/** With the comment of `account` wherever that is a field. */
function withAccount(schema: JsonSchema): JsonSchema {
  if (schema.oneOf) return { ...schema, oneOf: schema.oneOf.map(withAccount) };
  return schema.properties?.account ? withFields(schema, { account: ACCOUNT }) : schema;
}

const typeName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

function declaration(name: string, doc: string, schema: JsonSchema, direction: 'parameters' | 'answer'): string {
  const type = printType(schema, direction);
  const head = `/** ${doc} */\n`;
  return type.startsWith('{') && !type.includes('\n} ') && !type.startsWith('{ ')
    ? `${head}export interface ${name} ${type}\n`
    : `${head}export type ${name} = ${type};\n`;
}

/** The text of `src/viem/generated/methods.ts`. */
export function methodTypes(): string {
  const parts = relayerMethodNames.flatMap((name) => {
    const endpoint = endpointOf(name);
    const rule = fieldRules[name];
    const fields = `${typeName(name)}${rule ? 'Fields' : 'Parameters'}`;
    const doc = `Parameters of \`relayer_${name}\`.`;
    const printed = declaration(fields, doc, parametersOf(name), 'parameters');
    const parameters = rule
      ? `${printed}\n/** ${doc} */\nexport type ${typeName(name)}Parameters = ${fields} & ${rule(fields)};\n`
      : printed;
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
 * @generated by \`npm run build:viem\`
 *
 * Parameters of each relayer_* method and results of each read, printed from the zod schemas that the wallet parses with,
 * so that dApps get the types without the schemas. A test compares.
 */
import type { Hex } from 'viem';
import type { AtLeastOne, ExactlyOne, OneOrMore, PoolWithAmmOrder } from '../fieldRules.ts';

/** Base units of a token: a bigint, or the decimal text that travels. */
export type Amount = bigint | string;

${parts.join('\n')}
${signedOrder}`;
}

/** What actions throw that are built on others. */
const compound = {
  limitOrder: 'ApprovalErrorType',
  previewOrder: 'ReadErrorType',
  submitOrders: 'ApprovalErrorType',
  watchOrders: 'ReadErrorType',
  watchSubmission: 'ReadErrorType',
  watchTopic: 'ReadErrorType',
  waitForSubmission: 'ReadErrorType | WaitTimeoutError',
};

/** The text of `src/viem/generated/errorTypes.ts`. */
export function errorTypes(): string {
  const isApproved = (name: string) => operationOf(name) !== undefined || standingApproval.method === `relayer_${name}`;
  const methods = relayerMethodNames.map((name) => [name, isApproved(name) ? 'ApprovalErrorType' : 'ReadErrorType']);
  const types = [...methods, ...Object.entries(compound)].map(
    ([name = '', type]) => `export type ${typeName(name)}ErrorType = ${type};`,
  );
  return `/*
 * @generated by \`npm run build:viem\`
 *
 * What each action throws, by the kind of its method. A test compares.
 */
import type { ApprovalErrorType, ReadErrorType, WaitTimeoutError } from '../errors.ts';

${types.join('\n')}
`;
}

/** The text of `src/viem/generated/rpcSchema.ts`. */
export function rpcSchemaType(): string {
  return `/*
 * @generated by \`npm run build:viem\`
 *
 * The wallet's methods, from the actions of the same names. A test compares.
 */
import type { RpcMethod } from '../rpcMethod.ts';

/**
 * For a typed \`client.request\`: \`createWalletClient({ …, rpcSchema: rpcSchema<RelayerRpcSchema>() })\`. Amounts are decimal text, as
 * they travel.
 */
export type RelayerRpcSchema = [
${relayerMethodNames.map((name) => `  ...RpcMethod<'${name}'>,`).join('\n')}
];
`;
}

/** The text of `src/viem/generated/statuses.ts`. */
export function statusTypes(): string {
  const words = (names: readonly string[], between: string) => names.map((name) => `'${name}'`).join(between);
  const names = Object.entries(statuses);
  const final = names.filter(([, status]) => status.final).map(([name]) => name);
  return `/*
 * @generated by \`npm run build:viem\`
 *
 * Words and numbers from the tables of the wallet and of the protocol. A test compares.
 */

/** Where a request of the site stands. \`unknown\`: signed, and no answer of the relayer yet; the wallet finds out. */
export type SubmissionStatus = ${words(
    names.map(([name]) => name),
    ' | ',
  )};

/** Names of the refusals in the interface document. */
export type RelayerErrorName = ${Object.keys(relayerErrors)
    .map((name) => `'${name}'`)
    .join(' | ')};

/** Kinds of request, as the fee queries number them: \`getOffchainFee({ requestType: feeRequestTypes.TRANSFER })\`. */
export const feeRequestTypes = ${JSON.stringify(feeRequestTypes)} as const;

/** Nothing follows these. */
export const finalStatuses: readonly SubmissionStatus[] = [${words(final, ', ')}];
`;
}
