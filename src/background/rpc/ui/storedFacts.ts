import type { BalanceView } from '../../../messaging/views.ts';
import type { Ports } from '../../ports.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';

/** Facts of an account as they were last read, for a screen that is drawn before any relayer answers. */
export interface Kept<T> {
  /** Unix milliseconds. */
  readonly at: number;
  readonly data: T;
}

export interface StoredBalances {
  readonly at: number;
  readonly balances: readonly BalanceView[];
}

export const keyOf = (name: string, { id }: StoredAccount) => `${name}:${id}`;

/** Reads the last stored answer about an account under a name. */
export const storedOf = async <T>(
  { local }: Pick<Ports, 'local'>,
  account: StoredAccount,
  name: string,
): Promise<Kept<T> | undefined> => (await local.get(keyOf(name, account))) as Kept<T> | undefined;

/** The balances as they were last read. */
export const storedBalances = async (
  { local }: Pick<Ports, 'local'>,
  account: StoredAccount,
): Promise<StoredBalances | undefined> => (await local.get(keyOf('balances', account))) as StoredBalances | undefined;
