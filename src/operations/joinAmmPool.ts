import {
  address,
  ammJoinBoundFields,
  ammJoinScalar,
  ammPoolJoinTokens,
  amountText,
  type EndpointBody,
  feeRequestTypes,
  seconds,
} from '../protocol/index.ts';
import { BIPS } from '../protocol/limits.ts';
import { once } from '../protocol/once.ts';
import { z } from '../protocol/zod.ts';
import { joinExecution } from './execution.ts';
import { type FeeQuote, feeFrom, feeRow, moveRows, tokenFee, totalWith } from './fees.ts';
import { deadline } from './intentFields.ts';
import { type Facts, IntentError, type Operation, splitFields } from './operation.ts';
import { checkPoolTokens, heldOf, isNamedOtherwise, poolAt, poolSettlement } from './pool.ts';
import { type BookName, bookNameOf, contractRow } from './recipient.ts';
import type { ReviewRow, TokenFacts } from './review.ts';
import { signByAccount } from './signByOwner.ts';
import { listedSymbol } from './tokenSymbol.ts';
import { warningsOf } from './warnings.ts';

const intent = once(() =>
  z.strictObject({
    account: z.optional(address()),
    poolAddress: address(),
    /** Of the amounts that go in, what the pool's ratio does not need stays in the account. */
    joinTokens: ammPoolJoinTokens().check(
      z.refine(({ pooled }) => pooled.every(({ volume }) => volume !== '0'), {
        path: ['pooled'],
        error: 'has an amount of zero',
      }),
    ),
    /** Highest fee, base units of the pool's last token; the relayer's quote when absent. */
    fee: z.optional(amountText()),
    validUntil: z.optional(seconds()),
  }),
);

export type JoinAmmPoolIntent = z.output<ReturnType<typeof intent>>;
type Body = Omit<EndpointBody<'joinAmmPool'>, 'storageIds' | 'eddsaSignature' | 'ecdsaSignature' | 'domainSeparator'>;

interface Shown extends BookName {
  /** Name of the pool; part of what is signed. */
  readonly pool: string;
  readonly lp: TokenFacts;
  readonly tokens: readonly TokenFacts[];
  /**
   * LP tokens that the pool would give now, and what the least of them is worth in each of its
   * tokens; base units.
   */
  readonly expected: string;
  readonly worth: readonly string[];
  readonly isRisky: boolean;
  readonly fee: FeeQuote;
}

const requestType = feeRequestTypes.AMM_JOIN;

/** The relayer's quote in one token: the last one of the pool pays. */
async function quoteIn(tokenId: number, facts: Facts) {
  const tokenSymbol = listedSymbol(await facts.token(tokenId, 'joinTokens.pooled'));
  return tokenFee(requestType, facts, { tokenSymbol });
}

