import { formatSignature } from '../crypto/index.ts';
import { bodyText, type EndpointName, formatHash, type TypedData } from '../protocol/index.ts';
import type { Operation } from './operation.ts';

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
