import type { NetworkView } from '../../messaging/views.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';

/** The wallet does not hold the account's key yet, so nothing can be read with it. */
export class KeyAbsent extends Error {
  override readonly name = 'KeyAbsent';
}

/**
 * The relayer's API key of an account, lent to a call or a connection.
 * @throws {KeyAbsent} {VaultError} `locked`
 */
export interface ApiKeys {
  apiKeyFor(account: StoredAccount, network: NetworkView, refused?: string): Promise<string>;
  withApiKey<T>(account: StoredAccount, network: NetworkView, call: (apiKey: string) => Promise<T>): Promise<T>;
}
