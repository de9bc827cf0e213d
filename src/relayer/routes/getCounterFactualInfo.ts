import { getAddress } from 'viem';
import { findNamedAccount } from '../engine/accounts.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getCounterFactualInfo: Route<'getCounterFactualInfo'> = {
  handle: async ({ relayer, query }) => {
    const account = await findNamedAccount(relayer.db, query.address, query.accountId);
    if (!account) throw new Refusal('ACCOUNT_NOT_FOUND', 'account not found');
    if (!account.wallet)
      throw new Refusal('ADDRESS_NOT_FOUND', 'the owner of this account is no counterfactual wallet');
    return {
      accountId: account.accountId,
      wallet: getAddress(account.owner),
      walletFactory: getAddress(account.wallet.factory),
      walletSalt: account.wallet.salt,
      walletOwner: getAddress(account.wallet.owner),
    };
  },
};
