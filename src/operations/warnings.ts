import type { Review, Warning } from './review.ts';
import { isAtLeast } from './severity.ts';
import type { WarningFacts } from './warningFacts.ts';
import { warningRules } from './warningRules.ts';

/** The warnings of a review, in the order of the rules. */
export function warningsOf(facts: WarningFacts): Warning[] {
  return warningRules.flatMap((rule): Warning[] => {
    const severity = rule.severity(facts);
    if (severity === undefined) return [];
    const asks = isAtLeast(severity, rule.password ?? 'stop');
    const key = typeof rule.text === 'string' ? rule.text : rule.text(facts);
    const values = rule.values?.(facts);
    return [
      {
        rule: rule.id,
        severity,
        ...(asks ? { password: true as const } : {}),
        text: { key, ...(values && Object.keys(values).length > 0 ? { values } : {}) },
      },
    ];
  });
}

/** Whether a review may only be approved with the password. */
export const asksPassword = ({ warnings }: Pick<Review, 'warnings'>): boolean =>
  warnings.some(({ password }) => password === true);
