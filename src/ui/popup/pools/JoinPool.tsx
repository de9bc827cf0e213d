import { useState } from 'preact/hooks';
import type { AccountView, PoolPosition } from '../../../messaging/views.ts';
import { BIPS } from '../../../protocol/limits.ts';
import { t } from '../../i18n.ts';
import { Amount } from '../../shared/Amount.tsx';
import { amountProblem } from '../../shared/amountProblem.ts';
import { Banner } from '../../shared/Banner.tsx';
import { Choice } from '../../shared/Choice.tsx';
import { percent, symbolText } from '../../shared/format.ts';
import { freeOf } from '../../shared/free.ts';
import { exactDecimal, significant } from '../../shared/numbers.ts';
import { parseAmount, typedAmount } from '../../shared/parseAmount.ts';
import { Row } from '../../shared/Row.tsx';
import { SkeletonLine } from '../../shared/Skeleton.tsx';
import { useQuery } from '../../shared/useQuery.ts';
import { Ahead } from '../move/Ahead.tsx';
import { AmountField } from '../move/AmountField.tsx';
import { RequestForm } from '../move/RequestForm.tsx';
import { type OperationRequest, usePreview } from '../move/usePreview.ts';
import { Page } from '../PageHead.tsx';
import { goTo } from '../router.ts';
import { pairName } from './pairName.ts';
import { type Tolerance, tolerances } from './tolerances.ts';

type Part = PoolPosition['parts'][number];

interface JoinPoolProps {
  readonly pool: PoolPosition;
  readonly account: AccountView;
}

/** Digits of an amount that was computed from the other one. */
const DIGITS = 8;

/**
 * The amount of another token that goes with one, rounded up, so that the typed one goes in whole.
 */
function withIt(volume: bigint, { pooled }: Part, { pooled: other, token }: Part): bigint {
  const whole = BigInt(pooled);
  const exact = whole === 0n ? 0n : (volume * BigInt(other) + whole - 1n) / whole;
  const text = significant(exactDecimal(String(exact), token.decimals) ?? '0', DIGITS, true).text;
  const rounded = parseAmount(text, token.decimals, 'en');
  return 'volume' in rounded ? BigInt(rounded.volume) : exact;
}

/** LP tokens that the pool gives for both amounts now: the scarcer one counts. */
function lpFor({ parts, supply }: PoolPosition, volumes: readonly bigint[]): bigint {
  const given = parts.map(({ pooled }, index) =>
    pooled === '0' ? 0n : ((volumes[index] ?? 0n) * BigInt(supply)) / BigInt(pooled),
  );
  return given.reduce((least, one) => (one < least ? one : least));
}

/** Adds both tokens to a pool; one amount is typed, the pool's price gives the other. */
export function JoinPool({ pool, account }: JoinPoolProps) {
  const [typed, setTyped] = useState({ part: 0, text: '' });
  const [tolerance, setTolerance] = useState<Tolerance>(100);
  const [tried, setTried] = useState(false);
  const balances = useQuery('getBalances', { account: account.id });
  const available = pool.parts.map(({ token }) =>
    balances.data == null ? undefined : freeOf(balances.data, token.tokenId),
  );
  const feeToken = pool.parts.at(-1)?.token;
  const fees = useQuery('getFees', { operation: 'joinAmmPool', account: account.id, tokenId: feeToken?.tokenId ?? 0 });
  const fee = fees.data?.find(({ token }) => token.tokenId === feeToken?.tokenId);
  /** Most of each token that can go in: the fee is paid beside the last one. */
  const most = available.map((held, index) => {
    if (held === undefined || index < pool.parts.length - 1) return held;
    const left = held - BigInt(fee?.volume ?? 0);
    return left > 0n ? left : 0n;
  });
  const from = pool.parts[typed.part];
  const parsed = parseAmount(typed.text, from?.token.decimals ?? 0);
  const volume = 'volume' in parsed ? BigInt(parsed.volume) : null;
  const volumes = pool.parts.map((part, index) =>
    volume === null || !from || index === typed.part ? volume : withIt(volume, from, part),
  );
  const both = volumes.map((own) => own ?? 0n);
  const least = (lpFor(pool, both) * (BIPS - BigInt(tolerance))) / BIPS;
  const problems = pool.parts.map(({ token }, index) => {
    const symbol = symbolText(token);
    const own = volumes[index] ?? null;
    const limit = most[index];
    if (own !== null && limit !== undefined && own > limit)
      return t(own > (available[index] ?? 0n) ? 'amountTooMuch' : 'amountTooMuchWithFee', { token: symbol });
    if (index !== typed.part) return null;
    return volume && least === 0n ? t('amountTooLittle') : amountProblem(parsed, token, tried);
  });
  const isComplete = least > 0n && problems.every((problem) => problem === null);
  const request: OperationRequest | null = isComplete
    ? {
        operation: 'joinAmmPool',
        account: account.id,
        intent: {
          poolAddress: pool.address,
          joinTokens: {
            pooled: pool.parts.map(({ token }, index) => ({ tokenId: token.tokenId, volume: String(both[index]) })),
            minimumLp: { tokenId: pool.lp.tokenId, volume: String(least) },
          },
        },
      }
    : null;
  const preview = usePreview(request);
  return (
    <Page title={t('review_joinAmmPool', { pool: pairName(pool.parts) })} back={['pools']}>
      <RequestForm request={request} onApproved={() => goTo('pools')} onTried={() => setTried(true)} error={fees.error}>
        <p class="soft lead">{t('poolJoinMeaning')}</p>
        {pool.risky && <Banner tone="notice">{t('poolRiskyMeaning')}</Banner>}
        {pool.parts.map(({ token }, index) => {
          const own = volumes[index];
          const held = available[index];
          const limit = most[index];
          return (
            <AmountField
              key={token.tokenId}
              token={token}
              label={symbolText(token)}
              text={index === typed.part ? typed.text : own == null ? '' : typedAmount(String(own), token.decimals)}
              onText={(text) => setTyped({ part: index, text })}
              {...(held === undefined || limit === undefined
                ? {}
                : {
                    available: held,
                    onMax: () => setTyped({ part: index, text: typedAmount(String(limit), token.decimals) }),
                  })}
              error={problems[index] ?? null}
            />
          );
        })}
        <Choice
          legend={t('poolTolerance')}
          hint={t('poolJoinToleranceHint')}
          options={tolerances}
          text={percent}
          chosen={tolerance}
          onChoose={setTolerance}
        />
        <dl class="rows card">
          <Row label="moveFee">
            {fee === undefined ? <SkeletonLine width={6} /> : <Amount volume={fee.volume} token={fee.token} />}
          </Row>
        </dl>
        <Ahead preview={preview} />
      </RequestForm>
    </Page>
  );
}
