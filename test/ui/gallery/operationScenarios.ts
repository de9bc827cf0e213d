import fc from 'fast-check';
import { languages } from '../../../src/messaging/languages.ts';
import type { AnyOperation, OperationName } from '../../../src/operations/index.ts';
import { operations } from '../../../src/operations/index.ts';
import type { Warning } from '../../../src/operations/review.ts';
import { type Severity, severities } from '../../../src/operations/severity.ts';
import { cases } from '../../operations/everyCase.ts';
import { now } from '../../operations/facts.ts';
import * as f from '../support/fixtures.ts';
import { ok, open, type Scenario } from './scenarios.ts';

const share = { kind: 'bips', bips: 5050 } as const;
/** One warning of each severity, in the words of a rule that says it. */
const warnings: Readonly<Record<Severity, Warning>> = {
  note: { rule: 'pool-unbound', severity: 'note', text: { key: 'warning_poolUnbound' } },
  notice: { rule: 'data-overdue', severity: 'notice', text: { key: 'warning_dataOverdue' } },
  danger: { rule: 'price-far', severity: 'danger', text: { key: 'warning_priceFarShare', values: { share } } },
  stop: {
    rule: 'price-far',
    severity: 'stop',
    password: true,
    text: { key: 'warning_priceFarShare', values: { share } },
  },
};

async function reviewOf(name: OperationName) {
  const operation: AnyOperation = operations[name];
  const [asked] = fc.sample(cases[name].intent, { seed: 7, numRuns: 1 });
  const draft = await operation.prepare(operation.intent().parse(asked), cases[name].facts);
  return operation.review(draft, now);
}

/** Operations whose texts are longest; in other languages they have to hold the fold as well. */
const longest: readonly OperationName[] = ['submitOrder', 'transfer', 'withdraw'];

/** Every operation with one warning of each severity, as its own review says it. */
export const operationScenarios: readonly Scenario[] = (
  await Promise.all(
    (Object.keys(operations) as OperationName[]).map(async (name) => {
      const review = await reviewOf(name);
      const translated = longest.includes(name)
        ? languages.filter(({ code }) => code !== 'en').map(({ code }) => ['danger', code] as const)
        : [];
      return [...severities.map((severity) => [severity] as const), ...translated].map(
        ([severity, language]): Scenario => ({
          name: `operation-${name}-${severity}${language === undefined ? '' : `-${language}`}`,
          page: 'approval',
          ...(language !== undefined && { language }),
          fold: severity,
          answers: {
            ...open,
            getState: ok(f.twoAccounts),
            getBalances: ok(f.home.balances),
            getApproval: ok(f.approval({ operation: name, review: { ...review, warnings: [warnings[severity]] } })),
            approve: 'wait',
          },
        }),
      );
    }),
  )
).flat();
