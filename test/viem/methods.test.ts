import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, custom } from 'viem';
import { describe, expect, test } from 'vitest';
import { fieldComments } from '../../scripts/generate/fieldComments.ts';
import { fieldRules } from '../../scripts/generate/fieldRules.ts';
import {
  errorTypes,
  methodTypes,
  parametersOf,
  relayerMethodNames,
  rpcSchemaType,
  statusTypes,
} from '../../scripts/generate/methodTypes.ts';
import { type JsonSchema, printType } from '../../scripts/generate/printType.ts';
import { readActions } from '../../scripts/generate/readActions.ts';
import { sharedParameters, sharedTypes } from '../../scripts/generate/sharedTypes.ts';
import { bin, root } from '../../scripts/prepare.mjs';
import { pageMethods } from '../../src/background/rpc/page/index.ts';
import { operations } from '../../src/operations/index.ts';
import * as actions from '../../src/viem/actions/index.ts';
import type { RelayerClient } from '../../src/viem/index.ts';

/** Actions that are built on others. */
const compound = [
  'limitOrder',
  'previewOrder',
  'submitOrders',
  'watchOrders',
  'watchSubmission',
  'watchTopic',
  'waitForSubmission',
];

const ADDRESS = `0x${'11'.repeat(20)}`;
const HASH = `0x${'22'.repeat(32)}`;
const amounts = { sellToken: { tokenId: 1, volume: '1' }, buyToken: { tokenId: 0, volume: '1' } };

describe('every method of the wallet is an action', () => {
  test('and no action asks for another', async () => {
    const asked: string[] = [];
    const provider = { request: async ({ method }: { method: string }) => asked.push(method) };
    const client: RelayerClient = createClient({ transport: custom(provider) });
    for (const [name, action] of Object.entries(actions))
      if (!compound.includes(name)) {
        await (action as (client: RelayerClient, parameters: object) => Promise<unknown>)(client, {});
        expect(asked.at(-1)).toBe(`relayer_${name}`);
      }
    expect(asked.sort()).toEqual(relayerMethodNames.map((name) => `relayer_${name}`).sort());
  });

  test('which names the account of the client where the method is about one', async () => {
    const named: string[] = [];
    const request = async ({ method, params }: { method: string; params?: readonly { account?: string }[] }) => {
      if (params?.[0]?.account !== undefined) named.push(method);
    };
    const client: RelayerClient = createClient({ account: ADDRESS as `0x${string}`, transport: custom({ request }) });
    for (const [name, action] of Object.entries(actions))
      if (!compound.includes(name))
        await (action as (client: RelayerClient, parameters: object) => Promise<unknown>)(client, {});
    const ofAccount = [...pageMethods.values()].filter(
      // Of which one may also ask for all accounts.
      ({ name, needs }) => (needs !== 'none' && needs !== 'connection') || name === 'relayer_getStandingApprovals',
    );
    expect(named.sort()).toEqual(
      ofAccount
        .map(({ name }) => name)
        .filter((name) => name.startsWith('relayer_'))
        .sort(),
    );
  });

  test.each([
    ['methods', methodTypes],
    ['statuses', statusTypes],
    ['errorTypes', errorTypes],
    ['rpcSchema', rpcSchemaType],
    ['reads', readActions],
  ])('with the %s that follow from the schemas and tables (npm run build:viem writes them)', (name, text) => {
    const path = `src/viem/generated/${name}.ts`;
    const formatted = execFileSync(bin('biome'), ['format', '--stdin-file-path', path], {
      cwd: root,
      input: text(),
    });
    expect(readFileSync(join(root, path), 'utf8')).toBe(formatted.toString());
  });
});

const types = methodTypes();
test.each(Object.keys({ ...sharedTypes, ...sharedParameters }))('%s stands in more than one type', (name) => {
  const uses = types.match(new RegExp(`\\b${name}\\b`, 'g')) ?? [];
  // Its own declaration is one of them.
  expect(uses.length).toBeGreaterThan(2);
});

