import type { AccountView, NetworkView } from '../../messaging/views.ts';
import { t } from '../i18n.ts';
import { checksumAddress, middleShortened } from './format.ts';
import { Identicon } from './Identicon.tsx';
import { visibleText } from './visibleText.ts';

/** Name, address and number of an account in two lines. */
export function AccountLine({
  account,
  network,
}: {
  readonly account: AccountView;
  readonly network: NetworkView | null;
}) {
  return (
    <span class="account-line">
      <Identicon address={account.owner} />
      <span class="account-text">
        <bdi class="account-name">{visibleText(account.label, 60)}</bdi>
        <span class="soft">
          <span class="mono" title={checksumAddress(account.owner)}>
            {middleShortened(checksumAddress(account.owner))}
          </span>{' '}
          · {t('accountNumber', { id: account.accountId })}
          {network !== null && <> · {visibleText(network.name, 40)}</>}
        </span>
      </span>
    </span>
  );
}
