import type { NftView } from '../../../messaging/views.ts';
import { NftCollection } from '../../shared/NftCollection.tsx';
import { NftPicture } from '../../shared/NftPicture.tsx';
import { useQuery } from '../../shared/useQuery.ts';
import { nftName } from './nftName.ts';

/** Names the NFT that a form is about, beside its picture. */
export function NftStrip({ nft }: { readonly nft: NftView }) {
  const { data } = useQuery('getNftMetadata', { nftId: nft.nftId });
  return (
    <div class="nft-strip">
      <NftPicture nftId={nft.nftId} metadata={data} />
      <span class="nft-strip-text">
        <bdi class="nft-name">{nftName(nft, data?.name)}</bdi>
        <NftCollection name={data?.collection} contract={nft.tokenAddress} />
      </span>
    </div>
  );
}
