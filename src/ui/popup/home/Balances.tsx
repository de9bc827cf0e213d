import type { BalanceView, PricesView } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { Amount } from '../../shared/Amount.tsx';
import { symbolText } from '../../shared/format.ts';
import { isSome } from '../../shared/free.ts';
import { shownAmount } from '../../shared/numbers.ts';
import { TokenDot } from '../../shared/TokenDot.tsx';
import { worthOf } from '../../shared/values.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { Worth } from '../../shared/Worth.tsx';

function Part({
  label,
  volume,
  balance,
}: {
  readonly label: string;
  readonly volume: string;
  readonly balance: BalanceView;
}) {
  if (!isSome(volume)) return null;
  return (
    <span class="balance-part">
      {t(label, { amount: shownAmount({ volume, token: balance.token, least: true }).text })}
    </span>
  );
}

interface BalancesProps {
  readonly balances: readonly BalanceView[];
  /** `null` while none are known. */
  readonly prices: PricesView | null;
  /** Empty: without values. */
  readonly currency: string;
}

/**
 * Shows the balances of the account with their values, and the parts that are locked in orders or
 * on their way.
 */
export function Balances({ balances, prices, currency }: BalancesProps) {
  if (balances.length === 0) return <p class="empty">{t('homeNoBalances')}</p>;
  return (
    <ul class="balances">
      {balances.map((balance) => {
        const symbol = symbolText(balance.token);
        const worth = balance.token.symbol === currency ? null : worthOf(balance.total, balance.token, prices);
        return (
          <li key={balance.token.tokenId} class="balance">
            <TokenDot token={balance.token} />
            <span class="balance-token">
              <bdi class="balance-symbol">{symbol}</bdi>
              <bdi class="soft">{visibleText(balance.token.name, 32)}</bdi>
            </span>
            <span class="balance-amounts">
              <Amount volume={balance.total} token={balance.token} least bare />
              {currency !== '' && (
                <span class="balance-part">
                  {worth === null ? '\u00a0' : <Worth value={worth.now} currency={currency} />}
                </span>
              )}
              <Part label="homeLocked" volume={balance.locked} balance={balance} />
              <Part label="homePendingDeposit" volume={balance.pendingDeposit} balance={balance} />
              <Part label="homePendingWithdraw" volume={balance.pendingWithdraw} balance={balance} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
