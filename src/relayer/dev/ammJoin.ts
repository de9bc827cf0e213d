import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { address, amountText } from '../../protocol/fields.ts';
import { acceptRequest } from '../engine/acceptRequest.ts';
import { findAccountByOwner } from '../engine/accounts.ts';
import { findPool } from '../engine/pools/poolChecks.ts';
import { nextStorageId } from '../engine/storageSlots.ts';
import { Refusal } from '../errors.ts';
import { devRoute } from './devRoute.ts';

/**
 * Joins a pool for an owner without signatures and without a fee, settled with the answer. Amounts
 * in the order of the pool's tokens.
 */
export const ammJoin = devRoute({
  body: z.strictObject({ owner: address(), poolAddress: address(), amounts: z.array(amountText()).length(2) }),
  handle: async (relayer, engine, { owner, poolAddress, amounts }) => {
    const pool = findPool(relayer, poolAddress);
    const account = await findAccountByOwner(relayer.db, owner);
    if (!account) throw new Refusal('ACCOUNT_NOT_FOUND', 'owner: account not found');
    const hash = BigInt(`0x${randomBytes(31).toString('hex')}`);
    const storageIds: number[] = [];
    for (const { tokenId } of pool.tokens) {
      const next = await nextStorageId(relayer.db, account.accountId, tokenId, 1, false);
      if (next === undefined) throw new Refusal('STORAGE_ID_EXHAUSTED', `token ${tokenId}: no storage id is left`);
      storageIds.push(next);
    }
    const accepted = await acceptRequest(relayer, account, {
      kind: 'ammJoin',
      hash,
      body: { hash: hash.toString() },
      otherAccountId: pool.accountId,
      otherAddress: pool.address,
      tokenId: pool.lp.tokenId,
      amount: 0n,
      feeTokenId: pool.tokens[1].tokenId,
      fee: 0n,
      storage: pool.tokens.map(({ tokenId }, index) => ({ tokenId, storageId: storageIds[index] as number })),
      hold: pool.tokens.map((token, index) => ({ tokenId: token.tokenId, amount: BigInt(amounts[index] ?? 0) })),
      validUntil: 0,
      details: { amounts, storageIds },
    });
    await engine.run();
    return accepted;
  },
});
