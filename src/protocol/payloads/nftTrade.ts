import { poseidon } from '../../crypto/index.ts';
import { MAX_TOKEN_ID } from '../limits.ts';
import { readInteger, readUint32 } from './readFields.ts';

interface TradeSide {
  readonly accountId: number;
  readonly sellToken: { readonly tokenId: number };
  readonly storageId: number;
}

/**
 * Identifier of an NFT trade, signed by nobody: Poseidon t=7 over account, sold token and storage
 * id of taker and maker.
 * @throws {PayloadError}
 */
export function nftTradeHash({ taker, maker }: { readonly taker: TradeSide; readonly maker: TradeSide }): bigint {
  const side = (order: TradeSide, name: string) => [
    readUint32(order.accountId, `${name}.accountId`),
    readInteger(order.sellToken?.tokenId, `${name}.sellToken.tokenId`, MAX_TOKEN_ID),
    readUint32(order.storageId, `${name}.storageId`),
  ];
  return poseidon([...side(taker, 'taker'), ...side(maker, 'maker')], 7);
}
