import { concat, type Hex, keccak256, toHex } from 'viem';
import { z } from 'zod';
import { described } from '../../protocol/described.ts';
import { hash32 } from '../../protocol/fields.ts';
import { MAX_UINT32 } from '../../protocol/limits.ts';

/**
 * Where an event stands on layer 1. All three name it: one transaction may hold several deposits,
 * and the same transaction stands in another block after a reorganisation.
 */
export const layer1Event = {
  blockHash: described(hash32(), 'hash of the L1 block'),
  txHash: described(hash32(), 'hash of the L1 transaction'),
  logIndex: z.int().min(0).max(MAX_UINT32).describe('index of the log in its block'),
};

export interface Layer1Event {
  readonly blockHash: Hex;
  readonly txHash: Hex;
  readonly logIndex: number;
}

/** One number for one event. */
export function eventHash({ blockHash, txHash, logIndex }: Layer1Event): Hex {
  return keccak256(concat([blockHash, txHash, toHex(logIndex, { size: 4 })]));
}

export const describeEvent = ({ blockHash, txHash, logIndex }: Layer1Event) =>
  `log ${logIndex} of transaction ${txHash} in block ${blockHash}`;
