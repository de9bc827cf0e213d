import type { Review, Warning } from './review.ts';
import { isAtLeast } from './severity.ts';
import type { WarningFacts } from './warningFacts.ts';
import { warningRules } from './warningRules.ts';

/** The warnings of a review, in the order of the rules. */
export function warningsOf(facts: WarningFacts): Warning[] {
  return warningRules.flatMap(({ id, password, find }): Warning[] => {
    const [severity, key = '', values] = find(facts) ?? [];
    if (severity === undefined) return [];
    const asks = isAtLeast(severity, password) ? { password: true as const } : {};
    return [{ rule: id, severity, ...asks, text: { key, ...(values && { values }) } }];
  });
}

/** Whether a review may only be approved with the password. */
export const asksPassword = ({ warnings }: Pick<Review, 'warnings'>): boolean =>
  warnings.some(({ password }) => password === true);
