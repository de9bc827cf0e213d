import type { AccountView, NetworkView } from '../../messaging/views.ts';
import { t } from '../i18n.ts';
import { checksumAddress, middleShortened } from './format.ts';
import { Identicon } from './Identicon.tsx';
import { visibleText } from './visibleText.ts';

interface AccountLineProps {
  readonly account: AccountView;
  readonly network: NetworkView | null;
  /** For the narrow header of the popup: fewer digits, no account number. */
  readonly compact?: boolean;
}

/** Name, address and number of an account in two lines. */
export function AccountLine({ account, network, compact = false }: AccountLineProps) {
  const owner = checksumAddress(account.owner);
  return (
    <span class="account-line">
      <Identicon address={account.owner} />
      <span class="account-text">
        <bdi class="account-name">{visibleText(account.label, 60)}</bdi>
        <span class="soft">
          <span class="mono" title={owner}>
            {middleShortened(owner, 6, 4)}
          </span>
          {!compact && <> · {t('accountNumber', { id: account.accountId })}</>}
          {network !== null && <> · {visibleText(network.name, 40)}</>}
        </span>
      </span>
    </span>
  );
}
