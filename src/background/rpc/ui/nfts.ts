import type { UiHandlers } from './uiHandler.ts';

export const nftHandlers = {
  getNftMetadata: ({ nftMetadata }, { nftId }) => nftMetadata.of(nftId),
} satisfies UiHandlers<'nftMetadata'>;
