import { acceptAccountUpdate } from '../engine/accept/acceptAccountUpdate.ts';
import type { Route } from '../server/route.ts';
import { bodyFields } from './bodyFields.ts';

export const updateAccount: Route<'updateAccount'> = {
  invalid: { ...bodyFields, accountId: 'RECEIVER_INVALID' },
  handle: async ({ relayer, body, headerSignature }) => ({
    ...(await acceptAccountUpdate(relayer, body, headerSignature)),
    accountId: body.accountId,
    tokenId: body.maxFee.tokenId,
  }),
};
