import { z } from 'zod';
import { described } from '../../../protocol/described.ts';
import type { Hex } from '../../../protocol/fields.ts';
import { hash32 } from '../../../protocol/fields.ts';
import { markPaid } from '../../engine/payouts.ts';
import { operatorAction } from '../operatorAction.ts';
import { OperatorRefusal } from '../operatorRefusal.ts';
import { reportedWithdrawal } from '../reportedWithdrawal.ts';

/** A withdrawal was paid on layer 1. Several may be paid by one transaction. */
export const withdrawalPaid = operatorAction({
  summary: 'a withdrawal was paid on layer 1',
  body: z.strictObject({
    hash: described(hash32(), 'hash of the withdrawal'),
    txHash: described(hash32(), 'hash of the L1 transaction that paid it'),
  }),
  subject: ({ hash }) => `withdrawal ${hash}`,
  perform: async (_relayer, tx, body) => {
    const { request } = await reportedWithdrawal(tx, body.hash);
    const txHash = body.txHash.toLowerCase() as Hex;
    if (request.payout_failure !== '')
      throw new OperatorRefusal(
        'contradiction',
        `withdrawal ${body.hash} was reported as failed and its amount given back: ${request.payout_failure}`,
      );
    if (request.tx_hash !== '' && request.tx_hash !== txHash)
      throw new OperatorRefusal('contradiction', `withdrawal ${body.hash} was paid by ${request.tx_hash}`);
    if (request.tx_hash === txHash) return { repeated: true };
    await markPaid(tx, request, txHash);
    return { repeated: false };
  },
});
