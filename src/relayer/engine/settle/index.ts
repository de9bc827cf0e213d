import type { RequestKind } from '../requestRow.ts';
import { settleAccountUpdate } from './settleAccountUpdate.ts';
import { settleAmmExit } from './settleAmmExit.ts';
import { settleAmmJoin } from './settleAmmJoin.ts';
import { settleDeposit } from './settleDeposit.ts';
import type { Settlement } from './settlement.ts';
import { settleNftDeployment } from './settleNftDeployment.ts';
import { settleNftMint } from './settleNftMint.ts';
import { settleTransfer } from './settleTransfer.ts';
import { settleWithdrawal } from './settleWithdrawal.ts';

/** The rule of each kind of request. NFT orders have none: `tradeNfts` carries them out. */
export const settlements: Record<RequestKind, Settlement> = {
  accountUpdate: settleAccountUpdate,
  transfer: settleTransfer,
  nftDeploy: settleNftDeployment,
  withdrawal: settleWithdrawal,
  nftWithdrawal: settleWithdrawal,
  deposit: settleDeposit,
  nftDeposit: settleDeposit,
  ammJoin: settleAmmJoin,
  ammExit: settleAmmExit,
  nftMint: settleNftMint,
  nftTransfer: settleTransfer,
};
