import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, custom } from 'viem';
import { describe, expect, test } from 'vitest';
import {
  errorTypes,
  methodTypes,
  relayerMethodNames,
  rpcSchemaType,
  statusTypes,
} from '../../scripts/generate/methodTypes.ts';
import { printType } from '../../scripts/generate/printType.ts';
import { bin, root } from '../../scripts/prepare.mjs';
import * as actions from '../../src/viem/actions/index.ts';
import type { RelayerClient } from '../../src/viem/index.ts';

/** Actions that are built on others. */
const compound = ['limitOrder', 'previewOrder', 'watchOrders', 'watchSubmission', 'waitForSubmission'];

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

  test.each([
    ['methods', methodTypes],
    ['statuses', statusTypes],
    ['errorTypes', errorTypes],
    ['rpcSchema', rpcSchemaType],
  ])('with the %s that follow from the schemas and tables (npm run build:viem writes them)', (name, text) => {
    const path = `src/viem/generated/${name}.ts`;
    const formatted = execFileSync(bin('biome'), ['format', '--stdin-file-path', path], {
      cwd: root,
      input: text(),
    });
    expect(readFileSync(join(root, path), 'utf8')).toBe(formatted.toString());
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
