import { z } from 'zod';
import { address, amountText, hash32 } from '../../protocol/fields.ts';
import { openLockedAccount } from '../engine/accounts.ts';
import { recordDeposit } from '../engine/deposits.ts';
import { Refusal } from '../errors.ts';
import { devRoute } from './devRoute.ts';

/** A deposit as the L1 chain would bring it: pending first, credited with the next block. */
export const deposit = devRoute({
  body: z.strictObject({ owner: address(), symbol: z.string(), amount: amountText(), txHash: z.optional(hash32()) }),
  handle: async (relayer, engine, { owner, symbol, amount, txHash }) => {
    const token = relayer.catalog.tokenBySymbol(symbol);
    if (!token || token.type === 'LP') throw new Refusal('TOKEN_UNSUPPORTED', `symbol: ${symbol} cannot be deposited`);
    const result = await relayer.db.transaction(async (tx) => {
      const now = relayer.clock.now();
      const account = await openLockedAccount(tx, owner, now);
      const arriving = { from: owner, tokenId: token.tokenId, amount: BigInt(amount), ...(txHash && { hash: txHash }) };
      return { accountId: account.accountId, hash: await recordDeposit(tx, account, arriving, now) };
    });
    engine.wake();
    return result;
  },
});
