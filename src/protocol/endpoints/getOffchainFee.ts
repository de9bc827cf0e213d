import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { amountText, decimalText, queryAccountId, queryInteger } from '../fields.ts';
import { once } from '../once.ts';
import { z } from '../zod.ts';

/** Kinds of request that have a fee, by the number that fee queries use. */
export const feeRequestTypes = {
  ORDER: 0,
  WITHDRAWAL: 1,
  ACCOUNT_UPDATE: 2,
  TRANSFER: 3,
  FAST_WITHDRAWAL: 4,
  OPEN_ACCOUNT: 5,
  AMM_EXIT: 6,
  DEPOSIT: 7,
  AMM_JOIN: 8,
  NFT_MINT: 9,
  NFT_WITHDRAWAL: 10,
  NFT_TRANSFER: 11,
  NFT_DEPLOY: 13,
  TRANSFER_AND_ACTIVATE: 15,
  NFT_TRANSFER_AND_ACTIVATE: 19,
  EXTRA: 24,
} as const;

/** Answer of both fee queries. */
export const offchainFeeAnswer = once(() =>
  z.looseObject({
    gasPrice: described(decimalText(), doc?.('Gas price in wei')),
    fees: described(
      z.array(
        z.looseObject({
          token: described(z.string(), doc?.('Symbol of the fee token')),
          fee: described(decimalText(), doc?.('Fee in base units, used unchanged')),
          discount: described(z.optional(z.number()), doc?.('0.8 pays 80 %; for display')),
        }),
      ),
      doc?.('One entry per fee token'),
    ),
  }),
);

/**
 * Fees of off-chain requests, one per fee token. An account that has no key yet has no API key and
 * may ask without.
 */
export const getOffchainFee = readEndpoint({
  path: '/api/v3/user/offchainFee',
  summary: doc?.('Fees of off-chain requests'),
  apiKey: 'optional',
  requestsPerSecond: null,
  errorCodes: doc?.(['GAS_PRICE_UNAVAILABLE', 'FEE_TOKEN_NOT_ACCEPTED']),
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      requestType: described(queryInteger(25), doc?.('Kind of request, see feeRequestTypes')),
      tokenSymbol: described(
        z.optional(z.string().check(z.maxLength(64))),
        doc?.('Token that is moved; types 0, 1, 4, 6, 8'),
      ),
      amount: described(z.optional(amountText()), doc?.('Amount in base units; type 4')),
      market: described(z.optional(z.string().check(z.maxLength(64))), doc?.('Trading pair, BASE-QUOTE')),
      extraType: described(z.optional(queryInteger(255)), doc?.('Kind of extra request; type 24')),
    }),
  answer: () => offchainFeeAnswer(),
});
