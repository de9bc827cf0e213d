import { slotTokens } from '../../journal/index.ts';
import type { AttentionAction } from '../../messaging/views.ts';
import { UiFailure } from '../errors/uiFailure.ts';
import { nextStorageId } from '../relayers/storageIds.ts';
import { accountIdOf } from '../settings/storedConfig.ts';
import type { AttentionFound, Wallet } from '../wallet.ts';
import { dismiss } from './dismissed.ts';

/**
 * Moves the cursor of a refused submission up to the relayer's, so that the next request gets an id
 * that is free.
 */
export async function resync(
  wallet: Pick<Wallet, 'accountKeys' | 'config' | 'journal' | 'relayers'>,
  id: string,
): Promise<void> {
  const { journal, config } = wallet;
  const record = await journal.get(id);
  const { account, network } = await config.place(record ? accountIdOf(record) : '');
  if (!record?.slot || !account || !network) throw new UiFailure('not-found', 'error_notFound');
  const { parity } = record.slot;
  for (const tokenId of slotTokens(record.slot)) {
    const next = await nextStorageId(wallet, { tokenId, parity }, account, network);
    await journal.resyncCursor({ networkId: network.id, accountId: account.accountId, tokenId, parity }, next);
  }
}

/** Does what the user chose of the actions that an item offers. @throws {UiFailure} `not-found` */
export async function repair(
  wallet: Pick<Wallet, 'attention' | 'journal' | 'ports' | 'reject' | 'submissions'>,
  { id, actions, record }: AttentionFound,
  action: AttentionAction,
): Promise<void> {
  if (!actions.some((offered) => offered === action)) throw new UiFailure('not-found', 'error_notFound');
  if (action === 'dismiss') await dismiss(wallet, id);
  else if (action === 'close') await wallet.journal.resume();
  else if (action === 'take-back') await wallet.reject(id.slice('approved:'.length), false);
  else if (action === 'check' && !record) await wallet.attention.compare();
  else if (record) {
    if (action === 'check') await wallet.submissions.check(record.id);
    if (action === 'abandon') await wallet.submissions.abandon(record.id);
    if (action === 'resync') {
      await wallet.attention.resync(record.id);
      await dismiss(wallet, id);
    }
  }
  wallet.ports.toUi();
}
