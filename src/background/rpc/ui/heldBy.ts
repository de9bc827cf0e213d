import { nftAmount } from '../../../operations/nftSlot.ts';
import { isNftToken } from '../../../protocol/limits.ts';
import type { Ports } from '../../ports.ts';
import type { Held } from '../../proofs/balanceProofs.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import { keptBalances, keptUnder } from './storedFacts.ts';

/** Reads an account's balances as they were last read: proofs are asked for these. */
export async function heldBy(ports: Pick<Ports, 'local'>, { id }: StoredAccount): Promise<Held[]> {
  const balances = (await keptBalances(ports).read(id))?.balances ?? [];
  const nfts = (await keptUnder(ports, 'nfts').read(id))?.data ?? [];
  return [
    ...balances.map(({ token, total }) => ({ token, total, nft: null })),
    ...nfts.map((nft) => ({
      token: nftAmount(nft.total, { tokenId: nft.slot, tokenAddress: nft.tokenAddress }).token,
      total: nft.total,
      nft,
    })),
  ];
}

/** Tells of a token or slot whether its balance was ever read: after a restored backup none was. */
export async function readOf(
  ports: Pick<Ports, 'local'>,
  { id }: StoredAccount,
): Promise<(tokenId: number) => boolean> {
  const [balances, nfts] = [await keptBalances(ports).read(id), await keptUnder(ports, 'nfts').read(id)];
  return (tokenId) => (isNftToken(tokenId) ? nfts : balances) !== undefined;
}
