import { poseidon } from '../../crypto/index.ts';
import { CIRCUIT_MAX_FEE_BIPS } from '../limits.ts';
import { PayloadError } from './payloadError.ts';
import { readAddress, readAmount, readBoolean, readErc20TokenId, readInteger, readUint32 } from './readFields.ts';

/** The fields of an order body, spot or NFT, that both hashes read the same way. */
export interface OrderTerms {
  readonly exchange: string;
  readonly storageId: number;
  readonly accountId: number;
  readonly validUntil: number;
  readonly maxFeeBips: number;
  readonly fillAmountBOrS: boolean | 'true' | 'false';
  readonly taker?: string | undefined;
}

/** Members of the body of submitOrder that `orderHash` reads. */
export interface OrderPayload extends OrderTerms {
  readonly sellToken: { readonly tokenId: number; readonly volume: string };
  readonly buyToken: { readonly tokenId: number; readonly volume: string };
}

/**
 * Body fields that the order signature fixes. The relayer could change all others: allOrNone,
 * clientOrderId, orderType, tradeChannel, poolAddress, affiliate, channelId.
 */
export const orderBoundFields = [
  'exchange',
  'storageId',
  'accountId',
  'sellToken.tokenId',
  'buyToken.tokenId',
  'sellToken.volume',
  'buyToken.volume',
  'validUntil',
  'maxFeeBips',
  'fillAmountBOrS',
  'taker',
] as const;

/**
 * Hash inputs 8 to 11 of every order: expiry, fee, fill side, taker (0 when absent, empty or the
 * zero address).
 */
export function orderTail(order: OrderTerms): bigint[] {
  const { taker } = order;
  return [
    readUint32(order.validUntil, 'validUntil'),
    readInteger(order.maxFeeBips, 'maxFeeBips', CIRCUIT_MAX_FEE_BIPS),
    readBoolean(order.fillAmountBOrS, 'fillAmountBOrS') ? 1n : 0n,
    taker === undefined || taker === '' ? 0n : readAddress(taker, 'taker'),
  ];
}

/**
 * Hash of a spot, AMM or P2P order: Poseidon t=12 over exchange, storageId, accountId, sold and
 * bought token id, sold and bought volume, validUntil, maxFeeBips, fillAmountBOrS, taker.
 * @returns The field element that is signed; the relayer returns the same number as the order's
 *   hash.
 * @throws {PayloadError} A field is missing, mistyped or outside the circuit's width; the same
 *   token on both sides.
 */
export function orderHash(order: OrderPayload): bigint {
  const sold = readErc20TokenId(order.sellToken?.tokenId, 'sellToken.tokenId');
  const bought = readErc20TokenId(order.buyToken?.tokenId, 'buyToken.tokenId');
  if (sold === bought) throw new PayloadError('rule', 'buyToken.tokenId', 'is the sold token');
  return poseidon(
    [
      readAddress(order.exchange, 'exchange'),
      readUint32(order.storageId, 'storageId'),
      readUint32(order.accountId, 'accountId'),
      sold,
      bought,
      readAmount(order.sellToken?.volume, 'sellToken.volume', 1n),
      readAmount(order.buyToken?.volume, 'buyToken.volume', 1n),
      ...orderTail(order),
    ],
    12,
  );
}
