import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { addressBytes, cloneCreationCode, create2Address } from './create2.ts';
import type { Hex } from './fields.ts';

/** Where a counterfactual NFT contract comes from. */
export interface NftContractOrigin {
  readonly nftFactory: string;
  /** Implementation behind the factory's proxies; it belongs to the factory, not to the chain. */
  readonly implementation: string;
  readonly nftOwner: string;
  /** Currently always empty. */
  readonly nftBaseUri?: string | undefined;
}

/** Factories with a published implementation; the first one of a chain is the official factory. */
export const nftFactories: readonly {
  readonly chainId: number;
  readonly nftFactory: Hex;
  readonly implementation: Hex;
}[] = [
  {
    chainId: 1,
    nftFactory: '0xc852aC7aAe4b0f0a0Deb9e8A391ebA2047d80026',
    implementation: '0xb25f6d711aebf954fb0265a3b29f7b9beba7e55d',
  },
  {
    chainId: 5,
    nftFactory: '0x355E9941C5e301033ecfD37184E78443c5241035',
    implementation: '0x5854e62554ce1c146a375c370bc0d323368b372d',
  },
  {
    chainId: 11155111,
    nftFactory: '0x8cC68c28c7E3d8Eeb1D74434164a1e91aCdA088D',
    implementation: '0xf5c315fe77e81f49e3390b167b78a72bfffcf01c',
  },
];

/**
 * Address of an NFT contract before it exists on L1: CREATE2 by the factory with salt
 * Keccak-256("NFT_CONTRACT_CREATION", owner, base URI) and a minimal proxy as code. Compare with
 * the relayer's computeTokenAddress before the first mint: under a wrong address an NFT can never
 * leave L2.
 * @throws {PayloadError} An address is malformed.
 */
export function computeNftAddress({ nftFactory, implementation, nftOwner, nftBaseUri = '' }: NftContractOrigin): Hex {
  const text = new TextEncoder();
  const salt = keccak_256(
    concatBytes(text.encode('NFT_CONTRACT_CREATION'), addressBytes(nftOwner, 'nftOwner'), text.encode(nftBaseUri)),
  );
  return create2Address(nftFactory, salt, cloneCreationCode(implementation));
}
