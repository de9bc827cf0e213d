import { describe, expect, test } from 'vitest';
import { pageMethods } from '../../src/background/rpc/page/index.ts';
import { uiMethods } from '../../src/messaging/uiMethods.ts';
import { operations } from '../../src/operations/index.ts';
import { standingApproval } from '../../src/operations/standingApproval.ts';
import { z } from '../../src/protocol/zod.ts';

/** The compiler takes any value as a member of a shape: a schema function that is not called would throw when a request comes. */
describe('every member of what is checked is a schema', () => {
  const schemas = [
    ...Object.entries(uiMethods).map(([name, { params }]) => [name, params] as const),
    ...[...pageMethods].map(([name, { params }]) => [name, params] as const),
    ...Object.entries(operations).map(([name, { intent }]) => [name, intent] as const),
    [standingApproval.name, standingApproval.intent] as const,
  ];

  test.each(schemas)('%s', (_name, schema) => {
    expect(() => z.toJSONSchema(schema(), { io: 'input', unrepresentable: 'any' })).not.toThrow();
  });
});
