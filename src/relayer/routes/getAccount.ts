import { getAddress } from 'viem';
import { formatHash } from '../../protocol/formatHash.ts';
import { findNamedAccount } from '../engine/accounts.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getAccount: Route<'getAccount'> = {
  handle: async ({ relayer, query }) => {
    const account = await findNamedAccount(relayer.db, query.owner, query.accountId);
    if (!account)
      throw new Refusal(
        'ACCOUNT_NOT_FOUND',
        'account not found; it appears with the first deposit or incoming transfer',
      );
    if (query.accountId !== undefined && account.accountId !== query.accountId)
      throw new Refusal('ACCOUNT_NOT_FOUND', 'owner and accountId name two accounts');
    return {
      accountId: account.accountId,
      owner: getAddress(account.owner),
      frozen: account.frozen,
      publicKey: account.publicKey
        ? { x: formatHash(account.publicKey.x), y: formatHash(account.publicKey.y) }
        : { x: '' as const, y: '' as const },
      tags: account.tags,
      nonce: account.nonce,
      keyNonce: account.keyNonce,
      keySeed: account.keySeed,
    };
  },
};
