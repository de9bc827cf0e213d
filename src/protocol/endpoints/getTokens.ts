import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { address, decimalText, erc20TokenId } from '../fields.ts';
import { orderAmountsV3 } from '../resources.ts';

/** One listed token. Clients pin id, address and decimals together and warn when they change. */
export const tokenInfo = deferred(() =>
  z.looseObject({
    type: z.string().describe('ETH, ERC20, …'),
    tokenId: erc20TokenId,
    symbol: z.string().describe('Symbol; pool tokens start with LP-'),
    name: z.string().describe('Name'),
    address: address.describe('L1 contract; the zero address is the native coin'),
    decimals: z.int().min(0).max(78).describe('Decimal places between base units and the shown amount'),
    precision: z.int().optional().describe('Digits shown'),
    precisionForOrder: z.int().optional().describe('Digits used in orders'),
    orderAmounts: orderAmountsV3.optional().describe('Limits of order amounts'),
    luckyTokenAmounts: orderAmountsV3.optional().describe('Limits of gift amounts'),
    fastWithdrawLimit: decimalText.optional().describe('Largest fast withdrawal in base units'),
    gasAmounts: z
      .looseObject({ distribution: decimalText, deposit: decimalText })
      .optional()
      .describe('Gas of L1 payouts and deposits'),
    enabled: z.boolean().optional().describe('Deposits and withdrawals allowed'),
  }),
);

/** The listed tokens. */
export const getTokens = endpoint({
  name: 'getTokens',
  method: 'GET',
  path: '/api/v3/exchange/tokens',
  summary: 'The listed tokens',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR'],
  query: () => z.strictObject({}),
  body: () => z.undefined(),
  answer: () => z.array(tokenInfo),
});
