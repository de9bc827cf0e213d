import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { signatureCodes } from '../errors.ts';
import { accountId } from '../fields.ts';
import { z } from '../zod.ts';
import { apiKeyAnswer } from './getApiKey.ts';

/** Replaces the API key; the old one stops working. After an unknown outcome ask with getApiKey. */
export const resetApiKey = endpoint({
  method: 'POST',
  path: '/api/v3/apiKey',
  summary: doc?.("Replaces the account's API key"),
  signature: 'eddsa',
  resend: 'never',
  errorCodes: doc?.(['ACCOUNT_NOT_FOUND', ...signatureCodes]),
  body: () => z.strictObject({ accountId: accountId() }),
  answer: () => apiKeyAnswer(),
});
