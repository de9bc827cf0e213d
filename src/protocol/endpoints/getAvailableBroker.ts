import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { address, queryInteger } from '../fields.ts';
import { z } from '../zod.ts';

/**
 * The broker is an address of the relayer's choice that receives a signed transfer: show it and the
 * amount.
 */
export const getAvailableBroker = readEndpoint({
  path: '/api/v3/getAvailableBroker',
  summary: doc?.('Address that receives the fee transfer of a deployment'),
  apiKey: 'none',
  requestsPerSecond: null,
  query: () =>
    z.strictObject({
      type: described(z.optional(queryInteger(1)), doc?.('0 NFT deployment (default), 1 forced withdrawal')),
    }),
  answer: () => z.looseObject({ broker: described(address(), doc?.('Receiver of the fee transfer')) }),
});
