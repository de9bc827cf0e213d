import type { BalanceView } from '../../messaging/views.ts';

/** Whether a number in digits is above zero. */
export const isSome = (volume: string): boolean => /[1-9]/.test(volume);

/** Gives the amount that can be moved now: everything that no open order holds. */
export const free = ({ total, locked }: Pick<BalanceView, 'total' | 'locked'>): bigint => {
  const left = BigInt(total) - BigInt(locked);
  return left < 0n ? 0n : left;
};

/** The same of one token; zero where there is no balance of it. */
export function freeOf(balances: readonly BalanceView[] | null | undefined, tokenId: number): bigint {
  const balance = balances?.find(({ token }) => token.tokenId === tokenId);
  return balance === undefined ? 0n : free(balance);
}
