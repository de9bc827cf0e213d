import type { NetworkView } from '../../messaging/views.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';

/** The wallet does not hold the account's key yet, so nothing can be read with it. */
export class KeyAbsent extends Error {
  override readonly name = 'KeyAbsent';
}

/** Lends the relayer's API key of an account to a call. @throws {KeyAbsent} {VaultError} `locked` */
export interface ApiKeys {
  withApiKey<T>(account: StoredAccount, network: NetworkView, call: (apiKey: string) => Promise<T>): Promise<T>;
}
