import { poseidon } from '../../crypto/index.ts';
import { MAX_TOKEN_ID, MIN_NFT_TOKEN_ID } from '../limits.ts';
import { type OrderTerms, orderTail } from './order.ts';
import { PayloadError } from './payloadError.ts';
import { readAddress, readAmount, readFieldElement, readInteger, readUint32 } from './readFields.ts';

/** Members of the body of validateOrder that `nftOrderHash` reads. */
export interface NftOrderPayload extends OrderTerms {
  readonly sellToken: { readonly tokenId: number; readonly amount: string; readonly nftData?: string | undefined };
  readonly buyToken: { readonly tokenId: number; readonly amount: string; readonly nftData?: string | undefined };
}

/**
 * Body fields that the signature of an NFT order fixes. A purchase signs `buyToken.nftData` in
 * place of `buyToken.tokenId`. A sale signs the slot number only: `sellToken.nftData` is not
 * signed, so whoever signs has to check what lies in the slot.
 */
export function nftOrderBoundFields(order: { readonly buyToken: { readonly tokenId: number } }): readonly string[] {
  return [
    'exchange',
    'storageId',
    'accountId',
    'sellToken.tokenId',
    order.buyToken.tokenId >= MIN_NFT_TOKEN_ID ? 'buyToken.nftData' : 'buyToken.tokenId',
    'sellToken.amount',
    'buyToken.amount',
    'validUntil',
    'maxFeeBips',
    'fillAmountBOrS',
    'taker',
  ];
}

/**
 * Hash of an NFT order: the layout of `orderHash`, with `amount` for `volume` and, for a purchase,
 * the NFT's `nftData` in the place of the bought token id. This is the signed hash; the one that
 * relayers return for NFT orders is another number and only an identifier.
 * @throws {PayloadError} A field is missing, mistyped or out of range; a purchase whose
 *   `nftData` is missing or a token id; an NFT for an NFT with a fee.
 */
export function nftOrderHash(order: NftOrderPayload): bigint {
  const sold = readInteger(order.sellToken?.tokenId, 'sellToken.tokenId', MAX_TOKEN_ID);
  const boughtId = readInteger(order.buyToken?.tokenId, 'buyToken.tokenId', MAX_TOKEN_ID);
  const sellsNft = sold >= MIN_NFT_TOKEN_ID;
  const buysNft = boughtId >= MIN_NFT_TOKEN_ID;
  if (!sellsNft && !buysNft) throw new PayloadError('rule', 'buyToken.tokenId', 'and the sold token are no NFT');
  if (!buysNft && order.buyToken.nftData !== undefined)
    throw new PayloadError('rule', 'buyToken.nftData', 'belongs to no NFT slot');
  const bought = buysNft ? readFieldElement(order.buyToken.nftData, 'buyToken.nftData') : boughtId;
  // In the place of a token id it would be one: the hash would be that of another order.
  if (buysNft && bought <= MAX_TOKEN_ID)
    throw new PayloadError('rule', 'buyToken.nftData', 'is the number of a token or slot');
  const tail = orderTail(order);
  if (sellsNft && buysNft && order.maxFeeBips !== 0)
    throw new PayloadError('rule', 'maxFeeBips', 'is not 0 for an NFT against an NFT');
  return poseidon(
    [
      readAddress(order.exchange, 'exchange'),
      readUint32(order.storageId, 'storageId'),
      readUint32(order.accountId, 'accountId'),
      sold,
      bought,
      readAmount(order.sellToken.amount, 'sellToken.amount', 1n),
      readAmount(order.buyToken.amount, 'buyToken.amount', 1n),
      ...tail,
    ],
    12,
  );
}
