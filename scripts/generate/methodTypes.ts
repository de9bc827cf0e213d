import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod/mini';
import { pageMethods } from '../../src/background/rpc/page/index.ts';
import { readableEndpoints } from '../../src/background/rpc/page/reads.ts';
import { statuses } from '../../src/journal/lifecycle.ts';
import { operations } from '../../src/operations/index.ts';
import { standingApproval } from '../../src/operations/standingApproval.ts';
import { type Endpoint, endpoints, feeRequestTypes, relayerErrors } from '../../src/protocol/index.ts';
import { fieldComments } from './fieldComments.ts';
import { fieldRules } from './fieldRules.ts';
import { type Direction, type JsonSchema, NOTHING, printType } from './printType.ts';
import { type Place, sharedParameters, sharedTypes } from './sharedTypes.ts';

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
          const isAnyKind = name === 'requestType' && field.wire?.enum === undefined;
          const known = isAnyKind ? { enum: Object.values(feeRequestTypes) } : field;
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

export const typeName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** An answer of a read. */
function answerOf(name: string): JsonSchema {
  const endpoint = endpointOf(name);
  if (!endpoint) throw new Error(`${name} reads nothing`);
  return jsonSchema(endpoint.answer, 'output');
}

function schemaAt([direction, method, ...way]: Place): JsonSchema {
  const whole = direction === 'parameters' ? parametersOf(method) : answerOf(method);
  return way.reduce((schema, step) => {
    const part = step === '[]' ? schema.items : schema.properties?.[step];
    if (!part) throw new Error(`${method} has no ${way.join(' ')}`);
    return part;
  }, whole);
}

/** Declares a type, as an interface where it has fields of its own. */
function declare(name: string, description: string, type: string, bases: readonly string[] = []): string {
  const head = `/** ${description} */\nexport `;
  if (bases.length > 0 && type === NOTHING) return `${head}type ${name} = ${bases.join(' & ')};\n`;
  if (!type.startsWith('{\n') || type.includes('\n} '))
    return `${head}type ${name} = ${[...bases, type].join(' & ')};\n`;
  return `${head}interface ${name} ${bases.length > 0 ? `extends ${bases.join(', ')} ` : ''}${type}\n`;
}

/** Declares what several types have in common, and then each of them with it. */
function createDeclarations() {
  const names = new Map<string, string>();
  const common: string[] = [];
  const share = (name: string, description: string, schema: JsonSchema, direction: Direction) => {
    const type = printType(schema, direction, names);
    names.set(type, name);
    common.push(declare(name, description, type));
    return { name, schema };
  };
  for (const [name, [description, ...place]] of Object.entries(sharedTypes))
    share(name, description, schemaAt(place), place[0]);
  const bases = [
    ...Object.entries(sharedParameters).map(([name, [description, ...place]]) =>
      share(name, description, withoutField(schemaAt(place), 'account'), 'parameters'),
    ),
    share('AccountInput', 'Which account is meant.', withFields({}, { account: ACCOUNT }), 'parameters'),
    share('RepeatInput', 'Key that makes a request repeatable.', withFields({}, { idempotencyKey: KEY }), 'parameters'),
  ];
  return {
    common,
    answer: (name: string, description: string, schema: JsonSchema) =>
      declare(name, description, printType(schema, 'answer', names)),
    parameters(name: string, description: string, schema: JsonSchema) {
      const inherited = bases.filter((base) => hasFieldsOf(schema, base.schema));
      const own = inherited.flatMap((base) => Object.keys(base.schema.properties ?? {})).reduce(withoutField, schema);
      return declare(
        name,
        description,
        printType(own, 'parameters', names),
        inherited.map((base) => base.name),
      );
    },
  };
}

const hasFieldsOf = (schema: JsonSchema, base: JsonSchema) =>
  Object.entries(base.properties ?? {}).every(
    ([field, form]) =>
      isDeepStrictEqual(schema.properties?.[field], form) &&
      (schema.required?.includes(field) ?? false) === (base.required?.includes(field) ?? false),
  );

/** The text of `src/viem/generated/methods.ts`. */
export function methodTypes(): string {
  const { common, answer, parameters } = createDeclarations();
  const parts = relayerMethodNames.flatMap((name) => {
    const endpoint = endpointOf(name);
    const rule = fieldRules[name];
    const fields = `${typeName(name)}${rule ? 'Fields' : 'Parameters'}`;
    const description = `Parameters of \`relayer_${name}\`.`;
    return [
      parameters(fields, description, parametersOf(name)),
      ...(rule ? [declare(`${typeName(name)}Parameters`, description, `${fields} & ${rule(fields)}`)] : []),
      ...(endpoint
        ? [answer(`${typeName(name)}ReturnType`, `Answer of \`relayer_${name}\`: ${endpoint.summary}.`, answerOf(name))]
        : []),
    ];
  });
  const signedOrder = answer(
    'SignedNftOrder',
    'A signed NFT order, as `POST /api/v3/nft/validateOrder` and the site that matches it take it.',
    jsonSchema(endpoints.validateOrder.body, 'output'),
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

${[...common, ...parts, signedOrder].join('\n')}`;
}

/** What actions throw that are built on others. */
const compound = {
  limitOrder: 'ApprovalErrorType',
  previewOrder: 'ReadErrorType',
  submitOrders: 'ApprovalErrorType',
  watchOrders: 'ReadErrorType',
  watchSubmission: 'ReadErrorType',
  watchTopic: 'ReadErrorType',
  waitForSubmission: 'OutcomeUnknownError | ParameterError | WaitTimeoutError',
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
 * Errors that each action throws, by the kind of its method. A test compares.
 */
import type {
  ApprovalErrorType,
  OutcomeUnknownError,
  ParameterError,
  ReadErrorType,
  WaitTimeoutError,
} from '../errors.ts';

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

/** The last ones, as isFinalStatus says. */
export const finalStatuses: readonly SubmissionStatus[] = [${words(final, ', ')}];
`;
}
