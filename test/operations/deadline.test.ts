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

/** Whether it is refused, ends later, or ends never. */
type End = 'ClockBehind' | 'later' | 'none';
const ends: Record<OperationName, End> = {
  deployNft: 'ClockBehind',
  exitAmmPool: 'ClockBehind',
  hardCancel: 'ClockBehind',
  joinAmmPool: 'ClockBehind',
  mintNft: 'ClockBehind',
  transfer: 'ClockBehind',
  transferNft: 'ClockBehind',
  updateAccountKey: 'ClockBehind',
  withdraw: 'ClockBehind',
  withdrawNft: 'ClockBehind',
  replaceOrder: 'later',
  signNftOrder: 'later',
  submitOneOf: 'later',
  submitOrder: 'later',
  cancelAllOrders: 'none',
  cancelOrder: 'none',
  signMessage: 'none',
  signTypedData: 'none',
};

test.each(Object.entries(ends) as [OperationName, End][])(
  '%s: no draft without a named end is over by the relayer’s clock: %s',
  async (name, end) => {
    const operation: AnyOperation = operations[name];
    const { intent, facts } = cases[name];
    const recent: typeof facts.recent = async (asked, ...rest) =>
      asked === 'getTimestamp' ? ({ timestamp: (now + HOUR) * 1000 } as never) : facts.recent(asked, ...rest);
    await fc.assert(
      fc.asyncProperty(intent, async (asked) => {
        const unnamed = JSON.parse(JSON.stringify(asked, (key, value) => (key === 'validUntil' ? undefined : value)));
        const prepared = Promise.resolve(operation.prepare(operation.intent().parse(unnamed), { ...facts, recent }));
        if (end === 'ClockBehind') await expect(prepared).rejects.toBeInstanceOf(ClockBehind);
        else {
          const validUntil = endOf(operation, (await prepared).body);
          if (end === 'none') expect(validUntil).toBeUndefined();
          else expect(validUntil).toBeGreaterThan(now + HOUR);
        }
      }),
      { numRuns: 5 },
    );
  },
);
