import { hexToBytes } from 'viem';
import { type CounterFactualWallet, counterFactualWalletAddress } from '../../protocol/counterFactualWallet.ts';
import type { Relayer } from './relayer.ts';

/**
 * True when `wallet` is the CREATE2 address of this factory, wallet owner and salt, and the factory
 * is the one that this relayer was set up for: with a foreign proxy code anybody could claim any
 * address.
 */
export function isWalletOf(relayer: Relayer, info: CounterFactualWallet, wallet: string): boolean {
  const { walletFactory, walletProxyCode } = relayer.config;
  if (info.walletFactory.toLowerCase() !== walletFactory.toLowerCase()) return false;
  return counterFactualWalletAddress(info, hexToBytes(walletProxyCode)).toLowerCase() === wallet.toLowerCase();
}
