import { OWN_ORIGIN } from '../../../messaging/ownOrigin.ts';
import { once } from '../../../protocol/once.ts';
import { z } from '../../../protocol/zod.ts';
import { reported } from '../../../report/report.ts';
import { entry, type Form } from '../../../storage/entry.ts';
import { RpcError } from '../../errors/rpcError.ts';
import type { Ports } from '../../ports.ts';
import { ageAt } from '../../relayers/age.ts';

/** Three rejections within 30 s silence an origin for 60 s. */
const REJECTIONS = 3;
const REJECTION_WINDOW_MS = 30_000;
const COOL_DOWN_MS = 60_000;
/**
 * Approval requests in a row that end without the user, such as those that a site takes back
 * itself; one more every two seconds.
 */
const BURST = 20;
const ONE_MORE_MS = 2_000;
/**
 * Sites that are counted at once; of more, the one that asked or was answered longest ago is
 * forgotten.
 */
const MOST_SITES = 500;

/** How fast one site has asked. Unix milliseconds. */
interface Rate {
  /** Requests that it had left at `at`. */
  readonly left: number;
  readonly at: number;
  /** Times of its latest rejections. */
  readonly rejections: readonly number[];
  readonly silentUntil: number;
}
type Rates = Readonly<Record<string, Rate>>;

const stored = once(
  (): Form<Rates> =>
    z.record(
      z.string(),
      z.object({ left: z.number(), at: z.number(), rejections: z.array(z.number()), silentUntil: z.number() }),
    ),
);

/** Requests that a site has left now. A clock that was set back changes nothing. */
const leftAt = ({ left, at }: Rate, now: number): number => Math.min(BURST, left + Math.max(0, now - at) / ONE_MORE_MS);

const lately = ({ rejections }: Rate, now: number) =>
  rejections.filter((time) => ageAt(now, time) < REJECTION_WINDOW_MS);

/** A clock that was set back makes no cool-down longer. */
const isSilent = ({ silentUntil }: Rate, now: number): boolean =>
  now < silentUntil && silentUntil - now <= COOL_DOWN_MS;

/** A site of which nothing has to be known any more is as one that never asked. */
const isCalm = (rate: Rate, now: number): boolean =>
  leftAt(rate, now) === BURST && lately(rate, now).length === 0 && !isSilent(rate, now);

/** The rates with a changed one, without those that a site has no use for any more. */
function withRate(rates: Rates, origin: string, rate: Rate): Rates {
  const others = Object.entries(rates)
    .filter(([other, known]) => other !== origin && !isCalm(known, rate.at))
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MOST_SITES - 1);
  return Object.fromEntries([...others, [origin, rate]]);
}

/**
 * How fast each site may ask. Kept in `storage.session`, all sites in one value of a bounded size.
 * @param alone - Requests of pages are counted and stored one after another.
 */
export function createRequestRate(
  { now, session }: Pick<Ports, 'now' | 'session'>,
  alone: <T>(work: () => Promise<T>) => Promise<T>,
) {
  const kept = entry({ session }, 'session', 'request-rate', stored);
  const read = async (): Promise<Rates> => (await kept.read()) ?? {};
  const rateOf = (rates: Rates, origin: string, at: number): Rate =>
    rates[origin] ?? { left: BURST, at, rejections: [], silentUntil: 0 };
  const keep = (rates: Rates, origin: string, rate: Rate) => kept.write(withRate(rates, origin, rate));

  return {
    alone,

    /** Counts a rejection towards the cool-down of its origin. */
    countRejection: (origin: string): Promise<void> =>
      alone(async () => {
        // Rejections in the wallet's own pages are not limited.
        if (origin === OWN_ORIGIN) return;
        const at = now();
        const rates = await read();
        const known = rateOf(rates, origin, at);
        const rejections = [...lately(known, at), at];
        const silentUntil = rejections.length >= REJECTIONS ? at + COOL_DOWN_MS : known.silentUntil;
        await keep(rates, origin, { left: leftAt(known, at), at, rejections, silentUntil });
      }),

    /** The user decided, so the request was no flood. What cannot be counted is still asked. */
    countDecision: (origin: string): Promise<void> =>
      alone(async () => {
        const at = now();
        const rates = await read();
        const known = rateOf(rates, origin, at);
        await keep(rates, origin, { ...known, left: Math.min(BURST, leftAt(known, at) + 1), at });
      }),

    /**
     * Counts one more request of a site; to be called inside `alone`.
     * @throws {RpcError} `limitExceeded` during a cool-down
     */
    async countRequest(origin: string, at: number) {
      const rates = await read();
      const known = rateOf(rates, origin, at);
      if (isSilent(known, at))
        throw new RpcError('limitExceeded', 'The user rejected several requests. Wait a minute before asking again.');
      const left = leftAt(known, at) - 1;
      return {
        isSpent: left < 0,
        // A convenience like the cool-down: what cannot be counted is still asked.
        keep: (): Promise<void> =>
          keep(rates, origin, { ...known, left, at }).catch(reported('approvals: count requests')),
      };
    },
  };
}

export type RequestRate = ReturnType<typeof createRequestRate>;
