import { hexToBytes } from 'viem';
import { counterFactualWalletAddress } from '../../protocol/counterFactualWallet.ts';
import type { Relayer } from './relayer.ts';

/** Fields that name a counterfactual wallet in requests and answers. */
export interface WalletInfo {
  readonly walletFactory: string;
  readonly walletOwner: string;
  readonly walletSalt: string;
}

/**
 * True when `wallet` is the CREATE2 address of this factory, wallet owner and salt, and the factory is the one that this
 * relayer was set up for: with a foreign proxy code anybody could claim any address.
 */
export function isWalletOf(relayer: Relayer, info: WalletInfo, wallet: string): boolean {
  const { walletFactory, walletProxyCode } = relayer.config;
  if (info.walletFactory.toLowerCase() !== walletFactory.toLowerCase()) return false;
  return counterFactualWalletAddress(info, hexToBytes(walletProxyCode)).toLowerCase() === wallet.toLowerCase();
}
