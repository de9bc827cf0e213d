import { hexToBytes } from 'viem';
import { z } from 'zod';
import { counterFactualWalletAddress } from '../../protocol/counterFactualWallet.ts';
import { address, decimalText } from '../../protocol/fields.ts';
import { openAccount } from '../engine/accounts.ts';
import { devRoute } from './devRoute.ts';

/**
 * Opens the account of a counterfactual smart wallet, as an operator does when it registers one.
 */
export const wallet = devRoute({
  body: z.strictObject({ walletOwner: address(), walletSalt: decimalText() }),
  handle: async (relayer, _engine, { walletOwner, walletSalt }) => {
    const { walletFactory, walletProxyCode } = relayer.config;
    const owner = counterFactualWalletAddress({ walletFactory, walletOwner, walletSalt }, hexToBytes(walletProxyCode));
    const { accountId } = await openAccount(relayer.db, owner, relayer.clock.now());
    await relayer.db.query(
      'UPDATE accounts SET wallet_factory = $2, wallet_owner = $3, wallet_salt = $4 WHERE account_id = $1',
      [accountId, walletFactory.toLowerCase(), walletOwner.toLowerCase(), walletSalt],
    );
    return { accountId, wallet: owner, walletFactory, walletOwner, walletSalt };
  },
});
