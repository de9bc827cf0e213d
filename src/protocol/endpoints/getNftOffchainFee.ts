import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { address, amountText, queryAccountId, queryBoolean, queryInteger } from '../fields.ts';
import { z } from '../zod.ts';
import { feeRequestTypes, offchainFeeAnswer } from './getOffchainFee.ts';

const nftRequestTypes: ReadonlySet<number> = new Set([
  feeRequestTypes.NFT_MINT,
  feeRequestTypes.NFT_WITHDRAWAL,
  feeRequestTypes.NFT_TRANSFER,
  feeRequestTypes.NFT_DEPLOY,
  feeRequestTypes.NFT_TRANSFER_AND_ACTIVATE,
  feeRequestTypes.EXTRA,
]);

/** Fees of NFT requests, one per fee token. */
export const getNftOffchainFee = readEndpoint({
  path: '/api/v3/user/nft/offchainFee',
  summary: doc?.('Fees of NFT requests'),
  apiKey: 'optional',
  errorCodes: doc?.(['GAS_PRICE_UNAVAILABLE', 'FEE_TOKEN_NOT_ACCEPTED']),
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      requestType: described(
        queryInteger(25).check(z.refine((type) => nftRequestTypes.has(type), 'is not 9, 10, 11, 13, 19 or 24')),
        doc?.({
          description: '9 mint, 10 withdrawal, 11 transfer, 13 deployment, 19 transfer with activation, 24 extra',
          wire: { type: 'integer', enum: [...nftRequestTypes] },
        }),
      ),
      tokenAddress: described(z.optional(address()), doc?.('NFT contract; types 9, 10, 13')),
      deployInWithdraw: described(
        z.optional(queryBoolean()),
        doc?.('With 10: refused while the contract is not deployed, because no withdrawal deploys it'),
      ),
      amount: described(z.optional(amountText()), doc?.('NFT count')),
      extraType: described(z.optional(queryInteger(255)), doc?.('Kind of extra request; type 24')),
    }),
  answer: () => offchainFeeAnswer(),
});
