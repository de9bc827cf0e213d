import {
  address,
  ammExitBoundFields,
  ammExitScalar,
  ammPoolExitTokens,
  amountText,
  burnedVolume,
  type EndpointBody,
  Float24,
  feeRequestTypes,
  roundToFloat,
  seconds,
} from '../protocol/index.ts';
import { BIPS } from '../protocol/limits.ts';
import { once } from '../protocol/once.ts';
import { z } from '../protocol/zod.ts';
import { exitExecution } from './execution.ts';
import { type FeeQuote, feeFrom, feeRow, tokenFee } from './fees.ts';
import { deadline } from './intentFields.ts';
import { IntentError, type Operation, splitFields } from './operation.ts';
import { checkPoolTokens, heldOf, isNamedOtherwise, poolAt, poolSettlement } from './pool.ts';
import { type BookName, bookNameOf, contractRow, roundedRows } from './recipient.ts';
import type { ReviewRow, TokenFacts } from './review.ts';
import { signByAccount } from './signByOwner.ts';
import { listedSymbol } from './tokenSymbol.ts';
import { warningsOf } from './warnings.ts';

const intent = once(() =>
  z
    .strictObject({
      account: z.optional(address()),
      poolAddress: address(),
      exitTokens: ammPoolExitTokens(),
      /** Base units of the pool's last token; the relayer's quote when absent. */
      maxFee: z.optional(amountText()),
      validUntil: z.optional(seconds()),
    })
    .check(
      z.refine(({ exitTokens }) => burnedVolume(exitTokens.burned) !== '0', {
        path: ['exitTokens', 'burned'],
        error: 'is zero',
      }),
    ),
);

export type ExitAmmPoolIntent = z.output<ReturnType<typeof intent>>;
type Body = Omit<EndpointBody<'exitAmmPool'>, 'storageId' | 'eddsaSignature' | 'ecdsaSignature' | 'domainSeparator'>;

interface Shown extends BookName {
  /** Name of the pool; part of what is signed. */
  readonly pool: string;
  readonly lp: TokenFacts;
  readonly tokens: readonly TokenFacts[];
  /** Present value of the share that is burned, base units in the order of the tokens. */
  readonly worth: readonly string[];
  readonly isRisky: boolean;
  readonly fee: FeeQuote;
}