describe('parameters', () => {
  /** Every field of a schema, at any depth. */
  const fieldsOf = ({ properties = {}, items, anyOf = [], oneOf = [] }: JsonSchema): [string, JsonSchema][] => [
    ...Object.entries(properties).flatMap(([name, field]) => [
      [name, field] as [string, JsonSchema],
      ...fieldsOf(field),
    ]),
    ...[...(items ? [items] : []), ...anyOf, ...oneOf].flatMap(fieldsOf),
  ];
  const fields = relayerMethodNames.flatMap((name) => fieldsOf(parametersOf(name)));

  test('all have a comment, and the generator has none to spare', () => {
    expect(fields.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([]);
    const used = new Set(fields.map(([, { description }]) => description));
    expect(Object.values(fieldComments).filter((comment) => !used.has(comment))).toEqual([]);
  });

  test.each([
    ['submitOrder', { ...amounts, orderType: 'AMM' }, { ...amounts, poolAddress: ADDRESS }],
    [
      'replaceOrder',
      { ...amounts, replaces: HASH, orderType: 'AMM' },
      { ...amounts, replaces: HASH, poolAddress: ADDRESS },
    ],
    ['cancelOrder', {}, { orderHash: HASH, clientOrderId: 'mine' }],
    ['mintNft', { amount: '1' }, { amount: '1', cid: 'Qm', nftId: HASH }],
  ] as const)('of %s that its type excludes are refused by the wallet', (name, ...refused) => {
    expect(Object.keys(fieldRules)).toContain(name);
    const operation = Object.values(operations).find(({ method }) => method === `relayer_${name}`);
    for (const given of refused) {
      const { error } = operation?.intent().safeParse(given) ?? {};
      expect(error?.issues.map(({ code }) => code)).toEqual(['custom']);
    }
  });
});

describe('a schema as a type', () => {
  const amount = { type: 'string', pattern: '^(0|[1-9][0-9]*)$' };
  const list = { type: 'string', 'x-list': true };

  test.each([
    [{ type: 'integer', minimum: 0 }, 'number', 'number'],
    [amount, 'Amount', 'string'],
    [{ type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' }, 'Hex', 'Hex'],
    [list, 'string | readonly (string | number)[]', 'string'],
    [
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      ...twice('readonly (string | null)[]'),
    ],
    [
      { type: 'array', items: { type: 'array', items: { type: 'string' } } },
      ...twice('readonly (readonly string[])[]'),
    ],
    [
      { type: 'array', prefixItems: [{ type: 'string' }, amount] },
      'readonly [string, Amount]',
      'readonly [string, string]',
    ],
    [{ ...list, 'x-words': ['join', 'exit'] }, "OneOrMore<'join' | 'exit'>", 'string'],
    [
      { type: 'array', items: { type: 'array', items: { type: 'string' } }, 'x-columns': ['price', 'size'] },
      ...twice('readonly (readonly [price: string, size: string])[]'),
    ],
    [{ enum: ["it's", 2] }, ...twice("'it\\'s' | 2")],
    [{ wire: { type: 'boolean' }, anyOf: [{ type: 'boolean' }, { const: 'true' }] }, ...twice('boolean')],
    [{}, ...twice('unknown')],
    [{ not: {} }, ...twice('undefined')],
    [{ type: 'object', additionalProperties: { type: 'number' } }, ...twice('{ readonly [key: string]: number }')],
  ] as const)('%j', (schema, parameters, answer) => {
    expect(printType(schema, 'parameters')).toBe(parameters);
    expect(printType(schema, 'answer')).toBe(answer);
  });

  test('an object keeps its descriptions and says what may be missing', () => {
    const schema = {
      type: 'object',
      properties: { hash: { type: 'string', description: 'What was signed' }, 'a-b': { type: 'number' } },
      required: ['hash'],
    };
    expect(printType(schema, 'answer')).toMatchInlineSnapshot(`
      "{
        /** What was signed */
        readonly hash: string;
        readonly 'a-b'?: number | undefined;
      }"
    `);
  });

  test.each([{ type: 'date' }, { $ref: '#/$defs/a' }, { if: {} }])('%j is refused, not guessed', (schema) => {
    expect(() => printType(schema, 'answer')).toThrow('no type for');
  });
});

function twice(type: string): [string, string] {
  return [type, type];
}
