import type { NetworkView } from '../../messaging/views.ts';
import { everyRow, PAGE } from '../../operations/everyRow.ts';
import type { Slot } from '../../operations/operation.ts';
import { storageParity, storageSlot } from '../../protocol/index.ts';
import { openOrderStatuses } from '../../protocol/states.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import type { ApiKeys } from './apiKeys.ts';
import { offSchema, type Relayers } from './relayers.ts';

interface Rooms {
  readonly relayers: Pick<Relayers, 'client'>;
  readonly accountKeys: ApiKeys;
}

/**
 * Slots of the account's open orders that sell a token, whoever signed them: another browser, or
 * this one before its data were lost. A storage id in one of them would cancel the order there.
 */
export async function openSlots(
  { relayers, accountKeys }: Rooms,
  tokenId: number,
  account: StoredAccount,
  network: NetworkView,
): Promise<readonly number[]> {
  const slots = new Set<number>();
  const query = { accountId: account.accountId, status: openOrderStatuses.join(), limit: PAGE };
  const readPage = (offset: number) =>
    accountKeys.withApiKey(account, network, async (apiKey) => {
      const answer = await relayers.client(network).getOrders({ query: { ...query, offset }, apiKey });
      return { rows: answer.orders, totalNum: answer.totalNum };
    });
  for await (const { storageInfo } of everyRow(readPage, ({ hash }) => hash))
    if (storageInfo?.tokenId === tokenId && storageParity(storageInfo.storageId) === 'order')
      slots.add(storageSlot(storageInfo.storageId));
  return [...slots];
}

/**
 * The id that the relayer names as the next one of a counter.
 * @param maxNext - True: the one above which nothing was used. False: the lowest free one.
 * @throws {RelayerClientError} `off-schema` when it names none
 */
export async function nextStorageId(
  { relayers, accountKeys }: Rooms,
  slot: Pick<Slot, 'tokenId' | 'parity'>,
  account: StoredAccount,
  network: NetworkView,
  maxNext = true,
): Promise<number> {
  const query = { accountId: account.accountId, sellTokenId: slot.tokenId, maxNext };
  const next = await accountKeys.withApiKey(account, network, (apiKey) =>
    relayers.client(network).getStorageId({ query, apiKey }),
  );
  const field = slot.parity === 'order' ? 'orderId' : 'offchainId';
  const id = next[field];
  if (id === undefined) throw offSchema('getStorageId', field, 'getStorageId answered without the next storage id');
  return id;
}
