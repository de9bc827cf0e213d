import { z } from 'zod';
import { address, amountText, nftId } from '../../protocol/fields.ts';
import { formatHash } from '../../protocol/formatHash.ts';
import { nftDataHash } from '../../protocol/payloads/nftData.ts';
import { lockAccount, openAccount } from '../engine/accounts.ts';
import { recordDeposit } from '../engine/deposits.ts';
import { canonicalHash, takeNftSlot } from '../engine/nft/nftRows.ts';
import { devRoute } from './devRoute.ts';

/** An NFT that arrives from L1: its contract counts as the minter and it has no royalty. */
export const nftDeposit = devRoute({
  body: z.strictObject({ owner: address, tokenAddress: address, nftId, amount: amountText }),
  handle: async (relayer, engine, { owner, tokenAddress, nftId: id, amount }) => {
    const contract = tokenAddress.toLowerCase() as `0x${string}`;
    const nftData = formatHash(
      nftDataHash({ minterAddress: contract, nftType: 0, tokenAddress: contract, nftId: id, creatorFeeBips: 0 }),
    );
    const result = await relayer.db.transaction(async (tx) => {
      const now = relayer.clock.now();
      const account = await openAccount(tx, owner, now);
      await lockAccount(tx, account.accountId);
      await tx.query(
        `INSERT INTO nft_contracts (address, factory, owner, base_uri, status, updated_at)
         VALUES ($1, '', '', '', 'DEPLOYED', $2) ON CONFLICT (address) DO NOTHING`,
        [contract, now],
      );
      await tx.query(
        `INSERT INTO l1_code (address, code, visible_at) VALUES ($1, '0x60', 0) ON CONFLICT (address) DO NOTHING`,
        [contract],
      );
      await tx.query(
        `INSERT INTO nfts (nft_data, minter, nft_type, token_address, nft_id, creator_fee_bips, royalty_address, created_at)
         VALUES ($1, $2, 0, $2, $3, 0, '', $4) ON CONFLICT (nft_data) DO NOTHING`,
        [nftData, contract, canonicalHash(id), now],
      );
      const tokenId = await takeNftSlot(tx, account.accountId, nftData);
      const hash = await recordDeposit(tx, account, { from: owner, tokenId, nftData, amount: BigInt(amount) }, now);
      return { accountId: account.accountId, hash, nftData, tokenId };
    });
    engine.wake();
    return result;
  },
});
