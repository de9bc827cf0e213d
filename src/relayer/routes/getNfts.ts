import { splitList } from '../../protocol/fields.ts';
import { describeNft, findNfts } from '../engine/nft/nftRows.ts';
import type { Route } from '../server/route.ts';

export const getNfts: Route<'getNfts'> = {
  handle: async ({ relayer, query }) => (await findNfts(relayer.db, splitList(query.nftDatas))).map(describeNft),
};
