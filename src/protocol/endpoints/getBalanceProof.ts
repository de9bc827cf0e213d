import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { accountId, address, decimalText, hash32, queryAccountId, queryTokenId, tokenId } from '../fields.ts';

const small = () => z.int().min(0);

/** The Merkle proof of one balance, in the members that the exchange contract takes. Anybody may ask: blocks are public. */
export const getBalanceProof = endpoint({
  name: 'getBalanceProof',
  method: 'GET',
  path: '/api/v3/exit/proof',
  summary: 'Proof of a balance at the newest block with roots',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', 'TOKEN_UNSUPPORTED'],
  query: () => z.strictObject({ accountId: queryAccountId, tokenId: queryTokenId }),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({
      blockId: small().describe('The block after which the balance was this'),
      root: hash32.describe('Root of the state after that block'),
      proof: z
        .looseObject({
          accountLeaf: z
            .looseObject({
              accountID: accountId.describe('L2 account id'),
              owner: address.describe('Owner of the account; zero when it is not opened'),
              pubKeyX: decimalText.describe('EdDSA public key; 0 and 0 for none'),
              pubKeyY: decimalText.describe('EdDSA public key'),
              nonce: small().describe('Account nonce'),
              feeBipsAMM: small().describe('Fee of a pool in ten-thousandths'),
            })
            .describe('The account'),
          balanceLeaf: z
            .looseObject({
              tokenID: tokenId.describe('Token id or NFT slot'),
              balance: decimalText.describe('Balance in base units'),
              weightAMM: decimalText.describe('Weight of a pool, or the hash of the NFT in the slot'),
              storageRoot: decimalText.describe('Root of the storage ids in use'),
            })
            .describe('The balance'),
          nft: z
            .looseObject({
              minter: address.describe('Who minted it'),
              nftType: small().describe('0: ERC-1155, 1: ERC-721'),
              token: address.describe('Contract of the NFT'),
              nftID: decimalText.describe('NFT id'),
              creatorFeeBips: small().describe('Royalty'),
            })
            .describe('The NFT of the slot; all zeros for a token'),
          accountMerkleProof: z.array(decimalText).describe('Three siblings for each of 16 levels'),
          balanceMerkleProof: z.array(decimalText).describe('Three siblings for each of 8 levels'),
        })
        .describe('Argument of withdrawFromMerkleTree'),
    }),
});
