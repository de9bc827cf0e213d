import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { offchainRequestCodes, orderFieldCodes, signatureCodes } from '../errors.ts';
import { booleanField, decimalText, hash32, looseHash, nftData, tokenId } from '../fields.ts';
import { parseJson } from '../parseJson.ts';
import { z } from '../zod.ts';
import { validateOrder } from './validateOrder.ts';

/** Fee rate of one side of a trade, ten-thousandths of the ERC-20 amount. */
const sideFeeBips = () => z.int().check(z.minimum(1), z.maximum(5_000));

const filledToken = () =>
  z.looseObject({
    tokenId: tokenId(),
    nftData: z.optional(nftData()),
    amount: described(decimalText(), doc?.('NFT count, or base units of the ERC-20 token')),
  });

/** Fills of one order; some relayers write them as JSON text. */
const sideFills = () =>
  z.pipe(
    z.transform((fills: unknown) => (typeof fills === 'string' ? parseJson(fills) : fills)),
    z.looseObject({
      orderHash: described(looseHash(), doc?.('The signed hash of the order')),
      sellFilled: described(filledToken(), doc?.('What the order gave')),
      buyFilled: described(filledToken(), doc?.('What it got, before its fee')),
      fee: described(
        z.looseObject({ tokenId: tokenId(), amount: decimalText() }),
        doc?.('Its fee, in the ERC-20 token'),
      ),
    }),
  );

/**
 * Settles two NFT orders against each other. Any account may submit it; often a marketplace that
 * holds both orders.
 */
export const tradeNft = endpoint({
  method: 'POST',
  path: '/api/v3/nft/trade',
  summary: doc?.('Trades two NFT orders'),
  signature: 'eddsa',
  errorCodes: doc?.([...offchainRequestCodes, ...orderFieldCodes, 'STORAGE_ID_EXHAUSTED', ...signatureCodes]),
  body: () =>
    z.strictObject({
      maker: described(
        validateOrder.body,
        doc?.('The order that was there first; its price is the price of the trade'),
      ),
      makerFeeBips: described(sideFeeBips(), doc?.("The maker's fee rate, up to its maxFeeBips")),
      taker: described(validateOrder.body, doc?.('The order that takes it')),
      takerFeeBips: described(sideFeeBips(), doc?.("The taker's fee rate, up to its maxFeeBips")),
      ignoreFees: described(
        z.optional(booleanField()),
        doc?.('Only false: this relayer has no submitters without fees'),
      ),
      matchByTaker: described(z.optional(booleanField()), doc?.("Trade at the taker's price")),
    }),
  answer: () =>
    z.looseObject({
      makerFills: described(sideFills(), doc?.('What the maker gave, got and paid')),
      takerFills: described(sideFills(), doc?.('What the taker gave, got and paid')),
      tradeHash: described(hash32(), doc?.('Identifier of the trade, the same for the same two orders')),
    }),
});
