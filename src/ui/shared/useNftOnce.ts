import { useEffect, useState } from 'preact/hooks';
import type { NftMetadataView } from '../../messaging/views.ts';
import { call } from '../background.ts';

const nothing: NftMetadataView = {
  status: 'unavailable',
  name: null,
  description: null,
  collection: null,
  image: null,
  host: null,
};

/**
 * Reads the gateway's text and picture of an NFT once: what a user reads does not change a second
 * time, and a gallery does not ask for all of them again at every change.
 */
export function useNftOnce(nft: { readonly nftId: string } | undefined): NftMetadataView | undefined {
  const nftId = nft?.nftId;
  const [found, setFound] = useState<{ nftId: string; metadata: NftMetadataView }>();
  useEffect(() => {
    if (nftId === undefined) return;
    let asked = true;
    void call('getNftMetadata', { nftId })
      // The picture is no part of what is signed.
      .catch(() => nothing)
      .then((metadata) => {
        if (asked) setFound({ nftId, metadata });
      });
    return () => {
      asked = false;
    };
  }, [nftId]);
  return found?.nftId === nftId ? found?.metadata : undefined;
}
