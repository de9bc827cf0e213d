import type { Hex } from 'viem';
import type { z } from 'zod';
import { feeRequestTypes } from '../../../protocol/endpoints/getOffchainFee.ts';
import type { mintNft } from '../../../protocol/endpoints/mintNft.ts';
import { formatHash } from '../../../protocol/formatHash.ts';
import { ZERO_ADDRESS } from '../../../protocol/limits.ts';
import { computeNftAddress } from '../../../protocol/nftAddress.ts';
import { nftDataHash, royaltyOf } from '../../../protocol/payloads/nftData.ts';
import { nftMintHash } from '../../../protocol/payloads/nftMint.ts';
import type { Sql } from '../../db/port.ts';
import { Refusal } from '../../errors.ts';
import { acceptRequest, heldRequest, type RequestAck } from '../acceptRequest.ts';
import type { Account } from '../accounts.ts';
import { feeToCharge } from '../fees.ts';
import { canonicalHash, takeNftSlot } from '../nft/nftRows.ts';
import type { Relayer } from '../relayer.ts';
import { checkDeadline, checkExchange } from '../requestChecks.ts';
import { checkEddsa } from '../signatures.ts';

type Body = z.output<typeof mintNft.body>;

export interface MintAck extends RequestAck {
  readonly nftData: Hex;
  readonly nftTokenId: number;
}

/**
 * Accepts a mint under the minter's own counterfactual contract. The slot is taken at once, the
 * NFTs come with settlement.
 */
export async function acceptNftMint(relayer: Relayer, account: Account, body: Body): Promise<MintAck> {
  const hash = nftMintHash(body);
  const nftData = formatHash(nftDataHash(body));
  const held = await heldRequest(relayer, hash, body);
  if (held) return { ...held.ack, nftData, nftTokenId: held.request.token_id };
  if (body.minterAddress.toLowerCase() !== account.owner)
    throw new Refusal('SENDER_INVALID', `minterAddress: account ${account.accountId} belongs to another address`);
  if (body.toAddress.toLowerCase() !== account.owner)
    throw new Refusal('RECEIVER_INVALID', 'toAddress: a mint signed with the account key goes to its minter');
  await checkEddsa(relayer, hash, body.eddsaSignature, account.publicKey, 'eddsaSignature');
  checkExchange(relayer, body.exchange);
  checkContract(relayer, account, body);
  const amount = BigInt(body.amount);
  checkDeadline(relayer, body.validUntil, 'INVALID_ARGUMENT');
  const feeTokenId = body.maxFee.tokenId;
  const fee = await feeToCharge(relayer, account.owner, feeRequestTypes.NFT_MINT, {
    tokenId: feeTokenId,
    amount: BigInt(body.maxFee.amount),
  });
  let nftTokenId = 0;
  const draft = {
    kind: 'nftMint' as const,
    hash,
    body,
    otherAccountId: account.accountId,
    otherAddress: account.owner,
    nftData,
    amount,
    feeTokenId,
    fee,
    storage: [{ tokenId: feeTokenId, storageId: body.storageId }],
    hold: [{ tokenId: feeTokenId, amount: fee }],
    validUntil: body.validUntil,
    get tokenId() {
      return nftTokenId;
    },
    within: async (tx: Sql) => {
      await recordNft(relayer, tx, account, body, nftData);
      nftTokenId = await takeNftSlot(tx, account.accountId, nftData);
    },
  };
  const ack = await acceptRequest(relayer, account, draft);
  // A copy of the request was recorded while this one was checked: its slot is the one.
  const copy = ack.isIdempotent ? await heldRequest(relayer, hash, body) : undefined;
  return { ...ack, nftData, nftTokenId: copy?.request.token_id ?? nftTokenId };
}

/**
 * Only the official factory, an empty base URI, and the minter as contract owner; then the address
 * is computable.
 */
function checkContract(relayer: Relayer, account: Account, body: Body): void {
  const info = body.counterFactualNftInfo;
  const { nftFactory, nftImplementation } = relayer.config;
  if (info && info.nftFactory.toLowerCase() !== nftFactory.toLowerCase())
    throw new Refusal(
      'MINT_REFUSED',
      `counterFactualNftInfo.nftFactory: only the official factory ${nftFactory} is supported`,
    );
  if (info && info.nftOwner.toLowerCase() !== account.owner)
    throw new Refusal('MINT_REFUSED', 'counterFactualNftInfo.nftOwner: only the owner of a contract mints under it');
  if (info && info.nftBaseUri !== '')
    throw new Refusal('INVALID_ARGUMENT', 'counterFactualNftInfo.nftBaseUri: base URIs are not supported');
  const expected = computeNftAddress({ nftFactory, implementation: nftImplementation, nftOwner: account.owner });
  if (body.tokenAddress.toLowerCase() !== expected.toLowerCase())
    throw new Refusal('MINT_REFUSED', `tokenAddress: the minter's contract is ${expected}`);
}

async function recordNft(relayer: Relayer, tx: Sql, account: Account, body: Body, nftData: Hex): Promise<void> {
  const now = relayer.clock.now();
  const royaltyAddress = body.royaltyAddress?.toLowerCase() ?? '';
  const [known] = await tx.query<{ royalty_address: string }>('SELECT royalty_address FROM nfts WHERE nft_data = $1', [
    nftData,
  ]);
  if (known && !body.forceToMint) throw new Refusal('NFT_EXISTS', 'this NFT exists; forceToMint mints more of it');
  const payeeOf = (address: string) => (address === ZERO_ADDRESS ? '' : address) || account.owner;
  if (known && royaltyAddress && royaltyOf(body) > 0 && payeeOf(royaltyAddress) !== payeeOf(known.royalty_address))
    throw new Refusal(
      'MINT_REFUSED',
      `royaltyAddress: the royalties of this NFT go to ${payeeOf(known.royalty_address)}`,
    );
  await tx.query(
    `INSERT INTO nft_contracts (address, factory, owner, base_uri, status, updated_at)
     VALUES ($1, $2, $3, '', 'NOT_DEPLOYED', $4) ON CONFLICT (address) DO NOTHING`,
    [body.tokenAddress.toLowerCase(), relayer.config.nftFactory.toLowerCase(), account.owner, now],
  );
  await tx.query(
    `INSERT INTO nfts (nft_data, minter, nft_type, token_address, nft_id, creator_fee_bips, royalty_address, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (nft_data) DO NOTHING`,
    [
      nftData,
      account.owner,
      body.nftType,
      body.tokenAddress.toLowerCase(),
      canonicalHash(body.nftId),
      royaltyOf(body),
      royaltyAddress,
      now,
    ],
  );
}
