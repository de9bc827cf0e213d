import type { ApprovalView } from '../../messaging/views.ts';
import type { Value } from '../../operations/review.ts';
import { t } from '../i18n.ts';
import { valueText } from '../shared/format.ts';
import { Row } from '../shared/Row.tsx';
import { useCurrentPrices } from '../shared/usePrices.ts';
import { worthOf } from '../shared/values.ts';
import { Worth } from '../shared/Worth.tsx';

type AmountValue = Extract<Value, { kind: 'amount' }>;

interface WorthOfLeavingProps {
  readonly account: string;
  readonly amounts: readonly AmountValue[];
  readonly currency: string;
}

function WorthOfLeaving({ account, amounts, currency }: WorthOfLeavingProps) {
  const prices = useCurrentPrices(account, currency);
  return (
    <dl class="rows">
      <Row label="approvalWorth">
        {amounts.map((amount, index) => {
          const worth = worthOf(amount.volume, amount.token, prices ?? null);
          return (
            <div key={index}>
              <bdi>{valueText(amount)}</bdi>{' '}
              {worth !== null ? (
                <Worth value={worth.now} currency={currency} leaves />
              ) : (
                prices !== undefined && <span class="soft">· {t('approvalWorthNone')}</span>
              )}
            </div>
          );
        })}
        <span class="row-note">{t('approvalWorthNote')}</span>
      </Row>
    </dl>
  );
}

/**
 * Values what leaves the account at the exchange's own prices, for the details of a request. Made
 * by the page beside the review: neither the digest nor a warning nor the button depends on it.
 * @returns `null` where no token leaves, or values are not wanted.
 */
export function worthOfLeaving({ review, account }: ApprovalView, currency = '') {
  const amounts = (review?.rows ?? []).flatMap(({ leaves, value }) =>
    leaves && value.kind === 'amount' ? [value] : [],
  );
  if (account === null || currency === '' || amounts.length === 0) return null;
  return <WorthOfLeaving account={account.id} amounts={amounts} currency={currency} />;
}
