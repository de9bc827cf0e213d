import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes, offchainFieldCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import {
  accountId,
  address,
  amountText,
  booleanField,
  ecdsaSignature,
  eddsaSignature,
  nftData,
  nftId,
  nftTokenId,
  offchainStorageId,
  royalty,
  seconds,
} from '../fields.ts';
import { counterFactualInfo, flattenRawData, nftFee, offchainAck } from '../resources.ts';

/** Where the contract of the NFT comes from. */
const counterFactualNftInfo = deferred(() =>
  z.strictObject({
    nftFactory: address,
    nftOwner: address.describe('Contract owner, equals the minter'),
    nftBaseUri: z.string().max(1024).describe('Base URI, empty'),
  }),
);

/** Mints an NFT under a counterfactual contract; the signature is EdDSA in the body alone. */
export const mintNft = endpoint({
  name: 'mintNft',
  method: 'POST',
  path: '/api/v3/nft/mint',
  summary: 'Mints NFTs on L2',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'same-bytes',
  errorCodes: [
    ...offchainRequestCodes,
    ...offchainFieldCodes,
    'NFT_EXISTS',
    'MINT_REFUSED',
    ...apiKeyCodes,
    ...signatureCodes,
  ],
  query: () => z.strictObject({}),
  body: () =>
    z
      .strictObject({
        exchange: address,
        minterId: accountId.describe('Account of the minter'),
        minterAddress: address,
        toAccountId: accountId.describe('Receiving account; the minter itself'),
        toAddress: address,
        nftType: z.literal(0).describe('0: ERC1155; ERC721 mints are unsupported'),
        tokenAddress: address.describe('Contract address from computeTokenAddress'),
        nftId,
        amount: amountText.describe('NFT count to mint'),
        validUntil: seconds,
        creatorFeeBips: royalty.optional(),
        royaltyPercentage: royalty.optional().describe('The name that running relayers use for creatorFeeBips'),
        storageId: offchainStorageId.describe("Id of the fee token's counter, odd"),
        maxFee: nftFee.describe('Highest accepted fee'),
        forceToMint: booleanField.optional().describe('Mint more of an NFT that exists already'),
        counterFactualNftInfo: counterFactualNftInfo.optional().describe('Where the contract comes from'),
        royaltyAddress: address.optional().describe('Receiver of royalties, not signed'),
        eddsaSignature: eddsaSignature.optional(),
        ecdsaSignature: ecdsaSignature.optional(),
        counterFactualInfo: counterFactualInfo.optional(),
      })
      .refine((body) => body.toAccountId === body.minterId, {
        message: 'is not the minter; a mint signed with the L2 key goes to its minter',
        path: ['toAccountId'],
      })
      .refine(
        ({ creatorFeeBips, royaltyPercentage }) =>
          creatorFeeBips === undefined || royaltyPercentage === undefined || creatorFeeBips === royaltyPercentage,
        { message: 'differs from creatorFeeBips', path: ['royaltyPercentage'] },
      ),
  answer: () =>
    z.preprocess(
      flattenRawData,
      offchainAck.extend({ nftTokenId: nftTokenId.describe("The minter's slot of the NFT"), nftData }),
    ),
});
