import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import {
  accountId,
  address,
  addressList,
  decimalText,
  hashList,
  integerList,
  nftData,
  nftId,
  nftTokenId,
  queryAccountId,
  queryBoolean,
  queryLimit,
  queryOffset,
} from '../fields.ts';
import { once } from '../once.ts';
import { onePage } from '../onePage.ts';
import { pendingBalance } from '../resources.ts';
import { deploymentStatus } from '../statuses.ts';
import { z } from '../zod.ts';

/** One slot of an account. */
const nftBalance = once(() =>
  z.looseObject({
    accountId: accountId(),
    tokenId: described(nftTokenId(), doc?.('Slot that transfers, withdrawals and sales sign')),
    nftData: nftData(),
    tokenAddress: address(),
    nftId: nftId(),
    nftType: described(z.string(), doc?.('NFT standard')),
    total: decimalText(),
    locked: decimalText(),
    pending: pendingBalance(),
    deploymentStatus: described(z.optional(deploymentStatus()), doc?.('Whether the contract exists on L1')),
    isCounterFactualNFT: described(z.optional(z.boolean()), doc?.('True for contracts of the official factory')),
    minter: described(z.optional(z.string()), doc?.('Minter address')),
  }),
);

/**
 * NFTs of an account by slot. Requests sign the slot: pin slot and nftData together right before
 * signing.
 */
export const getNftBalances = readEndpoint({
  path: '/api/v3/user/nft/balances',
  summary: doc?.('NFTs of an account'),
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      nftDatas: z.optional(hashList()),
      tokenAddrs: z.optional(addressList()),
      tokenIds: described(z.optional(integerList()), doc?.('Slots')),
      offset: z.optional(queryOffset()),
      limit: z.optional(queryLimit()),
      nonZero: described(z.optional(queryBoolean()), doc?.('Only slots that hold something; true when absent')),
      metadata: described(z.optional(queryBoolean()), doc?.('With metadata; false when absent')),
    }),
  answer: () => onePage('data', nftBalance()),
});
