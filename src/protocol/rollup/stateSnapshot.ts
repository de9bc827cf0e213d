import { FIELD_PRIME } from '../../crypto/index.ts';
import { MAX_AMOUNT } from '../limits.ts';
import { z } from '../zod.ts';
import { ADDRESS_END } from './merkleProof.ts';
import { nftDataOf, type ProvenNft } from './nftData.ts';
import { formatError, RollupError } from './rollupError.ts';
import { RollupState } from './state.ts';
import { wordText } from './wordText.ts';

/**
 * The state after a block as JSON lines: a head, each account with its balances and storage, and
 * the NFTs behind the hashes in slots. Enough to prove every balance without any block; the root in
 * the head says whether it is complete.
 */
export interface StateSnapshot {
  readonly blockId: number;
  readonly root: bigint;
  readonly state: RollupState;
  readonly nfts: ReadonlyMap<bigint, ProvenNft>;
}

const FORMAT = 'countersign-state';
const hex = (value: bigint) => `0x${value.toString(16)}`;
const whole = z.int().check(z.nonnegative());
const below = (end: bigint) => wordText().check(z.refine((value) => value < end, 'is out of range'));
const element = below(FIELD_PRIME);

const head = z.strictObject({ format: z.literal(FORMAT), version: z.literal(1), blockId: whole, root: wordText() });
const accountLine = z.strictObject({
  accountId: whole,
  owner: below(ADDRESS_END),
  publicKeyX: element,
  publicKeyY: element,
  nonce: whole,
  feeBipsAmm: whole,
  balances: z.array(
    z.strictObject({
      tokenId: whole,
      balance: below(MAX_AMOUNT + 1n),
      weightAmm: element,
      storage: z.array(z.strictObject({ storageId: whole, data: element })),
    }),
  ),
});
const nftLine = z.strictObject({
  nft: z.strictObject({
    minter: wordText(),
    nftType: whole,
    token: wordText(),
    nftID: wordText(),
    creatorFeeBips: whole,
  }),
});

/** The lines of a snapshot, by account and token. */
export function* writeSnapshot(blockId: number, state: RollupState, nfts: Iterable<ProvenNft>): Generator<string> {
  yield JSON.stringify({ format: FORMAT, version: 1, blockId, root: hex(state.root()) });
  for (const [accountId, account] of [...state.accounts()].sort(([a], [b]) => a - b))
    yield JSON.stringify({
      accountId,
      owner: hex(account.owner),
      publicKeyX: hex(account.publicKeyX),
      publicKeyY: hex(account.publicKeyY),
      nonce: account.nonce,
      feeBipsAmm: account.feeBipsAmm,
      balances: [...account.balances]
        .sort(([a], [b]) => a - b)
        .map(([tokenId, { balance, weightAmm, storage }]) => ({
          tokenId,
          balance: balance.toString(),
          weightAmm: hex(weightAmm),
          storage: [...storage.values()].map(({ storageId, data }) => ({ storageId, data: data.toString() })),
        })),
    });
  for (const { minter, nftType, token, nftID, creatorFeeBips } of nfts)
    yield JSON.stringify({
      nft: { minter: hex(minter), nftType, token: hex(token), nftID: hex(nftID), creatorFeeBips },
    });
}

function parsed<T>(schema: z.ZodMiniType<T>, json: unknown): T {
  const { success, data, error } = schema.safeParse(json);
  if (!success) throw formatError(error);
  return data;
}

/**
 * Reads the lines of `writeSnapshot` and hashes the whole state.
 * @throws {RollupError} `format` for a line that is none of a snapshot, `root-after` when the state
 *   has another root than the head says.
 */
export async function readSnapshot(lines: AsyncIterable<string> | Iterable<string>): Promise<StateSnapshot> {
  let first: z.output<typeof head> | undefined;
  const state = new RollupState();
  const nfts = new Map<bigint, ProvenNft>();
  let number = 0;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    number++;
    try {
      const json: unknown = JSON.parse(line);
      if (!first) {
        first = parsed(head, json);
        continue;
      }
      const known = nftLine.safeParse(json).data;
      if (known) {
        nfts.set(nftDataOf(known.nft), known.nft);
        continue;
      }
      const { accountId, balances, ...account } = parsed(accountLine, json);
      state.setAccount(accountId, account);
      for (const { tokenId, storage, ...balance } of balances) {
        state.setBalance(accountId, tokenId, balance);
        for (const leaf of storage) state.setStorage(accountId, tokenId, leaf);
      }
    } catch (error) {
      throw new RollupError('format', `line ${number}: ${(error as Error).message}`);
    }
  }
  if (!first) throw new RollupError('format', 'there is no line');
  const root = state.root();
  if (root !== first.root)
    throw new RollupError('root-after', `the snapshot says root ${hex(first.root)}, its state has ${hex(root)}`);
  return { blockId: first.blockId, root, state, nfts };
}
