import { z } from 'zod';
import { described } from '../../../protocol/described.ts';
import { hash32 } from '../../../protocol/fields.ts';
import { needNft } from '../../engine/nft/nftRows.ts';
import { returnHash, returnUnpaid } from '../../engine/payouts.ts';
import { operatorAction } from '../operatorAction.ts';
import { reason } from '../operatorFields.ts';
import { OperatorRefusal } from '../operatorRefusal.ts';
import { reportedWithdrawal } from '../reportedWithdrawal.ts';

/**
 * A withdrawal can never be paid on layer 1. Its amount is given back with the next block. After
 * the exchange contract's own event `WithdrawalFailed` it can still be claimed there.
 */
export const withdrawalFailed = operatorAction({
  summary:
    "a withdrawal can never be paid on layer 1: give its amount back; not for the contract's own WithdrawalFailed",
  body: z.strictObject({ hash: described(hash32(), 'hash of the withdrawal'), reason }),
  subject: ({ hash }) => `withdrawal ${hash}`,
  perform: async (relayer, tx, body) => {
    const { account, request } = await reportedWithdrawal(tx, body.hash);
    if (request.tx_hash !== '')
      throw new OperatorRefusal('contradiction', `withdrawal ${body.hash} was paid by ${request.tx_hash}`);
    if (request.payout_failure !== '') return { repeated: true, returnedBy: returnHash(request) };
    const nft = request.nft_data && (await needNft(tx, request.nft_data));
    // The deposit would make another NFT: one that names the contract as its minter.
    if (nft && nft.minter !== nft.token_address)
      throw new OperatorRefusal(
        'contradiction',
        `the NFT of withdrawal ${body.hash} was minted here; it can only be paid`,
      );
    const from = relayer.config.exchangeAddress;
    const returnedBy = await returnUnpaid(tx, account, request, {
      reason: body.reason,
      from,
      now: relayer.clock.now(),
    });
    return { repeated: false, returnedBy };
  },
});
