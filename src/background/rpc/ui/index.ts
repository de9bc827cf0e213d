import type { Wallet } from '../../wallet.ts';
import { accountHandlers } from './accounts.ts';
import { approvalHandlers } from './approvals.ts';
import { attentionHandlers } from './attention.ts';
import { backupHandlers } from './backup.ts';
import { contactHandlers } from './contacts.ts';
import { diagnosticHandlers } from './diagnostics.ts';
import { historyHandlers } from './history.ts';
import { holdingHandlers } from './holdings.ts';
import { homeHandlers } from './home.ts';
import { keyUpdateHandlers } from './keyUpdate.ts';
import { marketHandlers } from './market.ts';
import { nftHandlers } from './nfts.ts';
import { onboardingHandlers } from './onboarding.ts';
import { operationHandlers } from './operations.ts';
import { orderHandlers } from './orders.ts';
import { priceHandlers } from './prices.ts';
import { proofHandlers } from './proofs.ts';
import { receiptHandlers } from './receipts.ts';
import { recoveryHandlers } from './recovery.ts';
import { signerHandlers } from './signers.ts';
import { siteHandlers } from './sites.ts';
import { standingHandlers } from './standing.ts';
import type { UiHandlers } from './uiHandler.ts';
import { vaultHandlers } from './vault.ts';

export const uiHandlers: Required<UiHandlers<keyof Wallet>> = {
  ...vaultHandlers,
  ...onboardingHandlers,
  ...accountHandlers,
  ...backupHandlers,
  ...signerHandlers,
  ...approvalHandlers,
  ...attentionHandlers,
  ...homeHandlers,
  ...operationHandlers,
  ...holdingHandlers,
  ...orderHandlers,
  ...historyHandlers,
  ...keyUpdateHandlers,
  ...diagnosticHandlers,
  ...siteHandlers,
  ...standingHandlers,
  ...marketHandlers,
  ...contactHandlers,
  ...nftHandlers,
  ...priceHandlers,
  ...proofHandlers,
  ...receiptHandlers,
  ...recoveryHandlers,
};
