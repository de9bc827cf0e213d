import type { UiHandlers } from './uiHandler.ts';

export const nftHandlers: UiHandlers<'getNftMetadata'> = {
  getNftMetadata: ({ nftMetadata }, { nftId }) => nftMetadata.of(nftId),
};
