import { useEffect, useState } from 'preact/hooks';
import { isLocalHost } from '../../messaging/hostPattern.ts';
import type { WalletState } from '../../messaging/views.ts';
import { t } from '../i18n.ts';
import { Banner } from '../shared/Banner.tsx';
import { selectedAccount } from './selectedAccount.ts';

/** Says that there is no network, and what can be done without one. */
export function Offline({ wallet }: { readonly wallet: WalletState }) {
  const [isOnline, setOnline] = useState(() => navigator.onLine);
  useEffect(() => {
    const look = () => setOnline(navigator.onLine);
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  const { networkId } = selectedAccount(wallet);
  const network = wallet.networks.find(({ id }) => id === networkId);
  // An exchange on the same machine answers without any network.
  if (isOnline || network === undefined || isLocalHost(new URL(network.baseUrl).hostname)) return null;
  return (
    <Banner tone="notice" role="status" title={t('offlineTitle')}>
      {t('offlineMeaning')}
    </Banner>
  );
}
