import { hexToBytes } from 'viem';
import { z } from 'zod';
import { counterFactualWalletAddress } from '../../protocol/counterFactualWallet.ts';
import { address, decimalText } from '../../protocol/fields.ts';
import { registerWallet } from '../engine/counterFactualWallets.ts';
import { devRoute } from './devRoute.ts';

/**
 * Opens the account of a counterfactual smart wallet, as an operator does when it registers one.
 */
export const wallet = devRoute({
  body: z.strictObject({ walletOwner: address(), walletSalt: decimalText() }),
  handle: async (relayer, _engine, { walletOwner, walletSalt }) => {
    const { walletFactory, walletProxyCode } = relayer.config;
    const owner = counterFactualWalletAddress({ walletFactory, walletOwner, walletSalt }, hexToBytes(walletProxyCode));
    const wallet = { walletFactory, walletOwner, walletSalt };
    const { accountId } = await registerWallet(relayer, relayer.db, owner, wallet);
    return { accountId, wallet: owner, walletFactory, walletOwner, walletSalt };
  },
});
