import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import { booleanField, decimalText, hash32, hashAnswer, nftData, tokenId } from '../fields.ts';
import { validateOrder } from './validateOrder.ts';

/** Fee rate of one side of a trade, ten-thousandths of the ERC-20 amount. */
const sideFeeBips = () => z.int().min(1).max(5_000);

const filledToken = () =>
  z.looseObject({
    tokenId,
    nftData: nftData.optional(),
    amount: decimalText.describe('NFT count, or base units of the ERC-20 token'),
  });

const sideFills = () =>
  z.looseObject({
    orderHash: hashAnswer.describe('The signed hash of the order'),
    sellFilled: filledToken().describe('What the order gave'),
    buyFilled: filledToken().describe('What it got, before its fee'),
    fee: z.looseObject({ tokenId, amount: decimalText }).describe('Its fee, in the ERC-20 token'),
  });

/** Settles two NFT orders against each other. Any account may submit it; often a marketplace that holds both orders. */
export const tradeNft = endpoint({
  name: 'tradeNft',
  method: 'POST',
  path: '/api/v3/nft/trade',
  summary: 'Trades two NFT orders',
  apiKey: 'required',
  signature: 'eddsa',
  requestsPerSecond: 5,
  resend: 'same-bytes',
  errorCodes: [
    ...offchainRequestCodes,
    'TOKEN_UNSUPPORTED',
    'ACCOUNT_ID_INVALID',
    'ORDER_ID_INVALID',
    'RATE_ILLEGAL',
    'ORDER_EXISTS',
    'ORDER_EXPIRED',
    'ORDER_SIGNATURE_MISSING',
    'BALANCE_INSUFFICIENT',
    'ORDER_TOO_SMALL',
    'FREEZE_FAILED',
    'ORDER_TOO_LARGE',
    'STORAGE_ID_INVALID',
    'ORDER_INVALID',
    ...apiKeyCodes,
    ...signatureCodes,
  ],
  query: () => z.strictObject({}),
  body: () =>
    z.strictObject({
      maker: validateOrder.body.describe('The order that was there first; its price is the price of the trade'),
      makerFeeBips: sideFeeBips().describe("The maker's fee rate, up to its maxFeeBips"),
      taker: validateOrder.body.describe('The order that takes it'),
      takerFeeBips: sideFeeBips().describe("The taker's fee rate, up to its maxFeeBips"),
      ignoreFees: booleanField.optional().describe('Only false: this relayer has no submitters without fees'),
      matchByTaker: booleanField.optional().describe("Trade at the taker's price"),
    }),
  answer: () =>
    z.looseObject({
      makerFills: sideFills().describe('What the maker gave, got and paid'),
      takerFills: sideFills().describe('What the taker gave, got and paid'),
      tradeHash: hash32.describe('Identifier of the trade, the same for the same two orders'),
    }),
});
