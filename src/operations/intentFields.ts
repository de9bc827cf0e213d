import { looseHash } from '../protocol/fields.ts';
import {
  address,
  amountText,
  bytesText,
  erc20TokenId,
  formatHash,
  memo,
  nftFee,
  seconds,
  tokenVolumeV3,
  ZERO_ADDRESS,
} from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { DAY_SECONDS } from '../protocol/time.ts';
import { z } from '../protocol/zod.ts';
import { ClockBehind, type Facts, IntentError } from './operation.ts';

/**
 * Off-chain requests are carried out within minutes. A relayer that refuses one and keeps it can
 * carry it out until it expires, so a request that names no expiry is valid no longer than this.
 */
export const REQUEST_VALIDITY_SECONDS = 3_600;
/**
 * The same for what a wallet contract has to approve: its signers need time, and no relayer can
 * carry it out before.
 */
export const CONTRACT_VALIDITY_SECONDS = DAY_SECONDS;

/** NFT signatures name a slot, whose content can change; none stays usable longer. Seconds. */
export const LONGEST_NFT_VALIDITY = 60 * DAY_SECONDS;

/** A token and a volume above zero. */
export const positiveVolume = once(() =>
  tokenVolumeV3().check(z.refine(({ volume }) => volume !== '0', { path: ['volume'], error: 'is zero' })),
);

/** An amount above zero. */
export const positiveAmount = once(() => amountText().check(z.refine((text) => text !== '0', 'is zero')));

/** A receiver; the zero address would leave it open who receives. */
export const receiver = once(() =>
  address().check(z.refine((text) => text.toLowerCase() !== ZERO_ADDRESS, 'is the zero address')),
);

/** Hash of an order as a site has it from the relayer's list, perhaps without leading zeros. */
export const orderHashField = once(() =>
  z.pipe(
    looseHash(),
    z.transform((text) => formatHash(BigInt(text))),
  ),
);

/** Who alone may fill an order; the zero address lets anybody, as none does. */
export const takerOf = (taker: string | undefined): string | undefined =>
  taker?.toLowerCase() === ZERO_ADDRESS ? undefined : taker;

const oneFeePreference = { path: ['feeTokenId'], error: 'goes without maxFee, which names the token' };

const shared = () => ({
  /** Owner address of one of the accounts that the page sees; the first one when absent. */
  account: z.optional(address()),
  /** Seconds; when absent, an hour from now, or a day for what a wallet contract has to approve. */
  validUntil: z.optional(seconds()),
  /** Token that pays the quoted fee; when absent, the moved one or one that the balance covers. */
  feeTokenId: z.optional(erc20TokenId()),
});

/** Fields that intents of ERC-20 requests share. */
export const requestIntent = () => ({ ...shared(), maxFee: z.optional(tokenVolumeV3()) });
/** Fields that intents of NFT requests share; their fee says `amount`. */
export const nftRequestIntent = () => ({ ...shared(), maxFee: z.optional(nftFee()) });
export const memoField = once(() => z.optional(memo()));

/** Fields that intents of withdrawals to L1 share. */
export const withdrawalIntent = () => ({
  /** L1 receiver; the owner when absent. */
  to: z.optional(receiver()),
  /** Whole bytes, hashed as bytes; none when absent or empty. */
  extraData: z.optional(bytesText()),
  /** Least gas of the L1 payout; 0 leaves it to the relayer. */
  minGas: z.optional(z.int().check(z.minimum(0))),
});

/** Refuses a fee token beside a fee. */
export const withOneFeePreference = <Shape extends z.ZodMiniType<{ feeTokenId?: unknown; maxFee?: unknown }>>(
  schema: Shape,
) =>
  schema.check(z.refine((intent) => intent.feeTokenId === undefined || intent.maxFee === undefined, oneFeePreference));

/** The fee preference of either form. */
export const feePreference = (intent: {
  feeTokenId?: number | undefined;
  maxFee?: { tokenId: number; volume: string } | { tokenId: number; amount: string } | undefined;
}) => ({
  feeTokenId: intent.maxFee?.tokenId ?? intent.feeTokenId,
  maxFee: intent.maxFee && ('volume' in intent.maxFee ? intent.maxFee.volume : intent.maxFee.amount),
});

/** An end this close may have passed by the relayer's clock already, seconds. */
const NEAR_END_SECONDS = DAY_SECONDS;
/** Time for a request to reach the relayer after its approval, seconds. */
const WAY_TO_RELAYER_SECONDS = 120;
/** Age of the relayer's time that is good enough to tell minutes, seconds. */
const CLOCK_AGE_SECONDS = 10;

/**
 * The end of a request: the one that was asked for, or an hour from now.
 * @param longest - Seconds from now that it may lie ahead.
 * @throws {IntentError} `validUntil` is not in the future, or further away than `longest` seconds.
 * @throws {ClockBehind} By the relayer's clock it will have passed on arrival, so every signature
 *   of it would be refused.
 */
export async function deadline(
  asked: number | undefined,
  facts: Pick<Facts, 'now' | 'recent'>,
  longest = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { now } = facts;
  const validUntil = asked ?? now + REQUEST_VALIDITY_SECONDS;
  if (validUntil <= now) throw new IntentError('validUntil', 'is not in the future');
  if (validUntil - now > longest)
    throw new IntentError('validUntil', `is more than ${Math.floor(longest / DAY_SECONDS)} days away`);
  if (validUntil - now > NEAR_END_SECONDS) return validUntil;
  const clock = await facts.recent('getTimestamp', {}, CLOCK_AGE_SECONDS);
  const behind = clock ? Math.floor(clock.timestamp / 1000) - now : 0;
  // A short end that somebody named is not the clock's fault while both clocks agree.
  if (behind > WAY_TO_RELAYER_SECONDS && validUntil - now - behind < WAY_TO_RELAYER_SECONDS)
    throw new ClockBehind(behind);
  return validUntil;
}

/** The end of a request that the owner of the account has to approve on layer 1. */
export const ownerDeadline = (
  asked: number | undefined,
  facts: Pick<Facts, 'account' | 'now' | 'recent'>,
  longest?: number,
): Promise<number> =>
  deadline(asked ?? (facts.account.isContract ? facts.now + CONTRACT_VALIDITY_SECONDS : undefined), facts, longest);
