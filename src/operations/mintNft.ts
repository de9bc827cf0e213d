import {
  address,
  booleanField,
  CidError,
  computeNftAddress,
  type EndpointBody,
  feeRequestTypes,
  formatHash,
  MIN_NFT_TOKEN_ID,
  nftDataHash,
  nftFactories,
  nftId,
  nftIdFromCid,
  nftMintBoundFields,
  nftMintHash,
  royalty,
} from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { z } from '../protocol/zod.ts';
import { mintExecution } from './execution.ts';
import { contractFee, type FeeQuote, feeFrom, feeRow } from './fees.ts';
import {
  deadline,
  feePreference,
  LONGEST_NFT_VALIDITY,
  nftRequestIntent,
  positiveAmount,
  withOneFeePreference,
} from './intentFields.ts';
import { nftAmount, nftRows } from './nftSlot.ts';
import { type Facts, IntentError, type Operation, splitFields } from './operation.ts';
import { counterFactual } from './ownerApproval.ts';
import { type BookName, bookNameOf, recipientOf, recipientRow } from './recipient.ts';
import type { ReviewRow } from './review.ts';
import { requestSettlement } from './settlement.ts';
import { signByAccount } from './signByOwner.ts';
import type { Recipient } from './warningFacts.ts';
import { warningsOf } from './warnings.ts';

const intent = once(() =>
  withOneFeePreference(
    z.strictObject({
      ...nftRequestIntent(),
      /** IPFS name of the NFT's directory, CIDv0; or its digest as `nftId`. */
      cid: z.optional(z.string().check(z.maxLength(64))),
      nftId: z.optional(nftId()),
      amount: positiveAmount(),
      /** Only ERC-1155 can be minted. */
      nftType: z.optional(z.literal(0, { error: 'only 0 (ERC-1155) can be minted' })),
      /** Royalty, hashed unscaled; 0 when absent. */
      creatorFeeBips: z.optional(royalty()),
      /** Factory of the contract; the chain's official one when absent. */
      nftFactory: z.optional(address()),
      /** Contract that the site expects; compared with the computed one. */
      tokenAddress: z.optional(address()),
      /** Mints more of an NFT that exists already. */
      forceToMint: z.optional(booleanField()),
      royaltyAddress: z.optional(address()),
    }),
  ).check(
    z.refine(({ cid, nftId }) => (cid === undefined) !== (nftId === undefined), {
      path: ['cid'],
      error: 'exactly one of cid and nftId is given',
    }),
  ),
);

export type MintNftIntent = z.output<ReturnType<typeof intent>>;
type Body = Omit<EndpointBody<'mintNft'>, 'storageId' | 'eddsaSignature' | 'ecdsaSignature'>;

interface Shown extends BookName {
  /** Computed from the body, never taken from the relayer. */
  readonly nftData: string;
  readonly fee: FeeQuote;
  readonly royalties?: Recipient;
}

/**
 * Factory and contract of the minter. The address is computed by CREATE2 and compared with the
 * relayer's: under an address that nobody can deploy, an NFT could never leave L2.
 */
async function contractOf(asked: MintNftIntent, facts: Facts): Promise<{ nftFactory: string; tokenAddress: string }> {
  const official = nftFactories.find(({ chainId }) => chainId === facts.chainId)?.nftFactory;
  const nftFactory = asked.nftFactory ?? official;
  if (nftFactory === undefined)
    throw new IntentError('nftFactory', `chain ${facts.chainId} has no official factory, so it has to be named`);
  const known = nftFactories.find((factory) => factory.nftFactory.toLowerCase() === nftFactory.toLowerCase());
  if (!known || (official !== undefined && official !== known.nftFactory))
    throw new IntentError('nftFactory', 'is not an official factory; the address of its contracts cannot be checked');
  const { implementation } = known;
  const nftOwner = facts.account.owner;
  const tokenAddress = computeNftAddress({ nftFactory: known.nftFactory, implementation, nftOwner });
  const query = { nftFactory: known.nftFactory, nftOwner, nftBaseUri: '' };
  const reported = await facts.read('computeTokenAddress', { query });
  for (const [source, other] of [
    ['the relayer', reported.tokenAddress],
    ['the site', asked.tokenAddress],
  ])
    if (other !== undefined && other.toLowerCase() !== tokenAddress.toLowerCase())
      throw new IntentError('tokenAddress', `${source} says ${other}, the factory gives ${tokenAddress}`);
  return { nftFactory: known.nftFactory, tokenAddress };
}

