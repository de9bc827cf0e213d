import { described } from './described.ts';
import { doc } from './doc.ts';
import type { Endpoint } from './endpoint.ts';
import { ecdsaSignature, eddsaSignature } from './fields.ts';
import { once } from './once.ts';
import { z } from './zod.ts';

/** Header with the account's API key. */
export const API_KEY_HEADER = 'X-API-KEY';

/** Header with the signature of the request. */
export const API_SIGNATURE_HEADER = 'X-API-SIG';

const apiKey = once(() =>
  described(z.string().check(z.minLength(1), z.maxLength(256)), doc?.("The account's API key")),
);

/**
 * Schema of an endpoint's headers by their lower-case names; other headers are kept. An ECDSA header is optional here,
 * because an approved hash or an EdDSA signature may stand in its place; the relayer decides from the body.
 */
export function endpointHeaders(endpoint: Pick<Endpoint, 'apiKey' | 'signature'>) {
  return z.looseObject({
    'x-api-key': endpoint.apiKey === 'required' ? apiKey() : z.optional(apiKey()),
    'x-api-sig': endpoint.signature === 'eddsa' ? eddsaSignature() : z.optional(ecdsaSignature()),
  });
}
