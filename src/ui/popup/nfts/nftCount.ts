import { t } from '../../i18n.ts';
import { parseAmount } from '../../shared/parseAmount.ts';

interface NftCount {
  /** Decimal text; `null` while the text is no number that can be asked for. */
  readonly amount: string | null;
  readonly problem: string | null;
}

/**
 * Reads how many NFTs were typed, and says what is wrong with the number.
 * @param needed - An empty field is wrong.
 * @param available - How many there are, where that bounds it.
 */
export function nftCount(text: string, needed: boolean, available?: bigint): NftCount {
  const parsed = parseAmount(text, 0);
  const wrong = (problem: string | null): NftCount => ({ amount: null, problem });
  if ('problem' in parsed) return wrong(parsed.problem !== 'empty' ? t('nftWhole') : needed ? t('amountEmpty') : null);
  if (parsed.volume === '0') return wrong(t('amountZero'));
  if (available !== undefined && BigInt(parsed.volume) > available) return wrong(t('nftTooMany'));
  return { amount: parsed.volume, problem: null };
}