function idOf({ cid, nftId }: MintNftIntent): string {
  try {
    return cid === undefined ? formatHash(BigInt(nftId as string)) : nftIdFromCid(cid);
  } catch (error) {
    if (error instanceof CidError) throw new IntentError('cid', error.message);
    throw error;
  }
}

/** Mints NFTs under the account's own contract, to the account itself. */
export const mintNft: Operation<MintNftIntent, Body, Shown> = {
  name: 'mintNft',
  method: 'relayer_mintNft',
  permission: 'nfts',
  group: 'nfts',
  own: true,
  feeQuote: ({ tokenAddress }, facts) => contractFee(feeRequestTypes.NFT_MINT, tokenAddress, facts),
  intent,
  fee: ({ maxFee: { tokenId, amount } }) => ({ requestType: feeRequestTypes.NFT_MINT, tokenId, volume: amount }),
  executedAs: mintExecution,
  settle: requestSettlement(async (query, reads) => (await reads.read('getNftMints', { query })).transfers),
  result: ({ body, ack }) => ({
    nftData: formatHash(nftDataHash(body as unknown as Body)),
    nftTokenId: ack.nftTokenId ?? null,
  }),

  async prepare(asked, facts) {
    const { accountId, owner } = facts.account;
    const nftId = idOf(asked);
    const { nftFactory, tokenAddress } = await contractOf(asked, facts);
    const royaltyValue = asked.creatorFeeBips ?? 0;
    const requestType = feeRequestTypes.NFT_MINT;
    const fees = await contractFee(requestType, tokenAddress, facts);
    const fee = await feeFrom(fees, feePreference(asked), { requestType }, facts);
    const body: Body = {
      exchange: facts.exchangeAddress,
      minterId: accountId,
      minterAddress: owner,
      toAccountId: accountId,
      toAddress: owner,
      nftType: 0,
      tokenAddress,
      nftId,
      amount: asked.amount,
      validUntil: await deadline(asked.validUntil, facts, LONGEST_NFT_VALIDITY),
      // One number under the document's name and under that of running relayers.
      creatorFeeBips: royaltyValue,
      royaltyPercentage: royaltyValue,
      maxFee: { tokenId: fee.token.tokenId, amount: fee.volume },
      forceToMint: asked.forceToMint ?? false,
      counterFactualNftInfo: { nftFactory, nftOwner: owner, nftBaseUri: '' },
      ...counterFactual(facts),
      ...(asked.royaltyAddress === undefined ? {} : { royaltyAddress: asked.royaltyAddress }),
    };
    const royalties =
      asked.royaltyAddress === undefined ? {} : { royalties: await recipientOf(asked.royaltyAddress, facts) };
    const name = await bookNameOf(tokenAddress, facts);
    return { body, shown: { nftData: formatHash(nftDataHash(body)), fee, ...royalties, ...name } };
  },

  review({ body, shown: { nftData, fee, royalties, ...name } }, now) {
    const amount = nftAmount(body.amount, { tokenId: MIN_NFT_TOKEN_ID, tokenAddress: body.tokenAddress });
    const rows: ReviewRow[] = [
      { label: { key: 'review_mint' }, value: amount, emphasis: 'receive' },
      feeRow(fee),
      { label: { key: 'review_expires' }, value: { kind: 'time', seconds: body.validUntil } },
      ...nftRows({ tokenAddress: body.tokenAddress, nftId: body.nftId, nftData, ...name }),
      {
        label: { key: 'review_royalty' },
        value: { kind: 'integer', value: body.creatorFeeBips ?? 0 },
        note: { key: 'review_royaltyNote' },
      },
    ];
    if (royalties) {
      const [row, ...like] = recipientRow(royalties, 'review_royaltyAddress');
      if (row) rows.push({ ...row, unsigned: true }, ...like);
    }
    return {
      sentence: { key: 'review_mintNft', values: { amount } },
      rows,
      nft: { nftId: formatHash(BigInt(body.nftId)) },
      warnings: warningsOf({
        now,
        request: { validUntil: body.validUntil },
        fee,
        nft: { royalty: body.creatorFeeBips ?? 0 },
        ...(royalties ? { recipient: royalties } : {}),
      }),
      ...splitFields(body, nftMintBoundFields),
    };
  },

  storageSlot: ({ body }) => ({ tokenId: body.maxFee.tokenId, parity: 'offchain' }),

  async sign({ body }, storageId, _facts, keys) {
    if (storageId === null) throw new Error('mintNft is signed with a storage id');
    const request = { ...body, storageId };
    return signByAccount('mintNft', request, nftMintHash(request), keys);
  },
};
