import type { Review, Text } from '../../operations/review.ts';
import { hasMessage, isolated, messageParts, t } from '../i18n.ts';
import { sentenceText } from '../shared/format.ts';

/**
 * Longest text of the button, in characters; beyond it the amount is left out, which stands above
 * anyway.
 */
const LONGEST_ACT = 20;

/**
 * A short name over a ticket, which has the amounts; without one the sentence itself is the
 * heading.
 */
export function titleOf(operation: string | null, review: Review): Text | null {
  const key = `operation_${operation}`;
  return review.rows.some(({ emphasis }) => emphasis !== undefined) && hasMessage(key) ? { key } : null;
}

/**
 * Gives the button's text, such as "Send 5 LRC": in the words and with the values of the sentence.
 */
export function actText(operation: string | null, review: Review | null, isDangerous: boolean): string {
  const key = `act_${operation}`;
  if (review === null || !hasMessage(key)) return t(isDangerous ? 'approvalApproveAnyway' : 'approvalApprove');
  const isOne = review.sentence.key === 'review_cancelOneOrder';
  const act = { key: isOne ? 'act_cancelOrder' : key, values: review.sentence.values ?? {} };
  const isLong = hasMessage(`${key}_short`) && sentenceText(act).length > LONGEST_ACT;
  const short = isLong ? t(`${key}_short`) : sentenceText(act, isolated);
  // Not a value: the button's own words, in which amounts are kept together already.
  const anyway = messageParts('approvalActAnyway').map((part) => (typeof part === 'string' ? part : short));
  return isDangerous ? anyway.join('') : short;
}
