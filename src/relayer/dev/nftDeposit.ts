import { z } from 'zod';
import { address, amountText, nftId } from '../../protocol/fields.ts';
import { openLockedAccount } from '../engine/accounts.ts';
import { recordDeposit } from '../engine/deposits.ts';
import { arrivingNft } from '../engine/nft/arrivingNft.ts';
import { devRoute } from './devRoute.ts';

/** An NFT that arrives from L1: its contract counts as the minter and it has no royalty. */
export const nftDeposit = devRoute({
  body: z.strictObject({ owner: address(), tokenAddress: address(), nftId: nftId(), amount: amountText() }),
  handle: async (relayer, engine, { owner, tokenAddress, nftId: id, amount }) => {
    const result = await relayer.db.transaction(async (tx) => {
      const now = relayer.clock.now();
      const account = await openLockedAccount(tx, owner, now);
      await tx.query(
        `INSERT INTO l1_code (address, code, visible_at) VALUES ($1, '0x60', 0) ON CONFLICT (address) DO NOTHING`,
        [tokenAddress.toLowerCase()],
      );
      const nft = await arrivingNft(tx, account, { tokenAddress, nftId: id, nftType: 'ERC1155' }, now);
      const hash = await recordDeposit(tx, account, { from: owner, ...nft, amount: BigInt(amount) }, now);
      return { accountId: account.accountId, hash, ...nft };
    });
    engine.wake();
    return result;
  },
});
