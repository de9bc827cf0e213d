import type { Hex } from 'viem';
import type { Sql } from '../db/port.ts';

/** The L1 node is one of another chain than the exchange's: nothing that it answers counts. */
export class WrongL1Chain extends Error {
  override readonly name = 'WrongL1Chain';
}

/** Calls of the relayer to the L1 chain. */
export interface L1Chain {
  /**
   * Compares the chain of the node with the exchange's, and the age of its newest block with what
   * is allowed, as every other call does before an answer counts.
   * @throws {WrongL1Chain} It is another one. Also whatever a node that cannot be asked throws, and
   *   an Error for one that has stopped.
   */
  expectChain(): Promise<void>;
  /** Deployed code, `0x` for none. */
  getCode(address: Hex): Promise<Hex>;
  /** The same, as far as it is so deep in the chain that it stays. */
  getFinalCode(address: Hex): Promise<Hex>;
  /**
   * True when `owner` called `approveTransaction(owner, digest)` on the exchange and the approval
   * was not consumed.
   */
  isHashApproved(owner: Hex, digest: Hex): Promise<boolean>;
  /**
   * EIP-1271: asks the wallet contract about a signature over a digest. False when there is no
   * contract.
   */
  isValidSignature(wallet: Hex, digest: Hex, signature: Hex): Promise<boolean>;
  /** wei */
  getGasPrice(): Promise<bigint>;
  /** Whether this relayer has a key that pays for deployments. */
  readonly canDeploy: boolean;
  /**
   * Gas that the deployment takes now, `undefined` when the factory would refuse it.
   * @throws The chain has no fees of EIP-1559, so that no deployment could be sent.
   */
  deploymentGas(contract: NftContractToDeploy): Promise<bigint | undefined>;
  /**
   * Signs the transaction that deploys an NFT contract through its factory. Nothing is sent.
   * @param leastNonce - the next nonce that this relayer has not used yet, as far as it knows.
   * @param mostWei - the most that it may cost; unbounded when absent.
   * @throws When the factory would refuse, the deployer cannot pay, or it would cost more.
   */
  signDeployment(
    contract: NftContractToDeploy,
    leastNonce: number,
    mostWei: bigint | undefined,
  ): Promise<SignedTransaction>;
  /** Sends signed bytes. Sending them again changes nothing. Code appears later. */
  broadcast(rawTransaction: Hex): Promise<void>;
  /**
   * Fate of a transaction that deploys `address`, `open` until it is so deep in the chain that it
   * stays. `superseded`: another one used its nonce, so it can never be carried out.
   */
  fateOf(transaction: {
    readonly address: Hex;
    readonly txHash: Hex;
    readonly nonce: number;
  }): Promise<'open' | 'done' | 'reverted' | 'superseded'>;
  /**
   * Pays a withdrawal out to its recipient, within a transaction of the relayer's database; the
   * hash of the transaction on L1. Absent where the exchange contract pays, when it executes the
   * block.
   */
  readonly payOut?: (tx: Sql, withdrawal: ArrivingWithdrawal) => Promise<Hex>;
  /** Ends the calls that are in progress; later ones fail at once. */
  close(): void;
}

interface NftContractToDeploy {
  readonly address: Hex;
  readonly factory: Hex;
  readonly owner: Hex;
  readonly baseUri: string;
}

export interface SignedTransaction {
  readonly rawTransaction: Hex;
  readonly txHash: Hex;
  readonly nonce: number;
}

interface ArrivingWithdrawal {
  /** Hash of the withdrawal request, unique. */
  readonly hash: Hex;
  readonly recipient: Hex;
  readonly tokenId: number;
  readonly amount: bigint;
  readonly minGas: number;
  readonly extraData: string;
}
