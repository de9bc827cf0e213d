import type { UiHandlers } from './uiHandler.ts';

export const nftHandlers: UiHandlers<'getNftMetadata', 'nftMetadata'> = {
  getNftMetadata: ({ nftMetadata }, { nftId }) => nftMetadata.of(nftId),
};
