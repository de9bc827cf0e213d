import type { NftView } from '../../../messaging/views.ts';
import { middleShortened } from '../../shared/format.ts';
import { visibleText } from '../../shared/visibleText.ts';

/** The word for an NFT: the gateway's, else its IPFS name, else its number. */
export const nftName = (nft: Pick<NftView, 'cid' | 'nftId'>, name: string | null | undefined): string =>
  name == null ? middleShortened(nft.cid ?? nft.nftId, 8, 6) : visibleText(name, 80);
