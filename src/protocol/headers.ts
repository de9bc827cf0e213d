import { z } from 'zod';
import { deferred } from './deferred.ts';
import type { Endpoint } from './endpoint.ts';
import { ecdsaSignature, eddsaSignature } from './fields.ts';

/** Header with the account's API key. */
export const API_KEY_HEADER = 'X-API-KEY';

/** Header with the signature of the request. */
export const API_SIGNATURE_HEADER = 'X-API-SIG';

const apiKey = deferred(() => z.string().min(1).max(256).describe("The account's API key"));

/**
 * Schema of an endpoint's headers by their lower-case names; other headers are kept. An ECDSA header is optional here,
 * because an approved hash or an EdDSA signature may stand in its place; the relayer decides from the body.
 */
export function endpointHeaders(endpoint: Pick<Endpoint, 'apiKey' | 'signature'>) {
  return z.looseObject({
    'x-api-key': endpoint.apiKey === 'required' ? apiKey : apiKey.optional(),
    'x-api-sig': endpoint.signature === 'eddsa' ? eddsaSignature : ecdsaSignature.optional(),
  });
}
