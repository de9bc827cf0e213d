import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { address, amountText } from '../../protocol/fields.ts';
import { lockAccount, openAccount } from '../engine/accounts.ts';
import { creditFromOutside } from '../engine/balances.ts';
import { Refusal } from '../errors.ts';
import { devRoute } from './devRoutes.ts';

/** What an owner gets who names no tokens: enough of each fee token to try everything. */
const DEFAULT_MICRO_USD = 30_000n * 1_000_000n;

/** Opens the account of an owner when missing and credits tokens out of nothing. Amounts in base units. */
export const faucet = devRoute({
  body: z.strictObject({
    owner: address,
    tokens: z
      .array(z.strictObject({ symbol: z.string(), amount: amountText }))
      .max(50)
      .optional(),
  }),
  handle: async (relayer, _engine, { owner, tokens }) => {
    const { catalog } = relayer;
    const wanted =
      tokens ??
      catalog.tokens
        .filter((token) => token.paysFees)
        .map((token) => ({
          symbol: token.symbol,
          amount: ((DEFAULT_MICRO_USD * 10n ** BigInt(token.decimals)) / token.priceMicroUsd).toString(),
        }));
    const credits = wanted.map(({ symbol, amount }) => {
      const token = catalog.tokenBySymbol(symbol);
      if (!token || token.type === 'LP') throw new Refusal(102002, `tokens: the faucet has no ${symbol}`);
      return { token, amount: BigInt(amount) };
    });
    const accountId = await relayer.db.transaction(async (tx) => {
      const now = relayer.clock.now();
      const { accountId } = await openAccount(tx, owner, now);
      await lockAccount(tx, accountId);
      const ref = `0x${randomBytes(32).toString('hex')}`;
      for (const { token, amount } of credits)
        await creditFromOutside(tx, accountId, token.tokenId, amount, 'faucet', ref, now);
      return accountId;
    });
    return { accountId };
  },
});
