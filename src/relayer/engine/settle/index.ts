import type { Sql } from '../../db/port.ts';
import type { BlockTransaction } from '../blocks.ts';
import type { Relayer } from '../relayer.ts';
import type { RequestKind, RequestRow } from '../requestRow.ts';
import { settleAccountUpdate } from './settleAccountUpdate.ts';
import { settleAmmExit } from './settleAmmExit.ts';
import { settleAmmJoin } from './settleAmmJoin.ts';
import { settleDeposit } from './settleDeposit.ts';
import { settleNftMint } from './settleNftMint.ts';
import { settleNftTransfer } from './settleNftTransfer.ts';
import { settleTransfer } from './settleTransfer.ts';
import { settleWithdrawal } from './settleWithdrawal.ts';

/**
 * Carries a received request out: moves balances, spends its freeze, and says what goes into the block. Runs in the
 * engine's transaction with the request's account locked.
 * @throws {SettlementFailure} the request fails for good; its freeze is released.
 */
export type Settlement = (relayer: Relayer, tx: Sql, request: RequestRow) => Promise<readonly BlockTransaction[]>;

/** The rule of each kind that waits for the engine. NFT orders are only validated. */
export const settlements: Partial<Record<RequestKind, Settlement>> = {
  accountUpdate: settleAccountUpdate,
  transfer: settleTransfer,
  nftDeploy: settleTransfer,
  withdrawal: settleWithdrawal,
  nftWithdrawal: settleWithdrawal,
  deposit: settleDeposit,
  nftDeposit: settleDeposit,
  ammJoin: settleAmmJoin,
  ammExit: settleAmmExit,
  nftMint: settleNftMint,
  nftTransfer: settleNftTransfer,
};
