import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { address } from '../fields.ts';
import { z } from '../zod.ts';

/**
 * Computes the counterfactual address of an NFT contract. The wallet computes it too and compares.
 */
export const computeTokenAddress = readEndpoint({
  path: '/api/v3/nft/info/computeTokenAddress',
  summary: doc?.('Address of an NFT contract before it is deployed'),
  apiKey: 'none',
  requestsPerSecond: null,
  query: () =>
    z.strictObject({
      nftFactory: described(address(), doc?.('Official NFT factory')),
      nftOwner: described(address(), doc?.('Contract owner, the only minter on L2')),
      nftBaseUri: described(
        z._default(z.string().check(z.maxLength(1024)), ''),
        doc?.('Base URI; currently unsupported, sent empty'),
      ),
    }),
  answer: () => z.looseObject({ tokenAddress: described(address(), doc?.('Counterfactual contract address')) }),
});
