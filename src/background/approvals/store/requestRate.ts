import { OWN_ORIGIN } from '../../../messaging/ownOrigin.ts';
import { reported } from '../../../report/report.ts';
import { RpcError } from '../../errors/rpcError.ts';
import type { Ports } from '../../ports.ts';

/** Three rejections within 30 s silence an origin for 60 s. */
const REJECTIONS = 3;
const REJECTION_WINDOW_MS = 30_000;
const COOL_DOWN_MS = 60_000;
/** Approval requests in a row that end without the user, such as those that a site takes back itself; one more every two seconds. */
const BURST = 20;
const ONE_MORE_MS = 2_000;
const rejectionsKey = (origin: string) => `rejections:${origin}`;
const bucketKey = (origin: string) => `questions:${origin}`;

interface Rejections {
  readonly times: readonly number[];
  readonly silentUntil: number;
}

/** Approval requests that a site had left at a time, Unix milliseconds. */
interface Bucket {
  readonly left: number;
  readonly at: number;
}

/** Approval requests that a site has left after one (`-1`), or after one was given back (`1`); below zero it has none. */
function leftAfter(stored: unknown, now: number, change: 1 | -1): number {
  const { left, at } = (stored as Bucket | undefined) ?? { left: BURST, at: now };
  // A clock that was set back changes nothing.
  return Math.min(BURST, left + Math.max(0, now - at) / ONE_MORE_MS + change);
}

/** In `storage.session`. A convenience like the cool-down: what cannot be counted is still asked. */
const keepLeft = ({ session }: Pick<Ports, 'session'>, origin: string, left: number, now: number): Promise<void> =>
  session.set({ [bucketKey(origin)]: { left, at: now } satisfies Bucket }).catch(reported('approvals: count requests'));

/**
 * How fast each site may ask. Kept in `storage.session`.
 * @param alone - Requests of pages are counted and stored one after another.
 */
export function createRequestRate(
  { now, session }: Pick<Ports, 'now' | 'session'>,
  alone: <T>(work: () => Promise<T>) => Promise<T>,
) {
  return {
    alone,

    /** Counts a rejection towards the cool-down of its origin. */
    async countRejection(origin: string): Promise<void> {
      // Rejections in the wallet's own pages are not limited.
      if (origin === OWN_ORIGIN) return;
      const key = rejectionsKey(origin);
      const stored = (await session.get(key)) as Rejections | undefined;
      const at = now();
      const times = [...(stored?.times ?? []).filter((time) => at - time < REJECTION_WINDOW_MS), at];
      const silentUntil = times.length >= REJECTIONS ? at + COOL_DOWN_MS : (stored?.silentUntil ?? 0);
      await session.set({ [key]: { times, silentUntil } satisfies Rejections });
    },

    /** The user decided, so the request was no flood. */
    countDecision: (origin: string): Promise<void> =>
      alone(async () => {
        const at = now();
        await keepLeft({ session }, origin, leftAfter(await session.get(bucketKey(origin)), at, 1), at);
      }),

    /**
     * Counts one more request of a site; to be called inside `alone`.
     * @throws {RpcError} `limitExceeded` during a cool-down
     */
    async countRequest(origin: string, at: number) {
      const [rejections, bucket] = await Promise.all([
        session.get(rejectionsKey(origin)),
        session.get(bucketKey(origin)),
      ]);
      const silentUntil = (rejections as Rejections | undefined)?.silentUntil ?? 0;
      if (at < silentUntil)
        throw new RpcError('limitExceeded', 'The user rejected several requests. Wait a minute before asking again.');
      const left = leftAfter(bucket, at, -1);
      return { isSpent: left < 0, keep: (): Promise<void> => keepLeft({ session }, origin, left, at) };
    },
  };
}

export type RequestRate = ReturnType<typeof createRequestRate>;
