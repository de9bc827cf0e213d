import type { BalanceView } from '../../../messaging/views.ts';
import { t } from '../../i18n.ts';
import { Amount } from '../../shared/Amount.tsx';
import { symbolLimit } from '../../shared/format.ts';
import { shownAmount } from '../../shared/numbers.ts';
import { TokenDot } from '../../shared/TokenDot.tsx';
import { visibleText } from '../../shared/visibleText.ts';

function hasAny(volume: string): boolean {
  return /[1-9]/.test(volume);
}

function Part({
  label,
  volume,
  balance,
}: {
  readonly label: string;
  readonly volume: string;
  readonly balance: BalanceView;
}) {
  if (!hasAny(volume)) return null;
  return (
    <span class="balance-part">
      {t(label, { amount: shownAmount({ volume, token: balance.token, least: true }).text })}
    </span>
  );
}

/** What the account holds, with what of it is locked in orders or on its way. */
export function Balances({ balances }: { readonly balances: readonly BalanceView[] }) {
  if (balances.length === 0) return <p class="empty">{t('homeNoBalances')}</p>;
  return (
    <ul class="balances">
      {balances.map((balance) => {
        const symbol = visibleText(balance.token.symbol, symbolLimit);
        return (
          <li key={balance.token.tokenId} class="balance">
            <TokenDot token={balance.token} />
            <span class="balance-token">
              <bdi class="balance-symbol">{symbol}</bdi>
              <bdi class="soft">{visibleText(balance.token.name, 32)}</bdi>
            </span>
            <span class="balance-amounts">
              <Amount volume={balance.total} token={balance.token} least bare />
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
