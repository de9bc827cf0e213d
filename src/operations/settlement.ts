import { type FinalState, finalStates } from '../protocol/states.ts';
import type { Reads } from './reads.ts';
import type { SubmittedRequest } from './submittedRequest.ts';

/** Seconds after `validUntil` in which a relayer with another clock might still take a request. */
export const EXPIRY_GRACE_SECONDS = 120;

/** Where a submission stands at the relayer; `open` is not final. */
export interface Outcome {
  readonly state: 'open' | FinalState;
  /** The relayer's words, kept in the journal. */
  readonly ack: Readonly<Record<string, unknown>>;
  readonly note?: string;
}

/**
 * How the end of a submission is found. Each operation has one, so that whoever drives submissions
 * knows no operation by name.
 */
export interface Settlement {
  /**
   * The relayer's acknowledgement names the hash that was signed; a difference is noted in the
   * journal.
   */
  readonly reportsHash: boolean;
  /**
   * Milliseconds between two polls in the first hour, where the interface document fixes them;
   * otherwise, and later, polls become rarer with age.
   */
  readonly pollIntervalMs?: number;
  /** Reads the outcome from the acknowledgement itself. */
  outcomeOf(ack: Readonly<Record<string, unknown>>): Outcome;
  /**
   * Looks it up at the relayer; `null` when the relayer does not know it, `undefined` when nothing
   * that the relayer lists will tell how it ended. Absent where no list of the interface shows such
   * a request: then only the answer to the same bytes, or the end of their validity, tells.
   */
  find?(submitted: SubmittedRequest, reads: Reads): Promise<Outcome | null | undefined>;
  /**
   * Asks the relayer in which blocks it stands; absent where no block transaction carries out such
   * a request.
   */
  blocks?(submitted: SubmittedRequest, reads: Reads): Promise<NamedBlocks>;
}

/** Blocks that the relayer names for a submission. */
export interface NamedBlocks {
  readonly blockIds: readonly number[];
  /** There are more than one answer of the relayer lists. */
  readonly more: boolean;
}

/**
 * The block of a row, in either place in which relayers write it; 0 and nothing both say that there
 * is none yet.
 */
export function blockOfRow(row: object | undefined): NamedBlocks {
  const { blockIdInfo, blockId = blockIdInfo?.blockId } = (row ?? {}) as {
    readonly blockId?: number;
    readonly blockIdInfo?: { readonly blockId: number };
  };
  return { blockIds: blockId ? [blockId] : [], more: false };
}

/** Orders and requests share these words for their ends; everything else is open. */
export function outcomeOfStatus(ack: Readonly<Record<string, unknown>>): Outcome {
  return { state: finalStates.find((state) => state === ack.status) ?? 'open', ack };
}

interface HistoryRow {
  readonly hash: string;
}

/**
 * The row of a list whose hash is the submission's; relayers drop leading zeros, so numbers are
 * compared.
 */
export function rowOf<Row extends HistoryRow>(rows: readonly Row[], hash: string | null): Row | undefined {
  return hash === null
    ? undefined
    : rows.find((row) => /^0x[0-9a-f]+$/i.test(row.hash) && BigInt(row.hash) === BigInt(hash));
}

/** @param named - The block of each fill, as a row of texts names it. */
export const blocksOfFills = (named: readonly (string | undefined)[], totalNum: number): NamedBlocks => ({
  blockIds: [...new Set(named.map(Number).filter((blockId) => blockId > 0))].sort((a, b) => a - b),
  more: totalNum > named.length,
});

/**
 * Settlement of an off-chain request whose history can be asked by hash.
 * @param history - Rows for this hash, each with a `status`.
 */
export function requestSettlement(
  history: (query: { accountId: number; hashes: string }, reads: Reads) => Promise<readonly HistoryRow[]>,
): Settlement & Required<Pick<Settlement, 'find' | 'blocks'>> {
  const rowOfRequest = async ({ accountId, hash }: SubmittedRequest, reads: Reads) =>
    hash === null ? undefined : rowOf(await history({ accountId, hashes: hash }, reads), hash);
  return {
    reportsHash: true,
    outcomeOf: outcomeOfStatus,
    async find(submitted, reads) {
      const row = await rowOfRequest(submitted, reads);
      return row ? outcomeOfStatus({ ...row }) : null;
    },
    blocks: async (submitted, reads) => blockOfRow(await rowOfRequest(submitted, reads)),
  };
}
