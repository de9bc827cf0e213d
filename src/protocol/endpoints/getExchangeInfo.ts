import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { address, decimalText } from '../fields.ts';

const feeList = deferred(() =>
  z.array(
    z.looseObject({
      token: z.string().describe('Symbol of the fee token'),
      fee: decimalText.describe('Fee in base units'),
    }),
  ),
);

/** The exchange: the address that every signature names, and the L1 chain. Clients pin both. */
export const getExchangeInfo = endpoint({
  name: 'getExchangeInfo',
  method: 'GET',
  path: '/api/v3/exchange/info',
  summary: 'Chain id, exchange and deposit address',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR'],
  query: () => z.strictObject({}),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({
      chainId: z.int().min(1).describe('L1 chain id'),
      exchangeAddress: address.describe('Exchange contract; its letter case enters the key seed'),
      depositAddress: address.describe('Deposit contract'),
      ammExitFees: feeList.optional().describe('Fees of pool exits'),
      fastWithdrawalFees: feeList.optional().describe('Fees of fast withdrawals'),
      openAccountFees: feeList.optional().describe('Fees of new accounts'),
      transferFees: feeList.optional().describe('Fees of transfers'),
      updateFees: feeList.optional().describe('Fees of key updates'),
      withdrawalFees: feeList.optional().describe('Fees of withdrawals'),
      onchainFees: z
        .array(
          z.looseObject({ type: z.string().describe('Kind of L1 request'), fee: decimalText.describe('Fee in wei') }),
        )
        .optional()
        .describe('Fees of L1 requests'),
    }),
});
