import type { BalanceView } from '../../messaging/views.ts';

/** Gives the amount that can be moved now: everything that no open order holds. */
export const free = ({ total, locked }: Pick<BalanceView, 'total' | 'locked'>): bigint => {
  const left = BigInt(total) - BigInt(locked);
  return left < 0n ? 0n : left;
};
