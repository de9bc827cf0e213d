import type { AccountView, WalletState } from '../../messaging/views.ts';

/** The account that the screens are about. Screens are drawn only when there is one. */
export function selectedAccount({ accounts, selectedAccount: id }: WalletState): AccountView {
  const account = accounts.find((candidate) => candidate.id === id);
  if (account === undefined) throw new Error('the wallet holds no account');
  return account;
}
