import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { address, amountText, decimalText, erc20TokenId, millisecondsOrText, queryTokenId } from '../fields.ts';

/** Who pays fast withdrawals of a token. */
export const getWithdrawalAgents = endpoint({
  name: 'getWithdrawalAgents',
  method: 'GET',
  path: '/api/v3/exchange/withdrawalAgents',
  summary: 'How much of a token can be withdrawn fast',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'TOKEN_UNSUPPORTED'],
  query: () =>
    z.strictObject({ tokenId: queryTokenId, amount: amountText.optional().describe('Amount to withdraw; not needed') }),
  body: () => z.undefined(),
  answer: () =>
    z
      .array(
        z.looseObject({
          address,
          tokenId: erc20TokenId,
          symbol: z.string().optional().describe('Token symbol'),
          totalAmount: decimalText.describe('What can be paid ahead at all, base units'),
          freezeAmount: decimalText.describe('What is promised to others, base units'),
          timestamp: millisecondsOrText.optional(),
        }),
      )
      .describe('Empty when the token cannot be withdrawn fast'),
});
