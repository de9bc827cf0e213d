import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { offchainFieldCodes, offchainRequestCodes, signatureCodes } from '../errors.ts';
import {
  accountId,
  address,
  amountText,
  booleanField,
  nftData,
  nftId,
  nftTokenId,
  offchainStorageId,
  royalty,
  seconds,
  signaturesOrNone,
} from '../fields.ts';
import { once } from '../once.ts';
import { flattenRawData } from '../resourceReaders.ts';
import { counterFactualInfo, nftFee, offchainAck } from '../resources.ts';
import { z } from '../zod.ts';

/** Where the contract of the NFT comes from. */
const counterFactualNftInfo = once(() =>
  z.strictObject({
    nftFactory: address(),
    nftOwner: described(address(), doc?.('Contract owner, equals the minter')),
    nftBaseUri: described(z.string().check(z.maxLength(1024)), doc?.('Base URI, empty')),
  }),
);

/** Mints an NFT under a counterfactual contract; the signature is EdDSA in the body alone. */
export const mintNft = endpoint({
  method: 'POST',
  path: '/api/v3/nft/mint',
  summary: doc?.('Mints NFTs on L2'),
  errorCodes: doc?.([
    ...offchainRequestCodes,
    ...offchainFieldCodes,
    'NFT_EXISTS',
    'MINT_REFUSED',
    'STORAGE_ID_EXHAUSTED',
    ...signatureCodes,
  ]),
  body: () =>
    z
      .strictObject({
        exchange: address(),
        minterId: described(accountId(), doc?.('Account of the minter')),
        minterAddress: address(),
        toAccountId: described(accountId(), doc?.('Receiving account; the minter itself')),
        toAddress: address(),
        nftType: described(z.literal(0), doc?.('0: ERC1155; ERC721 mints are unsupported')),
        tokenAddress: described(address(), doc?.('Contract address from computeTokenAddress')),
        nftId: nftId(),
        amount: described(amountText(), doc?.('NFT count to mint')),
        validUntil: seconds(),
        creatorFeeBips: z.optional(royalty()),
        royaltyPercentage: described(
          z.optional(royalty()),
          doc?.('The name that running relayers use for creatorFeeBips'),
        ),
        storageId: described(offchainStorageId(), doc?.("Id of the fee token's counter, odd")),
        maxFee: described(nftFee(), doc?.('Highest accepted fee')),
        forceToMint: described(z.optional(booleanField()), doc?.('Mint more of an NFT that exists already')),
        counterFactualNftInfo: described(z.optional(counterFactualNftInfo()), doc?.('Where the contract comes from')),
        royaltyAddress: described(z.optional(address()), doc?.('Receiver of royalties, not signed')),
        ...signaturesOrNone(),
        counterFactualInfo: z.optional(counterFactualInfo()),
      })
      .check(
        z.refine((body) => body.toAccountId === body.minterId, {
          message: 'is not the minter; a mint signed with the account key goes to its minter',
          path: ['toAccountId'],
        }),
        z.refine(
          ({ creatorFeeBips, royaltyPercentage }) =>
            creatorFeeBips === undefined || royaltyPercentage === undefined || creatorFeeBips === royaltyPercentage,
          { message: 'differs from creatorFeeBips', path: ['royaltyPercentage'] },
        ),
      ),
  answer: () =>
    z.pipe(
      z.transform(flattenRawData),
      z.extend(offchainAck(), {
        nftTokenId: described(nftTokenId(), doc?.("The minter's slot of the NFT")),
        nftData: nftData(),
      }),
    ),
});
