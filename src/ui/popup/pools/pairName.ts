import type { PoolMove, PoolPosition } from '../../../messaging/views.ts';
import { symbolText } from '../../shared/format.ts';

/** The tokens of a pool, e.g. `LRC · ETH`. */
export const pairName = (parts: PoolPosition['parts'] | PoolMove['parts']): string =>
  parts.map(({ token }) => symbolText(token)).join(' · ');
