import { describe, expect, test } from 'vitest';
import {
  deadline,
  feePreference,
  LONGEST_NFT_VALIDITY,
  memoField,
  nftRequestIntent,
  ownerDeadline,
  positiveVolume,
  REQUEST_VALIDITY_SECONDS,
  receiver,
  requestIntent,
  withdrawalIntent,
  withOneFeePreference,
} from '../../src/operations/intentFields.ts';
import { ClockBehind, IntentError } from '../../src/operations/operation.ts';
import { z } from '../../src/protocol/zod.ts';
import { DAY, FRIEND, factsWith, now, OWNER } from './facts.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Facts of an account whose relayer's clock is ahead of this machine's by so many seconds. */
const ahead = (seconds: number) => factsWith({ getTimestamp: () => ({ timestamp: (now + seconds) * 1000 }) });

describe('the end of a request', () => {
  test.each([
    ['an hour', undefined, HOUR],
    ['the rest of it and the way to the relayer', undefined, HOUR - 2 * MINUTE + 1],
    ['ten minutes, and the site names an end in five', now + 5 * MINUTE, 10 * MINUTE],
    ['a day, and the site names an end in a day', now + DAY, DAY],
    ['31 days', undefined, 31 * DAY],
  ])('has passed on arrival when the relayer’s clock is ahead by %s', async (_what, asked, seconds) => {
    await expect(deadline(asked, ahead(seconds))).rejects.toThrow(new ClockBehind(seconds));
  });

  test.each([
    ['as far as this machine’s', undefined, 0],
    ['half an hour ahead', undefined, HOUR / 2],
    ['two minutes short of the end', undefined, HOUR - 2 * MINUTE],
    ['an hour behind', undefined, -HOUR],
    ['31 days behind', undefined, -31 * DAY],
    ['two minutes ahead, and the site names an end in a minute', now + MINUTE, 2 * MINUTE],
    ['31 days ahead, and the site names an end in 60', now + 60 * DAY, 31 * DAY],
    ['two days ahead, and the site names an end in a day and a second', now + DAY + 1, 2 * DAY],
  ])('is as asked for with a relayer’s clock %s', async (_what, asked, seconds) => {
    expect(await deadline(asked, ahead(seconds))).toBe(asked ?? now + HOUR);
  });

  test('is as asked for when the relayer does not tell its time', async () => {
    expect(await deadline(undefined, factsWith({}))).toBe(now + HOUR);
    expect(REQUEST_VALIDITY_SECONDS).toBe(HOUR);
  });

  test('is compared with a time of the relayer that is at most ten seconds old', async () => {
    const asked: unknown[] = [];
    const recent = async (...given: readonly unknown[]) => {
      asked.push(given);
      return null;
    };
    await deadline(undefined, { now, recent } as never);
    expect(asked).toEqual([['getTimestamp', {}, 10]]);
  });

  test.each([
    [now, undefined, 'validUntil: is not in the future'],
    [now - 1, undefined, 'validUntil: is not in the future'],
    [0, undefined, 'validUntil: is not in the future'],
    [now + LONGEST_NFT_VALIDITY + 1, LONGEST_NFT_VALIDITY, 'validUntil: is more than 60 days away'],
    [now + 2 * DAY, DAY + HOUR, 'validUntil: is more than 1 days away'],
  ])('is refused at %s, with at most %s seconds', async (asked, longest, message) => {
    const refused = deadline(asked, factsWith({}), longest);
    await expect(refused).rejects.toBeInstanceOf(IntentError);
    await expect(refused).rejects.toThrow(message);
  });

  test('is a day from now when a wallet contract has to approve it, unless it is named', async () => {
    const facts = factsWith({});
    const ofContract = { ...facts, account: { ...facts.account, isContract: true } as const };
    expect(await ownerDeadline(undefined, ofContract)).toBe(now + DAY);
    expect(await ownerDeadline(now + HOUR, ofContract)).toBe(now + HOUR);
    expect(await ownerDeadline(undefined, facts)).toBe(now + HOUR);
    await expect(ownerDeadline(now + 61 * DAY, ofContract, LONGEST_NFT_VALIDITY)).rejects.toThrow('60 days away');
  });

  test('may be the next second, and the last one of the longest validity', async () => {
    expect(await deadline(now + 1, factsWith({}))).toBe(now + 1);
    expect(await deadline(now + LONGEST_NFT_VALIDITY, factsWith({}), LONGEST_NFT_VALIDITY)).toBe(now + 60 * DAY);
    expect(await deadline(2 ** 32 - 1, factsWith({}))).toBe(2 ** 32 - 1);
  });
});

