import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { addressBytes, create2Address } from './create2.ts';
import type { Hex } from './fields.ts';
import { PayloadError } from './payloads/payloadError.ts';

/** Inputs of a counterfactual wallet's address, besides the factory's proxy code. */
export interface CounterFactualWallet {
  readonly walletFactory: string;
  readonly walletOwner: string;
  /** uint256 as decimal text. */
  readonly walletSalt: string;
}

/**
 * Address of a smart wallet before it exists on L1: CREATE2 by the factory with salt
 * Keccak-256("WALLET_CREATION", owner, uint256 salt). `walletOwner` comes from the relayer and
 * signs for the account, so it is trusted only when this address is the account's.
 * @param proxyCreationCode - creation code that the factory deploys; configured with the factory.
 * @throws {PayloadError} A field is malformed.
 */
export function counterFactualWalletAddress(wallet: CounterFactualWallet, proxyCreationCode: Uint8Array): Hex {
  if (!/^[0-9]{1,78}$/.test(wallet.walletSalt) || BigInt(wallet.walletSalt) >= 1n << 256n)
    throw new PayloadError('format', 'walletSalt', 'is not a uint256 as decimal text');
  const salt = keccak_256(
    concatBytes(
      new TextEncoder().encode('WALLET_CREATION'),
      addressBytes(wallet.walletOwner, 'walletOwner'),
      hexToBytes(BigInt(wallet.walletSalt).toString(16).padStart(64, '0')),
    ),
  );
  return create2Address(wallet.walletFactory, salt, proxyCreationCode);
}
