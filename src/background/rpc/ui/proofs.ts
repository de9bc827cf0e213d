import { accountNamed } from './named.ts';
import { storedBalances } from './readBalances.ts';
import type { UiHandlers } from './uiHandler.ts';

export const proofHandlers: UiHandlers<'getBalanceProofs', 'balanceProofs' | 'config' | 'ports'> = {
  async getBalanceProofs(wallet, { account: id }) {
    const account = await accountNamed(wallet, id);
    const stored = await storedBalances(wallet, account);
    return wallet.balanceProofs.view(account, stored?.balances ?? []);
  },
};
