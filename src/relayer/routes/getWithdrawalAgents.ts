import { fastLimit, fastRoom } from '../engine/fastWithdrawals.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getWithdrawalAgents: Route<'getWithdrawalAgents'> = {
  handle: async ({ relayer, query }) => {
    const token = relayer.catalog.token(query.tokenId);
    if (!token?.enabled) throw new Refusal('TOKEN_UNSUPPORTED', `tokenId: token ${query.tokenId} is not listed`);
    const limit = fastLimit(relayer, token);
    if (limit === 0n) return [];
    return [
      {
        address: relayer.config.operatorAddress,
        tokenId: token.tokenId,
        symbol: token.symbol,
        totalAmount: limit.toString(),
        freezeAmount: (limit - (await fastRoom(relayer, relayer.db, token))).toString(),
        timestamp: relayer.clock.now(),
      },
    ];
  },
};
