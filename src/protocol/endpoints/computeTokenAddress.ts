import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { address } from '../fields.ts';

/** Computes the counterfactual address of an NFT contract. The wallet computes it too and compares. */
export const computeTokenAddress = endpoint({
  name: 'computeTokenAddress',
  method: 'GET',
  path: '/api/v3/nft/info/computeTokenAddress',
  summary: 'Address of an NFT contract before it is deployed',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT'],
  query: () =>
    z.strictObject({
      nftFactory: address.describe('Official NFT factory'),
      nftOwner: address.describe('Contract owner, the only minter on L2'),
      nftBaseUri: z.string().max(1024).default('').describe('Base URI; currently unsupported, sent empty'),
    }),
  body: () => z.undefined(),
  answer: () => z.looseObject({ tokenAddress: address.describe('Counterfactual contract address') }),
});
