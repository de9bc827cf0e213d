import { z } from 'zod';
import { address, amountText } from '../../protocol/fields.ts';
import { openLockedAccount } from '../engine/accounts.ts';
import { lockOpenBlock, OpenBlock } from '../engine/blocks.ts';
import { recordDeposit } from '../engine/deposits.ts';
import { findRequest } from '../engine/requestRow.ts';
import { settleRequest } from '../engine/settle/settleRequest.ts';
import { Refusal } from '../errors.ts';
import { devRoute } from './devRoute.ts';

/**
 * Value of tokens, in millionths of a dollar, for an owner who names no tokens: enough of each fee
 * token to try everything.
 */
const DEFAULT_MICRO_USD = 30_000n * 1_000_000n;
/** Stands as the depositor in histories. */
const FAUCET_ADDRESS = '0x000000000000000000000000000000000000fa0c';

/**
 * Opens the account of an owner when missing and credits tokens out of nothing, at once. In blocks
 * and histories it is a deposit. Amounts in base units.
 */
export const faucet = devRoute({
  body: z.strictObject({
    owner: address(),
    tokens: z
      .array(z.strictObject({ symbol: z.string(), amount: amountText() }))
      .max(50)
      .optional(),
  }),
  handle: async (relayer, _engine, { owner, tokens }) => {
    const { catalog } = relayer;
    const wanted =
      tokens ??
      catalog.tokens
        .filter((token) => token.paysFees && token.priceMicroUsd > 0n)
        .map((token) => ({
          symbol: token.symbol,
          amount: ((DEFAULT_MICRO_USD * 10n ** BigInt(token.decimals)) / token.priceMicroUsd).toString(),
        }));
    const credits = wanted.map(({ symbol, amount }) => {
      const token = catalog.tokenBySymbol(symbol);
      if (!token || token.type === 'LP') throw new Refusal('TOKEN_UNSUPPORTED', `tokens: the faucet has no ${symbol}`);
      return { tokenId: token.tokenId, amount: BigInt(amount) };
    });
    const accountId = await relayer.db.transaction(async (tx) => {
      const now = relayer.clock.now();
      await lockOpenBlock(tx);
      const block = await OpenBlock.take(tx, now);
      const account = await openLockedAccount(tx, owner, now);
      for (const { tokenId, amount } of credits) {
        const hash = await recordDeposit(tx, account, { from: FAUCET_ADDRESS, tokenId, amount }, now);
        const request = await findRequest(tx, hash);
        if (!request) throw new Error('a deposit that was just recorded is missing');
        await settleRequest(relayer, tx, block, request, now);
        await tx.query(`UPDATE requests SET status = 'processed' WHERE hash = $1`, [hash]);
      }
      await block.close();
      return account.accountId;
    });
    return { accountId };
  },
});
