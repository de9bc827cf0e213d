import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { address, nftId } from '../fields.ts';
import { nftTokenInfo } from '../resources.ts';
import { z } from '../zod.ts';

/** Looks up the nftData of a minted NFT. The wallet computes it too. */
export const getNftData = endpoint({
  name: 'getNftData',
  method: 'GET',
  path: '/api/v3/nft/info/nftData',
  summary: doc?.('What identifies an NFT on L2'),
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () => z.strictObject({ minter: address(), tokenAddress: address(), nftId: nftId() }),
  body: () => z.undefined(),
  answer: () => nftTokenInfo(),
});
