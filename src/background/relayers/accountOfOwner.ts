import type { ClientRequest, RelayerClient } from '../../client/index.ts';
import { isSameAddress } from '../../ethereum/address.ts';
import type { NetworkView } from '../../messaging/views.ts';
import type { EndpointAnswer } from '../../protocol/index.ts';
import { UiFailure } from '../errors/uiFailure.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import { type Relayers, refusedWith } from './relayers.ts';

export const unreadableAnswer = ({ baseUrl }: NetworkView): UiFailure =>
  new UiFailure('relayer-unreadable', 'error_relayerAnswerUnreadable', { host: new URL(baseUrl).host });

type Account = EndpointAnswer<'getAccount'>;

/** `null` where the relayer has no such account. */
const orNone = (reading: Promise<Account | null>): Promise<Account | null> =>
  reading.catch((error: unknown) => {
    if (refusedWith(error, 'ADDRESS_NOT_FOUND', 'ACCOUNT_NOT_FOUND')) return null;
    throw error;
  });

/** Reads the relayer's account of an owner; `null` when it has none. */
export async function relayerAccount(
  { relayers }: { readonly relayers: Pick<Relayers, 'checkExchange' | 'client'> },
  network: NetworkView,
  owner: string,
): Promise<Account | null> {
  await relayers.checkExchange(network);
  const account = await orNone(relayers.client(network).getAccount({ query: { owner } }));
  if (account && !isSameAddress(account.owner, owner)) throw unreadableAnswer(network);
  return account;
}

/** Reads the relayer's account of a number; `null` when it has none, or one of another owner. */
export async function ownAccount(
  client: Pick<RelayerClient, 'getAccount'>,
  { accountId, owner }: Pick<StoredAccount, 'accountId' | 'owner'>,
  purpose: Omit<ClientRequest<'getAccount'>, 'query'>,
): Promise<Account | null> {
  const found = await orNone(client.getAccount({ query: { accountId }, ...purpose }));
  return found && isSameAddress(found.owner, owner) ? found : null;
}
