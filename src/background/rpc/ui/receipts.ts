import { parseJson } from '../../../protocol/parseJson.ts';
import { verifyReceipt } from '../../../receipts/verifyReceipt.ts';
import { inclusionOf } from '../../submissions/inclusionOf.ts';
import { receiptOf } from '../../submissions/receiptOf.ts';
import { found } from './named.ts';
import type { UiHandlers } from './uiHandler.ts';

export const receiptHandlers = {
  async exportReceipt(wallet, { id }) {
    const record = found(await wallet.journal.get(id));
    const receipt = await receiptOf(wallet, record, 'user', (owner) => inclusionOf(wallet, record, owner));
    const day = new Date(record.history[0]?.at ?? 0).toISOString().slice(0, 10);
    const fileName = `countersign-${record.operation}-${day}-${record.id.slice(0, 8)}.json`;
    return { fileName, text: `${JSON.stringify(receipt, null, 2)}\n` };
  },

  verifyReceipt: (_wallet, { text }) => verifyReceipt(parseJson(text)),
} satisfies UiHandlers<'accountKeys' | 'config' | 'journal' | 'ports' | 'publishedBlocks' | 'relayers'>;
