import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { address, decimalText } from '../fields.ts';
import { once } from '../once.ts';
import { z } from '../zod.ts';

const feeList = once(() =>
  z.array(
    z.looseObject({
      token: described(z.string(), doc?.('Symbol of the fee token')),
      fee: described(decimalText(), doc?.('Fee in base units')),
    }),
  ),
);

/** The exchange: the address that every signature names, and the L1 chain. Clients pin both. */
export const getExchangeInfo = readEndpoint({
  path: '/api/v3/exchange/info',
  summary: doc?.('Chain id, exchange and deposit address'),
  apiKey: 'none',
  requestsPerSecond: null,
  answer: () =>
    z.looseObject({
      chainId: described(z.int().check(z.minimum(1)), doc?.('L1 chain id')),
      exchangeAddress: described(address(), doc?.('Exchange contract; its letter case enters the key seed')),
      depositAddress: described(address(), doc?.('Deposit contract')),
      ammExitFees: described(z.optional(feeList()), doc?.('Fees of pool exits')),
      fastWithdrawalFees: described(z.optional(feeList()), doc?.('Fees of fast withdrawals')),
      openAccountFees: described(z.optional(feeList()), doc?.('Fees of new accounts')),
      transferFees: described(z.optional(feeList()), doc?.('Fees of transfers')),
      updateFees: described(z.optional(feeList()), doc?.('Fees of key updates')),
      withdrawalFees: described(z.optional(feeList()), doc?.('Fees of withdrawals')),
      onchainFees: described(
        z.optional(
          z.array(
            z.looseObject({
              type: described(z.string(), doc?.('Kind of L1 request')),
              fee: described(decimalText(), doc?.('Fee in wei')),
            }),
          ),
        ),
        doc?.('Fees of L1 requests'),
      ),
    }),
});
