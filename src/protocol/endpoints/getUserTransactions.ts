import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { hashList, historyQueryShape, queryAccountId, requestStatusList, wordList } from '../fields.ts';
import { once } from '../once.ts';
import { onePage } from '../onePage.ts';
import { blockIdInfo, storageInfo, transferData } from '../resources.ts';
import { z } from '../zod.ts';

/** A row of the general history: TransferData with what its kind adds. */
export const userTransaction = once(() =>
  z.extend(transferData(), {
    txHash: described(z.optional(z.string()), doc?.('L1 transaction, empty for none')),
    requestId: described(z.optional(z.int()), doc?.("The relayer's number of the request")),
    storageInfo: z.optional(storageInfo()),
    blockIdInfo: z.optional(blockIdInfo()),
    withdrawalInfo: described(
      z.optional(
        z.looseObject({
          recipient: described(z.optional(z.string()), doc?.('L1 receiver')),
          distributeHash: described(z.optional(z.string()), doc?.('L1 transaction that paid out')),
          fastStatus: described(z.optional(z.string()), doc?.('Status of a fast withdrawal')),
        }),
      ),
      doc?.('Payout of a withdrawal'),
    ),
  }),
);

/** Query of the general history, and of its deposits and withdrawals alone. */
export const userHistoryQuery = once(() =>
  z.strictObject({
    accountId: queryAccountId(),
    ...historyQueryShape(),
    tokenSymbol: described(z.optional(z.string().check(z.maxLength(64))), doc?.('All tokens when absent')),
    types: described(
      z.optional(wordList()),
      doc?.('deposit, transfer, offchain_withdrawal, onchain_withdrawal, change_password, …'),
    ),
    status: z.optional(requestStatusList()),
    hashes: z.optional(hashList()),
  }),
);

/**
 * Deposits, transfers, withdrawals and key updates of an account, newest first. Requests of pools
 * and NFTs have endpoints of their own.
 */
export const getUserTransactions = readEndpoint({
  path: '/api/v3/user/transactions',
  summary: doc?.('Deposits, transfers, withdrawals and key updates of an account'),
  requestsPerSecond: null,
  query: () => userHistoryQuery(),
  answer: () => onePage('transactions', userTransaction()),
});
