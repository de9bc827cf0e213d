import type { NetworkView } from '../../../messaging/views.ts';
import { UiFailure } from '../../errors/uiFailure.ts';
import type { AccountOnNetwork, Config } from '../../settings/config.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';

/** @throws {UiFailure} `not-found` */
export async function networkNamed(
  { config }: { readonly config: Pick<Config, 'network'> },
  id: string,
): Promise<NetworkView> {
  const network = await config.network(id);
  if (!network) throw new UiFailure('not-found', 'error_notFound');
  return network;
}

/** @throws {UiFailure} `not-found` */
export async function accountNamed(
  { config }: { readonly config: Pick<Config, 'account'> },
  id: string,
): Promise<StoredAccount> {
  const account = await config.account(id);
  if (!account) throw new UiFailure('not-found', 'error_notFound');
  return account;
}

/** @throws {UiFailure} `not-found` */
export async function placeNamed(
  { config }: { readonly config: Pick<Config, 'place'> },
  id: string,
): Promise<AccountOnNetwork> {
  const { account, network } = await config.place(id);
  if (!account || !network) throw new UiFailure('not-found', 'error_notFound');
  return { account, network };
}