/** Burns LP tokens of a pool for its two tokens. */
export const exitAmmPool: Operation<ExitAmmPoolIntent, Body, Shown> = {
  name: 'exitAmmPool',
  method: 'relayer_exitAmmPool',
  permission: 'pools',
  group: 'pools',
  own: true,
  intent,
  fee: ({ exitTokens, maxFee }) => ({
    requestType: feeRequestTypes.AMM_EXIT,
    tokenId: exitTokens.unPooled.at(-1)?.tokenId ?? 0,
    volume: maxFee,
  }),
  settle: poolSettlement('exit'),
  executedAs: ({ exitTokens: { unPooled, burned }, ...body }, storageId) =>
    // `prepare` writes the LP amount with its token.
    exitExecution({ ...body, unPooled, burned: burned as Exclude<typeof burned, string> }, storageId),

  async prepare(asked, facts) {
    const pool = await poolAt(asked.poolAddress, facts);
    const { burned, unPooled } = asked.exitTokens;
    checkPoolTokens(pool, unPooled, 'exitTokens.unPooled');
    if (typeof burned === 'object' && burned.tokenId !== pool.tokens.lp)
      throw new IntentError('exitTokens.burned.tokenId', `is not the pool's LP token ${pool.tokens.lp}`);
    const lp = await facts.token(pool.tokens.lp, 'exitTokens.burned.tokenId');
    const tokens = [];
    for (const { tokenId } of unPooled) tokens.push(await facts.token(tokenId, 'exitTokens.unPooled'));
    const feeToken = tokens.at(-1) as TokenFacts;
    const requestType = feeRequestTypes.AMM_EXIT;
    const fees = await tokenFee(requestType, facts, { tokenSymbol: listedSymbol(feeToken) });
    // The relayer names the worth of the share; the least amount is what the signature binds.
    const least = unPooled.at(-1)?.volume ?? '0';
    const subject = {
      requestType,
      received: least,
      ...(least === '0' ? {} : { moved: { tokenId: feeToken.tokenId, volume: least } }),
    };
    const fee = await feeFrom(fees, { feeTokenId: feeToken.tokenId, maxFee: asked.maxFee }, subject, facts);
    const volume = burnedVolume(burned);
    const executed = roundToFloat(BigInt(volume), Float24);
    const holds = await facts.read('getAmmBalance', { query: { poolAddress: pool.address } });
    const supply = BigInt(holds.lp.volume);
    return {
      body: {
        owner: facts.account.owner,
        poolAddress: pool.address,
        exitTokens: { unPooled, burned: { tokenId: lp.tokenId, volume } },
        maxFee: fee.volume,
        validUntil: await deadline(asked.validUntil, facts),
      },
      shown: {
        pool: pool.name,
        lp,
        tokens,
        worth: heldOf(holds, unPooled).map((held) => (supply === 0n ? '0' : ((held * executed) / supply).toString())),
        isRisky: holds.risky,
        fee,
        ...(await bookNameOf(pool.address, facts)),
      },
    };
  },

  review({ body, shown: { pool, lp, tokens, worth, isRisky, fee, ...name } }, now) {
    const pay = { kind: 'amount', volume: burnedVolume(body.exitTokens.burned), token: lp } as const;
    const minima = body.exitTokens.unPooled.map(({ volume }) => BigInt(volume));
    const received = tokens.map((token, index): ReviewRow => {
      const amount = (volume: bigint | string) =>
        ({ kind: 'amount', volume: volume.toString(), token, least: true }) as const;
      const highestFee = { kind: 'amount', volume: body.maxFee, token } as const;
      const least = minima[index] ?? 0n;
      const highest = BigInt(body.maxFee);
      const paysFee = index === tokens.length - 1 && highest > 0n;
      const values = { amount: amount(worth[index] as string) };
      return {
        label: { key: 'review_receive' },
        value: amount(!paysFee ? least : least > highest ? least - highest : 0n),
        emphasis: 'receive',
        note: paysFee
          ? { key: 'review_worthNowAfterFee', values: { ...values, gross: amount(least), fee: highestFee } }
          : { key: 'review_worthNow', values },
      };
    });
    const losses = minima.map((least, index) => {
      const value = BigInt(worth[index] as string);
      return value === 0n ? 0 : Number(((value - least) * BIPS) / value);
    });
    return {
      sentence: { key: 'review_exitAmmPool', values: { amount: pay, pool: { kind: 'text', text: pool } } },
      rows: [
        { label: { key: 'review_burn' }, value: pay, emphasis: 'pay', leaves: true },
        ...received,
        feeRow(fee),
        { label: { key: 'review_expires' }, value: { kind: 'time', seconds: body.validUntil } },
        ...roundedRows(pay, 'review_burned'),
        contractRow('review_pool', body.poolAddress, name),
        // The signature covers it, as part of the pool's domain.
        { label: { key: 'review_domainName' }, value: { kind: 'text', text: pool } },
      ],
      warnings: warningsOf({
        now,
        request: { validUntil: body.validUntil },
        fee,
        pool: {
          isRisky,
          noMinimum: minima.every((least) => least === 0n),
          isNamedOtherwise: isNamedOtherwise(pool, tokens),
        },
        shareLossBips: Math.max(...losses),
      }),
      ...splitFields(
        body,
        ammExitBoundFields.map((path) => (path === 'exitTokens.burned' ? `${path}.volume` : path)),
      ),
    };
  },

  storageSlot: ({ shown }) => ({ tokenId: shown.lp.tokenId, parity: 'offchain' }),

  signs: ['pool'],

  async sign({ body, shown }, storageId, { chainId }, keys) {
    if (storageId === null) throw new Error('exitAmmPool is signed with a storage id');
    const request = { ...body, storageId };
    return signByAccount('exitAmmPool', request, ammExitScalar({ chainId, name: shown.pool }, request), keys);
  },
};
