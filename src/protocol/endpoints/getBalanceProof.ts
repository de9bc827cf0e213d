import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import {
  accountId,
  address,
  decimalText,
  hash32,
  queryAccountId,
  queryInteger,
  queryTokenId,
  tokenId,
} from '../fields.ts';
import { z } from '../zod.ts';

const small = () => z.int().check(z.minimum(0));

/**
 * The Merkle proof of one balance, in the members that the exchange contract takes. Anybody may
 * ask: blocks are public.
 */
export const getBalanceProof = readEndpoint({
  path: '/api/v3/exit/proof',
  summary: doc?.('Proof of a balance at a block with roots'),
  apiKey: 'none',
  errorCodes: doc?.(['TOKEN_UNSUPPORTED']),
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      tokenId: queryTokenId(),
      blockId: described(
        z.optional(queryInteger()),
        doc?.('The block after which the balance is proven; the newest with roots when absent'),
      ),
    }),
  answer: () =>
    z.looseObject({
      blockId: described(small(), doc?.('The block after which the balance was this')),
      root: described(hash32(), doc?.('Root of the state after that block')),
      proof: described(
        z.looseObject({
          accountLeaf: described(
            z.looseObject({
              accountID: described(accountId(), doc?.('L2 account id')),
              owner: described(address(), doc?.('Owner of the account; zero when it is not opened')),
              pubKeyX: described(decimalText(), doc?.('EdDSA public key; 0 and 0 for none')),
              pubKeyY: described(decimalText(), doc?.('EdDSA public key')),
              nonce: described(small(), doc?.('Account nonce')),
              feeBipsAMM: described(small(), doc?.('Fee of a pool in ten-thousandths')),
            }),
            doc?.('The account'),
          ),
          balanceLeaf: described(
            z.looseObject({
              tokenID: described(tokenId(), doc?.('Token id or NFT slot')),
              balance: described(decimalText(), doc?.('Balance in base units')),
              weightAMM: described(decimalText(), doc?.('Weight of a pool, or the hash of the NFT in the slot')),
              storageRoot: described(decimalText(), doc?.('Root of the storage ids in use')),
            }),
            doc?.('The balance'),
          ),
          nft: described(
            z.looseObject({
              minter: described(address(), doc?.('Address that minted it')),
              nftType: described(small(), doc?.('0: ERC-1155, 1: ERC-721')),
              token: described(address(), doc?.('Contract of the NFT')),
              nftID: described(decimalText(), doc?.('NFT id')),
              creatorFeeBips: described(small(), doc?.('Royalty')),
            }),
            doc?.('The NFT of the slot; all zeros for a token'),
          ),
          accountMerkleProof: described(z.array(decimalText()), doc?.('Three siblings for each of 16 levels')),
          balanceMerkleProof: described(z.array(decimalText()), doc?.('Three siblings for each of 8 levels')),
        }),
        doc?.('Argument of withdrawFromMerkleTree'),
      ),
    }),
});
