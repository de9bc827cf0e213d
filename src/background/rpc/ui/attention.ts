import type { AttentionItem } from '../../../messaging/views.ts';
import { reject } from '../../approvals/decideApproval.ts';
import { attention, checkKeys, checkTokens, dismiss } from '../../attention/attention.ts';
import { UiFailure } from '../../errors/uiFailure.ts';
import { finishRotations } from '../../keyUpdate/rotation.ts';
import { nextStorageId } from '../../relayers/storageIds.ts';
import { approvalIdOf } from '../../submissions/events.ts';
import type { Wallet } from '../../wallet.ts';
import { activityItem } from './activityItem.ts';
import type { UiHandlers } from './uiHandler.ts';

async function items(wallet: Wallet): Promise<AttentionItem[]> {
  const { accounts } = await wallet.config.read();
  const found = await attention(wallet);
  const sentences = await wallet.approvals.sentences(
    found.flatMap(({ record }) => (record ? approvalIdOf(record) : [])),
  );
  return found.map(({ record, ...item }) => {
    const submission = record ? activityItem(record, sentences.get(approvalIdOf(record)), accounts) : null;
    return { ...item, submission };
  });
}

/** Moves the cursor of a refused submission up to the relayer's, so that the next request gets an id that is free. */
async function resync(
  wallet: Pick<Wallet, 'accountKeys' | 'config' | 'journal' | 'relayers'>,
  id: string,
): Promise<void> {
  const { journal, config } = wallet;
  const record = await journal.get(id);
  const { account, network } = await config.place(`${record?.networkId}:${record?.accountId}`);
  if (!record?.slot || !account || !network) throw new UiFailure('not-found', 'error_notFound');
  const { tokenId, parity } = record.slot;
  const next = await nextStorageId(wallet, { tokenId, parity }, account, network);
  await journal.resyncCursor({ networkId: network.id, accountId: account.accountId, tokenId, parity }, next);
}

export const attentionHandlers: UiHandlers<'getAttention' | 'repair'> = {
  async getAttention(wallet, { refresh }) {
    if (refresh) {
      await checkKeys(wallet);
      await checkTokens(wallet);
      if (await wallet.vault.isUnlocked()) await finishRotations(wallet);
    }
    return items(wallet);
  },

  async repair(wallet, { id, action }) {
    const item = (await attention(wallet)).find((candidate) => candidate.id === id);
    if (!item?.actions.some((offered) => offered === action)) throw new UiFailure('not-found', 'error_notFound');
    const { record } = item;
    if (action === 'dismiss') await dismiss(wallet, id);
    else if (action === 'close') await wallet.journal.resume();
    else if (action === 'take-back') await reject(wallet, id.slice('approved:'.length), false);
    else if (action === 'check' && !record) {
      await checkKeys(wallet);
      if (await wallet.vault.isUnlocked()) await finishRotations(wallet);
    } else if (record) {
      if (action === 'check') await wallet.submissions.check(record.id);
      if (action === 'abandon') await wallet.submissions.abandon(record.id);
      if (action === 'resync') {
        await resync(wallet, record.id);
        await dismiss(wallet, id);
      }
    }
    wallet.ports.toUi();
    return items(wallet);
  },
};
