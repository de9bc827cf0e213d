import { heldBy, readOf } from './heldBy.ts';
import { accountNamed, networkNamed } from './named.ts';
import type { UiHandlers } from './uiHandler.ts';

export const proofHandlers = {
  async getBalanceProofs(wallet, { account: id }) {
    const account = await accountNamed(wallet, id);
    const network = await networkNamed(wallet, account.networkId);
    const { balanceProofs, ports } = wallet;
    return balanceProofs.view(account, network, await heldBy(ports, account), await readOf(ports, account));
  },

  async exportBalanceProofs(wallet, { account: id }) {
    const account = await accountNamed(wallet, id);
    const day = new Date(wallet.ports.now()).toISOString().slice(0, 10);
    return {
      fileName: `countersign-proofs-${account.accountId}-${day}.jsonl`,
      text: await wallet.balanceProofs.lines(account, await networkNamed(wallet, account.networkId)),
    };
  },
} satisfies UiHandlers<'balanceProofs' | 'config' | 'ports'>;