const volume = { tokenId: 0, volume: '1' };
const intents = {
  request: withOneFeePreference(z.strictObject(requestIntent())),
  nftRequest: withOneFeePreference(z.strictObject(nftRequestIntent())),
  withdrawal: z.strictObject(withdrawalIntent()),
  memo: z.strictObject({ memo: memoField() }),
  moved: z.strictObject({ token: positiveVolume() }),
};
/** First issue as `field: rule`; `undefined` when it is taken. */
function issueOf(form: keyof typeof intents, intent: object): string | undefined {
  const issue = (intents[form] as z.ZodMiniType).safeParse(intent).error?.issues[0];
  return issue && `${issue.path.join('.')}: ${issue.message}`;
}

describe('the shared fields of a request', () => {
  test.each<[keyof typeof intents, object]>([
    ['request', {}],
    ['request', { account: OWNER, validUntil: now, maxFee: volume }],
    ['request', { feeTokenId: 1 }],
    ['nftRequest', { account: OWNER, validUntil: now, maxFee: { tokenId: 0, amount: '1' } }],
    ['nftRequest', { feeTokenId: 1 }],
    ['withdrawal', {}],
    ['withdrawal', { to: FRIEND, extraData: '0x12', minGas: 0 }],
    ['withdrawal', { minGas: 300_000 }],
    ['memo', {}],
    ['memo', { memo: 'rent' }],
    ['moved', { token: volume }],
  ])('of a %s take %j', (form, intent) => {
    expect(issueOf(form, intent)).toBeUndefined();
  });

  test.each<[keyof typeof intents, object, string | RegExp]>([
    ['request', { account: 'me' }, /^account: /],
    ['request', { validUntil: -1 }, /^validUntil: /],
    ['request', { feeTokenId: 40_000 }, /^feeTokenId: /],
    ['request', { maxFee: { tokenId: 0, amount: '1' } }, /^maxFee\.volume: /],
    ['nftRequest', { maxFee: volume }, /^maxFee\.amount: /],
    ['request', { feeTokenId: 0, maxFee: volume }, 'feeTokenId: goes without maxFee, which names the token'],
    [
      'nftRequest',
      { feeTokenId: 0, maxFee: { tokenId: 0, amount: '1' } },
      'feeTokenId: goes without maxFee, which names the token',
    ],
    ['withdrawal', { to: `0x${'0'.repeat(40)}` }, 'to: is the zero address'],
    ['withdrawal', { extraData: '0x1' }, 'extraData: is not 0x and whole bytes'],
    ['withdrawal', { minGas: -1 }, /^minGas: /],
    ['withdrawal', { minGas: 0.5 }, /^minGas: /],
    ['memo', { memo: 'x'.repeat(257) }, /^memo: /],
    ['moved', { token: { tokenId: 0, volume: '0' } }, 'token.volume: is zero'],
  ])('of a %s refuse %j', (form, intent, message) => {
    expect(issueOf(form, intent)).toMatch(message);
  });

  test('name no receiver that leaves it open who receives', () => {
    const zero = `0x${'0'.repeat(40)}`;
    for (const text of [zero, zero.replace('x', 'X')]) expect(receiver().safeParse(text).success).toBe(false);
    expect(receiver().safeParse(FRIEND).success).toBe(true);
  });

  test.each([
    [{}, undefined, undefined],
    [{ feeTokenId: 0 }, 0, undefined],
    [{ maxFee: { tokenId: 0, volume: '7' } }, 0, '7'],
    [{ maxFee: { tokenId: 1, amount: '7' } }, 1, '7'],
  ])('of a fee %j are the token %s and the ceiling %s', (intent, feeTokenId, maxFee) => {
    expect(feePreference(intent)).toEqual({ feeTokenId, maxFee });
  });
});
