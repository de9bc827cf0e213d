import { describe, expect, test } from 'vitest';
import { pageMethods } from '../../src/background/rpc/page/index.ts';
import { uiMethods } from '../../src/messaging/uiMethods.ts';
import { operations } from '../../src/operations/index.ts';
import { standingApproval } from '../../src/operations/standingApproval.ts';
import { endpoints } from '../../src/protocol/endpointTable.ts';
import { z } from '../../src/protocol/zod.ts';

const schemas = [
  ...Object.entries(uiMethods).map(([name, { params }]) => [name, params] as const),
  ...[...pageMethods].map(([name, { params }]) => [name, params] as const),
  ...Object.entries(operations).map(([name, { intent }]) => [name, intent] as const),
  [standingApproval.name, standingApproval.intent] as const,
];

/** A part of a JSON schema, as far as a value is made from it. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly prefixItems?: readonly Shape[];
  readonly anyOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/**
 * Values of the shape with `leaf` in place of each text and number, one for each choice of its
 * widest union.
 */
function valuesOf(shape: Shape, leaf: unknown): unknown[] {
  if (shape.anyOf) return shape.anyOf.flatMap((choice) => valuesOf(choice, leaf));
  if (shape.const !== undefined) return [shape.const];
  if (shape.enum) return [shape.enum[0], leaf];
  if (shape.prefixItems) return [shape.prefixItems.map((item) => valuesOf(item, leaf)[0])];
  if (shape.items) return valuesOf(shape.items, leaf).map((item) => [item, item]);
  if (!shape.properties) return [leaf];
  const choices = Object.entries(shape.properties).map(([name, part]) => [name, valuesOf(part, leaf)] as const);
  const most = Math.max(1, ...choices.map(([, values]) => values.length));
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(choices.map(([name, values]) => [name, values[index % values.length]])),
  );
}

/**
 * The compiler takes any value as a member of a shape: a schema function that is not called would
 * throw. A check still runs after an earlier one of the same value has failed, unless that one
 * aborts. A check that reads the value with `new URL` or `BigInt` then throws, and the caller gets
 * no typed error.
 */
describe('does not throw at a value of the wrong form', () => {
  const leaves = [
    '',
    ' ',
    'abc',
    '/',
    '-1',
    '1.5',
    '1e30',
    '0x',
    '0xzz',
    'http://',
    'https://[/',
    '{',
    '\ud800',
    0,
    -1,
    0.5,
    null,
  ];

  test.each(schemas)('%s', (_name, schema) => {
    const shape = z.toJSONSchema(schema(), { io: 'input', unrepresentable: 'any' }) as Shape;
    for (const leaf of leaves)
      for (const value of valuesOf(shape, leaf))
        expect(() => schema().safeParse(value), JSON.stringify(value)).not.toThrow();
  });

  test.each(Object.values(endpoints))('$name', ({ query, body, answer }) => {
    for (const schema of [query, body, answer]) {
      const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
      for (const leaf of leaves)
        for (const value of valuesOf(shape, leaf))
          expect(() => schema.safeParse(value), JSON.stringify(value)).not.toThrow();
    }
  });
});

test.each([
  ['https://relayer.example', true],
  ['http://127.0.0.1:3000/path', true],
  ['http://relayer.example', false],
  ['https://user@relayer.example', false],
  ['https://relayer.example/?a', false],
])('a relayer is https, or http on this machine: %s', (baseUrl, isTaken) => {
  for (const name of ['probeNetwork', 'addNetwork'] as const)
    expect(uiMethods[name].params().safeParse({ baseUrl, name: 'Name' }).error?.issues[0]?.path[0] === 'baseUrl').toBe(
      !isTaken,
    );
});
