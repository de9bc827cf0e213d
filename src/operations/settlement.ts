import type { Reads } from './reads.ts';
import type { SubmittedRequest } from './submittedRequest.ts';

/** Where a submission stands at the relayer; `open` is not final. */
export interface Outcome {
  readonly state: 'open' | 'processed' | 'failed' | 'expired' | 'cancelled';
  /** The relayer's words, kept in the journal. */
  readonly ack: Readonly<Record<string, unknown>>;
  readonly note?: string;
}

/**
 * How the end of a submission is found. Each operation has one, so that whoever drives submissions knows no operation by name.
 */
export interface Settlement {
  /** The relayer's acknowledgement names the hash that was signed; a difference is noted in the journal. */
  readonly reportsHash: boolean;
  /** Milliseconds between two looks, where the interface document fixes them; otherwise looks become rarer with age. */
  readonly everyMs?: number;
  /** What the acknowledgement itself says. */
  outcomeOf(ack: Readonly<Record<string, unknown>>): Outcome;
  /**
   * Looks it up at the relayer; `null` when the relayer does not know it. Absent where no list of the interface shows such a
   * request: then only the answer to the same bytes, or the end of their validity, tells.
   */
  find?(submitted: SubmittedRequest, reads: Reads): Promise<Outcome | null>;
}

const finalStates = ['processed', 'failed', 'expired', 'cancelled'] as const;

/** Orders and requests share these words for their ends; everything else is open. */
export function outcomeOfStatus(ack: Readonly<Record<string, unknown>>): Outcome {
  return { state: finalStates.find((state) => state === ack.status) ?? 'open', ack };
}

interface HistoryRow {
  readonly hash: string;
}

/** The row of a list whose hash is the submission's; relayers drop leading zeros, so numbers are compared. */
export function rowOf<Row extends HistoryRow>(rows: readonly Row[], hash: string | null): Row | undefined {
  return hash === null
    ? undefined
    : rows.find((row) => /^0x[0-9a-f]+$/i.test(row.hash) && BigInt(row.hash) === BigInt(hash));
}

/**
 * Settlement of an off-chain request whose history can be asked by hash.
 * @param history - Rows for this hash, each with a `status`.
 */
export function requestSettlement(
  history: (query: { accountId: number; hashes: string }, reads: Reads) => Promise<readonly HistoryRow[]>,
): Settlement {
  return {
    reportsHash: true,
    outcomeOf: outcomeOfStatus,
    async find({ accountId, hash }, reads) {
      if (hash === null) return null;
      const row = rowOf(await history({ accountId, hashes: hash }, reads), hash);
      return row ? outcomeOfStatus({ ...row }) : null;
    },
  };
}
