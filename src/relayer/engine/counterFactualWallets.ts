import { hexToBytes } from 'viem';
import { type CounterFactualWallet, counterFactualWalletAddress } from '../../protocol/counterFactualWallet.ts';
import type { Sql } from '../db/port.ts';
import { openAccount } from './accounts.ts';
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

/**
 * Keeps what a counterfactual wallet's address derives from with its account, which is opened when
 * missing. The caller has checked the address.
 */
export async function registerWallet(
  relayer: Relayer,
  tx: Sql,
  address: string,
  { walletFactory, walletOwner, walletSalt }: CounterFactualWallet,
): Promise<{ repeated: boolean; accountId: number }> {
  const { accountId } = await openAccount(tx, address, relayer.clock.now());
  const changed = await tx.query(
    `UPDATE accounts SET wallet_factory = $2, wallet_owner = $3, wallet_salt = $4 WHERE account_id = $1
       AND (wallet_factory, wallet_owner, wallet_salt) IS DISTINCT FROM ($2, $3, $4) RETURNING account_id`,
    [accountId, walletFactory.toLowerCase(), walletOwner.toLowerCase(), BigInt(walletSalt).toString()],
  );
  return { repeated: changed.length === 0, accountId };
}
