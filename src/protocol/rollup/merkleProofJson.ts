import { once } from '../once.ts';
import { z } from '../zod.ts';
import type { MerkleProof } from './merkleProof.ts';
import { formatError } from './rollupError.ts';
import { wordText } from './wordText.ts';

const addressText = (value: bigint) => `0x${value.toString(16).padStart(40, '0')}`;

/** An address as hex. */
const address = once(() =>
  z.pipe(
    z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/, 'is no address')),
    z.transform((text: string) => BigInt(text)),
  ),
);
const small = once(() => z.int().check(z.nonnegative()));

/** A proof as JSON; `foldMerkleProof` checks ranges and lengths. */
const merkleProofJson = once(() =>
  z.strictObject({
    accountLeaf: z.strictObject({
      accountID: small(),
      owner: address(),
      pubKeyX: wordText(),
      pubKeyY: wordText(),
      nonce: small(),
      feeBipsAMM: small(),
    }),
    balanceLeaf: z.strictObject({
      tokenID: small(),
      balance: wordText(),
      weightAMM: wordText(),
      storageRoot: wordText(),
    }),
    nft: z.strictObject({
      minter: address(),
      nftType: small(),
      token: address(),
      nftID: wordText(),
      creatorFeeBips: small(),
    }),
    accountMerkleProof: z.array(wordText()),
    balanceMerkleProof: z.array(wordText()),
  }),
);

/**
 * A proof as JSON that block explorers take as the argument of the contract: addresses as hex, long
 * integers as decimal texts.
 */
export function formatMerkleProof({
  accountLeaf,
  balanceLeaf,
  nft,
  ...proof
}: MerkleProof): z.input<ReturnType<typeof merkleProofJson>> {
  return {
    accountLeaf: {
      ...accountLeaf,
      owner: addressText(accountLeaf.owner),
      pubKeyX: String(accountLeaf.pubKeyX),
      pubKeyY: String(accountLeaf.pubKeyY),
    },
    balanceLeaf: {
      ...balanceLeaf,
      balance: String(balanceLeaf.balance),
      weightAMM: String(balanceLeaf.weightAMM),
      storageRoot: String(balanceLeaf.storageRoot),
    },
    nft: {
      ...nft,
      minter: addressText(nft.minter),
      token: addressText(nft.token),
      nftID: String(nft.nftID),
    },
    accountMerkleProof: proof.accountMerkleProof.map(String),
    balanceMerkleProof: proof.balanceMerkleProof.map(String),
  };
}

/**
 * Reads the JSON of `formatMerkleProof`.
 * @throws {RollupError} `format`, with the path of each member that is missing, unknown or no
 *   integer.
 */
export function parseMerkleProof(json: unknown): MerkleProof {
  const parsed = merkleProofJson().safeParse(json);
  if (!parsed.success) throw formatError(parsed.error);
  return parsed.data;
}
