import type { z } from 'zod';
import type { UiMethod, UiResults, uiMethods } from '../../../messaging/uiMethods.ts';
import type { NetworkView } from '../../../messaging/views.ts';
import { UiFailure } from '../../errors/uiFailure.ts';
import type { StoredAccount } from '../../settings/config.ts';
import type { Wallet } from '../../wallet.ts';

export type UiInput<M extends UiMethod> = z.output<(typeof uiMethods)[M]['params']>;

/** What the background does for each method of our own pages. */
export type UiHandlers<M extends UiMethod = UiMethod> = {
  readonly [Name in M]: (wallet: Wallet, params: UiInput<Name>) => Promise<UiResults[Name]>;
};

/** @throws {UiFailure} `not-found` */
export async function networkNamed({ config }: Wallet, id: string): Promise<NetworkView> {
  const network = await config.network(id);
  if (!network) throw new UiFailure('not-found', 'error_notFound');
  return network;
}

/** @throws {UiFailure} `not-found` */
export async function accountNamed({ config }: Wallet, id: string): Promise<StoredAccount> {
  const account = await config.account(id);
  if (!account) throw new UiFailure('not-found', 'error_notFound');
  return account;
}
