import { z } from 'zod';
import { described } from '../../../protocol/described.ts';
import { address, amountText, nftId } from '../../../protocol/fields.ts';
import { arrivingNft } from '../../engine/nft/arrivingNft.ts';
import { canonicalHash } from '../../engine/nft/nftRows.ts';
import { bookDeposit } from '../bookDeposit.ts';
import { describeEvent, layer1Event } from '../layer1Event.ts';
import { operatorAction } from '../operatorAction.ts';
import { nonZeroAddress } from '../operatorFields.ts';

/** A deposit of an NFT that layer 1 has confirmed. It is credited with the next block. */
export const nftDepositConfirmed = operatorAction({
  summary: 'a deposit of an NFT is final on layer 1: credit it',
  body: z
    .strictObject({
      owner: nonZeroAddress('L1 address whose account is credited; opened when missing'),
      nftType: z.enum(['ERC1155', 'ERC721']).describe('standard of the contract'),
      tokenAddress: nonZeroAddress('contract of the NFT'),
      nftId: described(nftId(), 'id in the contract, as hex'),
      amount: described(amountText().check(z.refine((text) => text !== '0', 'is zero')), 'pieces'),
      from: described(address(), 'L1 address that paid'),
      ...layer1Event,
    })
    .refine(({ nftType, amount }) => nftType === 'ERC1155' || amount === '1', {
      path: ['amount'],
      message: 'there is one piece of an ERC-721 token',
    }),
  subject: describeEvent,
  perform: async (relayer, tx, body) => {
    const now = relayer.clock.now();
    const nft = { tokenAddress: body.tokenAddress, nftId: body.nftId, nftType: body.nftType };
    const facts = {
      nftType: body.nftType,
      tokenAddress: body.tokenAddress.toLowerCase(),
      nftId: canonicalHash(body.nftId),
      amount: body.amount,
    };
    return bookDeposit(tx, body, facts, now, (account) => arrivingNft(tx, account, nft, now));
  },
});
