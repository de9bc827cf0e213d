import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { address, amountText, decimalText, erc20TokenId, millisecondsOrText, queryTokenId } from '../fields.ts';
import { z } from '../zod.ts';

/** Agents that pay fast withdrawals of a token. */
export const getWithdrawalAgents = readEndpoint({
  path: '/api/v3/exchange/withdrawalAgents',
  summary: doc?.('How much of a token can be withdrawn fast; an empty list when it cannot'),
  apiKey: 'none',
  requestsPerSecond: null,
  errorCodes: doc?.(['TOKEN_UNSUPPORTED']),
  query: () =>
    z.strictObject({
      tokenId: queryTokenId(),
      amount: described(z.optional(amountText()), doc?.('Amount to withdraw; not needed')),
    }),
  answer: () =>
    described(
      z.array(
        z.looseObject({
          address: address(),
          tokenId: erc20TokenId(),
          symbol: described(z.optional(z.string()), doc?.('Token symbol')),
          totalAmount: described(decimalText(), doc?.('Most that can be paid ahead, base units')),
          freezeAmount: described(decimalText(), doc?.('Amount that is promised to others, base units')),
          timestamp: z.optional(millisecondsOrText()),
        }),
      ),
      doc?.('Empty when the token cannot be withdrawn fast'),
    ),
});
