import { t } from '../../i18n.ts';
import { Banner } from '../../shared/Banner.tsx';
import { CopyButton } from '../../shared/CopyButton.tsx';
import { checksumAddress } from '../../shared/format.ts';
import { visibleText } from '../../shared/visibleText.ts';
import { Page } from '../PageHead.tsx';
import type { ScreenProps } from '../screenProps.ts';
import { selectedAccount } from '../selectedAccount.ts';
import { QrCode } from './QrCode.tsx';

/** The own address, whole, to be read, copied or scanned. */
export function ReceiveScreen({ wallet }: ScreenProps) {
  const account = selectedAccount(wallet);
  const network = wallet.networks.find(({ id }) => id === account.networkId);
  const address = checksumAddress(account.owner);
  return (
    <Page title={t('receiveTitle')} back={['home']}>
      <Banner tone="notice" title={t('receiveL1')}>
        {t('receiveL1Meaning')}
      </Banner>
      <h2 class="receive-title">{t('receiveTransfer', { network: network?.name ?? '' })}</h2>
      <div class="receive">
        <p class="receive-name">
          <bdi>{visibleText(account.label, 60)}</bdi> · {t('accountNumber', { id: account.accountId })}
        </p>
        <p class="receive-address">
          <span class="mono">{address}</span>
          <CopyButton text={address} what={t('valueAddressName')} />
        </p>
        <QrCode text={address} what={t('receiveQr')} />
      </div>
      <h2 class="receive-title">{t('receiveDeposit')}</h2>
      <ol class="receive-steps">
        <li>{t('receiveDepositWallet', { chain: network?.chainId ?? '' })}</li>
        <li>{t('receiveDepositSite')}</li>
        <li>{t('receiveDepositWait')}</li>
      </ol>
    </Page>
  );
}
