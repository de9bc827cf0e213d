import { blockSubmitted } from './actions/blockSubmitted.ts';
import { depositConfirmed } from './actions/depositConfirmed.ts';
import { haltMarket } from './actions/haltMarket.ts';
import { nftDepositConfirmed } from './actions/nftDepositConfirmed.ts';
import { registerWallet } from './actions/registerWallet.ts';
import { resumeAccount } from './actions/resumeAccount.ts';
import { resumeMarket } from './actions/resumeMarket.ts';
import { suspendAccount } from './actions/suspendAccount.ts';
import { withdrawalFailed } from './actions/withdrawalFailed.ts';
import { withdrawalPaid } from './actions/withdrawalPaid.ts';
import { blocks } from './lists/blocks.ts';
import { haltedMarkets } from './lists/haltedMarkets.ts';
import { log } from './lists/log.ts';
import { suspendedAccounts } from './lists/suspendedAccounts.ts';
import { withdrawals } from './lists/withdrawals.ts';
import type { AnyOperatorAction } from './operatorAction.ts';
import type { OperatorList } from './operatorList.ts';

/** Reports and actions of the operator. */
export const operatorActions: Readonly<Record<string, AnyOperatorAction>> = {
  depositConfirmed,
  nftDepositConfirmed,
  withdrawalPaid,
  withdrawalFailed,
  blockSubmitted,
  registerWallet,
  haltMarket,
  resumeMarket,
  suspendAccount,
  resumeAccount,
};

/** Lists that the operator can read. */
export const operatorLists: Readonly<Record<string, OperatorList>> = {
  withdrawals,
  blocks,
  haltedMarkets,
  suspendedAccounts,
  log,
};
