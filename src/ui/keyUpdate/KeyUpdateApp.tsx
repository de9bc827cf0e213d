import { useEffect, useRef, useState } from 'preact/hooks';
import { OWN_ORIGIN } from '../../messaging/ownOrigin.ts';
import type { WalletState } from '../../messaging/views.ts';
import { t } from '../i18n.ts';
import { AccountLine } from '../shared/AccountLine.tsx';
import { namePage } from '../shared/namePage.ts';
import { Problem } from '../shared/Problem.tsx';
import { Rail } from '../shared/Rail.tsx';
import { Site } from '../shared/Site.tsx';
import { useWallet } from '../shared/useWallet.ts';
import { Unlock } from '../unlock/Unlock.tsx';
import { useKeyWizard } from './useKeyWizard.tsx';
import { WhyAgain } from './WhyAgain.tsx';

const railSteps = ['why', 'key', 'backup', 'confirm', 'progress'] as const;

const address = new URLSearchParams(location.search);

/** Account that the address names, else the one that the popup shows. */
const accountOf = (wallet: WalletState) => address.get('account') ?? wallet.selectedAccount;

/**
 * Replaces the key of an account, for the user or for a site that asked. A reload goes on where it
 * was.
 */
export function KeyUpdateApp() {
  const wallet = useWallet();
  const [approval, setApproval] = useState(() => address.get('approval'));
  const account = wallet.data === undefined ? null : accountOf(wallet.data);
  const asked =
    wallet.data === undefined ? null : approval === null ? { account, approval } : { account: null, approval };
  const { step, view, body, reload } = useKeyWizard(asked, {
    first: 'why',
    onApproval(id) {
      const subject =
        id === null ? `account=${encodeURIComponent(view?.account.id ?? '')}` : `approval=${encodeURIComponent(id)}`;
      history.replaceState(null, '', `?${subject}`);
      if (id === null) address.set('account', view?.account.id ?? '');
      setApproval(id);
    },
    onClose: () => window.close(),
  });
  const content = useRef<HTMLElement>(null);
  const locked = wallet.data !== undefined && wallet.data.vault !== 'unlocked';
  const fromSite = view?.approval != null && view.approval.origin !== OWN_ORIGIN;

  useEffect(() => {
    const heading = content.current?.querySelector('h1');
    namePage(heading?.textContent ?? t('keyUpdateTitle'));
    if (!content.current?.contains(document.activeElement)) heading?.focus();
  }, [step, view === undefined, locked, view?.approval?.stage, view?.approval?.result?.status, view?.newKey?.inPlace]);

  const steps = railSteps.filter((entry) => entry !== 'backup' || view?.newKey?.kind === 'random');

  return (
    <div class="onboarding">
      <Rail
        labels={steps.map((entry) => `keyUpdateStep_${entry}`)}
        at={view?.newKey?.inPlace ? steps.length : steps.indexOf(step)}
      />
      <main class="sheet" ref={content}>
        <div class="sheet-content">
          {view !== undefined && wallet.data?.vault === 'unlocked' && (
            <div class="key-update-subject">
              <AccountLine account={view.account} network={view.network} />
              {fromSite && view.approval && (
                <p class="soft">
                  {t('keyUpdateAskedBy')} <Site origin={view.approval.origin} />
                </p>
              )}
              <WhyAgain approval={view.approval} />
            </div>
          )}
          {locked ? (
            <Unlock reason={t('unlockForKeyUpdate')} onUnlocked={() => wallet.reload().then(reload)} />
          ) : wallet.data === undefined && wallet.error !== null ? (
            <Problem error={wallet.error} onRetry={wallet.reload} />
          ) : (
            body
          )}
        </div>
      </main>
    </div>
  );
}
