import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { WalletState } from '../../messaging/views.ts';
import { call } from '../background.ts';
import { t } from '../i18n.ts';
import { AccountLine } from '../shared/AccountLine.tsx';
import { CopyButton } from '../shared/CopyButton.tsx';
import { checksumAddress } from '../shared/format.ts';
import { Icon, Mark } from '../shared/Icon.tsx';
import { namePage } from '../shared/namePage.ts';
import { Problem } from '../shared/Problem.tsx';
import { useAction } from '../shared/useAction.ts';
import type { Query } from '../shared/useQuery.ts';
import { useWallet } from '../shared/useWallet.ts';
import { Unlock } from '../unlock/Unlock.tsx';
import { useKeptFocus } from './keptFocus.ts';
import { OwnApproval } from './move/OwnApproval.tsx';
import { type Asked, ShowApproval } from './move/useAsk.ts';
import { Navigation } from './Navigation.tsx';
import { Offline } from './Offline.tsx';
import { hrefTo, useRoute } from './router.ts';
import { screenNamed } from './screens.ts';
import { screenViews } from './screenViews.ts';
import { Welcome } from './Welcome.tsx';

interface OpenWalletProps {
  readonly wallet: WalletState;
  readonly onWallet: (wallet: WalletState) => void;
}

function Header({ wallet, onWallet }: OpenWalletProps) {
  const account = wallet.accounts.find((candidate) => candidate.id === wallet.selectedAccount);
  const lock = useAction(async () => onWallet(await call('lock', {})));
  const network = wallet.networks.find((candidate) => candidate.id === account?.networkId) ?? null;
  return (
    <>
      <header class="popup-header">
        {account && (
          <>
            <a class="account-switch" href={hrefTo('accounts')} title={t('popupAccount')}>
              <AccountLine account={account} network={network} compact />
              <Icon name="down" />
            </a>
            <CopyButton text={checksumAddress(account.owner)} what={t('valueAddressName')} />
          </>
        )}
        <button type="button" class="icon-button" aria-label={t('popupLock')} title={t('popupLock')} onClick={lock.run}>
          <Icon name="lock" />
        </button>
      </header>
      <Problem error={lock.error} />
    </>
  );
}

function OpenWallet({ wallet, query }: { readonly wallet: WalletState; readonly query: Query<WalletState> }) {
  const { set: onWallet } = query;
  const route = useRoute();
  const screen = screenNamed(route.screen);
  const place = [screen.name, ...route.rest].join('/');
  const [scroll, setScroll] = useState<HTMLElement | null>(null);
  const shown = useRef(place);
  const View = screenViews[screen.name];
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = useCallback(() => setAsked(null), []);
  const asker = useRef<Element | null>(null);
  const ask = useCallback((next: Asked) => {
    setAsked((shown) => {
      // A review that is being read stays; the next request waits on the first screen.
      if (shown !== null) return shown;
      asker.current = document.activeElement;
      return next;
    });
  }, []);
  // The screen was inert meanwhile, which took the focus from the button that asked.
  useEffect(() => {
    if (asked === null && asker.current instanceof HTMLElement) asker.current.focus();
  }, [asked]);
  useKeptFocus(scroll);

  // A screen with a heading of its own names itself after this.
  useLayoutEffect(() => {
    namePage(t(screen.label));
    return () => {
      document.title = 'Countersign';
    };
  }, [place, screen]);

  // A change of screen starts at its top and at its heading, where readers say what it is. The
  // first screen takes no focus.
  useEffect(() => {
    if (scroll === null || shown.current === place) return;
    shown.current = place;
    // Whoever goes elsewhere meanwhile finds the approval request on the first screen.
    setAsked(null);
    scroll.scrollTo({ top: 0 });
    scroll.querySelector('h1')?.focus({ preventScroll: true });
  }, [place, scroll]);

  const isEmpty = wallet.accounts.length === 0;
  if (isEmpty && screen.name !== 'accounts' && screen.name !== 'security')
    return <Welcome started onRetry={wallet.isUnread && query.reload} />;
  return (
    <ShowApproval.Provider value={ask}>
      {/* The screen below keeps what was typed: after a no it is there again. */}
      <div class="popup-screen" inert={asked !== null}>
        <Header wallet={wallet} onWallet={onWallet} />
        <div class="popup-scroll" ref={setScroll}>
          {!isEmpty && <Offline wallet={wallet} />}
          <View key={place} wallet={wallet} onWallet={onWallet} rest={route.rest} />
        </div>
        {!isEmpty && <Navigation current={screen} />}
      </div>
      {asked !== null && <OwnApproval key={asked.id} asked={asked} wallet={query} onClose={close} />}
    </ShowApproval.Provider>
  );
}

export function PopupApp() {
  const query = useWallet();
  const wallet = query.data;
  return (
    <div class="popup">
      {wallet === undefined ? (
        query.error === null ? (
          <div class="opening" role="status">
            <Mark />
            <span class="visually-hidden">{t('commonLoading')}</span>
          </div>
        ) : (
          <main class="tab">
            <Problem error={query.error} onRetry={query.reload} />
          </main>
        )
      ) : wallet.vault === 'absent' ? (
        <Welcome started={false} />
      ) : wallet.vault === 'locked' ? (
        <main class="popup-unlock">
          <Unlock reason={t('unlockForPopup')} onUnlocked={query.reload} />
        </main>
      ) : (
        <OpenWallet wallet={wallet} query={query} />
      )}
    </div>
  );
}
