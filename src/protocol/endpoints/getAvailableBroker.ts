import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { address, queryInteger } from '../fields.ts';

/** The broker is an address of the relayer's choice that receives a signed transfer: show it and the amount. */
export const getAvailableBroker = endpoint({
  name: 'getAvailableBroker',
  method: 'GET',
  path: '/api/v3/getAvailableBroker',
  summary: 'Address that receives the fee transfer of a deployment',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR'],
  query: () =>
    z.strictObject({
      type: queryInteger(1).optional().describe('0 NFT deployment (default), 1 forced withdrawal'),
    }),
  body: () => z.undefined(),
  answer: () => z.looseObject({ broker: address.describe('Receiver of the fee transfer') }),
});
