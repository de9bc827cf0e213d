import { useState } from 'preact/hooks';
import type { AccountView, PoolPosition } from '../../../messaging/views.ts';
import { BIPS } from '../../../protocol/limits.ts';
import { t } from '../../i18n.ts';
import { Amount } from '../../shared/Amount.tsx';
import { Banner } from '../../shared/Banner.tsx';
import { Choice } from '../../shared/Choice.tsx';
import { amountText, percent } from '../../shared/format.ts';
import { free } from '../../shared/free.ts';
import { Row } from '../../shared/Row.tsx';
import { SkeletonLine } from '../../shared/Skeleton.tsx';
import { ValueView } from '../../shared/ValueView.tsx';
import { Ahead } from '../move/Ahead.tsx';
import { RequestForm } from '../move/RequestForm.tsx';
import { type OperationRequest, usePreview } from '../move/usePreview.ts';
import { Page } from '../PageHead.tsx';
import { goTo } from '../router.ts';
import { pairName } from './pairName.ts';
import { type Tolerance, tolerances } from './tolerances.ts';

/** Offered shares of the position, in ten-thousandths. */
const shares = [2_500, 5_000, 7_500, 10_000] as const;

interface ExitPoolProps {
  readonly position: PoolPosition;
  readonly account: AccountView;
}

/** Leaves a pool with a part or all of the share. */
export function ExitPool({ position, account }: ExitPoolProps) {
  const [share, setShare] = useState<(typeof shares)[number]>(10_000);
  const [tolerance, setTolerance] = useState<Tolerance>(100);
  const burned = (free(position) * BigInt(share)) / BIPS;
  const total = BigInt(position.total);
  const parts = position.parts.map(({ token, share: whole }) => {
    const expected = total === 0n ? 0n : (BigInt(whole) * burned) / total;
    return { token, expected, least: (expected * (BIPS - BigInt(tolerance))) / BIPS };
  });
  const request: OperationRequest = {
    operation: 'exitAmmPool',
    account: account.id,
    intent: {
      poolAddress: position.address,
      exitTokens: {
        burned: String(burned),
        unPooled: parts.map(({ token, least }) => ({ tokenId: token.tokenId, volume: String(least) })),
      },
    },
  };
  const preview = usePreview(burned > 0n ? request : null);
  const fee = preview?.review?.rows.find(({ label }) => label.key === 'review_fee')?.value;
  /** Rest of the last token when its fee is paid, as the review says it. */
  const net = (least: bigint, index: number) => {
    const paid = index === parts.length - 1 && fee?.kind === 'amount' ? BigInt(fee.volume) : 0n;
    return least > paid ? least - paid : 0n;
  };
  return (
    <Page
      title={t('poolExitTitle', {
        pool: pairName(position.parts),
      })}
      back={['pools']}
    >
      <RequestForm request={request} onApproved={() => goTo('pools')} disabled={burned === 0n}>
        {position.risky && <Banner tone="notice">{t('poolRiskyMeaning')}</Banner>}
        <Choice
          legend={t('poolHowMuch')}
          hint={t('poolHowMuchHint')}
          options={shares}
          text={percent}
          chosen={share}
          onChoose={setShare}
        />
        <Choice
          legend={t('poolTolerance')}
          hint={t('poolToleranceHint')}
          options={tolerances}
          text={percent}
          chosen={tolerance}
          onChoose={setTolerance}
        />
        <dl class="rows card">
          {parts.map(({ token, expected, least }, index) => (
            <Row key={token.tokenId} label="poolYouGet">
              <Amount volume={String(expected)} token={token} least />
              <span class="row-note">
                {fee === undefined
                  ? '\u00a0'
                  : t('poolAtLeast', {
                      amount: amountText({ volume: String(net(least, index)), token, least: true }),
                    })}
              </span>
            </Row>
          ))}
          <Row label="moveFee">{fee === undefined ? <SkeletonLine width={6} /> : <ValueView value={fee} />}</Row>
        </dl>
        <Ahead preview={preview} />
      </RequestForm>
    </Page>
  );
}
