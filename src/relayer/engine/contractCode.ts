import type { Hex } from 'viem';
import { isContractCode } from '../../protocol/contractCode.ts';
import type { Relayer } from './relayer.ts';
import { rememberedReads } from './rememberedReads.ts';

/** The code of a contract does not change; that there is none may change with every block. */
const CODE_LASTS_MS = 600_000;
const NO_CODE_LASTS_MS = 1_000;

/**
 * Code of contracts as callers may read it. Approvals of owners never use it: they read the chain.
 */
export const contractCode = ({ l1, clock }: Pick<Relayer, 'l1' | 'clock'>): ((address: Hex) => Promise<Hex>) =>
  rememberedReads(
    clock,
    (address) => l1.getCode(address),
    (code) => (isContractCode(code) ? CODE_LASTS_MS : NO_CODE_LASTS_MS),
  );
