import type { TokenFacts } from '../../operations/review.ts';
import { t } from '../i18n.ts';
import { symbolText } from './format.ts';
import { isSome } from './free.ts';
import type { ParsedAmount } from './parseAmount.ts';

/**
 * Says what is wrong with a typed amount or price that has to be above zero; `null` when nothing
 * is.
 * @param token - Its symbol and the decimals that were asked for.
 * @param needed - An empty field is wrong.
 */
export function amountProblem(
  parsed: ParsedAmount,
  token: Pick<TokenFacts, 'symbol' | 'decimals'>,
  needed: boolean,
): string | null {
  if ('volume' in parsed) return isSome(parsed.volume) ? null : t('amountZero');
  if (parsed.problem === 'empty') return needed ? t('amountEmpty') : null;
  return t(parsed.problem, { decimals: token.decimals, token: symbolText(token) });
}
