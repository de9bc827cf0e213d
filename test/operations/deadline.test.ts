import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AnyOperation, type OperationName, operations } from '../../src/operations/index.ts';
import { ClockBehind } from '../../src/operations/operation.ts';
import { cases } from './everyCase.ts';
import { now } from './facts.ts';

const HOUR = 3_600;

/** What the relayer checks the end of. */
const endOf = (operation: AnyOperation, body: object): number | undefined =>
  operation.validUntil ? operation.validUntil(body) : (body as { validUntil?: number }).validUntil;

test.each(Object.keys(operations) as OperationName[])(
  '%s: no draft without a named end is over by the relayer’s clock',
  async (name) => {
    const operation: AnyOperation = operations[name];
    const { intent, facts } = cases[name];
    const recent: typeof facts.recent = async (asked, ...rest) =>
      asked === 'getTimestamp' ? ({ timestamp: (now + HOUR) * 1000 } as never) : facts.recent(asked, ...rest);
    await fc.assert(
      fc.asyncProperty(intent, async (asked) => {
        const unnamed = JSON.parse(JSON.stringify(asked, (key, value) => (key === 'validUntil' ? undefined : value)));
        try {
          const { body } = await operation.prepare(operation.intent().parse(unnamed), { ...facts, recent });
          expect(endOf(operation, body) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(now + HOUR);
        } catch (error) {
          expect(error).toBeInstanceOf(ClockBehind);
        }
      }),
      { numRuns: 5 },
    );
  },
);
