import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { decimalText } from '../fields.ts';
import { feeRequestTypes } from './getOffchainFee.ts';

/** Kinds of requests by the names that they have in this answer, with their `requestType`. */
export const chargedKinds = {
  AMM_JOIN: feeRequestTypes.AMM_JOIN,
  AMM_EXIT: feeRequestTypes.AMM_EXIT,
  TRANSFER: feeRequestTypes.TRANSFER,
  UPDATE_ACCOUNT: feeRequestTypes.ACCOUNT_UPDATE,
  OFFCHAIN_WITHDRAWAL: feeRequestTypes.WITHDRAWAL,
  FAST_OFFCHAIN_WITHDRAWAL: feeRequestTypes.FAST_WITHDRAWAL,
  NFT_MINT: feeRequestTypes.NFT_MINT,
  NFT_TRANSFER: feeRequestTypes.NFT_TRANSFER,
  NFT_WITHDRAWAL: feeRequestTypes.NFT_WITHDRAWAL,
  NFT_DEPLOY: feeRequestTypes.NFT_DEPLOY,
  OPEN_ACCOUNT: feeRequestTypes.OPEN_ACCOUNT,
  DEPOSIT: feeRequestTypes.DEPOSIT,
  ORDER: feeRequestTypes.ORDER,
} as const;

const rates = () =>
  z.looseObject({
    symbol: z.string().optional().describe('Name of the tier'),
    makerRate: z.number().min(0).describe('Rate of makers in ten-thousandths'),
    takerRate: z.number().min(0).describe('Rate of takers in ten-thousandths'),
  });

/** Rates by tier; a relayer may have others beside the usual one. */
const tradingFees = deferred(() =>
  z.looseObject({ default: rates().optional().describe('What an account without a tier pays') }),
);

const fee = (kind: string) => decimalText.optional().describe(`Fee of a request ${kind}, base units of ETH`);

/** What the exchange charges. */
export const getFeeInfo = endpoint({
  name: 'getFeeInfo',
  method: 'GET',
  path: '/api/v3/exchange/feeInfo',
  summary: 'What the exchange charges',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'GAS_PRICE_UNAVAILABLE'],
  query: () => z.strictObject({}),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({
      ORDERBOOK_TRADING_FEES_STABLECOIN: tradingFees.describe('Order books of two stable coins, by tier'),
      ORDERBOOK_TRADING_FEES: tradingFees.describe('Other order books, by tier'),
      AMM_TRADING_FEES: tradingFees.describe('Pools; the highest rate of any'),
      OTHER_FEES: z
        .looseObject(
          Object.fromEntries(Object.keys(chargedKinds).map((kind) => [kind, fee(kind)])) as Record<
            keyof typeof chargedKinds,
            ReturnType<typeof fee>
          >,
        )
        .describe('Fees of requests now'),
    }),
});
