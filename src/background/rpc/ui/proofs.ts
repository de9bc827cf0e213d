import { heldBy, readOf } from './heldBy.ts';
import { placeNamed } from './named.ts';
import type { UiHandlers } from './uiHandler.ts';

export const proofHandlers = {
  async getBalanceProofs(wallet, { account: id }) {
    const { account, network } = await placeNamed(wallet, id);
    const { balanceProofs, ports } = wallet;
    return balanceProofs.view(account, network, await heldBy(ports, account), await readOf(ports, account));
  },

  async exportBalanceProofs(wallet, { account: id }) {
    const { account, network } = await placeNamed(wallet, id);
    const day = new Date(wallet.ports.now()).toISOString().slice(0, 10);
    return {
      fileName: `countersign-proofs-${account.accountId}-${day}.jsonl`,
      text: await wallet.balanceProofs.lines(account, network),
    };
  },
} satisfies UiHandlers<'balanceProofs' | 'config' | 'ports'>;
