import type { AttentionItem } from '../../../messaging/views.ts';
import { approvalIdOf } from '../../submissions/outcome.ts';
import type { Wallet } from '../../wallet.ts';
import { activityItem } from './activityItem.ts';
import { found } from './named.ts';
import type { UiHandlers } from './uiHandler.ts';

async function items(wallet: Pick<Wallet, 'approvals' | 'attention' | 'config'>): Promise<AttentionItem[]> {
  const stored = await wallet.config.read();
  const found = await wallet.attention.list();
  const sentences = await wallet.approvals.sentences(
    found.flatMap(({ record }) => (record ? approvalIdOf(record) : [])),
  );
  return found.map(({ record, ...item }) => {
    const submission = record ? activityItem(record, sentences.get(approvalIdOf(record)), stored) : null;
    return { ...item, submission };
  });
}

export const attentionHandlers = {
  async getAttention(wallet, { refresh }) {
    if (refresh) await wallet.attention.compare();
    return items(wallet);
  },

  async repair(wallet, { id, action }) {
    const item = (await wallet.attention.list()).find((candidate) => candidate.id === id);
    await wallet.attention.repair(found(item), action);
    return items(wallet);
  },
} satisfies UiHandlers<'approvals' | 'attention' | 'config'>;
