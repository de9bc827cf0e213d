import type { Text } from '../../operations/review.ts';
import { findValue, valueText } from './format.ts';

/**
 * Name and number of a refusal in the words of the exchange; `null` of a text that is no refusal.
 */
export function refusalCode(problem: Text | null): string | null {
  if (problem === null) return null;
  const [name, code] = ['name', 'code'].map((part) => findValue(problem, part));
  return name === undefined || code === undefined ? null : `${valueText(name)} · ${valueText(code)}`;
}
