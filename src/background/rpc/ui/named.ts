import type { NetworkView } from '../../../messaging/views.ts';
import { UiFailure } from '../../errors/uiFailure.ts';
import type { AccountOnNetwork, Config } from '../../settings/config.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';

interface Places<Name extends keyof Config> {
  readonly config: Pick<Config, Name>;
}

/** @throws {UiFailure} `not-found` */
export function found<T>(one: T | undefined): T {
  if (one === undefined) throw new UiFailure('not-found', 'error_notFound');
  return one;
}

/** @throws {UiFailure} `not-found` */
export const networkNamed = async ({ config }: Places<'network'>, id: string): Promise<NetworkView> =>
  found(await config.network(id));

/** @throws {UiFailure} `not-found` */
export const accountNamed = async ({ config }: Places<'account'>, id: string): Promise<StoredAccount> =>
  found(await config.account(id));

/** @throws {UiFailure} `not-found` */
export async function placeNamed({ config }: Places<'place'>, id: string): Promise<AccountOnNetwork> {
  const { account, network } = await config.place(id);
  return { account: found(account), network: found(network) };
}
