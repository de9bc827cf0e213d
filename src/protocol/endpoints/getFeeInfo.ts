import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { decimalText } from '../fields.ts';
import { once } from '../once.ts';
import { z } from '../zod.ts';
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
    symbol: described(z.optional(z.string()), doc?.('Name of the tier')),
    makerRate: described(z.number().check(z.minimum(0)), doc?.('Rate of makers in ten-thousandths')),
    takerRate: described(z.number().check(z.minimum(0)), doc?.('Rate of takers in ten-thousandths')),
  });

/** Rates by tier; a relayer may have others beside the usual one. */
const tradingFees = once(() =>
  z.looseObject({ default: described(z.optional(rates()), doc?.('Fee of an account without a tier')) }),
);

const fee = (kind: string) =>
  described(z.optional(decimalText()), doc?.(`Fee of a request ${kind}, base units of ETH`));

export const getFeeInfo = readEndpoint({
  path: '/api/v3/exchange/feeInfo',
  summary: doc?.('What the exchange charges'),
  apiKey: 'none',
  requestsPerSecond: null,
  errorCodes: doc?.(['GAS_PRICE_UNAVAILABLE']),
  answer: () =>
    z.looseObject({
      ORDERBOOK_TRADING_FEES_STABLECOIN: described(tradingFees(), doc?.('Order books of two stable coins, by tier')),
      ORDERBOOK_TRADING_FEES: described(tradingFees(), doc?.('Other order books, by tier')),
      AMM_TRADING_FEES: described(tradingFees(), doc?.('Pools; the highest rate of any')),
      OTHER_FEES: described(
        z.looseObject(
          Object.fromEntries(Object.keys(chargedKinds).map((kind) => [kind, fee(kind)])) as Record<
            keyof typeof chargedKinds,
            ReturnType<typeof fee>
          >,
        ),
        doc?.('Fees of requests now'),
      ),
    }),
});
