import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AnyOperation, type OperationName, operations } from '../../src/operations/index.ts';
import { deadline, REQUEST_VALIDITY_SECONDS } from '../../src/operations/intentFields.ts';
import { ClockBehind } from '../../src/operations/operation.ts';
import { cases } from './everyCase.ts';
import { DAY, factsWith, now } from './facts.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Facts of an account whose relayer's clock is ahead of this machine's by so many seconds. */
const ahead = (seconds: number) => factsWith({ getTimestamp: () => ({ timestamp: (now + seconds) * 1000 }) });

describe('the end of a request', () => {
  test.each([
    ['an hour', undefined, HOUR],
    ['the rest of it and the way to the relayer', undefined, HOUR - 2 * MINUTE + 1],
    ['ten minutes, and the site names an end in five', now + 5 * MINUTE, 10 * MINUTE],
    ['a day, and the site names an end in a day', now + DAY, DAY],
    ['31 days', undefined, 31 * DAY],
  ])('has passed on arrival when the relayer’s clock is ahead by %s', async (_what, asked, seconds) => {
    await expect(deadline(asked, ahead(seconds))).rejects.toThrow(new ClockBehind(seconds));
  });

  test.each([
    ['as far as this machine’s', undefined, 0],
    ['half an hour ahead', undefined, HOUR / 2],
    ['two minutes short of the end', undefined, HOUR - 2 * MINUTE],
    ['an hour behind', undefined, -HOUR],
    ['31 days behind', undefined, -31 * DAY],
    ['two minutes ahead, and the site names an end in a minute', now + MINUTE, 2 * MINUTE],
    ['31 days ahead, and the site names an end in 60', now + 60 * DAY, 31 * DAY],
  ])('is as asked for with a relayer’s clock %s', async (_what, asked, seconds) => {
    expect(await deadline(asked, ahead(seconds))).toBe(asked ?? now + REQUEST_VALIDITY_SECONDS);
  });

  test('is as asked for when the relayer does not tell its time', async () => {
    expect(await deadline(undefined, factsWith({}))).toBe(now + REQUEST_VALIDITY_SECONDS);
  });
});

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
