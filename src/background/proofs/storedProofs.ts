import type { ProofRule } from '../../messaging/views.ts';
import { formatHash } from '../../protocol/index.ts';
import { once } from '../../protocol/once.ts';
import type { MerkleProof } from '../../protocol/rollup/merkleProof.ts';
import { parseMerkleProof } from '../../protocol/rollup/merkleProofJson.ts';
import { z } from '../../protocol/zod.ts';
import { isRecord, readableOf } from '../../storage/lenient.ts';

/**
 * Whether a relayer gives proofs. `no`: none that can be read. `not-yet`: no block has roots yet.
 */
const offers = ['yes', 'no', 'not-yet'] as const;
export type Offer = (typeof offers)[number];

const seen = () => ({ blockId: z.int().check(z.minimum(0)), root: z.string(), at: z.number(), proof: z.unknown() });

/**
 * A proof that holds, with the block and the root that it leads to. `proof` is the JSON that the
 * contract's argument has.
 */
const keptSchema = once(() => z.object(seen()));
export type KeptProof = z.infer<ReturnType<typeof keptSchema>>;

/**
 * A proof that does not hold, as evidence. `other`: the root that the relayer showed before for the
 * same block.
 */
const failureSchema = once(() =>
  z.object({
    ...seen(),
    tokenId: z.int().check(z.minimum(0)),
    rule: z.enum([
      'root',
      'leaf',
      'removed',
      'two-roots',
      'two-numbers',
      'exchange',
    ]) satisfies z.ZodMiniType<ProofRule>,
    other: z.nullable(z.object({ root: z.string(), at: z.number() })),
  }),
);
export type ProofFailure = z.infer<ReturnType<typeof failureSchema>>;

export interface StoredProofs {
  /** `null` before the relayer was asked. */
  readonly offered: Offer | null;
  /** The last proof that holds, by token or slot. */
  readonly kept: ReadonlyMap<number, KeptProof>;
  readonly failures: readonly ProofFailure[];
}

export const proofsKey = (account: string) => `proofs:${account}`;

/** Failures kept of one account: the first ones, and the newest. */
const MOST_FAILURES = 20;

/** Reads the failures alone: parsing the kept proofs takes long. */
export const failuresOf = (stored: unknown): readonly ProofFailure[] =>
  readableOf(failureSchema(), isRecord(stored) ? stored.failures : undefined);

/** Reads stored proofs; drops what cannot be parsed, which is asked for again. */
export function readProofs(stored: unknown): StoredProofs {
  const { offered, kept } = isRecord(stored) ? stored : {};
  return {
    offered: z.catch(z.nullable(z.enum(offers)), null).parse(offered),
    kept: new Map(
      Object.entries(isRecord(kept) ? kept : {}).flatMap(([tokenId, value]) => {
        const one = keptSchema().safeParse(value).data;
        return one && leafOf(one) ? [[Number(tokenId), one] as const] : [];
      }),
    ),
    failures: failuresOf(stored),
  };
}

/** Whether stored proofs say that the relayer gives none; reads no proof for that. */
export const offersNone = (stored: unknown): boolean => isRecord(stored) && stored.offered === 'no';

export const formOf = ({ offered, kept, failures }: StoredProofs) => ({
  version: 1,
  offered,
  kept: Object.fromEntries(kept),
  failures,
});

/** Parses a kept proof; `undefined` for one that was damaged on the disk. */
export function leafOf({ proof }: Pick<KeptProof, 'proof'>): MerkleProof | undefined {
  try {
    return parseMerkleProof(proof);
  } catch {
    return undefined;
  }
}

/**
 * The NFT of a slot by the proof that is kept, with its block; `null` without one, and for a slot
 * that was empty.
 */
export function provenNft(stored: unknown, slot: number) {
  const all = isRecord(stored) && isRecord(stored.kept) ? stored.kept : {};
  const kept = keptSchema().safeParse(all[slot]).data;
  const leaf = kept && leafOf(kept)?.balanceLeaf;
  return leaf && leaf.balance > 0n ? { nftData: formatHash(leaf.weightAMM), blockId: kept.blockId } : null;
}

/** With one failure more, unless that one is known. */
export function withFailure(failures: readonly ProofFailure[], failure: ProofFailure): readonly ProofFailure[] {
  const { tokenId, blockId, rule, root } = failure;
  const isKnown = failures.some(
    (one) => one.tokenId === tokenId && one.blockId === blockId && one.rule === rule && one.root === root,
  );
  return isKnown ? failures : [...failures.slice(0, MOST_FAILURES - 1), failure];
}

/** Roots of blocks of an exchange as a relayer showed them first. */
export type SeenRoots = ReadonlyMap<number, { readonly root: string; readonly at: number }>;

/** Blocks of an exchange whose roots are kept: those that were seen last. */
const MOST_ROOTS = 200;
const rootSchema = once(() => z.object({ root: z.string(), at: z.number() }));

export function readRoots(stored: unknown): SeenRoots {
  const { roots } = isRecord(stored) ? stored : {};
  return new Map(
    Object.entries(isRecord(roots) ? roots : {}).flatMap(([blockId, value]) => {
      const one = rootSchema().safeParse(value).data;
      return one ? [[Number(blockId), one] as const] : [];
    }),
  );
}

export const rootsForm = (roots: SeenRoots) => ({
  version: 1,
  roots: Object.fromEntries([...roots].toSorted(([, a], [, b]) => a.at - b.at).slice(-MOST_ROOTS)),
});
