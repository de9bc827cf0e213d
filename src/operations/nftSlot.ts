import { cidFromNftId, formatHash, type NftTokenInfo, nftData, nftDataHash, nftTokenId } from '../protocol/index.ts';
import { z } from '../protocol/zod.ts';
import { positiveAmount } from './intentFields.ts';
import { type Facts, FactsChanged, IntentError } from './operation.ts';
import type { Reads } from './reads.ts';
import { type BookName, bookNameOf, contractRow, type Lookalike, likeRows } from './recipient.ts';
import type { ReviewNft, ReviewRow, TokenFacts, Value } from './review.ts';

/** An NFT of the account in an intent: the slot that is signed, and the NFT that the site means. */
export const ownNft = () =>
  z.strictObject({
    tokenId: nftTokenId(),
    nftData: nftData(),
    amount: positiveAmount(),
  });

/** Content of a slot of the account by the relayer's word; checked as far as it can be computed. */
export interface SlotFacts extends BookName {
  /** The slot, 32768 to 65535. */
  readonly tokenId: number;
  /** 0x + 64 hex digits. */
  readonly nftData: string;
  readonly tokenAddress: string;
  /** 0x + 64 hex digits. */
  readonly nftId: string;
  /** As hashed, without a unit; drafts of earlier versions have none. */
  readonly royalty?: number;
  readonly total: string;
  readonly locked: string;
  /** `nftData` is the hash of the NFT's parts; false as well when the relayer names no parts. */
  readonly isVerified: boolean;
  /** The block by whose proof another NFT lies there; absent where no proof says so. */
  readonly otherInBlock?: number;
}

const canonical = (hex: string) => formatHash(BigInt(hex));
const sameNft = (a: string, b: string) => BigInt(a) === BigInt(b);

/** True when minter, contract, id and royalty hash to the NFT's own identifier. */
function partsFit({ minter, nftType, tokenAddress, nftId, creatorFeeBips, nftData }: NftTokenInfo): boolean {
  const type = /721/.test(nftType) ? 1 : 0;
  return nftDataHash({ minterAddress: minter, nftType: type, tokenAddress, nftId, creatorFeeBips }) === BigInt(nftData);
}

/** The parts of an NFT by its identifier; `null` when the relayer does not know it. */
export async function nftParts(data: string, reads: Reads): Promise<NftTokenInfo | null> {
  const found = await reads.read('getNfts', { query: { nftDatas: canonical(data) } });
  return found.find((nft) => sameNft(nft.nftData, data)) ?? null;
}

/** An NFT by its identifier, as the relayer describes it. */
export interface NftFacts
  extends Pick<SlotFacts, 'nftData' | 'tokenAddress' | 'nftId' | 'royalty' | 'isVerified'>,
    BookName,
    Lookalike {}

/** `null` when the relayer does not know it. */
export async function nftFacts(data: string, facts: Reads & Pick<Facts, 'knownAddresses'>): Promise<NftFacts | null> {
  const parts = await nftParts(data, facts);
  return (
    parts && {
      nftData: canonical(data),
      tokenAddress: parts.tokenAddress,
      nftId: canonical(parts.nftId),
      royalty: parts.creatorFeeBips,
      isVerified: partsFit(parts),
      ...(await bookNameOf(parts.tokenAddress, facts)),
    }
  );
}

async function readSlot(accountId: number, tokenId: number, reads: Reads) {
  const { data } = await reads.read('getNftBalances', { query: { accountId, tokenIds: String(tokenId) } });
  return data.find((slot) => slot.tokenId === tokenId);
}

/**
 * The slot that an intent names, when it holds the NFT that the intent means. The error names
 * nothing that the slot holds: its site may have no permission to read that.
 * @param field - Path of the NFT inside the intent.
 * @throws {IntentError}
 */
