import { formatSignature } from '../crypto/index.ts';
import {
  bodyText,
  type EndpointName,
  endpoints,
  formatHash,
  requestHash,
  requestMessage,
  type TypedData,
} from '../protocol/index.ts';
import type { Keys, Operation, SignedRequest } from './operation.ts';

/**
 * Signs a request that uses a storage id: first its owner approves the typed data, then the account
 * key signs the hash.
 */
export const signByOwner =
  <Body extends object>(
    endpoint: EndpointName,
    hashOf: (request: Body & { readonly storageId: number }) => bigint,
    typedDataOf: (chainId: number, request: Body & { readonly storageId: number }) => TypedData,
  ): Operation<unknown, Body, unknown>['sign'] =>
  async ({ body }, storageId, { chainId }, keys) => {
    if (storageId === null) throw new Error(`${endpoint} is signed with a storage id`);
    const request = { ...body, storageId };
    const hash = hashOf(request);
    const approval = await keys.approveByOwner(typedDataOf(chainId, request));
    const eddsaSignature = formatSignature(await keys.signEddsa(hash));
    return {
      endpoint,
      bodyText: bodyText({ ...request, eddsaSignature, ...approval.fields }),
      ...approval.header,
      hash: formatHash(hash),
    };
  };

/** Signs a request with the account key alone; `hash` is that of the whole request. */
export const signByAccount = async (
  endpoint: SignedRequest['endpoint'],
  request: object,
  hash: bigint,
  keys: Keys,
): Promise<SignedRequest> => ({
  endpoint,
  bodyText: bodyText({ ...request, eddsaSignature: formatSignature(await keys.signEddsa(hash)) }),
  hash: formatHash(hash),
});

/** Signs a request that is its query, by the header alone. */
export async function signQuery(
  endpoint: 'cancelOrder' | 'cancelOrdersByHash',
  query: NonNullable<SignedRequest['query']>,
  baseUrl: string,
  keys: Keys,
): Promise<SignedRequest> {
  const { method, path } = endpoints[endpoint];
  const message = requestHash(requestMessage({ method, baseUrl, path, query }));
  return { endpoint, query, signature: formatSignature(await keys.signEddsa(message)), hash: formatHash(message) };
}
