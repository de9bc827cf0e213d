import { computeNftAddress } from '../../protocol/nftAddress.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const computeTokenAddress: Route<'computeTokenAddress'> = {
  handle: async ({ relayer, query }) => {
    const { nftFactory, nftImplementation } = relayer.config;
    if (query.nftFactory.toLowerCase() !== nftFactory.toLowerCase())
      throw new Refusal('INVALID_ARGUMENT', `nftFactory: only the official factory ${nftFactory} is supported`);
    if (query.nftBaseUri !== '')
      throw new Refusal('INVALID_ARGUMENT', 'nftBaseUri: base URIs are not supported; send it empty');
    return {
      tokenAddress: computeNftAddress({ nftFactory, implementation: nftImplementation, nftOwner: query.nftOwner }),
    };
  },
};