export async function slotOf(
  asked: { readonly tokenId: number; readonly nftData?: string | undefined; readonly amount: string },
  field: string,
  accountId: number,
  facts: Reads & Pick<Facts, 'knownAddresses' | 'provenNft'>,
): Promise<SlotFacts> {
  const slot = await readSlot(accountId, asked.tokenId, facts);
  if (!slot) throw new IntentError(`${field}.tokenId`, `nothing lies in slot ${asked.tokenId} of this account`);
  if (asked.nftData !== undefined && !sameNft(slot.nftData, asked.nftData))
    throw new IntentError(`${field}.nftData`, `slot ${asked.tokenId} holds another NFT`);
  if (BigInt(asked.amount) > BigInt(slot.total))
    throw new IntentError(`${field}.amount`, `slot ${asked.tokenId} holds fewer`);
  const parts = await nftParts(slot.nftData, facts);
  const proven = await facts.provenNft(asked.tokenId);
  return {
    tokenId: asked.tokenId,
    nftData: canonical(slot.nftData),
    tokenAddress: slot.tokenAddress,
    nftId: canonical(slot.nftId),
    ...(parts ? { royalty: parts.creatorFeeBips } : {}),
    total: slot.total,
    locked: slot.locked,
    isVerified:
      parts !== null &&
      partsFit(parts) &&
      sameNft(parts.nftId, slot.nftId) &&
      parts.tokenAddress.toLowerCase() === slot.tokenAddress.toLowerCase(),
    ...(proven && !sameNft(proven.nftData, slot.nftData) ? { otherInBlock: proven.blockId } : {}),
    ...(await bookNameOf(slot.tokenAddress, facts)),
  };
}

/**
 * Looks into the slot again, right before the signature that names only its number.
 * @throws {FactsChanged}
 */
export async function recheckSlot({ tokenId, nftData }: SlotFacts, accountId: number, reads: Reads): Promise<void> {
  const slot = await readSlot(accountId, tokenId, reads);
  if (slot && sameNft(slot.nftData, nftData)) return;
  throw new FactsChanged(`Slot ${tokenId} does not hold the NFT ${nftData} that was shown any more.`, {
    key: 'problem_slotChanged',
    values: { slot: { kind: 'integer', value: tokenId }, nft: { kind: 'hex', hex: nftData } },
  });
}

/** A number of NFTs, drawn like an amount of a token without decimals. */
export function nftAmount(
  count: string,
  { tokenId, tokenAddress }: Pick<SlotFacts, 'tokenId' | 'tokenAddress'>,
): Extract<Value, { kind: 'amount' }> {
  const token: TokenFacts = { tokenId, symbol: 'NFT', name: 'NFT', address: tokenAddress, decimals: 0 };
  return { kind: 'amount', volume: count, token };
}

/**
 * Identifies the NFT: contract, IPFS name, identifier.
 * @param bought - Somebody else chose it: contract and identifier have all their digits.
 */
export const nftRows = (
  nft: Pick<NftFacts, 'tokenAddress' | 'nftId' | 'nftData' | 'bookName' | keyof Lookalike>,
  bought?: true,
): ReviewRow[] => [
  contractRow('review_nftContract', nft.tokenAddress, nft, bought),
  ...likeRows(nft),
  { label: { key: 'review_nftName' }, value: { kind: 'text', text: cidFromNftId(nft.nftId) } },
  { label: { key: 'review_nftData' }, value: { kind: 'hex', hex: nft.nftData, ...(bought ? { whole: bought } : {}) } },
];

/** The same for a slot, with a word on what the signature names. */
export const slotRows = (slot: SlotFacts): ReviewRow[] =>
  nftRows(slot).map((row) =>
    row.label.key === 'review_nftData'
      ? { ...row, note: { key: 'review_slotNote', values: { slot: { kind: 'integer', value: slot.tokenId } } } }
      : row,
  );

/** The NFT in a slot, for its picture. */
export const slotNft = ({ nftId, tokenId }: SlotFacts): ReviewNft => ({ nftId, slot: tokenId });

/** Gives the facts for the warning rules. */
export const slotWarnings = ({ total, locked, isVerified, otherInBlock }: SlotFacts, amount: string) => ({
  ...(otherInBlock === undefined ? {} : { otherNftInBlock: otherInBlock }),
  nftDiffers: !isVerified,
  nftLocked: BigInt(amount) > BigInt(total) - BigInt(locked),
});
