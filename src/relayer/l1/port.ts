import type { Hex } from 'viem';

/** What the relayer needs from the L1 chain. */
export interface L1Chain {
  /** Deployed code, `0x` for none. */
  getCode(address: Hex): Promise<Hex>;
  /** True when `owner` called `approveTransaction(owner, digest)` on the exchange and the approval was not consumed. */
  isHashApproved(owner: Hex, digest: Hex): Promise<boolean>;
  /** EIP-1271: asks the wallet contract about a signature over a digest. False when there is no contract. */
  isValidSignature(wallet: Hex, digest: Hex, signature: Hex): Promise<boolean>;
  /** wei */
  getGasPrice(): Promise<bigint>;
  /** Deploys the NFT contract of an owner through its factory; the transaction's hash. Code appears later. */
  deployNftContract(contract: NftContractToDeploy): Promise<Hex>;
  /** Pays a withdrawal out to its recipient; the transaction's hash, or `undefined` when this chain cannot. */
  payOut(withdrawal: ArrivingWithdrawal): Promise<Hex | undefined>;
}

export interface NftContractToDeploy {
  readonly address: Hex;
  readonly factory: Hex;
  readonly owner: Hex;
  readonly baseUri: string;
}

export interface ArrivingWithdrawal {
  /** Hash of the withdrawal request, unique. */
  readonly hash: Hex;
  readonly recipient: Hex;
  readonly tokenId: number;
  readonly amount: bigint;
}
