import { SYMBOL_LIMIT } from '../../../messaging/symbolLimit.ts';
import type { PoolMove, PoolPosition } from '../../../messaging/views.ts';
import { visibleText } from '../../shared/visibleText.ts';

/** The tokens of a pool, e.g. `LRC · ETH`. */
export const pairName = (parts: PoolPosition['parts'] | PoolMove['parts']): string =>
  parts.map(({ token }) => visibleText(token.symbol, SYMBOL_LIMIT)).join(' · ');