/** Puts tokens into a pool for LP tokens. */
export const joinAmmPool: Operation<JoinAmmPoolIntent, Body, Shown> = {
  name: 'joinAmmPool',
  method: 'relayer_joinAmmPool',
  permission: 'pools',
  group: 'pools',
  own: true,
  intent,
  fee: ({ joinTokens, fee }) => ({
    requestType,
    tokenId: joinTokens.pooled.at(-1)?.tokenId ?? 0,
    volume: fee,
  }),
  feeQuote: ({ tokenId = 0 }, facts) => quoteIn(tokenId, facts),
  settle: poolSettlement('join'),
  executedAs: joinExecution,

  async prepare(asked, facts) {
    const pool = await poolAt(asked.poolAddress, facts);
    const { pooled, minimumLp } = asked.joinTokens;
    checkPoolTokens(pool, pooled, 'joinTokens.pooled');
    if (minimumLp.tokenId !== pool.tokens.lp)
      throw new IntentError('joinTokens.minimumLp.tokenId', `is not the pool's LP token ${pool.tokens.lp}`);
    const lp = await facts.token(pool.tokens.lp, 'joinTokens.minimumLp.tokenId');
    const tokens: TokenFacts[] = [];
    for (const { tokenId } of pooled) tokens.push(await facts.token(tokenId, 'joinTokens.pooled'));
    const [moved, feeTokenId] = [pooled.at(-1), tokens.at(-1)?.tokenId ?? 0];
    const fee = await feeFrom(
      await quoteIn(feeTokenId, facts),
      { feeTokenId, maxFee: asked.fee },
      { requestType, ...(moved && { moved }) },
      facts,
    );
    const holds = await facts.read('getAmmBalance', { query: { poolAddress: pool.address } });
    const supply = BigInt(holds.lp.volume);
    const held = heldOf(holds, pooled);
    if (supply === 0n || held.includes(0n))
      throw new IntentError('poolAddress', 'is an empty pool, which has no price yet');
    const given = pooled.map(({ volume }, index) => (BigInt(volume) * supply) / (held[index] ?? 1n));
    return {
      body: {
        owner: facts.account.owner,
        poolAddress: pool.address,
        joinTokens: { pooled, minimumLp },
        fee: fee.volume,
        validUntil: await deadline(asked.validUntil, facts),
      },
      shown: {
        pool: pool.name,
        lp,
        tokens,
        expected: given.reduce((least, one) => (one < least ? one : least)).toString(),
        worth: held.map((amount) => ((amount * BigInt(minimumLp.volume)) / supply).toString()),
        isRisky: holds.risky,
        fee,
        ...(await bookNameOf(pool.address, facts)),
      },
    };
  },

  review({ body, shown: { pool, lp, tokens, expected, worth, isRisky, fee, ...name } }, now) {
    const { pooled, minimumLp } = body.joinTokens;
    const leaves = pooled.flatMap(({ volume }, index): ReviewRow[] => {
      const token = tokens[index] as TokenFacts;
      const moved = { kind: 'amount', volume, token } as const;
      const total = totalWith(fee, { tokenId: token.tokenId, volume });
      // Both are paid: one word for both, and a short one, because the ticket has three rows.
      return moveRows('review_pay', moved, fee, total).map((row) => ({ ...row, label: { key: 'review_pay' } }));
    });
    const share = (index: 0 | 1) =>
      ({ kind: 'amount', volume: worth[index] as string, token: tokens[index] as TokenFacts, least: true }) as const;
    const least = BigInt(minimumLp.volume);
    return {
      sentence: { key: 'review_joinAmmPool', values: { pool: { kind: 'text', text: pool } } },
      rows: [
        ...leaves,
        {
          label: { key: 'review_receive' },
          value: { kind: 'amount', volume: minimumLp.volume, token: lp, least: true },
          emphasis: 'receive',
          note: { key: 'review_shareWorth', values: { amount: share(0), other: share(1) } },
        },
        feeRow(fee),
        { label: { key: 'review_expires' }, value: { kind: 'time', seconds: body.validUntil } },
        contractRow('review_pool', body.poolAddress, name),
        // The signature covers it, as part of the pool's domain.
        { label: { key: 'review_domainName' }, value: { kind: 'text', text: pool } },
      ],
      warnings: warningsOf({
        now,
        request: { validUntil: body.validUntil },
        fee,
        pool: { isRisky, noMinimum: least === 0n, isNamedOtherwise: isNamedOtherwise(pool, tokens) },
        shareLossBips: Number(((BigInt(expected) - least) * BIPS) / (BigInt(expected) || 1n)),
      }),
      ...splitFields(body, ammJoinBoundFields),
    };
  },

  storageSlot: ({ body: { joinTokens } }) => ({
    tokenId: joinTokens.pooled[0]?.tokenId ?? 0,
    parity: 'offchain',
    alsoOf: joinTokens.pooled[1]?.tokenId ?? 0,
  }),

  signs: ['pool'],

  async sign({ body, shown }, storageId, { chainId }, keys) {
    if (storageId === null) throw new Error('joinAmmPool is signed with a storage id');
    // One number that is free in the counters of both tokens.
    const request = { ...body, storageIds: [storageId, storageId] };
    return signByAccount('joinAmmPool', request, ammJoinScalar({ chainId, name: shown.pool }, request), keys);
  },
};
