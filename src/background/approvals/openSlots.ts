import type { NetworkView } from '../../messaging/views.ts';
import { storageParity, storageSlot } from '../../protocol/index.ts';
import type { StoredAccount } from '../settings/config.ts';
import type { Wallet } from '../wallet.ts';

/** Orders of one answer; the most that the interface gives. */
const PAGE = 50;
const OPEN = 'processing,waiting,cancelling';

/**
 * Slots of the account's open orders that sell a token, whoever signed them: another browser, or this one before its data were
 * lost. A storage id in one of them would cancel the order there.
 */
export async function openSlots(
  { relayers, accountKeys }: Pick<Wallet, 'relayers' | 'accountKeys'>,
  tokenId: number,
  account: StoredAccount,
  network: NetworkView,
): Promise<readonly number[]> {
  const slots = new Set<number>();
  for (let offset = 0; ; offset += PAGE) {
    const query = { accountId: account.accountId, status: OPEN, limit: PAGE, offset };
    const { orders, totalNum } = await accountKeys.withApiKey(account, network, (apiKey) =>
      relayers.client(network).getOrders({ query, apiKey }),
    );
    for (const { storageInfo } of orders)
      if (storageInfo?.tokenId === tokenId && storageParity(storageInfo.storageId) === 'order')
        slots.add(storageSlot(storageInfo.storageId));
    if (orders.length < PAGE || offset + PAGE >= totalNum) return [...slots];
  }
}
