import { orderAmountsOf } from '../engine/catalog.ts';
import { fastLimit } from '../engine/fastWithdrawals.ts';
import type { Route } from '../server/route.ts';

export const getTokens: Route<'getTokens'> = {
  handle: async ({ relayer }) =>
    relayer.catalog.tokens.map((token) => ({
      type: token.type,
      tokenId: token.tokenId,
      symbol: token.symbol,
      name: token.name,
      address: token.address,
      decimals: token.decimals,
      precision: token.precision,
      precisionForOrder: token.precision,
      orderAmounts: orderAmountsOf(token),
      luckyTokenAmounts: { minimum: '0', maximum: '0', dust: '0' },
      fastWithdrawLimit: fastLimit(relayer, token).toString(),
      gasAmounts: { distribution: '85000', deposit: '110000' },
      enabled: token.enabled,
    })),
};
