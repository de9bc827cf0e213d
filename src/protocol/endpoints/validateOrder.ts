import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { offchainRequestCodes, orderFieldCodes, signatureCodes } from '../errors.ts';
import { orderBodyShape } from '../orderBody.ts';
import { nftTokenAmountInfo, offchainAck } from '../resources.ts';
import { requestStatus } from '../statuses.ts';
import { z } from '../zod.ts';

/** Validates a signed NFT order. The returned hash is an identifier, not the signed hash. */
export const validateOrder = endpoint({
  method: 'POST',
  path: '/api/v3/nft/validateOrder',
  summary: doc?.('Validates an NFT order'),
  errorCodes: doc?.([...offchainRequestCodes, ...orderFieldCodes, 'MARKET_UNSUPPORTED', ...signatureCodes]),
  body: () =>
    z.strictObject({
      ...orderBodyShape(),
      sellToken: described(nftTokenAmountInfo(), doc?.('Token and amount to sell')),
      buyToken: described(nftTokenAmountInfo(), doc?.('Token and amount to buy; an NFT needs its nftData')),
    }),
  answer: () =>
    z.extend(offchainAck(), {
      status: described(z.union([requestStatus(), z.literal('')]), doc?.('Empty means accepted')),
    }),
});
