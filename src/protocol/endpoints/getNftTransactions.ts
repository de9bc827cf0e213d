import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { accountId, decimalText, milliseconds, nftData, queryOffset, wordList } from '../fields.ts';
import { nftHistoryQuery } from '../nftHistoryQuery.ts';
import { once } from '../once.ts';
import { onePage } from '../onePage.ts';
import { blockIdInfo, storageInfo } from '../resources.ts';
import { listedRequestStatus } from '../statuses.ts';
import { z } from '../zod.ts';

/** A row of the NFT histories. What its kind adds is kept. */
export const nftTransaction = once(() =>
  z.looseObject({
    id: described(z.union([z.string(), z.int()]), doc?.('Id of the row')),
    requestId: described(z.optional(z.int()), doc?.("The relayer's number of the request")),
    hash: described(z.string(), doc?.('Hash of the request')),
    txHash: described(z.optional(z.string()), doc?.('L1 transaction, empty for none')),
    accountId: accountId(),
    owner: described(z.string(), doc?.('Address of the account')),
    status: listedRequestStatus(),
    nftData: nftData(),
    amount: decimalText(),
    feeTokenSymbol: described(z.string(), doc?.('Symbol of the fee token')),
    feeAmount: decimalText(),
    createdAt: milliseconds(),
    updatedAt: milliseconds(),
    memo: described(z.optional(z.string()), doc?.('Public remark')),
    blockIdInfo: z.optional(blockIdInfo()),
    storageInfo: z.optional(storageInfo()),
  }),
);

/** NFT requests of an account, newest first. */
export const getNftTransactions = readEndpoint({
  path: '/api/v3/user/nft/transactions',
  summary: doc?.('NFT requests of an account'),
  requestsPerSecond: null,
  query: () =>
    z.extend(nftHistoryQuery(), {
      offset: z.optional(queryOffset()),
      types: described(z.optional(wordList()), doc?.('deposit, transfer, withdrawal, mint')),
    }),
  answer: () => onePage('transactions', nftTransaction()),
});
