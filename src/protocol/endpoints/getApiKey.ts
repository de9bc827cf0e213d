import { field } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { signatureCodes } from '../errors.ts';
import { queryAccountId } from '../fields.ts';
import { once } from '../once.ts';
import { z } from '../zod.ts';

/** Text that can stand in a header as it is: printable ASCII without spaces. */
export const apiKeyText = field(
  () => z.string().check(z.regex(/^[\x21-\x7e]{1,256}$/, 'is not 1 to 256 printable ASCII characters without spaces')),
  doc?.('Value of the X-API-KEY header'),
);

/** Answer of both API key calls. */
export const apiKeyAnswer = once(() =>
  z.looseObject({
    apiKey: apiKeyText(),
  }),
);

/**
 * Log-in: proves the account key and fetches the API key. The signed request never expires; it
 * is a password.
 */
export const getApiKey = endpoint({
  method: 'GET',
  path: '/api/v3/apiKey',
  summary: doc?.('The API key of an account, for a request signed with the account key'),
  apiKey: 'none',
  signature: 'eddsa',
  errorCodes: doc?.(['ACCOUNT_NOT_FOUND', 'API_ACCOUNT_INVALID', ...signatureCodes]),
  query: () => z.strictObject({ accountId: queryAccountId() }),
  answer: () => apiKeyAnswer(),
});
